"""Names in a store: events, layers, agreement, adjudication, suggestions, scores."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DatabaseError

from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.annotation.nee_report import name_report
from tertium.serve.annotation.agreement import adjudication, name_agreement, pairs, take_agreed
from tertium.serve.annotation.files import import_file, read_file
from tertium.serve.annotation.layers import (
    ADJUDICATED,
    Change,
    Name,
    change_names,
    layers,
    names_of,
)
from tertium.serve.annotation.scores import name_lists, name_scores
from tertium.serve.annotation.suggestions import pattern_entities, suggestions, taggers
from tertium.serve.annotation.targets import targets
from tertium.serve.errors import ConflictError, NotFoundError, RequestError
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import AnnotationEvent
from tertium.text.entity_names import NameNormalization
from tertium.text.input_files import open_inputs
from tests.support.places import SAMPLE
from tests.support.serve.named import added, named_set, sample_set, text_named

LINES = ["Ann Lee met Bob in Rome .", "She left Rome on 3 May .", ""]


@pytest.fixture
def test_set(store: Store) -> int:
    return named_set(
        store,
        {"ref": LINES},
        {"elm": ["Anne Lee met Bob in Rome .", "She left it .", ""]},
        documents=["a", "a", "b"],
    )


def changed(store: Store, test_set: int, annotator: str, *changes: Change) -> tuple[Name, ...]:
    with store.writing() as session:
        return change_names(session, text_named(session, test_set, "ref"), annotator, changes)


def keys(names: tuple[Name, ...]) -> list[tuple[int, int, int, str]]:
    return [one.key for one in names]


def test_events_add_up_and_none_is_ever_changed(store: Store, test_set: int) -> None:
    rome = added(1, 9, 13, "LOCATION")
    assert keys(changed(store, test_set, "ann", rome, added(0, 0, 7, "PERSON"))) == [
        (0, 0, 7, "PERSON"),
        (1, 9, 13, "LOCATION"),
    ]
    retype = replace(rome, action="retype", type="PERSON", was="LOCATION", client_key="k2")
    assert keys(changed(store, test_set, "ann", retype))[1] == (1, 9, 13, "PERSON")
    remove = replace(rome, action="remove", type="PERSON", client_key="k3")
    assert keys(changed(store, test_set, "ann", remove)) == [(0, 0, 7, "PERSON")]
    # Sent again, as after a broken connection: nothing happens twice.
    assert keys(changed(store, test_set, "ann", rome, retype, remove)) == [(0, 0, 7, "PERSON")]
    with store.reading() as session:
        assert session.scalar(select(func.count()).select_from(AnnotationEvent)) == 4
        ref = text_named(session, test_set, "ref").target
        assert [(one.annotator, one.names, one.events) for one in layers(session, ref)] == [
            ("ann", 1, 4)
        ]
    for statement in ("UPDATE annotation_event SET type = 'X'", "DELETE FROM annotation_event"):
        with pytest.raises(DatabaseError, match="rows are only added"), store.writing() as session:
            session.execute(text(statement))


def test_each_annotator_has_a_layer(store: Store, test_set: int) -> None:
    changed(store, test_set, "ann", added(0, 0, 7, "PERSON", "same"))
    changed(store, test_set, "bob", added(0, 12, 15, "PERSON", "same"))
    with store.reading() as session:
        ref = text_named(session, test_set, "ref").target
        assert keys(names_of(session, ref, "ann")) == [(0, 0, 7, "PERSON")]
        assert keys(names_of(session, ref, "bob")) == [(0, 12, 15, "PERSON")]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (added(3, 0, 1, "X"), "change 2: segment 3, expected 0 to 2"),
        (added(-1, 0, 1, "X"), "segment -1"),
        (added(2, 0, 1, "X"), "characters 0 to 1, expected 0 ≤ start < end ≤ 0"),
        (added(0, 5, 5, "X"), "characters 5 to 5"),
        (added(0, 0, 99, "X"), "characters 0 to 99"),
        (added(0, 0, 8, "X"), "found blanks at its ends"),
        (added(0, 0, 3, "two words"), "type 'two words', expected 1 to 64 letters"),
        (added(0, 0, 3, ""), "type ''"),
        (added(0, 0, 3, "<b>"), "type '<b>'"),
        (replace(added(0, 0, 3, "X"), was="Y"), "expected 'was' with retype"),
        (replace(added(0, 0, 3, "X"), action="retype"), "expected 'was' with retype"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_kept(
    sqlite_store: Store, change: Change, problem: str
) -> None:
    test_set = named_set(sqlite_store, {"ref": LINES}, {})
    with pytest.raises(RequestError, match=problem):
        changed(sqlite_store, test_set, "ann", added(0, 0, 3, "OK"), change)
    with sqlite_store.reading() as session:
        assert session.scalar(select(func.count()).select_from(AnnotationEvent)) == 0


def test_a_key_stands_for_one_change(store: Store, test_set: int) -> None:
    changed(store, test_set, "ann", added(0, 0, 3, "X", "k"))
    with pytest.raises(ConflictError, match="stands for another change already"):
        changed(store, test_set, "ann", added(0, 4, 7, "X", "k"))
    gone = replace(added(0, 0, 3, "Y"), action="retype", was="NONE", client_key="k2")
    with pytest.raises(ConflictError, match="found no NONE at 0 to 3, expected one"):
        changed(store, test_set, "ann", gone)


def test_two_who_send_the_same_at_once_keep_it_once(store: Store, test_set: int) -> None:
    change = added(0, 0, 7, "PERSON", "same")
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(changed, store, test_set, "ann", change) for _ in range(12)]
    assert {tuple(keys(one.result())) for one in asked} == {((0, 0, 7, "PERSON"),)}
    with store.reading() as session:
        assert session.scalar(select(func.count()).select_from(AnnotationEvent)) == 1


def test_lists_have_every_name_once(store: Store, test_set: int) -> None:
    names = changed(
        store,
        test_set,
        "ann",
        added(0, 19, 23, "LOCATION"),
        added(1, 9, 13, "LOCATION"),
        added(1, 17, 22, "DATE"),
    )
    with store.reading() as session:
        ref = text_named(session, test_set, "ref")
    plain = NameNormalization(quantities=False)
    by_article = name_lists(ref, names, normalization=plain)
    assert [(one.unit, [name.text for name in one.names]) for one in by_article] == [
        ("a", ["Rome", "3 May"]),
        ("b", []),
    ]
    assert by_article[0].names[0].segments == (0, 1)
    by_paragraph = name_lists(ref, names, normalization=plain, paragraphs=True)
    assert [[name.text for name in one.names] for one in by_paragraph] == [
        ["Rome"],
        ["Rome", "3 May"],
        [],
    ]


def name(start: int, end: int, label: str, segment: int = 0) -> Name:
    return Name(segment=segment, start=start, end=end, type=label, origin="hand")


def test_agreement_in_numbers_and_places() -> None:
    first = [name(0, 7, "PERSON"), name(12, 15, "PERSON"), name(19, 23, "LOCATION")]
    second = [name(0, 7, "PERSON"), name(12, 15, "LOCATION"), name(17, 23, "LOCATION")]
    second.append(name(9, 13, "LOCATION", 1))
    found = name_agreement("ann", "bob", first, second, LINES)
    # 1 of 3 and 4 agrees in ends and type, 2 in ends, 3 overlap: F1 = 2·k / 7.
    assert (found.names, found.ends, found.overlap) == pytest.approx((2 / 7, 4 / 7, 6 / 7))
    # Krippendorff's α by hand is in tests of meta; here it is between chance and full agreement.
    assert found.alpha is not None
    assert 0 < found.alpha < 1
    assert [one.difference for one in found.pairs] == ["same", "type", "ends", "second"]
    assert found.types == {"LOCATION": 0.0, "PERSON": pytest.approx(2 / 3)}
    same = name_agreement("ann", "bob", first, first, LINES)
    assert (same.names, same.alpha) == (1, 1)
    nothing = name_agreement("ann", "bob", [], [], LINES)
    assert (nothing.names, nothing.alpha, nothing.pairs) == (None, None, ())


def test_names_that_touch_are_one_difference() -> None:
    [one] = pairs([name(0, 3, "A"), name(2, 6, "A")], [name(5, 8, "A")])
    assert (len(one.first), len(one.second), one.difference) == (2, 1, "ends")


def test_adjudication_takes_what_both_have_and_asks_for_the_rest(
    store: Store, test_set: int
) -> None:
    both, mine, theirs = added(0, 0, 7, "PERSON"), added(0, 12, 15, "PERSON"), added(1, 9, 13, "L")
    changed(store, test_set, "ann", both, mine)
    changed(store, test_set, "bob", both, theirs)
    with store.writing() as session:
        ref = text_named(session, test_set, "ref")
        assert take_agreed(session, ref, "ann", "bob") == 1
        assert take_agreed(session, ref, "ann", "bob") == 0
        found = adjudication(session, ref, "ann", "bob")
    assert [one.difference for one in found.open] == ["first", "second"]
    assert (found.decided, keys(found.names)) == (0, [(0, 0, 7, "PERSON")])
    # Ann was right, Bob was not.
    changed(store, test_set, ADJUDICATED, mine, replace(theirs, action="remove", client_key="no"))
    with store.reading() as session:
        found = adjudication(session, ref, "ann", "bob")
    assert (found.open, found.decided, len(found.names)) == ((), 2, 2)
    with pytest.raises(RequestError, match="expected two different ones"), store.writing() as s:
        take_agreed(s, ref, "ann", "ann")


def test_suggestions_from_other_texts_and_from_patterns(store: Store, test_set: int) -> None:
    changed(store, test_set, "ann", added(0, 12, 15, "PERSON"), added(0, 19, 23, "LOCATION"))
    with store.reading() as session:
        elm = text_named(session, test_set, "elm 1")
        found = suggestions(session, elm, (), [0, 1])
        assert [(one.segment, one.start, one.end, one.type) for one in found] == [
            (0, 13, 16, "PERSON"),
            (0, 20, 24, "LOCATION"),
        ]
        assert {(one.origin, one.source) for one in found} == {("system", "ref")}
        taken = [name(13, 16, "PERSON")]
        assert len(suggestions(session, elm, taken, [0, 1])) == 1
        # In the reference itself the other Rome of the article is found.
        ref = text_named(session, test_set, "ref")
        own = suggestions(session, ref, names_of(session, ref.target, "ann"), [0, 1, 2])
        assert [(one.segment, one.start) for one in own] == [(1, 9)]
        dates = suggestions(session, ref, (), [1], "patterns")
        assert [(one.type, one.origin) for one in dates][-1] == ("DATE", "tagger")
        for source in ("spacy:/etc/passwd", "spacy:http://evil.example", "nonsense"):
            with pytest.raises(RequestError, match="source"):
                suggestions(session, ref, (), [1], source)
    assert taggers()[0] == "patterns"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("It cost €5.5 million, not 3,000 dollars.", ["MONEY 8–20", "MONEY 26–39"]),
        ("Up 12 percent at 10:30 p.m. on 3 May 2024", ["PERCENT 3–13", "TIME 17–27", "DATE 31–41"]),
        (
            "He met Dr. Eva Möllendorf of the Görlitz Council",
            ["PERSON 11–25", "ORGANIZATION 33–48"],
        ),
        ("The car stopped.", []),
        ("", []),
        ("他在北京。", []),
        ("في القدس", []),
    ],
)
def test_patterns_guess(line: str, expected: list[str]) -> None:
    assert [str(one) for one in pattern_entities(line).entities] == expected


def test_scores_are_those_of_the_command_and_follow_the_names(store: Store) -> None:
    test_set = sample_set(store)
    with store.reading() as session:
        assert name_scores(session, test_set).systems == ()
        ref = text_named(session, test_set, "reference 1")
    file = read_file(ref, "e.jsonl", "jsonl", (SAMPLE / "entities.jsonl").read_bytes())
    with store.writing() as session:
        import_file(session, ref, "ann", "ann", file)
    whole = open_inputs(
        [str(SAMPLE / f"reference.{k}.en") for k in (1, 2)],
        [str(SAMPLE / f"systems/{name}.txt") for name in ("alder", "elm")],
        documents=str(SAMPLE / "documents.tsv"),
    ).load()
    metric = NamedEntityEvaluator(annotations=str(SAMPLE / "entities.jsonl"))
    report = name_report(whole.corpus, whole.systems, metric)
    with store.reading() as session:
        found = name_scores(session, test_set)
    expected = {one.system: one for one in report.systems}
    assert [one.system for one in found.systems] == ["alder 1", "elm 1", "reference 2"]
    for one in found.systems[:2]:
        other = expected[one.system.split()[0]]
        assert (one.total, one.types) == (other.total, other.types)
        assert [(m.segment + 1, m.name) for m in one.missed] == [
            (m.segment, m.text) for m in other.missed
        ]
    assert found.systems[2].human
    assert found.systems[2].total == report.humans[0].total
    with store.writing() as session:
        first = names_of(session, ref.target, "ann")[1]
        assert ref.segments[0][first.start : first.end] == "€186 million"
        gone = Change(
            segment=first.segment, action="remove", start=first.start, end=first.end,
            type=first.type, client_key="gone",
        )  # fmt: skip
        change_names(session, ref, "ann", [gone])
        again = name_scores(session, test_set)
    for before, after in zip(found.systems, again.systems, strict=True):
        assert after.types["MONEY"].listed == before.types["MONEY"].listed - 1


def test_texts_of_another_test_set_are_not_found(store: Store, test_set: int) -> None:
    from tertium.serve.annotation.targets import target_of

    other = named_set(store, {"ref": ["a"]}, {}, project="other")
    with store.reading() as session:
        mine = targets(session, test_set)[0]
        for key in (mine.key, "source", "reference-0", "output-99", "nonsense", "reference-1-2"):
            with pytest.raises(NotFoundError):
                target_of(session, other, key)
