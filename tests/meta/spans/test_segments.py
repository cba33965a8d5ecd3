"""A rating is laid on the segment it is of, whatever the order of the export."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tertium.errors import InputError, TertiumError
from tertium.meta.agreement.metric_agreement import agree
from tertium.meta.agreement.metric_scores import metric_scores, systems_as_rated
from tertium.meta.ratings.files import read_judgments, read_ratings
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.ratings.many_judges import Rankings, Ratings
from tertium.meta.spans.files import read_spans
from tertium.meta.spans.segments import RatedCorpus
from tertium.meta.spans.texts import with_texts
from tertium.metrics.contract.table import parse_metric
from tertium.scored.scored import scored
from tertium.text.corpus import Corpus, System
from tests.support.meta.damage import changed, scratched
from tests.support.meta.span_files import (
    appraise_file,
    json_lines,
    left_out,
    marked_table,
    pearmut_row,
    rating_file,
)
from tests.support.ratings import reasons, write

DOCUMENTS = ["one", "one", "one", "two", "three", "three", "four", "four"]
OUTPUTS = {
    "A": [f"output {number} of A" + " and more" * number for number in range(8)],
    "B": [f"output {number} of B" + " of it" * (8 - number) for number in range(8)],
}
SOURCES = [f"source {number}" for number in range(8)]
SHUFFLED = [5, 2, 7, 0, 4, 1, 6, 3]
"""The order in which a campaign shows the segments, which is not that of the test set."""


def rated_corpus(*, documents: bool = True, sources: bool = False) -> RatedCorpus:
    corpus = Corpus(
        references=[f"reference {number}" for number in range(8)],
        documents=DOCUMENTS if documents else None,
        sources=SOURCES if sources else None,
    )
    systems = [System(name=name, hypotheses=texts) for name, texts in OUTPUTS.items()]
    return RatedCorpus(corpus, tuple(systems))


def points(system: str, segment: int) -> int:
    """The score that a segment of a system gets: each its own."""
    return 10 * segment + (system == "B")


def appraise_row(
    system: str, item: int, document: str, score: float, **more: Any
) -> tuple[Any, ...]:
    kind, marks = more.get("kind", "TGT"), more.get("marks", [])
    target, end = more.get("target", "deu"), more.get("end", 2.0)
    user = more.get("user", "u")
    return (user, system, item, kind, "eng", target, score, document, True, marks, 1.0, end)


def by_lines(base: int = 0, *, marks: bool = False) -> list[tuple[Any, ...]]:
    """An export whose items are numbered by lines of the test set, in the order of a campaign."""
    return [
        appraise_row(
            system,
            segment + base,
            DOCUMENTS[segment],
            points(system, segment),
            marks=[_last_mark(OUTPUTS[system][segment])] if marks else [],
        )
        for system in OUTPUTS
        for segment in SHUFFLED
    ]


def _last_mark(text: str) -> dict[str, Any]:
    return {"start_i": len(text) - 2, "end_i": len(text) - 1, "severity": "minor"}


def by_tasks(starts: Sequence[int] = (0,)) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """Tasks that number their items; of document ``one`` each shows two sentences, from a start."""
    rows, batches = [], []
    for number, start in enumerate(starts):
        shown = [4, 5, start, start + 1, *([3] if number > 1 else [6, 7])]
        items = []
        for item, segment in enumerate(shown, 7):
            system = "AB"[number % 2]
            document = f"{DOCUMENTS[segment]}#{system}"
            rows.append(
                appraise_row(
                    f"wmt23.{system}", item, document, points(system, segment), user=f"u{number}"
                )
            )
            items.append(
                {
                    "itemID": item,
                    "itemType": "TGT",
                    "documentID": document,
                    "targetID": f"wmt23.{system}",
                    "sourceText": SOURCES[segment],
                    "targetText": OUTPUTS[system][segment],
                }
            )
        batches.append({"items": items, "task": {"batchNo": number}})
    return rows, batches


def judged(path: Path | list[Path], texts: RatedCorpus, criterion: str = "da") -> Judgments:
    (one,) = read_judgments(path, texts=texts, criteria=[criterion])
    return one


def assert_each_on_its_segment(one: Judgments, expected: set[int] | None = None) -> None:
    assert one.located
    assert one.segments is not None
    for system, row in zip(one.systems, one.segments, strict=True):
        rated = {segment: value for segment, value in enumerate(row) if not np.isnan(value)}
        assert rated == {segment: points(system, segment) for segment in rated}
        assert expected is None or set(rated) == expected


@pytest.mark.parametrize("base", [0, 1])
def test_numbers_of_items_are_lines_where_documents_confirm_it(tmp_path: Path, base: int) -> None:
    path = appraise_file(tmp_path, by_lines(base))
    assert_each_on_its_segment(judged(path, rated_corpus()), set(range(8)))


@pytest.mark.parametrize("base", [0, 1])
def test_numbers_of_items_are_lines_where_marked_errors_fit_nowhere_else(
    tmp_path: Path, base: int
) -> None:
    path = appraise_file(tmp_path, by_lines(base, marks=True))
    texts = rated_corpus(documents=False)
    assert_each_on_its_segment(judged(path, texts, "esa"), set(range(8)))


def test_items_that_nothing_places_are_an_error_with_the_cure(tmp_path: Path) -> None:
    path = appraise_file(tmp_path, by_lines())
    with pytest.raises(InputError, match=r"scores\.csv:1: found items of en-de without .*--docum"):
        judged(path, rated_corpus(documents=False))


def test_documents_shown_as_a_whole_give_the_segment(tmp_path: Path) -> None:
    rows = [row for row in by_tasks()[0] if not row[7].startswith("one")]
    found = judged(appraise_file(tmp_path, rows), rated_corpus())
    assert_each_on_its_segment(found, {4, 5, 6, 7})


def test_a_part_of_a_document_is_not_taken_for_its_beginning(tmp_path: Path) -> None:
    path = appraise_file(tmp_path, by_tasks([1])[0])
    with pytest.raises(InputError, match=r"2 items of document 'one', which has 3 .*batches"):
        judged(path, rated_corpus())
    (marked,) = read_spans(path)
    texts = rated_corpus()
    with pytest.raises(InputError, match=r"2 items of document 'one', which has 3 .*batches"):
        with_texts(marked, texts.corpus, texts.systems)


@pytest.mark.parametrize("sources", [False, True])
def test_batches_tell_which_part_of_a_document_was_shown(tmp_path: Path, *, sources: bool) -> None:
    """Three tasks give the same numbers to different sentences of a document."""
    rows, batches = by_tasks([1, 0, 0])
    path = appraise_file(tmp_path, rows)
    tasks = tmp_path / "batches.json"
    tasks.write_text(json.dumps(batches, indent=1), encoding="utf-8")
    texts = rated_corpus(documents=False, sources=sources)
    one = judged([path, tasks], texts)
    assert_each_on_its_segment(one)
    rated = {
        name: set(np.flatnonzero(~np.isnan(row)).tolist())
        for name, row in zip(one.systems, one.segments, strict=True)  # type: ignore[arg-type]
    }
    assert rated == {"A": {0, 1, 2, 3, 4, 5, 6, 7}, "B": {0, 1, 4, 5, 6, 7}}
    (marked,) = read_spans([path, tasks])
    laid = with_texts(marked, texts.corpus, texts.systems)
    assert all(item.score == points(item.system, item.segment) for item in laid)


def test_a_person_without_a_task_in_the_batches_is_an_error(tmp_path: Path) -> None:
    rows, batches = by_tasks([1])
    batches[0]["items"].pop()
    tasks = write(tmp_path, "batches.json", json.dumps(batches))
    with pytest.raises(InputError, match="expected all of them in one task of the batches"):
        judged([appraise_file(tmp_path, rows), tasks], rated_corpus())


def test_the_system_belongs_to_a_look(tmp_path: Path) -> None:
    """A person who saw one item of two systems changed nothing; the last look at each counts."""
    rows = [
        appraise_row("A", 3, "two", 10, end=5.0),
        appraise_row("B", 3, "two", 20, end=4.0),
        appraise_row("A", 3, "two", 30, end=3.0),
    ]
    (one,) = read_ratings(appraise_file(tmp_path, rows))
    assert isinstance(one, Ratings)
    assert sorted(one.value.tolist()) == [10, 20]
    assert reasons(one) == ["1 looks that the same person changed later"]


def test_fillers_and_tutorials_count_for_nobody(tmp_path: Path) -> None:
    rows = [
        appraise_row("A", 3, "two", 10),
        appraise_row("A", 0, "one#incomplete", 20),
        appraise_row("A", 0, "one#incomplete#bad", 20, kind="BAD"),
        appraise_row("A", 6, "four#dup", 20),
        appraise_row("A", 7, "four#dup#dup", 20),
        appraise_row("ende-tutorial1", 100, "ende-tutorial1", 20),
    ]
    (one,) = read_ratings(appraise_file(tmp_path, rows))
    assert isinstance(one, Ratings)
    assert one.value.tolist() == [10]
    assert reasons(one) == [
        "4 items of documents that fill a task up",
        "1 items of the tutorial",
    ]


def test_a_campaign_of_mqm_has_no_scores(tmp_path: Path) -> None:
    mark = {"start_i": 0, "end_i": 1, "severity": "major", "error_type": ["Accuracy", "Omission"]}
    rows = [appraise_row("A", 3, "two", 0, marks=[mark]), appraise_row("B", 3, "two", 0)]
    found = read_ratings(appraise_file(tmp_path, rows))
    assert [one.criterion for one in found] == ["mqm"]
    assert isinstance(found[0], Ratings)
    assert found[0].value.tolist() == [-5, 0]


def test_what_is_left_out_is_counted_by_language_pair(tmp_path: Path) -> None:
    rows = [
        appraise_row("A", 3, "two", 10),
        appraise_row("A", 0, "one#dup", 10),
        appraise_row("A", 3, "two", 10, target="ces", user="v"),
        appraise_row("A", 0, "one#dup", 10, target="ces", user="v"),
        appraise_row("A", 1, "one#dup", 10, target="ces", user="v"),
    ]
    path = appraise_file(tmp_path, rows)
    expected = {"en-de": 1, "en-cs": 2}
    counts = {one.name: one.exclusions[0].count for one in read_ratings(path)}
    assert counts == expected
    assert {one.name: one.exclusions[0].count for one in read_spans(path)} == expected
    for spelled in ("en-cs", "eng-ces"):
        (one,) = read_ratings(path, pair=spelled)
        assert one.exclusions[0].count == 2


def test_exports_are_numbered_together(tmp_path: Path) -> None:
    """The second file begins with another item than the first, and shares one with it."""
    first = appraise_file(tmp_path, [appraise_row("A", 3, "two", 1)], "first.csv")
    rows = [appraise_row("A", 4, "three", 2, user="v"), appraise_row("A", 3, "two", 3, user="v")]
    second = appraise_file(tmp_path, rows, "second.csv")
    (one,) = read_ratings([first, second])
    assert isinstance(one, Ratings)
    by_value = dict(zip(one.value.tolist(), one.segment.tolist(), strict=True))
    assert by_value[1] == by_value[3] != by_value[2]


def test_unplaced_ratings_are_held_against_systems_only(tmp_path: Path) -> None:
    path = appraise_file(tmp_path, by_lines())
    (one,) = read_judgments(path)
    assert not one.located
    rng = np.random.default_rng(1)
    scores = MetricScores(
        metric="x", systems=("A", "B"), values=np.array([1.0, 2.0]), segments=rng.random((2, 8))
    )
    with pytest.raises(InputError, match="no ratings of segments"):
        agree(one, scores, measures=["segment-pearson-none"], resample=None)


def mqm_rows(segments: Sequence[int], numbers: Sequence[int]) -> list[str]:
    """Rows of a table of MQM, with as many errors as the segment's number says."""
    return [
        f"A|d|1|{number}|r|s|<v>{OUTPUTS['A'][segment]}</v>|Style|Minor"
        for segment, number in zip(segments, numbers, strict=True)
        for _ in range(segment)
    ]


def test_texts_decide_where_numbers_are_those_of_another_test_set(tmp_path: Path) -> None:
    path = marked_table(tmp_path, mqm_rows([2, 3, 5], [101, 102, 103]))
    (one,) = read_judgments(path, texts=rated_corpus())
    assert one.segments is not None
    rated = {int(at): one.segments[0][at] for at in np.flatnonzero(~np.isnan(one.segments[0]))}
    assert rated == {2: -2, 3: -3, 5: -5}


def test_a_text_that_was_changed_goes_by_its_number_where_the_others_do(tmp_path: Path) -> None:
    rows = mqm_rows([2, 3], [3, 4])
    changed_text = [row.replace("of A", "of “A”") for row in mqm_rows([5], [6])]
    (one,) = read_judgments(marked_table(tmp_path, [*rows, *changed_text]), texts=rated_corpus())
    assert one.segments is not None
    assert one.segments[0][5] == -5
    assert "1 ratings of texts that differ from the outputs, laid by their numbers" in [
        f"{each.count} {each.reason}" for each in one.exclusions
    ]


def test_scores_of_another_number_of_segments_are_refused(tmp_path: Path) -> None:
    """Lines are all that tells their segments, so the first five of eight would be anybody's."""
    lines = [f"{system}\t{number}" for system in OUTPUTS for number in range(5)]
    path = write(tmp_path, "en-de.mqm.seg.score", *lines)
    with pytest.raises(InputError, match=r"en-de\.mqm\.seg\.score: 5 segments, expected 8"):
        read_judgments(path, texts=rated_corpus())
    assert read_judgments(path)[0].segments is not None
    rated: list[list[dict[str, Any]] | None] = [[], [], None]
    marked = rating_file(tmp_path, "r1", {"A": rated, "B": rated})
    with pytest.raises(InputError, match=r"r1\.seg\.rating: 3 segments, expected 8"):
        read_judgments(marked, texts=rated_corpus())


def pearmut_item(system: str, segment: int, **more: Any) -> dict[str, Any]:
    return {"src": SOURCES[segment], "tgt": {system: OUTPUTS[system][segment]}, **more}


def pearmut_answers(user: str, item: int, segments: Sequence[int], **more: Any) -> dict[str, Any]:
    """A document of a contrastive campaign: both systems side by side."""
    return pearmut_row(
        user_id=user,
        item_i=item,
        item=[
            {"src": SOURCES[one], "tgt": {name: OUTPUTS[name][one] for name in OUTPUTS}}
            for one in segments
        ],
        annotation=[
            {
                name: {"score": points(name, one), "error_spans": more.get("marks", [])}
                for name in OUTPUTS
            }
            for one in segments
        ],
    )


def test_the_download_of_pearmuts_dashboard_is_read(tmp_path: Path) -> None:
    rows = [pearmut_answers("u", 0, [4, 5]), pearmut_answers("v", 0, [2, 0])]
    for indent in (None, 2):
        text = json.dumps({"wmt25_#_en-cs_CZ": rows}, indent=indent)
        path = write(tmp_path, f"annotations{indent}.json", text)
        one = judged(path, rated_corpus(documents=False))
        assert one.name == "en-cs_CZ"
        assert_each_on_its_segment(one, {0, 2, 4, 5})


def test_pearmuts_items_without_an_id_are_told_apart_by_their_texts(tmp_path: Path) -> None:
    """Item 0 of a user's task is not item 0 of another's, and the same document is the same."""
    rows = [
        pearmut_answers("u", 0, [4, 5]),
        pearmut_answers("v", 0, [2, 0]),
        pearmut_answers("v", 1, [4, 5]),
    ]
    path = json_lines(tmp_path, rows, "p.jsonl")
    (one,) = read_ratings(path)
    assert isinstance(one, Ratings)
    assert len(set(one.segment.tolist())) == 4
    assert_each_on_its_segment(judged(path, rated_corpus(documents=False)), {0, 2, 4, 5})


def test_severities_of_a_campaigns_own_do_not_hide_its_scores(tmp_path: Path) -> None:
    marks = [{"start_i": 0, "end_i": 1, "severity": "Deadly", "category": None}]
    path = json_lines(tmp_path, [pearmut_answers("u", 0, [4, 5], marks=marks)], "p.jsonl")
    (one,) = read_ratings(path)
    assert one.criterion == "esa"
    assert reasons(one) == ["4 outputs whose errors are not weighed, as deadly has no points"]
    (marked,) = read_spans(path)
    assert {span.severity for span in marked.spans} == {"deadly"}


def test_answers_of_pearmut_that_were_taken_back_are_gone(tmp_path: Path) -> None:
    rows = [
        pearmut_answers("u", 0, [4, 5]),
        pearmut_answers("u", 1, [0, 1]),
        {"user_id": "u", "item_i": 0, "annotation": "RESET"},
    ]
    (found,) = read_spans(json_lines(tmp_path, rows, "p.jsonl"))
    assert {one.source for one in found} == {"source 0", "source 1"}
    assert left_out(found) == {"answers that were taken back": 4}


def test_signs_behind_a_text_of_pearmut_have_no_place(tmp_path: Path) -> None:
    """A campaign may have more signs than that for missing text, one unit each."""
    units = len(OUTPUTS["A"][4])
    marks = [{"start_i": units + 1, "end_i": units + 1, "severity": "minor"}]
    row = pearmut_row(
        item=[pearmut_item("A", 4)], annotation=[{"A": {"score": 5, "error_spans": marks}}]
    )
    (found,) = read_spans(json_lines(tmp_path, [row], "p.jsonl"))
    assert [(one.start, one.end) for one in found.spans] == [(units, units)]
    assert not found.exclusions


def test_sliders_of_a_campaigns_own_are_criteria(tmp_path: Path) -> None:
    sliders = {"Fluency": 3, "Adequacy": None}
    said: dict[str, Any] = {"score": None, "sliders": sliders, "error_spans": []}
    rows = [
        pearmut_row(item=[pearmut_item("A", 4)], annotation=[{"A": said}]),
        pearmut_row(
            item_i="welcome_0", item=[{"text": "Your name?", "form": "string"}], annotation=["Ann"]
        ),
    ]
    (one,) = read_ratings(json_lines(tmp_path, rows, "p.jsonl"))
    assert isinstance(one, Ratings)
    assert (one.criterion, one.value.tolist()) == ("fluency", [3])
    assert reasons(one) == ["1 answers to forms"]


def test_a_campaign_file_of_pearmut_is_refused_with_the_cure(tmp_path: Path) -> None:
    text = json.dumps({"info": {}, "campaign_id": "x", "data": [[]]})
    with pytest.raises(InputError, match="without answers, expected what its server records"):
        read_spans(write(tmp_path, "campaign.json", text))


JCML = """<?xml version="1.0" ?>
<jcml>
{sentences}
</jcml>"""


def jcml_file(folder: Path, segments: Sequence[int], base: int = 1) -> Path:
    """Sentences with their texts, on which A beats B where the number is even."""
    sentences = "".join(
        f"""
 <judgedsentence document_id="d" id="{segment + base}" judge_id="j" segment_id="1">
  <src>{SOURCES[segment]}</src>
  <tgt rank="{1 + segment % 2}" system="A">
     {OUTPUTS["A"][segment]}
  </tgt>
  <tgt rank="{2 - segment % 2}" system="B">{OUTPUTS["B"][segment]}</tgt>
  <tgt rank="-1" system="_ref">none</tgt>
 </judgedsentence>"""
        for segment in segments
    )
    return write(folder, "de-en-public.jcml", JCML.format(sentences=sentences))


@pytest.mark.parametrize("base", [1, 3])
def test_jcml_is_laid_by_its_texts(tmp_path: Path, base: int) -> None:
    path = jcml_file(tmp_path, [5, 2], base)
    (one,) = read_ratings(path, texts=rated_corpus())
    assert isinstance(one, Rankings)
    assert (one.name, one.criterion, one.systems) == ("de-en", "rank", ("A", "B"))
    found = one.comparisons
    assert dict(zip(found.segment.tolist(), found.better.tolist(), strict=True)) == {2: 0, 5: 1}
    assert "2 outputs that a judge left unranked" in reasons(one)


def test_a_damaged_rank_of_jcml_is_named(tmp_path: Path) -> None:
    path = jcml_file(tmp_path, [5])
    path.write_text(path.read_text(encoding="utf-8").replace('"-1"', '"x"'), encoding="utf-8")
    with pytest.raises(InputError, match=r"jcml:\d+: rank 'x', expected a number from 1 on"):
        read_ratings(path)


WMT08 = [
    "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B,SYSTEM_1,SCORE_1_A,SCORE_1_B",
    "WMT08 German-English News,RANK,0,1,9,A,2,,B,1,",
    "WMT08 German-English News,RANK,7,1,9,A,1,,B,1,",
    "WMT08 German-English News,CONSTITUENT,900,1,9,A,1,,B,2,",
    "WMT08 German-English News,CONSTITUENT_ACCEPT,901,1,9,A,1,,B,2,",
    "WMT08 German-English News,CONSTITUENT_ACCEPT,902,1,9,A,3,,",
    "WMT08 German-English News,FLUENCY_ADEQUACY,4,1,9,A,5,4,B,2,1",
    "WMT08 German-English Europarl,RANK,1,1,9,A,1,,B,2,",
    "WMT08 Czech-English News,RANK,1,1,9,A,1,,B,2,",
]


def test_wmt08s_protocols_are_criteria_of_their_own(tmp_path: Path) -> None:
    path = write(tmp_path, "judgments.csv", *WMT08)
    found = read_ratings(path, pair="de-en", testset="news", texts=rated_corpus())
    by_name = {one.criterion: one for one in found}
    assert set(by_name) == {"rank", "constituent", "constituent-accept", "adequacy", "fluency"}
    rank, constituent = by_name["rank"], by_name["constituent"]
    assert isinstance(rank, Rankings)
    assert isinstance(constituent, Rankings)
    assert rank.comparisons.segment.tolist() == [0, 7]
    assert (rank.comparisons.better.tolist()[0], rank.comparisons.tie.tolist()) == (
        1,
        [False, True],
    )
    assert (rank.located, constituent.located) == (True, False)
    accept, adequacy = by_name["constituent-accept"], by_name["adequacy"]
    assert isinstance(accept, Ratings)
    assert isinstance(adequacy, Ratings)
    assert not accept.located
    assert accept.value.tolist() == [1, 0]  # "not sure" is no rating
    assert "1 outputs without a rating" in reasons(accept)
    assert (adequacy.value.tolist(), set(adequacy.segment.tolist())) == ([4, 1], {4})


def test_test_sets_of_wmt08_are_not_mixed(tmp_path: Path) -> None:
    path = write(tmp_path, "judgments.csv", *WMT08)
    with pytest.raises(InputError, match=r"found test sets europarl, news, expected .*--testset"):
        read_ratings(path, pair="de-en", criteria=["rank"])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("WMT08 German,RANK,0,1,9,A,2,", r"task 'WMT08 German', expected such as French-English"),
        ("WMT08 German-English News,RANK,x,1,9,A,2,", "item 'x', expected a number from 0 on"),
        ("WMT08 German-English News,RANK,1,1,9,A,7,", "rank '7', expected 1 to 5"),
        ("WMT08 German-English News,LIKED,1,1,9,A,1,", "type 'LIKED', expected RANK"),
        ("WMT08 German-English News,CONSTITUENT_ACCEPT,1,1,9,A,4,", "answer '4', expected 1"),
        ("WMT08 German-English News,RANK", "2 columns, expected 11"),
    ],
)
def test_damaged_lines_of_wmt08_are_named(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, "judgments.csv", WMT08[0], line)
    with pytest.raises(InputError, match=rf"judgments\.csv:2: {message}"):
        read_ratings(path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_damaged_files_are_refused_in_one_line(tmp_path: Path, seed: int) -> None:
    rows, batches = by_tasks([1, 0])
    appraise_file(tmp_path, rows)
    whole = {
        "batches.json": json.dumps(batches),
        "annotations.json": json.dumps({"en-de": [pearmut_answers("u", 0, [4, 5])]}),
        "de-en.jcml": jcml_file(tmp_path, [5, 2]).read_text(encoding="utf-8"),
        "judgments.csv": "\n".join(WMT08[:8]),
        "scores.csv": (tmp_path / "scores.csv").read_text(encoding="utf-8"),
    }
    draw = Random(seed)
    for _ in range(200):
        name, text = draw.choice(list(whole.items()))
        if name.endswith(".json") and draw.random() < 0.6:
            text = json.dumps(changed(json.loads(text), draw))
        else:
            text = scratched(text, draw)
        path = write(tmp_path / "damaged", name, text)
        files = [tmp_path / "scores.csv", path] if name == "batches.json" else path
        try:
            read_ratings(files, texts=rated_corpus())
        except TertiumError as refused:
            assert "\n" not in str(refused)  # noqa: PT017 - some files are read


def shared_corpus(folder: Path, pair: str, *, documents: bool = True) -> RatedCorpus:
    labels = (folder / "documents" / f"{pair}.docs").read_text(encoding="utf-8").splitlines()
    references = (folder / "references" / f"{pair}.refA.txt").read_text(encoding="utf-8")
    systems = tuple(
        System(name=one.stem, hypotheses=one.read_text(encoding="utf-8").splitlines())
        for one in sorted((folder / "system-outputs" / pair).glob("*.txt"))
    )
    corpus = Corpus(
        references=references.splitlines(),
        documents=[line.split("\t")[1] for line in labels] if documents else None,
    )
    return RatedCorpus(corpus, systems)


def shuffled_campaign(
    said: Judgments, texts: RatedCorpus, sources: Sequence[str]
) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """An export of Appraise and its batches: five sentences of a document at most at a time."""
    assert said.segments is not None
    outputs = {one.name: one.hypotheses.to_list() for one in texts.systems}
    documents: dict[str, list[int]] = {}
    for number, document in enumerate(texts.corpus.documents or ()):
        documents.setdefault(document, []).append(number)
    parts = []
    for system, values in zip(said.systems, said.segments, strict=True):
        for document, segments in documents.items():
            rated = [one for one in segments if not np.isnan(values[one])]
            parts += [(system, document, rated[at : at + 5]) for at in range(0, len(rated), 5)]
    Random(1).shuffle(parts)
    rows: list[tuple[Any, ...]] = []
    batches = []
    for task in range(0, len(parts), 30):
        # A task has a document of a system once.
        chosen = {(system, document): part for system, document, part in parts[task : task + 30]}
        items: list[dict[str, Any]] = []
        for (system, document), part in chosen.items():
            for segment in part:
                item, label = 7 + len(items), f"{document}#{system}"
                value = float(said.segments[said.systems.index(system)][segment])
                user = f"zhoeng{task:04x}"
                row = appraise_row(f"wmt23.{system}", item, label, value, user=user, target="eng")
                rows.append(row)
                items.append(
                    {
                        "itemID": item,
                        "itemType": "TGT",
                        "documentID": label,
                        "targetID": f"wmt23.{system}",
                        "sourceText": sources[segment],
                        "targetText": outputs[system][segment],
                    }
                )
        batches.append({"items": items, "task": {"batchNo": task}})
    return rows, batches


@pytest.mark.shared
class TestShared:
    def test_every_system_of_wmt24s_second_wave_has_the_expected_mean(
        self, shared_data: Path, shared_oracles: Path
    ) -> None:
        text = (shared_oracles / "esa" / "wmt24-wave2.tsv").read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        expected = {
            ({"ces": "en-cs", "hin": "en-hi"}[row["target"]], row["system"]): row
            for row in csv.DictReader(lines, delimiter="\t")
        }
        assert len(expected) == 27
        export = shared_data / "wmt24" / "humeval" / "esa_wave2.csv.gz"
        for one in read_ratings(export, criteria=["esa"]):
            assert isinstance(one, Ratings)
            said = one.judgments()
            for number, (system, mean) in enumerate(zip(said.systems, said.values, strict=True)):
                row = expected.pop((one.name, system))
                own = one.value[one.system == number]
                assert len(own) == int(row["ratings"])
                assert own.mean() == pytest.approx(float(row["mean_of_ratings"]), abs=1e-6)
                assert mean == pytest.approx(float(row["mean_of_segments"]), abs=1e-6)
        assert not expected

    @pytest.mark.parametrize("documents", [False, True])
    def test_chrf_agrees_with_wmt24s_czech_ratings_of_segments(
        self, shared_data: Path, *, documents: bool
    ) -> None:
        texts = shared_corpus(shared_data / "wmt24", "en-cs", documents=documents)
        export = shared_data / "wmt24" / "humeval" / "esa_wave2.csv.gz"
        (one,) = read_judgments(export, pair="en-cs", criteria=["esa"], texts=texts)
        assert one.located
        systems = systems_as_rated(texts.systems, [one])
        (chrf,) = metric_scores(scored(texts.corpus, systems, [parse_metric("chrf")]))
        found = agree(one, chrf, measures=["segment-pearson-none"], resample=None)
        assert found.measured[0].value == pytest.approx(0.252, abs=0.001)

    def test_every_error_of_wmt24_fits_its_text(self, shared_data: Path) -> None:
        """As it could not if the ratings were on other segments."""
        export = shared_data / "wmt24" / "humeval" / "esa_wave2.csv.gz"
        for pair in ("en-cs", "en-hi"):
            texts = shared_corpus(shared_data / "wmt24", pair)
            (marked,) = read_spans(export, pair=pair)
            laid = with_texts(marked, texts.corpus, texts.systems)
            assert len(laid) > 2500
            assert sum(span.placed for span in laid.spans) > 1500
            assert "offsets beyond the text, cut to it" not in left_out(laid)

    def test_wmt23s_ratings_in_tasks_of_parts_of_documents_are_all_found(
        self, shared_data: Path, tmp_path: Path
    ) -> None:
        """The real ratings of MQM, shuffled into tasks that number their items."""
        folder = shared_data / "wmt23"
        (said,) = read_judgments(folder / "human-scores" / "zh-en.mqm.seg.score")
        texts = shared_corpus(folder, "zh-en")
        sources = (folder / "sources" / "zh-en.txt").read_text(encoding="utf-8").splitlines()
        rows, batches = shuffled_campaign(said, texts, sources)
        path = appraise_file(tmp_path, rows)
        with pytest.raises(InputError, match=r"5 items of document .* expected the whole"):
            read_judgments(path, texts=texts)
        tasks = write(tmp_path, "batches.json", json.dumps(batches))
        (found,) = read_judgments([path, tasks], texts=texts)
        assert found.segments is not None
        assert said.segments is not None
        assert found.ratings == len(rows) > 15_000
        for system, values in zip(found.systems, found.segments, strict=True):
            original = said.segments[said.systems.index(system)]
            rated = ~np.isnan(values)
            assert np.array_equal(values[rated], original[rated])

    def test_every_text_of_wmt10s_jcml_is_found(self, shared_data: Path) -> None:
        folder = shared_data / "wmt10"
        systems = tuple(
            System(name=one.name, hypotheses=one.read_text(encoding="utf-8").splitlines())
            for one in sorted((folder / "system-outputs").iterdir())
        )
        references = (folder / "reference.en").read_text(encoding="utf-8").splitlines()
        texts = RatedCorpus(Corpus(references=references), systems)
        for name, count in (("de-en", 1050), ("de-en-public", 2559)):
            path = folder / f"{name}.jcml.gz"
            (numbered,) = read_ratings(path)
            (located,) = read_ratings(path, texts=texts)
            assert isinstance(numbered, Rankings)
            assert isinstance(located, Rankings)
            assert located.rankings == numbered.rankings == count
            by_number, by_text = numbered.comparisons.segment, located.comparisons.segment
            assert by_number.tolist() == by_text.tolist()

    def test_equal_outputs_of_wmt08_are_tied_at_their_items(self, shared_data: Path) -> None:
        """Which shows that items count from 0: one line off, only a third of them are."""
        folder = shared_data / "wmt08"
        (one,) = read_ratings(
            folder / "judgments.csv.gz", pair="de-en", testset="news", criteria=["rank"]
        )
        assert isinstance(one, Rankings)
        texts = {
            path.name.removeprefix("de-en.newstest2008."): path.read_text(encoding="utf-8").split(
                "\n"
            )
            for path in (folder / "system-outputs").glob("de-en.*")
        }
        shares = {}
        for offset in (0, -1):
            ties = []
            said = one.comparisons
            rows = zip(said.segment, said.better, said.worse, said.tie, strict=True)
            for segment, better, worse, tie in rows:
                first, second = (texts.get(one.systems[i]) for i in (better, worse))
                line = segment + offset
                if first and second and line >= 0 and first[line] == second[line]:
                    ties.append(bool(tie))
            shares[offset] = np.mean(ties)
        assert shares[0] > 0.9
        assert shares[-1] < 0.6
