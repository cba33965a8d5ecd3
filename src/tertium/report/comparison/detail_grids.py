"""Grids of words gained and lost, of what the source became, and of histograms."""

from collections.abc import Iterator
from itertools import zip_longest

from tertium.compare.differences import GramDifference, GramDifferences
from tertium.compare.histograms import Histogram
from tertium.compare.sources import SourceLengthTable, SourceWordTable
from tertium.report.comparison.cells import ComparisonCell, Grid


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
