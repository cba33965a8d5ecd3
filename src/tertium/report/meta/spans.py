"""Marked errors for people: tables of systems, categories and raters, and their agreement."""

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Final

from tertium.meta.spans.agreement import Overlap
from tertium.meta.spans.summary import ErrorTotals, SpanReport
from tertium.report.meta.cells import ComparisonCell, Grid
from tertium.report.meta.grids import number

MOST_PAIRS: Final = 45
"""Pairs of raters that a table shows (ten raters); JSON has them all."""
MOST_CATEGORIES: Final = 30


def span_grids(reports: Sequence[SpanReport], *, decimals: int = 3) -> Iterator[Grid]:
    """A table of each kind for every language pair."""
    for one in reports:
        yield _marked_grid(one, "system", one.systems, decimals)
        if any(each.name for each in one.categories):
            yield _category_grid(one, decimals)
        yield _marked_grid(one, "rater", one.raters, decimals)
        if one.agreement is not None:
            yield from _agreement_grids(one, decimals)


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
    if any(one.agreement for one in reports):
        yield (
            "F1: of characters, with half for another severity, and of spans with the same ends "
            "or a character in common; α: Krippendorff's over characters, beyond chance"
        )


def _marked_grid(report: SpanReport, kind: str, rows: Sequence[ErrorTotals], decimals: int) -> Grid:
    criteria = list(dict.fromkeys(name for one in rows for name in one.scores))
    timed = not all(isnan(one.seconds) for one in rows)
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
                    ComparisonCell(one.name),
                    ComparisonCell(str(one.outputs)),
                    ComparisonCell(str(one.errors)),
                    ComparisonCell(number(one.rate, 2)),
                    *(ComparisonCell(str(one.by_severity[name])) for name in report.severities),
                    *(ComparisonCell(number(one.scores.get(name), decimals)) for name in criteria),
                    *([ComparisonCell(number(one.seconds, 1))] if timed else []),
                )
                for one in rows
            ),
        ),
    )


def _category_grid(report: SpanReport, decimals: int) -> Grid:
    total = sum(one.points for one in report.categories)
    return Grid(
        title=f"errors of {report.name} by category, most points first",
        headings=("category", "errors", *report.severities, "points", "share of points"),
        left=frozenset({0}),
        groups=(
            tuple(
                (
                    ComparisonCell(one.name or "(none)"),
                    ComparisonCell(str(one.errors)),
                    *(ComparisonCell(str(one.by_severity[name])) for name in report.severities),
                    ComparisonCell(number(one.points, 1)),
                    ComparisonCell(number(one.points / total if total else None, decimals)),
                )
                for one in report.categories[:MOST_CATEGORIES]
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
                    (ComparisonCell(f"{first}, {second}"), *_f1_cells(one, decimals))
                    for (first, second), one in found.pairs.items()
                ),
            ),
        )


def _f1_cells(one: Overlap, decimals: int) -> tuple[ComparisonCell, ...]:
    values = (one.characters_f1, one.severity_f1, one.exact_f1, one.partial_f1)
    return (
        ComparisonCell(str(one.outputs)),
        ComparisonCell(str(one.spans)),
        *(ComparisonCell(number(value, decimals)) for value in values),
    )
