"""Judges, straw men and fits as grids of cells: what the terminal and LaTeX show."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Final, NamedTuple

import numpy as np

from tertium.meta.agreement.measures import MEASURES
from tertium.meta.agreement.prediction_error import PredictionErrors
from tertium.meta.fit.results import Fit
from tertium.meta.ratings.judges import JudgeReport
from tertium.meta.ratings.standing import Standings
from tertium.meta.sanity.needed import Needed, NeighborOrder
from tertium.meta.straw_man_ranks import StrawMenReport
from tertium.plurals import counted
from tertium.tables import Cell, Column, Table


class ComparisonCell(NamedTuple):
    """The text of a cell, and whether it is the best of its kind."""

    text: str
    best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table; the columns in ``left`` are text, and groups of rows are set apart."""

    title: str
    headings: tuple[str, ...]
    left: frozenset[int]
    groups: tuple[tuple[tuple[ComparisonCell, ...], ...], ...]

    @property
    def table(self) -> Table:
        """The same under the one model of tables."""
        labels = next(
            (number for number in range(len(self.headings)) if number not in self.left), 0
        )
        return Table(
            title=self.title,
            columns=tuple(
                Column(title, "left" if number in self.left else "right")
                for number, title in enumerate(self.headings)
            ),
            sections=tuple(
                tuple(
                    tuple(Cell(text, "best" if best else "") for text, best in row) for row in rows
                )
                for rows in self.groups
            ),
            labels=max(labels, 1),
        )


# Numbers in cells.

NOTHING: Final = "–"
"""Where a number is not defined."""


def number(value: float | None, decimals: int) -> str:
    """A number, or a dash where there is none.

    >>> number(0.5, 2), number(float("nan"), 2), number(None, 2)
    ('0.50', '–', '–')
    """
    return NOTHING if value is None or value != value else f"{value:.{decimals}f}"  # noqa: PLR0124


# Judges to look at, standings by ratings, and what verdicts need, for people.


def sanity_grids(reports: Sequence[JudgeReport]) -> Iterator[Grid]:
    """Judges to look at, if there are any, and what verdicts would need, if that was asked for."""
    for report in reports:
        if report.sanity is not None and report.sanity.bad:
            yield Grid(
                title=f"judges of {report.name} {report.criterion} to look at",
                headings=("judge", "check", "own", "others", "of", "adjusted p"),
                left=frozenset({0, 1}),
                groups=(
                    tuple(
                        (
                            ComparisonCell(check.judge or "(unnamed)"),
                            ComparisonCell(check.check),
                            ComparisonCell(number(check.value, 2)),
                            ComparisonCell(number(check.usual, 2)),
                            ComparisonCell(str(check.count)),
                            ComparisonCell(f"{check.adjusted:.2g}"),
                        )
                        for check in report.sanity.bad
                    ),
                ),
            )
        if report.standings is not None:
            yield _standings_grid(report, report.standings)
        if report.needed is not None:
            yield _needed_grid(report, report.needed)


def sanity_remarks(reports: Sequence[JudgeReport]) -> Iterator[str]:
    """What was found in words, what could not be checked, and how ratings were simulated."""
    for one in reports:
        location = f"{one.name} {one.criterion}"
        if one.sanity is not None:
            for check in one.sanity.bad:
                yield f"{location}: {check}"
            if one.sanity.checks and not one.sanity.bad:
                yield f"{location}: no judge stands out in {len(one.sanity.checks)} checks"
            reasons: dict[str, list[str]] = {}
            for name, reason in one.sanity.skipped.items():
                reasons.setdefault(reason, []).append(name)
            if reasons:
                parts = [f"{', '.join(names)} ({why})" for why, names in reasons.items()]
                yield f"{location}: not checked: {'; '.join(parts)}"
        if one.standings is not None and one.standings.basis is not None:
            yield f"{location}: {one.standings.basis}"
        if one.needed is not None:
            varied = one.needed.components.to_dict()
            total = sum(varied.values()) or 1.0
            shares = ", ".join(f"{name} {value / total:.0%}" for name, value in varied.items())
            yield f"{location}: what ratings vary by: {shares}"
    if any(report.standings for report in reports):
        yield (
            "cluster: every system of one is rated significantly higher than every system of the "
            "next, at level 0.05 over all pairs; ranks: those that the tests leave possible"
        )
    yield from map(
        _needed_remark,
        {report.needed.unit: report.needed for report in reports if report.needed}.values(),
    )


def _needed_remark(needed: Needed) -> str:
    what, alone = "documents, with all their ratings of each system,", ""
    if needed.unit == "segment":
        what = "ratings of each system"
        alone = "; segments count as independent, for no documents are known (--documents)"
    return (
        f"needed: {what} for a chance of {needed.power:.0%} to find the difference there is, at "
        f"level {needed.alpha:g}; simulated {needed.trials} times, seed {needed.seed}{alone}"
    )


def _standings_grid(report: JudgeReport, standings: Standings) -> Grid:
    rows = []
    for standing in standings:
        ranks = (
            str(standing.best)
            if standing.best == standing.worst
            else f"{standing.best}–{standing.worst}"
        )
        rows.append(
            (
                ComparisonCell(standing.system),
                ComparisonCell(number(standing.value, 3)),
                ComparisonCell(number(standing.error, 3)),
                ComparisonCell(ranks),
                ComparisonCell(str(standing.cluster)),
                ComparisonCell(str(standing.segments)),
                ComparisonCell(str(standing.ratings)),
            )
        )
    return Grid(
        title=f"standings by {report.name} {report.criterion}",
        headings=("system", "mean", "± error", "ranks", "cluster", "segments", "ratings"),
        left=frozenset({0}),
        groups=(tuple(rows),),
    )


def _needed_grid(report: JudgeReport, needed: Needed) -> Grid:
    by_documents = needed.unit == "document"
    headings = ["better", "worse", "difference"]
    if by_documents:
        headings += ["documents", "design effect", "found", "needed documents", "needed ratings"]
    else:
        headings += ["ratings", "found", "needed"]
    return Grid(
        title=f"neighbours by {report.name} {report.criterion}, and what their order takes",
        headings=(*headings, "found then"),
        left=frozenset({0, 1}),
        groups=(
            tuple(
                tuple(map(ComparisonCell, _needed_cells(verdict, by_documents=by_documents)))
                for verdict in needed.verdicts
            ),
        ),
    )


def _needed_cells(neighbor_order: NeighborOrder, *, by_documents: bool) -> Iterator[str]:
    yield from (neighbor_order.better, neighbor_order.worse, number(neighbor_order.difference, 3))
    if by_documents:
        yield from (str(neighbor_order.documents), number(neighbor_order.design_effect, 2))
    else:
        yield str(neighbor_order.ratings)
    yield f"{neighbor_order.power:.0%}"
    for count in (
        (neighbor_order.needed_documents, neighbor_order.needed)
        if by_documents
        else (neighbor_order.needed,)
    ):
        yield NOTHING if count is None else str(count)
    yield NOTHING if isnan(neighbor_order.reached) else f"{neighbor_order.reached:.0%}"


_KAPPA: Final = ("P(E)", "κ between judges", "pairs", "κ within judges", "pairs")


def judge_grids(reports: Sequence[JudgeReport], *, decimals: int = 3) -> Iterator[Grid]:
    """How far judges agree, then what each of them did."""
    rated = [report for report in reports if report.alpha]
    if rated:
        yield Grid(
            title="agreement of the judges, Krippendorff's α",
            headings=("ratings", "criterion", "judges", "rated", "shared", *rated[0].alpha),
            left=frozenset({0, 1}),
            groups=(
                tuple(
                    (
                        *_named(one),
                        *(ComparisonCell(number(value, decimals)) for value in one.alpha.values()),
                    )
                    for one in rated
                ),
            ),
        )
    implied = [one for one in rated if one.inter or one.intra]
    if implied:
        yield Grid(
            title="preferences that the ratings imply, Cohen's κ as WMT took it",
            headings=("ratings", "criterion", *_KAPPA),
            left=frozenset({0, 1}),
            groups=(tuple((*_named(one)[:2], *_kappas(one, decimals)) for one in implied),),
        )
    ranked = [report for report in reports if not report.alpha]
    if ranked:
        yield Grid(
            title="agreement of the judges, Cohen's κ as WMT took it",
            headings=("ratings", "criterion", "judges", "compared", "shared", *_KAPPA),
            left=frozenset({0, 1}),
            groups=(tuple((*_named(one), *_kappas(one, decimals)) for one in ranked),),
        )
    repeated = [(report, report.repeats) for report in reports if report.repeats is not None]
    if repeated:
        yield Grid(
            title="judges with themselves: outputs that a judge rated again",
            headings=("ratings", "criterion", "outputs", "pairs", "α", "same", "mean distance"),
            left=frozenset({0, 1}),
            groups=(
                tuple(
                    (
                        ComparisonCell(one.name),
                        ComparisonCell(one.criterion),
                        ComparisonCell(str(found.outputs)),
                        ComparisonCell(str(found.pairs)),
                        ComparisonCell(number(found.alpha, decimals)),
                        ComparisonCell(number(found.same, decimals)),
                        ComparisonCell(number(found.distance, 2)),
                    )
                    for one, found in repeated
                ),
            ),
        )
    yield from _group_grids(reports, decimals)
    yield from sanity_grids(reports)
    for one in reports:
        yield _judge_grid(one)


def _group_grids(reports: Sequence[JudgeReport], decimals: int) -> Iterator[Grid]:
    for report in reports:
        if report.groups is None:
            continue
        yield Grid(
            title=f"groups of judges of {report.name} {report.criterion}",
            headings=(
                "groups", "systems", "Pearson r", "Kendall τ-b", "outputs of both", "Pearson r",
            ),
            left=frozenset({0}),
            groups=(
                tuple(
                    (
                        ComparisonCell(f"{pair.first}, {pair.second}"),
                        ComparisonCell(str(pair.systems)),
                        ComparisonCell(number(pair.pearson, decimals)),
                        ComparisonCell(number(pair.kendall, decimals)),
                        ComparisonCell(str(pair.outputs)),
                        ComparisonCell(number(pair.output_pearson, decimals)),
                    )
                    for pair in report.groups.pairs
                ),
            ),
        )  # fmt: skip


def _named(judge_report: JudgeReport) -> tuple[ComparisonCell, ...]:
    counts = (len(judge_report.judges), judge_report.judgments, judge_report.shared)
    return (
        ComparisonCell(judge_report.name),
        ComparisonCell(judge_report.criterion),
        *(ComparisonCell(str(count)) for count in counts),
    )


def _kappas(judge_report: JudgeReport, decimals: int) -> tuple[ComparisonCell, ...]:
    some = judge_report.inter or judge_report.intra
    parts = [
        ComparisonCell(text)
        for kappa in (judge_report.inter, judge_report.intra)
        for text in (
            number(None if kappa is None else kappa.kappa, decimals),
            str(0 if kappa is None else kappa.pairs),
        )
    ]
    return (ComparisonCell(number(some.expected if some else None, decimals)), *parts)


def _judge_grid(report: JudgeReport) -> Grid:
    columns: list[tuple[str, Callable[[int], str]]] = [
        ("judge", lambda place: report.judges[place].name or "(unnamed)"),
        ("judgments", lambda place: str(report.judges[place].judgments)),
    ]
    if report.alpha:
        columns += [
            ("mean", lambda place: number(report.judges[place].mean, 2)),
            ("deviation", lambda place: number(report.judges[place].deviation, 2)),
        ]
    else:
        columns.append(("ties", lambda place: number(report.judges[place].ties, 3)))
    return Grid(
        title=f"judges of {report.name} {report.criterion}",
        headings=tuple(heading for heading, _ in columns),
        left=frozenset({0}),
        groups=(
            tuple(
                tuple(ComparisonCell(text(place)) for _, text in columns)
                for place in range(len(report.judges))
            ),
        ),
    )


def straw_men_grids(report: StrawMenReport, *, decimals: int = 3) -> Iterator[Grid]:
    """Where each metric puts each straw man, and what becomes of its agreement."""
    title = MEASURES[report.measure].title
    men = [man.name for man in report.metrics[0].straw_men]
    every = report.metrics[0].systems
    yield Grid(
        title=(
            f"{report.name} {report.criterion}: rank of straw men among {counted(every, 'system')}"
        ),
        headings=("metric", *men),
        left=frozenset({0}),
        groups=(
            tuple(
                (
                    ComparisonCell(metric.metric),
                    *(
                        ComparisonCell(str(man.rank), man.name in metric.fooled_by)
                        for man in metric.straw_men
                    ),
                )
                for metric in report.metrics
            ),
        ),
    )
    yield Grid(
        title=f"{report.name} {report.criterion}: {title} with one straw man, and with all",
        headings=("metric", "without", *men, "all"),
        left=frozenset({0}),
        groups=(
            tuple(
                (
                    ComparisonCell(metric.metric),
                    ComparisonCell(number(metric.agreement, decimals)),
                    *(ComparisonCell(number(man.agreement, decimals)) for man in metric.straw_men),
                    ComparisonCell(number(metric.agreement_with_all, decimals)),
                )
                for metric in report.metrics
            ),
        ),
    )


def fit_grids(fit: Fit, *, decimals: int = 3) -> Iterator[Grid]:
    """Parameters before and after, and the agreement where they were and were not fitted."""
    yield Grid(
        title=f"{fit.metric} fitted to {', '.join(fit.cases)}, {counted(fit.systems, 'system')}",
        headings=("parameter", "own", "fitted"),
        left=frozenset({0}),
        groups=(
            tuple(
                (ComparisonCell(name), ComparisonCell(f"{old:.4g}"), ComparisonCell(f"{new:.4g}"))
                for name, old, new in zip(fit.names, fit.start, fit.parameters, strict=True)
            ),
        ),
    )
    rows = [("all that it was fitted on", fit.systems, fit.in_sample_default, fit.in_sample)]
    held = [
        (f"held out: {fold.name}", fold.systems, fold.default, fold.fitted) for fold in fit.folds
    ]
    if held:
        count = fit.systems
        held.append(("held out, mean", count, fit.held_out_default, fit.held_out))
    tests = [(f"test: {test.name}", test.systems, test.default, test.fitted) for test in fit.tests]
    yield Grid(
        title=f"{fit.metric}: {MEASURES[fit.measure].title} with its own and fitted parameters",
        headings=("on", "systems", "own", "fitted"),
        left=frozenset({0}),
        groups=tuple(
            tuple(
                (
                    ComparisonCell(name),
                    ComparisonCell(str(systems)),
                    ComparisonCell(number(own, decimals)),
                    ComparisonCell(number(fitted, decimals)),
                )
                for name, systems, own, fitted in part
            )
            for part in (rows, held, tests)
            if part
        ),
    )


def curve_grid(prediction_errors: PredictionErrors, *, decimals: int = 1) -> Grid:
    """Lengths of n-grams × criteria; the smallest error of each criterion stands out."""
    best = [
        None if np.isnan(row).all() else prediction_errors.best_order(index)
        for index, row in enumerate(prediction_errors.errors)
    ]
    several = len(set(prediction_errors.names)) > 1
    titles = [
        f"{name} {criterion}" if several else criterion
        for name, criterion in zip(prediction_errors.names, prediction_errors.criteria, strict=True)
    ]
    return Grid(
        title=f"{prediction_errors.names[0]}: prediction error of {prediction_errors.metric} in %, "
        "by longest n-gram",
        headings=("n", *titles),
        left=frozenset(),
        groups=(
            tuple(
                (
                    ComparisonCell(str(order)),
                    *(
                        ComparisonCell(number(error, decimals), order == least)
                        for error, least in zip(
                            prediction_errors.errors[:, index], best, strict=True
                        )
                    ),
                )
                for index, order in enumerate(prediction_errors.orders)
            ),
        ),
    )
