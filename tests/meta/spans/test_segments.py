"""A rating is laid on the segment it is of, whatever the order of the export."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tertium.errors import InputError, TertiumError
from tertium.meta.agreement.agreement_table import agree
from tertium.meta.ratings.files import read_judgments, read_ratings
from tertium.meta.ratings.judgments import MetricScores
from tertium.meta.ratings.rating_sets import Ratings
from tertium.meta.spans.files import read_spans
from tertium.meta.spans.segments import with_texts
from tests.support.meta.damage import changed, scratched
from tests.support.meta.shuffled_exports import (
    OUTPUTS,
    WMT08,
    appraise_row,
    assert_each_on_its_segment,
    by_lines,
    by_tasks,
    jcml_file,
    judged,
    mqm_rows,
    pearmut_answers,
    points,
    rated_corpus,
)
from tests.support.meta.span_files import (
    appraise_file,
    marked_table,
    rating_file,
)
from tests.support.ratings import reasons, write


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
