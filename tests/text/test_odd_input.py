"""Empty and odd input: one rule for each case, the same everywhere."""

import numpy as np
import pytest

from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import parse_metric

# hypothesis, references -> score of the segment, by metric
CASES = [
    # hypothesis empty, reference not: the worst value; rates count all words as deletions
    ("", ["a b c"], {"bleu": 0, "bleu-sbp": 0, "wer": 100, "wrr": 0, "per": 100, "grr": 0}),
    # reference empty, hypothesis not: all insertions, measured against length 1 as jiwer does
    ("a b", [""], {"bleu": 0, "bleu-sbp": 0, "wer": 200, "wrr": -100, "per": 200, "grr": -100}),
    # both empty: perfect
    ("", [""], {"bleu": 100, "bleu-sbp": 100, "wer": 0, "wrr": 100, "per": 0, "grr": 100}),
    # a missing reference is left out
    ("a b", [None, "a b"], {"bleu": 100, "wer": 0, "wrr": 100, "per": 0, "grr": 100}),
    # spaces alone are empty text
    (" \t\u00a0", [""], {"bleu": 100, "bleu-sbp": 100, "wer": 0, "per": 0, "grr": 100}),
    # NUL is an ordinary character
    ("a \0 b", ["a \0 b"], {"bleu": 100, "wer": 0, "grr": 100}),
]
ROWS = [
    (hypothesis, references, name, expected)
    for hypothesis, references, scores in CASES
    for name, expected in scores.items()
]


@pytest.mark.parametrize(("hypothesis", "references", "name", "expected"), ROWS)
def test_segment(hypothesis: str, references: list[str], name: str, expected: float) -> None:
    metric = parse_metric(name).for_segments()
    rows = metric.statistics([hypothesis], [references])
    assert metric.score(rows[0]) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["bleu", "bleu-sbp", "wer", "wrr", "per", "grr"])
def test_both_empty_adds_nothing_to_the_corpus(name: str) -> None:
    metric = parse_metric(name)
    with_empty = metric.statistics(["a b c d e", ""], ["a b c d f", ""])
    assert not with_empty[1].any()


LONG = 10_000_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bleu", "bleu-sbp", "wer", "wrr", "per", "grr"])
def test_a_very_long_line_against_a_short_one(name: str) -> None:
    metric = parse_metric(name)
    words = np.random.default_rng(1).integers(0, 10_000, LONG // 5)
    text = " ".join(map(str, words.tolist()))
    assert len(text) > LONG * 0.9
    for hypothesis, reference in [(text, "1 2 3"), ("1 2 3", text)]:
        assert np.isfinite(metric.statistics([hypothesis], [reference])).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bleu", "bleu-sbp", "wer", "per"])
def test_a_very_long_line_against_itself(name: str) -> None:
    metric: Metric = parse_metric(name)
    text = " ".join(map(str, range(LONG // 7)))
    rows = metric.statistics([text], [text])
    assert metric.score(rows[0]) == pytest.approx(metric.best)
