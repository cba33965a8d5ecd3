"""LRscore: permutations and distances by hand, the formula, and malformed alignments."""

from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.order.lrscore import LrScore
from tertium.metrics.order.permutations import hamming, kendall, permutation, read_aligned
from tests.oracles import lrscore as oracle
from tests.support.strategies import words


@pytest.mark.parametrize(
    ("alignment", "length", "expected"),
    [
        ("", 0, []),
        ("", 3, [0, 1, 2]),  # nothing known: nothing reordered
        ("0-0 1-1 2-2", 3, [0, 1, 2]),
        ("0-2 1-0 2-1", 3, [2, 0, 1]),
        ("0-1 0-0 1-2", 2, [0, 1]),  # several target words: the first
        ("0-3 1-3 2-0", 3, [1, 2, 0]),  # several source words: their own order
        ("0-2 2-0", 3, [1, 2, 0]),  # no target word: along with the word before
        ("1-0 2-1", 3, [0, 1, 2]),  # the first word without one: in front
        ("0-0 1-1", 4, [0, 1, 2, 3]),  # the last words without one: at the end
        # the example in the comments of the authors' program, there counted from 1
        ("0-8 1-0 3-2 3-3 4-5 5-5 6-5 7-7", 8, [7, 0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_permutations(alignment: str, length: int, expected: list[int]) -> None:
    points = read_aligned(f"{'w ' * 9}||| {alignment}").points
    assert permutation(points, length) == expected
    assert oracle.permutation(list(points), length) == expected


@pytest.mark.parametrize(
    ("order", "expected_kendall", "expected_hamming"),
    [
        ([], 1.0, 1.0),
        ([0], 1.0, 1.0),
        ([1, 0], 0.0, 0.0),
        ([3, 2, 1, 0], 0.0, 0.0),
        ([4, 3, 2, 1, 0], 0.0, 1 / 5),  # the middle stays in place
        ([0, 1, 2, 3, 5, 4, 6, 7, 8, 9], 1 - sqrt(1 / 45), 8 / 10),
        ([5, 6, 7, 8, 9, 0, 1, 2, 3, 4], 1 - sqrt(25 / 45), 0.0),  # halves swapped
    ],
)
def test_distances(order: list[int], expected_kendall: float, expected_hamming: float) -> None:
    identity = list(range(len(order)))
    assert kendall(order, identity) == pytest.approx(expected_kendall)
    assert hamming(order, identity) == pytest.approx(expected_hamming)


@pytest.mark.parametrize(
    ("hypothesis", "references", "spec", "expected"),
    [
        # swapped: no pair in order; unigrams perfect
        ("b a ||| 0-1 1-0", ["a b ||| 0-0 1-1"], "lrscore[order=1]", 74.0),
        ("b a ||| 0-1 1-0", ["a b ||| 0-0 1-1"], "lrscore[alpha=1.0]", 0.0),
        # half the length: BP = exp(1 − 4/2)
        ("a b ||| 0-0 1-1", ["a b c d ||| 0-0 1-1 2-2 3-3"], "lrscore[alpha=1.0]", 100 * exp(-1)),
        # longer than the reference: no penalty
        ("a b c ||| 0-0 1-1", ["a b ||| 0-0 1-1"], "lrscore[alpha=1.0]", 100.0),
        # one pair of four words swapped: Hamming 2/4, Kendall 1 − √(1/6)
        (
            "b a c d ||| 0-1 1-0 2-2 3-3",
            ["a b c d ||| 0-0 1-1 2-2 3-3"],
            "lrscore[alpha=1.0,distance=hamming]",
            50.0,
        ),
        (
            "b a c d ||| 0-1 1-0 2-2 3-3",
            ["a b c d ||| 0-0 1-1 2-2 3-3"],
            "lrscore[alpha=1.0]",
            100 - 100 / sqrt(6),
        ),
        # two more source words than the alignments show go along with the second one:
        # the first source word now has three words before it, Kendall 1 − √(3/6)
        ("b a ||| 0-1 1-0 ||| 4", ["a b ||| 0-0 1-1"], "lrscore[alpha=1.0]", 100 - 100 / sqrt(2)),
        # the better of two references, or both
        ("b a ||| 0-1 1-0", ["a b ||| 0-0 1-1", "b a ||| 0-1 1-0"], "lrscore[alpha=1.0]", 100.0),
        (
            "b a ||| 0-1 1-0",
            ["a b ||| 0-0 1-1", "b a ||| 0-1 1-0"],
            "lrscore[alpha=1.0,references=average]",
            50.0,
        ),
        # empty input
        ("", ["a b ||| 0-0"], "lrscore", 0.0),
        ("|||", ["a b ||| 0-0"], "lrscore", 0.0),
        ("a b ||| 0-0", [""], "lrscore", 0.0),
        ("", [" ||| "], "lrscore", 100.0),
        ("a ||| ", ["a |||"], "lrscore", 100.0),
        ("a ||| 0-0", [None, "a ||| 0-0"], "lrscore", 100.0),
    ],
)
def test_segments(hypothesis: str, references: list[str], spec: str, expected: float) -> None:
    metric = parse_metric(spec).for_segments()
    rows = metric.statistics([hypothesis], [references])
    assert metric.score(rows[0]) == pytest.approx(expected)


def test_both_empty_adds_nothing() -> None:
    assert not LrScore().statistics(["a b ||| 0-0", ""], ["a b ||| 0-0", "|||"])[1].any()


@st.composite
def aligned_texts(draw: st.DrawFn) -> oracle.Aligned:
    text = draw(st.lists(words, min_size=1, max_size=8))
    points = st.tuples(st.integers(0, 7), st.integers(0, len(text) - 1))
    return text, draw(st.lists(points, max_size=9))


def line(text: oracle.Aligned) -> str:
    points = " ".join(f"{source}-{target}" for source, target in text[1])
    return f"{' '.join(text[0])} ||| {points}"


corpora = st.lists(
    st.tuples(aligned_texts(), st.lists(aligned_texts(), min_size=1, max_size=3)),
    min_size=1,
    max_size=6,
)


@given(corpora, st.floats(0, 1), st.sampled_from(["kendall", "hamming"]), st.integers(1, 4))
def test_equals_the_formula(
    segments: list[tuple[oracle.Aligned, list[oracle.Aligned]]],
    alpha: float,
    distance: str,
    order: int,
) -> None:
    metric = parse_metric(
        f"lrscore[alpha={alpha!r},distance={distance},order={order},smoothing=none]"
    )
    hypotheses = [line(hypothesis) for hypothesis, _ in segments]
    references = [[line(reference) for reference in others] for _, others in segments]
    rows = metric.statistics(hypotheses, references)
    expected = oracle.lrscore(segments, alpha=alpha, distance=distance, order=order)
    assert metric.score(rows.sum(axis=0)) == pytest.approx(expected)
    alone = [
        metric.statistics([hypothesis], [others])[0]
        for hypothesis, others in zip(hypotheses, references, strict=True)
    ]
    np.testing.assert_array_equal(rows, alone)
    stacked = np.stack([rows, 2 * rows])
    np.testing.assert_array_equal(metric.score(stacked)[0], metric.score(rows))


@given(aligned_texts())
def test_identical_text_is_best(text: oracle.Aligned) -> None:
    metric = LrScore().for_segments()
    assert metric.score(metric.statistics([line(text)], [line(text)])[0]) == pytest.approx(100)


@given(st.permutations(range(40)))
def test_kendall_is_symmetric_and_counts_pairs(order: list[int]) -> None:
    identity = list(range(40))
    assert kendall(order, identity) == pytest.approx(oracle.kendall(order, identity))
    assert kendall(order, identity) == pytest.approx(kendall(identity, order))
    assert kendall([39 - rank for rank in order], order) == 0.0


@pytest.mark.slow
def test_a_very_long_line() -> None:
    text = " ".join(map(str, range(200_000)))
    forward = " ".join(f"{n}-{n}" for n in range(200_000))
    row = LrScore().statistics([f"{text} ||| {forward}"], [f"{text} ||| {forward}"])[0]
    assert LrScore().score(row) == pytest.approx(100)


TWO = "'text ||| alignment' or 'text ||| alignment ||| number of source words'"


@pytest.mark.parametrize(
    ("hypothesis", "reference", "message"),
    [
        ("a b", "a ||| 0-0", f"hypotheses: segment 2: found 0 times '|||', expected {TWO}"),
        ("a ||| 0-0 ||| 2 ||| 3", "", "hypotheses: segment 2: found 3 times '|||'"),
        (
            "a ||| 0-0 0:1",
            "",
            "segment 2: found '0:1' in the alignment, expected source-target, such as 0-1",
        ),
        ("a ||| -1-0", "", "found '-1-0' in the alignment"),
        ("a ||| 0-99999999999", "", "found '0-99999999999' in the alignment"),
        ("a ||| ٣-0", "", "found '٣-0' in the alignment"),
        (
            "a ||| 0-0",
            "a b ||| 0-2",
            "reference set 1: segment 2: found target word 2 in the alignment, expected at most 1",
        ),
        (
            "a ||| 0-0 ||| two",
            "",
            "found 'two' after the alignment, expected the number of source words",
        ),
        (
            "a ||| 3-0 ||| 2",
            "",
            "hypotheses: segment 2: found source word 3 in the alignment, expected at most 1",
        ),
        (
            "a ||| 0-0 ||| 2",
            "a ||| 0-0 ||| 3",
            "segment 2: found sources of 2 and 3 words, expected one length",
        ),
        (
            "a ||| 0-0 ||| 2",
            "a ||| 5-0",
            "segment 2: found source word 5 in an alignment, expected at most 1",
        ),
    ],
)
def test_malformed_segments(hypothesis: str, reference: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        tertium.score(["x ||| 0-0", hypothesis], ["x ||| 0-0", reference], "lrscore")
    assert message in str(error.value)


pieces = st.sampled_from(["a", " ", " ||| ", "|", "0-0", " 1-0 ", "2-", "-1", "12", "3-1", "é"])


@given(st.lists(pieces, max_size=12))
def test_any_segment_is_read_or_refused(parts: list[str]) -> None:
    segment = "".join(parts)
    error = ""
    try:
        assert tertium.score([segment], [segment], "lrscore[alpha=1.0]").value == 100
    except InputError as found:
        error = str(found)
    assert not error or "reference set 1: segment 1: found " in error


def test_options() -> None:
    metric = parse_metric("lrscore[distance=hamming,alpha=0.4,order=1,lowercase=yes]")
    assert parse_metric(metric.spec) == metric
    assert parse_metric(f"lrscore|{metric.signature()}") == metric
    assert "|tok:none|" in LrScore().signature()
    assert "|alpha:0.26|distance:kendall|" in LrScore().signature()
    with pytest.raises(OptionError, match=r"lrscore: found alpha=1\.5, expected 0 to 1"):
        LrScore(alpha=1.5)


def test_description_names_both_parts() -> None:
    row = LrScore(order=1).statistics(["b a ||| 0-1 1-0"], ["a b ||| 0-0 1-1"])[0]
    assert LrScore(order=1).describe(row) == "(R = 0.0 BLEU = 100.0)"


def test_explanation_speaks_of_order_and_of_words_without_alignments() -> None:
    metric = LrScore(order=1)
    hypothesis, reference = "b a ||| 0-1 1-0", "a b ||| 0-0 1-1"
    row = metric.statistics([hypothesis], [reference])[0]
    parts = {one.name: one.value for one in metric.components(row)}
    assert (parts["word order"], parts["BLEU"], parts["1-gram precision"]) == (0, 100, 100)
    trace = metric.trace(hypothesis, [reference])
    assert trace[:2] == [
        "places of the source words in hypothesis: 1 0",
        "places of the source words in reference 1: 0 1",
    ]
    assert not any("|||" in line for line in trace)
