"""Scores and length ratios by the length of references."""

import numpy as np
import pytest

from tertium.compare.lengths import length_table
from tertium.inference import MetricRows
from tertium.metrics.contract.table import parse_metric
from tertium.scored import scored
from tests.support.comparisons import cut_of
from tests.support.corpora import corpus_of, systems_of


def test_scores_and_ratios_by_length() -> None:
    references = [["a b", "a b c d"], ["x " * 10], ["y"]]
    base = ["a b c", "x " * 5, "y"]
    new = ["a b c d e", "x " * 10, ""]
    cut = cut_of(references, base, new)
    metric = parse_metric("wer")
    rows = scored(corpus_of(references), systems_of(base, new), [metric]).rows[0]
    table = length_table(cut, [MetricRows(metric=metric, rows=rows)])
    # Mean reference lengths: 3, 10, 1.
    assert [(band.label, band.segments) for band in table.bands] == [("0–9", 2), ("10–19", 1)]
    short, long = table.bands
    # base: 'a b c' is as near to 2 words as to 4, and the shorter counts: (3 + 1) / (2 + 1).
    assert [cell.length_ratio for cell in short.cells] == [pytest.approx(4 / 3), 1.0]
    assert [cell.length_ratio for cell in long.cells] == [0.5, 1.0]
    alone = metric.for_segments().score(rows)
    for number, cell in enumerate(short.cells):
        assert cell.segment_means[0] == pytest.approx(alone[number, [0, 2]].mean())
    assert alone[0, [0, 2]].mean() != alone[1, [0, 2]].mean()
    assert short.cells[1].scores[0] == pytest.approx(metric.score(rows[1, [0, 2]].sum(axis=0)))
    profile = table.profiles[0]  # ratios 1.5, 0.5 and 1
    assert profile.counts == (0, 1, 0, 1, 0, 1, 0)
    assert profile.quartiles == (0.5, 1.0, 1.5)
    assert profile.ratio == pytest.approx(9 / 13)


def test_empty_references_have_a_ratio_too() -> None:
    references = ["", "", "a"]
    cut = cut_of(references, ["", "b", "a"], ["", "", ""])
    rows = np.zeros((2, 3, len(parse_metric("wer").columns)))
    table = length_table(cut, [MetricRows(metric=parse_metric("wer"), rows=rows)])
    # Nothing for nothing is 1, something for nothing is infinite.
    assert [one.counts for one in table.profiles] == [(0, 0, 0, 2, 0, 0, 1), (1, 0, 0, 2, 0, 0, 0)]
