"""Judges, straw men and fits as grids of cells: what the terminal and LaTeX show."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from tertium.meta.agreement.measures import MEASURES
from tertium.meta.agreement.prediction_error import PredictionErrors
from tertium.meta.fit.results import Fit
from tertium.meta.ratings.judges import JudgeReport
from tertium.meta.straw_men.results import StrawMenReport
from tertium.plurals import counted
from tertium.report.meta.cells import ComparisonCell, Grid
from tertium.report.meta.numbers import number
from tertium.report.meta.sanity import sanity_grids

_KAPPA: Final = ("P(E)", "κ between judges", "pairs", "κ within judges", "pairs")


def judge_grids(reports: Sequence[JudgeReport], *, decimals: int = 3) -> Iterator[Grid]:
    """How far judges agree, then what each of them did."""
    rated = [one for one in reports if one.alpha]
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
    ranked = [one for one in reports if not one.alpha]
    if ranked:
        yield Grid(
            title="agreement of the judges, Cohen's κ as WMT took it",
            headings=("ratings", "criterion", "judges", "compared", "shared", *_KAPPA),
            left=frozenset({0, 1}),
            groups=(tuple((*_named(one), *_kappas(one, decimals)) for one in ranked),),
        )
    repeated = [(one, one.repeats) for one in reports if one.repeats is not None]
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
    for one in reports:
        if one.groups is None:
            continue
        yield Grid(
            title=f"groups of judges of {one.name} {one.criterion}",
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
                    for pair in one.groups.pairs
                ),
            ),
        )  # fmt: skip


def _named(one: JudgeReport) -> tuple[ComparisonCell, ...]:
    counts = (len(one.judges), one.judgments, one.shared)
    return (
        ComparisonCell(one.name),
        ComparisonCell(one.criterion),
        *(ComparisonCell(str(count)) for count in counts),
    )


def _kappas(one: JudgeReport, decimals: int) -> tuple[ComparisonCell, ...]:
    some = one.inter or one.intra
    parts = [
        ComparisonCell(text)
        for kappa in (one.inter, one.intra)
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
                    ComparisonCell(one.metric),
                    *(
                        ComparisonCell(str(man.rank), man.name in one.fooled_by)
                        for man in one.straw_men
                    ),
                )
                for one in report.metrics
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
                    ComparisonCell(one.metric),
                    ComparisonCell(number(one.agreement, decimals)),
                    *(ComparisonCell(number(man.agreement, decimals)) for man in one.straw_men),
                    ComparisonCell(number(one.agreement_with_all, decimals)),
                )
                for one in report.metrics
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
    held = [(f"held out: {one.name}", one.systems, one.default, one.fitted) for one in fit.folds]
    if held:
        count = fit.systems
        held.append(("held out, mean", count, fit.held_out_default, fit.held_out))
    tests = [(f"test: {one.name}", one.systems, one.default, one.fitted) for one in fit.tests]
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


def curve_grid(found: PredictionErrors, *, decimals: int = 1) -> Grid:
    """Lengths of n-grams × criteria; the smallest error of each criterion stands out."""
    best = [
        None if np.isnan(row).all() else found.best_order(place)
        for place, row in enumerate(found.errors)
    ]
    several = len(set(found.names)) > 1
    titles = [
        f"{name} {criterion}" if several else criterion
        for name, criterion in zip(found.names, found.criteria, strict=True)
    ]
    return Grid(
        title=f"{found.names[0]}: prediction error of {found.metric} in %, by longest n-gram",
        headings=("n", *titles),
        left=frozenset(),
        groups=(
            tuple(
                (
                    ComparisonCell(str(order)),
                    *(
                        ComparisonCell(number(error, decimals), order == least)
                        for error, least in zip(found.errors[:, place], best, strict=True)
                    ),
                )
                for place, order in enumerate(found.orders)
            ),
        ),
    )
