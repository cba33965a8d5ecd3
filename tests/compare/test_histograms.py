"""Segments by score and by difference of length."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.compare import Histogram, HistogramSection, compare
from tertium.compare.histograms import score_edges
from tertium.evaluation import evaluate
from tertium.metrics.contract.table import parse_metric
from tests.support.corpora import corpus_of, systems_of
from tests.support.effort import examples

REFERENCES = ["a b c d", "a b c d", "a b c d", "a b c d e f g h i j"]
BASE = ["a b c d", "a b", "x y z w v", "a b c d e f g h i j"]
NEW = ["a b c x", "a b c d e", "", "a b c d e f g h i j"]


def section(metric: str) -> HistogramSection:
    found = compare(
        corpus_of(REFERENCES), systems_of(BASE, NEW), [metric], sections=["histograms"]
    ).histograms
    assert found is not None
    return found


def counts(one: Histogram, system: int) -> dict[str, int]:
    pairs = zip(one.labels, one.counts[system], strict=True)
    return {label: count for label, count in pairs if count}


def test_differences_of_length() -> None:
    """By hand: 0, −2, +1, 0 words for the baseline; 0, +1, −4, 0 for the other."""
    lengths = section("wer").lengths
    assert counts(lengths, 0) == {"-2": 1, "0": 2, "+1": 1}
    assert counts(lengths, 1) == {"-5…-3": 1, "0": 2, "+1": 1}
    assert lengths.labels[0] == "≤-20"
    assert lengths.labels[-1] == "≥+20"


def test_segment_scores() -> None:
    """WER by hand: 0, 50, 125, 0 and 25, 25, 100, 0."""
    (scores,) = section("wer").scores
    assert counts(scores, 0) == {"<10": 2, "50–60": 1, "100+": 1}
    assert counts(scores, 1) == {"<10": 1, "20–30": 2, "100+": 1}


@pytest.mark.parametrize(
    ("metric", "first", "last"),
    [("bleu", 10, 90), ("wer", 10, 100), ("grr", 0, 90), ("nist", 1, 10), ("terp", 10, 90)],
)
def test_bands_fit_the_metric(metric: str, first: float, last: float) -> None:
    edges = score_edges(parse_metric(metric))
    assert (edges[0], edges[-1]) == (first, last)


texts = st.lists(
    st.lists(st.sampled_from("abcd"), max_size=30).map(" ".join), min_size=5, max_size=5
)


@given(references=texts, first=texts, second=texts, metric=st.sampled_from(["bleu", "grr", "ter"]))
@settings(max_examples=examples(20), deadline=None)
def test_every_segment_is_in_the_band_of_its_score(
    references: list[str], first: list[str], second: list[str], metric: str
) -> None:
    corpus, systems = corpus_of(references), systems_of(first, second)
    found = compare(corpus, systems, [metric], sections=["histograms"]).histograms
    assert found is not None
    for one in found.every:
        assert [sum(some) for some in one.counts] == [5, 5]
    evaluation = evaluate(corpus, systems, [metric], segments=True)
    (scores,) = found.scores
    for system, made in zip(evaluation.systems, scores.counts, strict=True):
        values = system.scores[0].segments
        assert values is not None
        at_least = [np.count_nonzero(values >= edge - 1e-9) for edge in scores.edges]
        assert [sum(made[k + 1 :]) for k in range(len(scores.edges))] == at_least
