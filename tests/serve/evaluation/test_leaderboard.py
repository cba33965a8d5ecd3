import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import tertium
from tertium.decide.decide import decide
from tertium.metrics.contract.base import Metric, Rows
from tertium.scored.scored import Scored, as_scored
from tertium.serve.errors import NotFoundError, RequestError
from tertium.serve.evaluation.comparison import (
    browser_json,
    decision_of,
    explain_text,
    pair_view,
    search,
    words_of,
)
from tertium.serve.evaluation.corpora import Recent, board, corpus_of, latest_outputs, trials_for
from tertium.serve.evaluation.leaderboard import history, history_plot, leaderboard
from tertium.serve.evaluation.metrics import foreign
from tertium.serve.evaluation.scoring import (
    keep_scores,
    missing_scores,
    new_score,
    rows_of,
    score_text,
    takes_long,
)
from tertium.serve.evaluation.sets import change_test_set
from tertium.serve.evaluation.systems import (
    add_output,
    change_output,
    change_system,
    delete_output,
    delete_system,
    output,
    read_outputs,
    systems,
)
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import StoredScore
from tertium.text.corpus import Corpus, System
from tests.support.serve.evaluations import BETTER, WORSE, file, make_project, make_test_set, send


def test_scores_are_those_of_the_library(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        send(session, made, "better", BETTER)
        send(session, made, "worse", WORSE)
    with store.reading() as session:
        corpus = corpus_of(session, made.id)
        found = leaderboard(board(session, made.id, latest_outputs(session, made.id)))
        rows = [rows_of(one) for one in session.query(StoredScore)]
    assert [one.name for one in found.entries] == ["better", "worse"]
    assert [one.title for one in found.metrics] == ["BLEU", "chrF", "TER"]
    expected = tertium.score(
        BETTER.splitlines(),
        [
            list(pair)
            for pair in zip(*(one.to_list() for one in corpus.references.columns), strict=True)
        ],
    )
    first = found.entries[0].cells[0]
    assert first is not None
    assert first.value == expected.value
    assert first.low is not None
    assert first.high is not None
    assert first.low <= expected.value <= first.high
    assert first.best
    assert "better" in found.headline
    assert all(one.dtype == np.float64 for one in rows)


def test_a_comparison_is_that_of_decide_and_takes_no_scoring(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        one = send(session, made, "worse", WORSE)
        two = send(session, made, "better", BETTER)
    scored: list[str] = []

    def noted(metric: Metric, system: System, corpus: Corpus) -> Rows:
        scored.append(system.name)
        return metric.statistics(system.hypotheses, corpus.references)

    monkeypatch.setattr(Metric, "rows_of", noted)
    with store.reading() as session:
        pair = board(session, made.id, [one, two])
        assert pair.scored is not None
        decision = decision_of(pair)
        view = pair_view(pair)
        gained = words_of(pair)["words"]["gained"][0]["gained"]
        texts = json.loads(gzip.decompress(browser_json(pair)))
        assert scored == []
        direct = decide(corpus_of(session, made.id), pair.scored.systems, made.metrics, audit=False)
        assert set(scored) == {"worse", "better"}
    assert decision.sentences == direct.sentences
    assert view.sentence == direct.sentences[0]
    assert view.differences[0].delta.startswith("+")
    assert {one.label for one in view.slices["genre"]} == {"news", "web"}
    assert gained > 0
    assert texts["systems"] == ["worse", "better"]
    assert "figures" not in texts
    assert len(texts["metrics"][0]["rows"][0]) == 2
    assert texts["explained"]["bleu"]


def test_outputs_over_time(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        for text in (WORSE, BETTER, BETTER):
            last = send(session, made, "mine", text)
    assert last.number == 3
    with store.reading() as session:
        (mine,) = systems(session, made.id)
        assert [one.number for one in mine.outputs] == [1, 2, 3]
        bleu, *_ = history(board(session, made.id, mine.outputs))
        assert [one.title for one in latest_outputs(session, made.id)] == ["mine #3"]
    values = [one.value or 0.0 for one in bleu.points]
    assert values[0] < values[1] == values[2]
    plot = history_plot(bleu)
    assert plot is not None
    assert len(plot.marks) == 3
    assert plot.marks[0].y > plot.marks[1].y
    assert len(plot.ribbon.split()) == 6  # there along the upper ends, back along the lower ones
    noted = [replace(one, note="a long note about the data") for one in bleu.points]
    several = history_plot(replace(bleu, points=tuple(noted)))
    assert several is not None
    assert {mark.label for mark in several.marks} == {"a long not… the data"}
    crowded = history_plot(replace(bleu, points=tuple(noted * 20)))
    assert crowded is not None
    assert {mark.label for mark in crowded.marks} == {""}
    assert all(0 <= mark.top <= mark.y <= mark.bottom <= plot.height for mark in plot.marks)
    with store.writing() as session:
        delete_output(session, "ann", made.id, last.id)
        again = send(session, made, "mine", BETTER)
        assert again.number == 4
        with pytest.raises(NotFoundError):
            output(session, made.id, last.id)


def test_a_new_metric_is_missing_until_it_is_scored(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        one = send(session, made, "mine", BETTER)
        change_test_set(session, "ann", made.id, metrics=["bleu", "nist"])
        assert missing_scores(session, made.id, ["bleu", "nist"]) == {one.id: ("nist",)}
        some = board(session, made.id, [one])
        assert some.waiting == ("nist",)
        corpus = corpus_of(session, made.id)
        keep_scores(session, one.id, score_text(corpus, BETTER.splitlines(), ["nist"]))
        assert board(session, made.id, [one]).waiting == ()
        found = leaderboard(board(session, made.id, [one]))
    assert [head.title for head in found.metrics] == ["BLEU", "NIST"]


def test_scores_from_elsewhere(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        one = send(session, made, "a", BETTER)
        two = send(session, made, "b", WORSE)
        corpus = corpus_of(session, made.id)
        metric = foreign("COMET")
        rows = np.ones((12, 2))
        rows[3] = 0  # a segment without a score
        keep_scores(session, one.id, [new_score(metric, rows, corpus)])
        half = leaderboard(board(session, made.id, [one, two]))
        assert [head.title for head in half.metrics] == ["BLEU", "chrF", "TER", "COMET"]
        assert half.entries[0].cells[3] is not None
        assert half.entries[1].cells[3] is None
        keep_scores(session, two.id, [new_score(metric, rows * [0.5, 1], corpus)])
        found = leaderboard(board(session, made.id, [one, two]))
    cell = found.entries[0].cells[3]
    assert cell is not None
    assert cell.value == 1.0
    assert found.metrics[3].higher_is_better
    assert any("no score for 1 of 12 segments" in one for one in found.notes)


def test_search(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        one = send(session, made, "worse", WORSE)
        two = send(session, made, "better", BETTER)
        pair = board(session, made.id, [one, two])
    found = search(pair, query="KATZE", limit=2)
    assert (found.found, [one.number for one in found.segments]) == (4, [3, 6])
    assert [one.number for one in search(pair, query="katze", skip=2).segments] == [9, 12]
    assert search(pair, query="nowhere").found == 0
    assert search(pair, genre="web").found == 6
    assert search(pair, document="doc0").found == 3
    gains = search(pair, order="gain", limit=12).segments
    differences = [(one.scores[1] or 0) - (one.scores[0] or 0) for one in gains]
    assert differences == sorted(differences, reverse=True)
    with pytest.raises(RequestError, match="metric: found 'nist', expected one of bleu, chrf, ter"):
        search(pair, metric="nist")


def test_why_this_score() -> None:
    bleu, ter = explain_text("the cat", ["the cat sat", "a cat"], ["bleu", "ter"])
    assert bleu["text"] == tertium.score(["the cat"], [["the cat sat", "a cat"]]).metric.shown(
        bleu["score"]
    )
    assert ter["components"]
    with pytest.raises(RequestError, match="references: found 0"):
        explain_text("a", [], ["bleu"])
    with pytest.raises(RequestError, match="text: found 30001 characters"):
        explain_text("a" * 30_000, ["b"], ["bleu"])
    with pytest.raises(RequestError, match="text: found 701 characters, expected at most 600 for"):
        explain_text("a" * 700, ["b"], ["terp"])


def test_nobody_waits_for_what_takes_long() -> None:
    assert not takes_long([["a"] * 3000], ["bleu", "chrf", "ter"])
    assert takes_long([["a"] * 3000] * 10, ["bleu", "chrf", "ter"])
    assert takes_long([["a" * 5000]], ["bleu"])
    assert takes_long([["a"]], ["bleu", "terp[stems=no]"])


def test_systems_are_renamed_tagged_and_taken_away(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        one = send(session, made, "a", BETTER)
        send(session, made, "b", WORSE)
        changed = change_system(
            session, "ann", made.id, one.system_id, name="c", tags=["x", "x", "y"], note="n"
        )
        assert (changed.name, changed.tags, changed.note) == ("c", ("x", "y"), "n")
        with pytest.raises(RequestError, match="name: b is that of another system"):
            change_system(session, "ann", made.id, one.system_id, name="b")
        delete_system(session, "ann", made.id, one.system_id)
        assert [each.name for each in systems(session, made.id)] == ["b"]
        assert send(session, made, "c", BETTER).number == 1


def test_what_is_not_of_all_systems_is_never_stale(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        one = send(session, made, "a", BETTER)
        two = send(session, made, "b", WORSE)
        before = leaderboard(board(session, made.id, [one, two]))
        metric = foreign("COMET")
        scores = [new_score(metric, np.ones((12, 2)), corpus_of(session, made.id))]
        keep_scores(session, one.id, scores)
        change_output(session, "ann", made.id, one.id, note="new")
        newest = latest_outputs(session, made.id)
        after = leaderboard(board(session, made.id, newest))
    assert len(after.metrics) == len(before.metrics) + 1
    assert [entry.output.note for entry in after.entries] == ["new", ""]


def test_memory_is_bounded() -> None:
    recent = Recent(100)
    for number in range(50):
        assert recent.get(number, lambda: b"x" * 30, len) == b"x" * 30
        assert recent.weight <= 100
    assert recent.get("large", lambda: b"y" * 1000, len) == b"y" * 1000
    assert recent.weight == 1000
    recent.get("small", lambda: b"z", len)
    assert recent.weight == 1
    assert recent.get("small", bytes, len) == b"z"


def test_what_nobody_asks_for_is_dropped_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 1000.0
    monkeypatch.setattr("tertium.serve.evaluation.corpora.monotonic", lambda: clock)
    recent = Recent(100)
    for key in ("old", "asked for again"):
        recent.get(key, lambda: b"x" * 10, len)
    clock += 60
    recent.get("asked for again", bytes, len)
    clock += 60
    recent.drop_unused(120)
    assert recent.weight == 10
    assert recent.get("asked for again", bytes, len) == b"x" * 10
    assert recent.get("old", lambda: b"made again", len) == b"made again"


def test_outputs_that_are_sent_at_once_get_numbers_of_their_own(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
    (sent,) = read_outputs(file("o.txt", BETTER), segments=12, system="mine")

    def add(_: int) -> int:
        with store.writing() as session:
            return add_output(session, "ann", made.id, sent).number

    with ThreadPoolExecutor(8) as pool:
        numbers = sorted(pool.map(add, range(16)))
    assert numbers == list(range(1, 17))


@pytest.mark.parametrize(
    ("segments", "documents", "trials"),
    [(10, None, 10_000), (5_000, None, 10_000), (20_000, None, 2_500), (200_000, None, 1_000),
     (20_000, 100, 10_000)],
)  # fmt: skip
def test_large_test_sets_are_resampled_less(
    segments: int, documents: int | None, trials: int
) -> None:
    labels = None if documents is None else [str(i % documents) for i in range(segments)]
    corpus = Corpus(references=["a"] * segments, documents=labels)
    mine = System(name="mine", hypotheses=["a"] * segments)
    assert trials_for(Scored(corpus=corpus, systems=(mine,), metrics=(), rows=())) == trials


def test_boards_of_many_systems_are_resampled_less() -> None:
    corpus = Corpus(references=["a b c d"] * 3)
    for count, trials in ((20, 10_000), (50, 1_632)):
        mine = [System(name=str(k), hypotheses=["a b c d"] * 3) for k in range(count)]
        assert trials_for(as_scored(corpus, mine, ["bleu", "chrf", "ter"])) == trials
