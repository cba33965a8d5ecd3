"""A comparison as grids of cells for people: what the terminal and LaTeX show."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import isnan, nan
from typing import Final

from tertium.compare.baseline_tests import TestName
from tertium.compare.comparison import Comparison
from tertium.compare.differences import GramDifference, GramDifferences
from tertium.compare.frequency import FrequencyTable
from tertium.compare.histograms import Histogram
from tertium.compare.lengths import LengthTable
from tertium.compare.score_results import MARKS, ComparedScore, ScoreSlice, ScoreTable
from tertium.compare.sources import SourceLengthTable, SourceWordTable
from tertium.inference.p_values import CORRECTED_P, RAW_P, p_value_text
from tertium.metrics.contract.base import Metric
from tertium.report.comparison.cells import ComparisonCell, Grid
from tertium.results import Interval, headings

# Grids of words gained and lost, of what the source became, and of histograms.


def difference_grid(found: GramDifferences, kind: str) -> Grid:
    """Gained on the left, lost on the right."""
    sides = zip_longest(found.gained, found.lost)
    counts = (found.system, found.baseline, "log-odds")
    return Grid(
        title=f"{kind} that only one has right: {found.system} and {found.baseline}",
        headings=(f"gained by {found.system}", *counts, "lost", *counts),
        left=frozenset({0, 4}),
        groups=(
            tuple((*_difference_cells(left), *_difference_cells(right)) for left, right in sides),
        ),
    )


def _difference_cells(one: GramDifference | None) -> list[ComparisonCell]:
    if one is None:
        return [ComparisonCell("")] * 4
    return [
        ComparisonCell(one.text),
        ComparisonCell(str(one.gained)),
        ComparisonCell(str(one.lost)),
        ComparisonCell(f"{one.log_odds:+.2f}"),
    ]


def source_word_grids(table: SourceWordTable, decimals: int) -> Iterator[Grid]:
    """Recall of source words by their frequency, and the source words that differ."""
    aligned = table.basis == "alignment"
    rows = []
    for band in table.bands:
        values = [one.recall for one in band.accuracies]
        top = max((value for value in values if value is not None), default=None)
        cells = (
            ComparisonCell("" if one is None else f"{one:.{decimals}f}", one == top)
            for one in values
        )
        rows.append((ComparisonCell(band.label), ComparisonCell(str(band.source_words)), *cells))
    what = "words aligned with source words" if aligned else "words of segments with source words"
    yield Grid(
        title=f"recall of {what}, by frequency in the sources",
        headings=("frequency", "source words", *table.systems),
        left=frozenset({0}),
        groups=(tuple(rows),),
    )
    for one in table.differences:
        yield difference_grid(one, f"{what.removesuffix(' source words')} these source words")


def source_length_grid(table: SourceLengthTable) -> Grid:
    """Words per source word, by genre."""
    return Grid(
        title="words per source word",
        headings=("genre", "segments", "source words", "reference", *table.systems),
        left=frozenset({0}),
        groups=(
            tuple(
                (
                    ComparisonCell(one.label),
                    ComparisonCell(str(one.segments)),
                    ComparisonCell(str(one.source_words)),
                    *(ComparisonCell(f"{value:.3f}") for value in (one.reference, *one.systems)),
                )
                for one in table.rows
            ),
        ),
    )


def histogram_grid(one: Histogram) -> Grid:
    """A row for each band, a column for each system."""
    what = one.of if one.of == "length difference" else f"{one.of} score"
    return Grid(
        title=f"segments by {what}",
        headings=("from–to" if one.of != "length difference" else "words", *one.systems),
        left=frozenset({0}),
        groups=(
            tuple(
                (ComparisonCell(label), *(ComparisonCell(str(counts[k])) for counts in one.counts))
                for k, label in enumerate(one.labels)
            ),
        ),
    )


_METRIC_WIDTH: Final = 52
_TEST_WIDTH: Final = 22
_SLICE_WIDTH: Final = 36
"""Characters that the columns of a metric, of a test and of a slice need with what is around."""


def comparison_grids(comparison: Comparison, *, decimals: int = 2) -> Iterator[Grid]:
    """The tables of every section there is but the sentences."""
    if comparison.scores is not None:
        yield from score_grids(comparison.scores, decimals)
    yield from detail_grids(comparison, decimals=decimals)


def detail_grids(comparison: Comparison, *, decimals: int = 2) -> Iterator[Grid]:
    """The tables of every section there is but scores and sentences."""
    for ngrams in comparison.ngrams or ():
        yield difference_grid(ngrams, "n-grams")
    if comparison.words is not None:
        for words in comparison.words.differences:
            yield difference_grid(words, "words")
        yield frequency_grid(comparison.words.frequencies, decimals)
        if comparison.words.sources is not None:
            yield from source_word_grids(comparison.words.sources, decimals)
    if comparison.lengths is not None:
        yield length_grid(comparison.lengths, decimals)
        yield ratio_grid(comparison.lengths, decimals)
        if comparison.lengths.per_source is not None:
            yield source_length_grid(comparison.lengths.per_source)
    if comparison.histograms is not None:
        yield from (histogram_grid(one) for one in comparison.histograms.every)


def score_grids(table: ScoreTable, decimals: int, width: int | None = None) -> Iterator[Grid]:
    """The scores in one grid, or in several with as many metrics each as fit the width."""
    names = max(map(len, table.systems)) + (_SLICE_WIDTH if table.by else 0)
    each = _METRIC_WIDTH + _TEST_WIDTH * len(table.settings.tests)
    each += 0 if table.runs is None else 2 * _TEST_WIDTH
    fitting = len(table.metrics) if width is None else max(1, (width - names) // each)
    for first in range(0, len(table.metrics), fitting):
        yield score_grid(table, decimals, slice(first, first + fitting))


def score_grid(table: ScoreTable, decimals: int, some: slice) -> Grid:
    """Systems × metrics: score, delta with marks, p-values, cluster and ranks; groups are slices.

    What follows ± is half the width of the interval; BCa ones are shown by their ends.
    """
    mark = "±" if table.settings.interval == "percentile" else "BCa"
    level = f"{mark} {100 * table.settings.level:g} %"
    tests = table.settings.tests
    several = len(tests) > 1
    p_heads = [
        f"{name}{MARKS[test]}" if several else name
        for test in tests
        for name in (RAW_P, CORRECTED_P)
    ]
    spread = [] if table.runs is None else ["σ"]
    if table.runs is not None:
        p_heads.append("p runs")
    heads = [
        heading
        for title in headings(table.metrics)[some]
        for heading in (f"{title} {level}", *spread, f"Δ {level}", *p_heads, "cluster", "ranks")
    ]
    by = [table.by, "segments"] if table.by else []
    if by and any(part.unit == "document" for part in table.slices):
        by.append("documents")
    groups = []
    for part in table.slices:
        best = _best([[score.value for score in row] for row in part.scores], table.metrics)
        label = _slice_label(part)[: len(by)]
        groups.append(
            tuple(
                (
                    *map(ComparisonCell, label if number == 0 else [""] * len(label)),
                    ComparisonCell(name),
                    *(
                        cell
                        for score, top in zip(row[some], best[some], strict=True)
                        for cell in _score_cells(score, top, decimals, tests)
                    ),
                )
                for number, (name, row) in enumerate(zip(table.systems, part.scores, strict=True))
            )
        )
    return Grid(
        title=f"scores against {table.systems[0]}",
        headings=(*by, "system", *heads),
        left=frozenset({0, len(by)}),
        groups=tuple(groups),
    )


def _slice_label(part: ScoreSlice) -> list[str]:
    """What a slice is called, its segments, and its documents where these are resampled."""
    return [part.label, str(part.segments), str(part.units) if part.unit == "document" else ""]


def _score_cells(
    score: ComparedScore, best: float, decimals: int, tests: Sequence[TestName]
) -> list[ComparisonCell]:
    decimals += score.metric.finer
    value = f"{score.value:.{decimals}f}{_interval_text(score.interval, decimals)}"
    delta = ""
    if score.delta is not None:
        marks = "".join(MARKS[one.test] for one in score.tests if one.significant)
        span = _interval_text(score.delta_interval, decimals)
        # Marks keep their places, so that the digits of a column stand under one another.
        delta = f"{score.delta:+.{decimals}f}{span}{marks:<{len(tests)}}"
    found = {
        one.asked: (
            p_value_text(one.p_value, one.floor),
            p_value_text(one.adjusted, one.adjusted_floor),
        )
        for one in score.tests
    }
    spread = [] if score.deviation is None else [ComparisonCell(f"{score.deviation:.{decimals}f}")]
    alone = score.runs_p_value
    return [
        ComparisonCell(value, round(score.value, decimals) == round(best, decimals)),
        *spread,
        ComparisonCell(delta),
        *(ComparisonCell(text) for test in tests for text in found.get(test, ("", ""))),
        *([ComparisonCell("" if alone is None else p_value_text(alone))] * len(spread)),
        ComparisonCell("" if score.cluster is None else str(score.cluster)),
        ComparisonCell(score.ranks_text),
    ]


def _interval_text(interval: Interval | None, decimals: int) -> str:
    return "" if interval is None else f" {interval.text(decimals)}"


def _best(rows: Sequence[Sequence[float]], metrics: Sequence[Metric]) -> list[float]:
    return [
        (max if metric.higher_is_better else min)((x for x in column if not isnan(x)), default=nan)
        for metric, column in zip(metrics, zip(*rows, strict=True), strict=True)
    ]


def frequency_grid(table: FrequencyTable, decimals: int) -> Grid:
    """F1 of every system on the words of every band."""
    rows = []
    for band in table.bands:
        values = [one.f1 for one in band.accuracies]
        top = max((value for value in values if value is not None), default=None)
        cells = (
            ComparisonCell("" if one is None else f"{one:.{decimals}f}", one == top)
            for one in values
        )
        rows.append((ComparisonCell(band.label), ComparisonCell(str(band.expected)), *cells))
    return Grid(
        title=f"word accuracy (F1) by frequency in the {table.source}",
        headings=("frequency", "words", *table.systems),
        left=frozenset({0}),
        groups=(tuple(rows),),
    )


def length_grid(table: LengthTable, decimals: int) -> Grid:
    """Means over segments, and the ratio of lengths; a group for each band."""
    groups = []
    for band in table.bands:
        best = _best([cell.segment_means for cell in band.cells], table.metrics)
        groups.append(
            tuple(
                (
                    ComparisonCell(band.label if number == 0 else ""),
                    ComparisonCell(str(band.segments) if number == 0 else ""),
                    ComparisonCell(name),
                    *(
                        ComparisonCell(
                            metric.shown(mean, decimals),
                            round(mean - top, decimals + metric.finer) == 0,
                        )
                        for metric, mean, top in zip(
                            table.metrics, cell.segment_means, best, strict=True
                        )
                    ),
                    ComparisonCell(f"{cell.length_ratio:.3f}"),
                )
                for number, (name, cell) in enumerate(zip(table.systems, band.cells, strict=True))
            )
        )
    return Grid(
        title="mean segment scores by reference length",
        headings=("length", "segments", "system", *headings(table.metrics), "length ratio"),
        left=frozenset({0, 2}),
        groups=tuple(groups),
    )


def ratio_grid(table: LengthTable, decimals: int) -> Grid:
    """Segments of every system by length ratio."""
    return Grid(
        title="segments by length ratio",
        headings=("system", "ratio", "median", *table.ratios.labels),
        left=frozenset({0}),
        groups=(
            tuple(
                (
                    ComparisonCell(one.system),
                    ComparisonCell(f"{one.ratio:.3f}"),
                    ComparisonCell(f"{one.quartiles[1]:.{decimals}f}"),
                    *(ComparisonCell(str(count)) for count in one.counts),
                )
                for one in table.profiles
            ),
        ),
    )
