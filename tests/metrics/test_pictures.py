"""Pictures of alignments: they show what the metric counts, nothing else."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.cli.demo import SAMPLE
from tertium.metrics.contract.pictures import Picture, WordPair, of_matches
from tertium.metrics.contract.table import METRICS, parse_metric
from tests.support.rtl_texts import HEBREW

pytestmark = pytest.mark.slow

REFERENCES = [
    (SAMPLE / f"reference.{number}.en").read_text(encoding="utf-8").splitlines()
    for number in (1, 2)
]
OUTPUT = (SAMPLE / "systems" / "dogwood.txt").read_text(encoding="utf-8").splitlines()
SEGMENTS = list(zip(OUTPUT, *REFERENCES, strict=True))[:40]

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=8).map(" ".join)


def counted(pictures: Sequence[Picture]) -> Picture:
    (one,) = [picture for picture in pictures if picture.counted]
    return one


def edit_counts(picture: Picture) -> list[int]:
    return [*map(picture.count, "IDS"), picture.shifts]


@pytest.mark.parametrize("spec", ["ter", "ter[behaviour=tercom,normalized=yes]"])
def test_ter_shows_the_edits_and_shifts_of_its_row(spec: str) -> None:
    metric = parse_metric(spec)
    shifted = 0
    for output, *references in SEGMENTS:
        row = metric.statistics([output], [references])[0]
        picture = counted(metric.pictures(output, references))
        assert edit_counts(picture) == row[2:].tolist()
        assert picture.edits == row[0]
        assert (max(one.shift for one in picture.pairs) > 0) == (picture.shifts > 0)
        shifted += picture.shifts
    assert shifted > 10


@given(WORDS, WORDS, WORDS)
def test_ter_of_any_words(output: str, first: str, second: str) -> None:
    metric = parse_metric("ter")
    row = metric.statistics([output], [[first, second]])[0]
    assert edit_counts(counted(metric.pictures(output, [first, second]))) == row[2:].tolist()


@given(WORDS, WORDS, WORDS, st.sampled_from(["wer", "wrr", "wer[references=best-rate]"]))
def test_wer_shows_the_edits_of_its_row(output: str, first: str, second: str, spec: str) -> None:
    metric = parse_metric(spec)
    row = metric.statistics([output], [[first, second]])[0]
    picture = counted(metric.pictures(output, [first, second]))
    assert [*map(picture.count, "IDS")] == row[:3].tolist()


def test_terp_shows_stems_too() -> None:
    metric = parse_metric("terp")
    output, reference = "on the mat two cats sat", "two cat sat on the mat"
    row = metric.statistics([output], [[reference]])[0]
    (picture,) = metric.pictures(output, [reference])
    assert [*map(picture.count, "IDSTYP"), picture.shifts] == row[2:].tolist()
    assert picture.count("T") == 1


@given(WORDS, WORDS)
def test_grr_shows_the_path_that_it_pays_for(output: str, reference: str) -> None:
    metric = parse_metric("grr[beta=.5]")
    (picture,) = metric.pictures(output, [reference])
    numerator = metric.statistics([output], [[reference]])[0, 0]
    assert sum(float(one.note) for one in picture.pairs) == pytest.approx(numerator)


def test_grr_marks_the_reference_that_counts() -> None:
    metric = parse_metric("grr")
    for output, *references in SEGMENTS:
        rates = metric.score(
            metric.statistics([output] * 2, [[reference] for reference in references])
        )
        first, second = metric.pictures(output, references)
        if not np.isclose(*rates):
            assert [first.counted, second.counted] == [rates[0] > rates[1], rates[1] > rates[0]]


def test_meteor_shows_its_matches_and_chunks() -> None:
    missing = METRICS["meteor"].missing()
    if missing is not None:
        pytest.skip(missing)
    metric = parse_metric("meteor")
    for output, *references in SEGMENTS:
        row = metric.statistics([output], [references])[0]
        picture = counted(metric.pictures(output, references))
        matched = [one for one in picture.pairs if one.kind not in "ID"]
        sides = [len((one.output + " " + one.reference).split()) for one in matched]
        assert sum(sides) == row[5:].sum()
        numbers = {one.note for one in matched}
        if row[0] != row[1] or len(numbers) > 1:  # one chunk of all words is not counted
            assert len(numbers) == row[4]


def test_matches_stand_in_the_order_of_the_output() -> None:
    found = of_matches(
        ["d", "a", "x", "b"], ["a", "b", "c", "d"], [("exact", 0, 1, 3, 1), ("stem", 1, 1, 0, 1)]
    )
    assert found.pairs == (
        WordPair("=", "d", "d", note="chunk 1"),
        WordPair("T", "a", "a", note="chunk 2"),
        WordPair("D", "b", ""),
        WordPair("D", "c", ""),
        WordPair("I", "", "x"),
        WordPair("I", "", "b"),
    )


@pytest.mark.parametrize("spec", ["bleu", "chrf", "bleu-sbp", "nist"])
def test_a_metric_that_aligns_nothing_has_no_picture(spec: str) -> None:
    metric = parse_metric(spec).fit([["a b"]])
    assert metric.pictures("a b", ["a b"]) == ()
    assert not metric.aligns


def test_hebrew_words_are_kept_whole() -> None:
    line = HEBREW[0]
    words = line.split()
    moved = " ".join(words[-3:-1] + words[:-3] + words[-1:])
    (picture,) = parse_metric("ter").pictures(moved, [line])
    assert [one.reference for one in picture.pairs] == words
    assert [one.output for one in picture.pairs if one.shift] == words[-3:-1]
