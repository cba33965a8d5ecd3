"""Marked errors for people: tables of systems, categories and raters, and their agreement."""

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Final

from tertium.meta.spans.agreement import Overlap
from tertium.meta.spans.summary import ErrorTotals, SpanReport
from tertium.report.meta.grids import ComparisonCell, Grid, number

MOST_PAIRS: Final = 45
"""Pairs of raters that a table shows (ten raters); JSON has them all."""
MOST_CATEGORIES: Final = 30


def span_grids(reports: Sequence[SpanReport], *, decimals: int = 3) -> Iterator[Grid]:
    """A table of each kind for every language pair."""
    for report in reports:
        yield _marked_grid(report, "system", report.systems, decimals)
        if any(each.name for each in report.categories):
            yield _category_grid(report, decimals)
        yield _marked_grid(report, "rater", report.raters, decimals)
        if report.agreement is not None:
            yield from _agreement_grids(report, decimals)


def span_remarks(reports: Sequence[SpanReport]) -> Iterator[str]:
    """What was left out, and how numbers are to be read."""
    for one in reports:
        for stated in one.exclusions:
            yield f"{one.name}: {stated}"
        if one.controls:
            yield f"{one.name}: {one.controls} annotations of controls, see 'tertium meta judges'"
        if one.agreement is None:
            yield f"{one.name}: no agreement, for no output was seen by two raters"
        elif isnan(one.agreement.alpha):
            yield (
                f"{one.name}: no α over characters, which takes the texts (-i SYS …), and "
                "characters that differ"
            )
        if len(one.categories) > MOST_CATEGORIES:
            yield f"{one.name}: {len(one.categories) - MOST_CATEGORIES} more categories in JSON"
    yield "points: what errors weigh; scores: minus the points of an output, mean over segments"
    if any(report.agreement for report in reports):
        yield (
            "F1: of characters, with half for another severity, and of spans with the same ends "
            "or a character in common; α: Krippendorff's over characters, beyond chance"
        )


def _marked_grid(report: SpanReport, kind: str, rows: Sequence[ErrorTotals], decimals: int) -> Grid:
    criteria = list(dict.fromkeys(name for row in rows for name in row.scores))
    timed = not all(isnan(row.seconds) for row in rows)
    return Grid(
        title=f"errors of {report.name} by {kind}",
        headings=(
            kind,
            "annotated",
            "errors",
            "an output",
            *report.severities,
            *criteria,
            *(["seconds"] if timed else []),
        ),
        left=frozenset({0}),
        groups=(
            tuple(
                (
                    ComparisonCell(row.name),
                    ComparisonCell(str(row.outputs)),
                    ComparisonCell(str(row.errors)),
                    ComparisonCell(number(row.rate, 2)),
                    *(ComparisonCell(str(row.by_severity[name])) for name in report.severities),
                    *(ComparisonCell(number(row.scores.get(name), decimals)) for name in criteria),
                    *([ComparisonCell(number(row.seconds, 1))] if timed else []),
                )
                for row in rows
            ),
        ),
    )


def _category_grid(report: SpanReport, decimals: int) -> Grid:
    total = sum(category.points for category in report.categories)
    return Grid(
        title=f"errors of {report.name} by category, most points first",
        headings=("category", "errors", *report.severities, "points", "share of points"),
        left=frozenset({0}),
        groups=(
            tuple(
                (
                    ComparisonCell(category.name or "(none)"),
                    ComparisonCell(str(category.errors)),
                    *(
                        ComparisonCell(str(category.by_severity[name]))
                        for name in report.severities
                    ),
                    ComparisonCell(number(category.points, 1)),
                    ComparisonCell(number(category.points / total if total else None, decimals)),
                )
                for category in report.categories[:MOST_CATEGORIES]
            ),
        ),
    )


_F1: Final = ("outputs", "spans", "F1", "with severity", "exact", "partial")


def _agreement_grids(report: SpanReport, decimals: int) -> Iterator[Grid]:
    found = report.agreement
    if found is None:
        return
    yield Grid(
        title=f"agreement of the raters of {report.name} on what is marked",
        headings=("raters", *_F1, "α", "α of severities"),
        left=frozenset({0}),
        groups=(
            (
                (
                    ComparisonCell("all pairs"),
                    ComparisonCell(str(found.outputs)),
                    *_f1_cells(found.all, decimals)[1:],
                    ComparisonCell(number(found.alpha, decimals)),
                    ComparisonCell(number(found.severity_alpha, decimals)),
                ),
            ),
        ),
    )
    if 1 < len(found.pairs) <= MOST_PAIRS:
        yield Grid(
            title=f"every two raters of {report.name}",
            headings=("raters", *_F1),
            left=frozenset({0}),
            groups=(
                tuple(
                    (ComparisonCell(f"{first}, {second}"), *_f1_cells(pair, decimals))
                    for (first, second), pair in found.pairs.items()
                ),
            ),
        )


def _f1_cells(overlap: Overlap, decimals: int) -> tuple[ComparisonCell, ...]:
    values = (overlap.characters_f1, overlap.severity_f1, overlap.exact_f1, overlap.partial_f1)
    return (
        ComparisonCell(str(overlap.outputs)),
        ComparisonCell(str(overlap.spans)),
        *(ComparisonCell(number(value, decimals)) for value in values),
    )
