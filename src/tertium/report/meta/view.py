"""Meta-evaluation for people: tables, then what was left out and how numbers were made."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Final

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from tertium.meta.agreement.agreement_table import AgreementTable
from tertium.meta.agreement.overview import AgreementReport
from tertium.meta.agreement.permutation_test import PAPER_NAMES
from tertium.meta.agreement.prediction_error import PredictionErrors
from tertium.meta.agreement.ranking import MetricRanking
from tertium.meta.fit.results import Fit
from tertium.meta.orange import OrangeReport
from tertium.meta.ratings.judges import JudgeReport
from tertium.meta.ratings.judgments import Exclusion
from tertium.meta.spans.summary import SpanReport
from tertium.meta.straw_man_ranks import DESCRIPTIONS, StrawMenReport
from tertium.meta.worth_curves import FEWEST_SETS, Worth, WorthCurve, WorthTable
from tertium.metrics.foreign.score_table import short_name
from tertium.plurals import counted
from tertium.report.meta.agreement_grids import agreement_grids
from tertium.report.meta.grids import (
    ComparisonCell,
    Grid,
    curve_grid,
    fit_grids,
    judge_grids,
    sanity_remarks,
    straw_men_grids,
)
from tertium.report.meta.ranking import ranking_grids, ranking_remarks
from tertium.report.meta.spans import span_grids, span_remarks
from tertium.results import titles
from tertium.tables import latex_comment

# Grids that are wider than a screen, cut into several that fit; names and numbers stay whole.

GAP: Final = 3
"""Characters between two columns."""
HEADING: Final = 12
"""Headings longer than this, and than the cells below, are broken between words."""


def fitting(grid: Grid, width: int | None) -> Iterator[Grid]:
    """The grid, or several with as many columns each as fit; text columns are in all of them.

    Where even one column of numbers is too wide beside the text, it is alone, and the terminal
    has to scroll or wrap.
    """
    if width is None or _width(_widths(grid)) <= width:
        yield grid
        return
    grid = replace(
        grid,
        headings=tuple(
            "\n".join(wrap(heading, max(HEADING, _cells(grid, i)), break_long_words=False))
            for i, heading in enumerate(grid.headings)
        ),
    )
    widths = _widths(grid)
    kept = [i for i in range(len(widths)) if i in grid.left] or [0]
    room = width - _width([widths[i] for i in kept])
    blocks: list[list[int]] = []
    used = room + 1
    for i in (i for i in range(len(widths)) if i not in kept):
        if used + GAP + widths[i] > room:
            blocks.append([])
            used = 0
        blocks[-1].append(i)
        used += GAP + widths[i]
    for number, block in enumerate(blocks or [[]]):
        columns = [*kept, *block]
        yield replace(
            grid,
            title=f"{grid.title} (continued)" if number else grid.title,
            headings=tuple(grid.headings[i] for i in columns),
            left=frozenset(columns.index(i) for i in grid.left),
            groups=tuple(
                tuple(tuple(row[i] for i in columns) for row in group) for group in grid.groups
            ),
        )


def _cells(grid: Grid, column: int) -> int:
    return max((len(row[column].text) for group in grid.groups for row in group), default=0)


def _widths(grid: Grid) -> list[int]:
    return [
        max(_cells(grid, i), *map(len, heading.split("\n")))
        for i, heading in enumerate(grid.headings)
    ]


def _width(widths: list[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


HELD_FIXED: Final = {
    "systems": "segments are held fixed; p speaks of other systems on these segments",
    "items": "systems are held fixed; p speaks of other segments translated by these systems, "
    "not of other systems",
    "both": "systems are held fixed; p speaks of other segments translated by these systems, and "
    "is too small wherever a metric has a bias for single systems (--permute systems has not)",
}
"""What each permutation test cannot speak of."""


def agreement_view(
    report: AgreementReport,
    *,
    decimals: int = 3,
    published: bool = False,
    terminal: int | None = None,
) -> Group:
    """Every table, then the remarks; a table wider than the ``terminal`` is cut into several."""
    grids = agreement_grids(report, decimals=decimals, published=published)
    return _view(grids, agreement_remarks(report), terminal)


def agreement_latex(
    report: AgreementReport, *, decimals: int = 3, published: bool = False
) -> Iterator[str]:
    """Every table for the package booktabs, the remarks as comments."""
    grids = agreement_grids(report, decimals=decimals, published=published)
    return _latex(grids, agreement_remarks(report))


def ranking_view(
    ranking: MetricRanking, *, decimals: int = 3, terminal: int | None = None
) -> Group:
    """Metrics ranked over all columns, then how they were tested."""
    return _view(ranking_grids(ranking, decimals=decimals), ranking_remarks(ranking), terminal)


def ranking_latex(ranking: MetricRanking, *, decimals: int = 3) -> Iterator[str]:
    """The same for the package booktabs."""
    return _latex(ranking_grids(ranking, decimals=decimals), ranking_remarks(ranking))


def judges_view(
    reports: Sequence[JudgeReport], *, decimals: int = 3, terminal: int | None = None
) -> Group:
    """Agreement of the judges, then the judges."""
    return _view(judge_grids(reports, decimals=decimals), _judge_remarks(reports), terminal)


def judges_latex(reports: Sequence[JudgeReport], *, decimals: int = 3) -> Iterator[str]:
    """The same for the package booktabs."""
    return _latex(judge_grids(reports, decimals=decimals), _judge_remarks(reports))


def straw_men_view(
    reports: Sequence[StrawMenReport], *, decimals: int = 3, terminal: int | None = None
) -> Group:
    """Ranks of the straw men, agreement with them, and what they are."""
    grids = (grid for report in reports for grid in straw_men_grids(report, decimals=decimals))
    return _view(grids, _straw_remarks(reports), terminal)


def straw_men_latex(reports: Sequence[StrawMenReport], *, decimals: int = 3) -> Iterator[str]:
    """The same for the package booktabs."""
    grids = (grid for report in reports for grid in straw_men_grids(report, decimals=decimals))
    return _latex(grids, _straw_remarks(reports))


def fit_view(fits: Sequence[Fit], *, decimals: int = 3, terminal: int | None = None) -> Group:
    """Parameters and what they are worth, for every metric that was fitted."""
    grids = (grid for fit in fits for grid in fit_grids(fit, decimals=decimals))
    return _view(grids, _fit_remarks(fits), terminal)


def fit_latex(fits: Sequence[Fit], *, decimals: int = 3) -> Iterator[str]:
    """The same for the package booktabs."""
    grids = (grid for fit in fits for grid in fit_grids(fit, decimals=decimals))
    return _latex(grids, _fit_remarks(fits))


def curve_view(
    curves: Sequence[PredictionErrors], *, decimals: int = 1, terminal: int | None = None
) -> Group:
    """Prediction error of every metric, a row for each length of n-grams."""
    grids = (curve_grid(curve, decimals=decimals) for curve in curves)
    return _view(grids, _curve_remarks(curves), terminal)


def curve_latex(curves: Sequence[PredictionErrors], *, decimals: int = 1) -> Iterator[str]:
    """The same for the package booktabs."""
    grids = (curve_grid(curve, decimals=decimals) for curve in curves)
    return _latex(grids, _curve_remarks(curves))


def orange_view(report: OrangeReport, *, decimals: int = 4, terminal: int | None = None) -> Group:
    """Where metrics rank references inside n-best lists."""
    return _view([orange_grid(report, decimals=decimals)], orange_remarks(report), terminal)


def orange_latex(report: OrangeReport, *, decimals: int = 4) -> Iterator[str]:
    """The same for papers."""
    return _latex([orange_grid(report, decimals=decimals)], orange_remarks(report))


def worth_view(table: WorthTable, *, decimals: int = 3, terminal: int | None = None) -> Group:
    """What differences are worth, or which differences some shares of agreement take."""
    return _view([worth_grid(table, decimals=decimals)], worth_remarks(table), terminal)


def worth_latex(table: WorthTable, *, decimals: int = 3) -> Iterator[str]:
    """The same for the package booktabs."""
    return _latex([worth_grid(table, decimals=decimals)], worth_remarks(table))


def spans_view(
    reports: Sequence[SpanReport], *, decimals: int = 3, terminal: int | None = None
) -> Group:
    """Marked errors by system, category and rater, and how far raters agree."""
    return _view(span_grids(reports, decimals=decimals), span_remarks(reports), terminal)


def spans_latex(reports: Sequence[SpanReport], *, decimals: int = 3) -> Iterator[str]:
    """The same for the package booktabs."""
    return _latex(span_grids(reports, decimals=decimals), span_remarks(reports))


def agreement_remarks(report: AgreementReport) -> Iterator[str]:
    """What was left out, what could not be done, and how the intervals were made."""
    for tested in report.tested:
        location = f"{tested.name} {tested.criterion}"
        yield from _left_out(report.exclusions(tested.name, tested.criterion), location)
        if tested.tests is None and tested.reason:
            yield f"{location}: no test between metrics: {tested.reason}"
        elif tested.reason:
            yield f"no permutation test: {tested.reason}"
        if tested.left_out:
            few = ", ".join(tested.left_out)
            yield f"{location}: not tested, scores of too few systems: {few}"
        for permutation in tested.permutations:
            if permutation.left_out:
                bare = ", ".join(permutation.left_out)
                yield f"{location}: not permuted, no score of every segment: {bare}"
    yield from report.left_out
    yield from _left_out(report.unused, "not used")
    for exchange, unit in dict.fromkeys(
        (x.exchange, x.unit) for one in report.tested for x in one.permutations
    ):
        by = " by documents" if unit == "document" and exchange != "systems" else ""
        yield f"{PAPER_NAMES[exchange]}{by}: {HELD_FIXED[exchange]}"
    yield from _notes(report.table)
    if report.resample is not None:
        of = "systems and their texts" if report.resample == "both" else report.resample
        yield (
            f"[{100 * report.level:g} % intervals] by bootstrap over {of}; "
            f"{report.trials} trials, seed {report.seed}"
        )


def _notes(table: AgreementTable) -> Iterator[str]:
    """Each note once, with the measures, metrics and ratings that it is about."""
    where: dict[str, list[tuple[str, str, str]]] = {}
    for one in table:
        place = f"{one.name} {one.criterion}"
        for note in one.notes:
            where.setdefault(note, []).append((place, short_name(one.metric), ""))
        for each in one.measured:
            for note in filter(None, each.note.split("; ")):
                where.setdefault(note, []).append((place, short_name(one.metric), each.measure))
    every = {(f"{one.name} {one.criterion}", short_name(one.metric)) for one in table}
    for note, cases in where.items():
        measures = dict.fromkeys(measure for *_, measure in cases if measure)
        metrics = dict.fromkeys(metric for _, metric, _ in cases)
        places = dict.fromkeys(place for place, *_ in cases)
        parts = [", ".join(measures)]
        if {(place, metric) for place, metric, _ in cases} != every:
            parts += [", ".join(metrics), ", ".join(places)]
        yield f"{note} ({'; '.join(filter(None, parts))})".removesuffix(" ()")


def _judge_remarks(reports: Sequence[JudgeReport]) -> Iterator[str]:
    for report in reports:
        yield from _left_out(report.exclusions, f"{report.name} {report.criterion}")
        if report.groups is not None:
            location = f"{report.name} {report.criterion}"
            yield from _left_out(report.groups.exclusions, location)
            for name, judges in report.groups.groups.items():
                yield f"{location}: {name} is {', '.join(judges)}"
    yield from sanity_remarks(reports)
    yield "shared: outputs, or pairs of them, with more than one judgment"


def _straw_remarks(reports: Sequence[StrawMenReport]) -> Iterator[str]:
    for report in reports:
        location = f"{report.name} {report.criterion}"
        for metric in report.metrics:
            if metric.exposed:
                yield f"{location}: {metric.metric} is fooled by {', '.join(metric.fooled_by)}"
        yield from _left_out(report.exclusions, location)
        how = f"{counted(report.segments, 'segment')}, seed {report.seed}"
        yield f"{location}: straw men are rated {report.rating:g}; {how}"
    for man in reports[0].metrics[0].straw_men:
        yield f"{man.name}: {DESCRIPTIONS[man.name]}"


def _curve_remarks(curves: Sequence[PredictionErrors]) -> Iterator[str]:
    for one in curves:
        for row, criterion in enumerate(one.criteria):
            if np.isnan(one.errors[row]).all():
                yield f"{one.metric}: no error on {criterion}: all ratings or all scores are tied"
            else:
                best = one.best_order(row)
                yield f"{one.metric}: {criterion} is predicted best with n-grams up to {best}"
    few = sorted({count for curve in curves for count in curve.systems})
    yield f"prediction error: 100 (1 − R²) over {' or '.join(map(str, few))} systems"
    for stated in dict.fromkeys(each for curve in curves for each in curve.exclusions):
        yield str(stated)


def _fit_remarks(fits: Sequence[Fit]) -> Iterator[str]:
    for one in fits:
        for warning in one.warnings:
            yield f"{one.metric}: {warning}"
        yield f"{one.metric} fitted: {one.fitted}"
        shrinkage = f", shrinkage {one.shrinkage:g}" if one.shrinkage else ""
        tried = counted(one.evaluations, "evaluation")
        how = f"{one.optimiser}, {tried}{shrinkage}, seed {one.seed}"
        yield f"{one.metric}: {how}; held out: {one.validation}"
    for stated in dict.fromkeys(each for fit in fits for each in fit.exclusions):
        yield str(stated)


def _left_out(exclusions: Iterable[Exclusion], location: str) -> Iterator[str]:
    for exclusion in exclusions:
        yield f"{location}: {exclusion}"


def _view(grids: Iterable[Grid], remarks: Iterable[str], terminal: int | None) -> Group:
    """Tables, those wider than the ``terminal`` cut into several, then remarks."""
    shown: list[RenderableType] = []
    for grid in (part for whole in grids for part in fitting(whole, terminal)):
        shown += [Text(grid.title, style="bold"), replace(grid.table, title=""), Text("")]
    return Group(*shown, *(Text(remark, style="dim") for remark in remarks))


def _latex(grids: Iterable[Grid], remarks: Iterable[str]) -> Iterator[str]:
    for grid in grids:
        yield from grid.table.latex()
    for remark in remarks:
        yield latex_comment(remark)


# Where metrics rank references inside n-best lists, for people.


def orange_grid(report: OrangeReport, *, decimals: int) -> Grid:
    """A row for each metric, in the order in which they were given."""
    names = titles([score.metric for score in report.scores])
    rows = [
        (
            ComparisonCell(name),
            ComparisonCell(f"{score.value:.{decimals}f}"),
            ComparisonCell(
                f"[{score.interval.low:.{decimals}f}, {score.interval.high:.{decimals}f}]"
            ),
            ComparisonCell(f"{score.ranks.mean():.2f}"),
            ComparisonCell(f"{100 * score.first:.1f} %"),
        )
        for name, score in zip(names, report.scores, strict=True)
    ]
    return Grid(
        title="rank of references inside n-best lists (ORANGE, lower is better)",
        headings=("metric", "ORANGE", f"{100 * report.level:g} %", "mean rank", "first"),
        left=frozenset({0}),
        groups=(tuple(rows),),
    )


def orange_remarks(report: OrangeReport) -> Iterator[str]:
    """What was ranked, and what the columns are."""
    yield (
        f"{counted(report.segments, 'segment')}, {counted(report.references, 'reference')}, "
        f"{report.candidates:.1f} candidates in a list on average"
    )
    yield (
        "each reference is ranked by the others, among the candidates of its list; "
        "first: no candidate has a better score"
    )


# What differences are worth, for people: a table, and where its curves come from.

SHARES: Final = (0.6, 0.7, 0.75, 0.8, 0.9)
"""Shares of agreement that a table without differences shows."""


ALL: Final = "all"
"""The kind of pair of a curve that was fitted to every pair."""


def worth_grid(table: WorthTable, *, decimals: int) -> Grid:
    """Differences and their worth, or the differences that some shares of agreement take."""
    if table.deltas:
        rows = [
            (
                ComparisonCell(one.metric),
                ComparisonCell(one.kind or ALL),
                ComparisonCell(f"{each.delta:g}"),
                ComparisonCell(_share(each)),
                ComparisonCell(str(one.pairs)),
            )
            for one, some in table.looked_up
            for each in some
        ]
        return Grid(
            title="human agreement: share of WMT system pairs with such a difference on which "
            "raters agreed",
            headings=("metric", "kind of pair", "difference", "agreement", "pairs"),
            left=frozenset({0, 1}),
            groups=(tuple(rows),),
        )
    needed = [
        (
            ComparisonCell(curve.metric),
            ComparisonCell(curve.kind or ALL),
            ComparisonCell(str(curve.pairs)),
            *(_needed(curve, s, decimals) for s in SHARES),
        )
        for curve in table.curves
    ]
    return Grid(
        title="the difference that raters agree with in …",
        headings=("metric", "kind of pair", "pairs", *(f"{100 * share:.0f} %" for share in SHARES)),
        left=frozenset({0, 1}),
        groups=(tuple(needed),),
    )


def worth_remarks(table: WorthTable) -> Iterator[str]:
    """How intervals were made, and where the curves come from."""
    if table.deltas:
        level = max(curve.level for curve in table.curves)
        how = f"by resampling test sets, and systems where there are fewer than {FEWEST_SETS}"
        yield f"[{100 * level:g} % intervals] {how}"
    yield table.provenance


def _share(worth: Worth) -> str:
    return f"{worth.short}, beyond all pairs" if worth.beyond else worth.short


def _needed(curve: WorthCurve, share: float, digits: int) -> ComparisonCell:
    found = curve.needed(share)
    return ComparisonCell("–" if found is None else f"{found:.{max(digits, 1)}g}")
