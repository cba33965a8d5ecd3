"""Judges to look at, standings by ratings, and what verdicts need, for people."""

from collections.abc import Iterator, Sequence
from math import isnan

from tertium.meta.ratings.judges import JudgeReport
from tertium.meta.ratings.standing import Standings
from tertium.meta.sanity.needed import Needed, NeighborOrder
from tertium.report.meta.cells import ComparisonCell, Grid
from tertium.report.meta.numbers import NOTHING, number


def sanity_grids(reports: Sequence[JudgeReport]) -> Iterator[Grid]:
    """Judges to look at, if there are any, and what verdicts would need, if that was asked for."""
    for one in reports:
        if one.sanity is not None and one.sanity.bad:
            yield Grid(
                title=f"judges of {one.name} {one.criterion} to look at",
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
                        for check in one.sanity.bad
                    ),
                ),
            )
        if one.standings is not None:
            yield _standings_grid(one, one.standings)
        if one.needed is not None:
            yield _needed_grid(one, one.needed)


def sanity_remarks(reports: Sequence[JudgeReport]) -> Iterator[str]:
    """What was found in words, what could not be checked, and how ratings were simulated."""
    for one in reports:
        place = f"{one.name} {one.criterion}"
        if one.sanity is not None:
            for check in one.sanity.bad:
                yield f"{place}: {check}"
            if one.sanity.checks and not one.sanity.bad:
                yield f"{place}: no judge stands out in {len(one.sanity.checks)} checks"
            reasons: dict[str, list[str]] = {}
            for name, reason in one.sanity.skipped.items():
                reasons.setdefault(reason, []).append(name)
            if reasons:
                parts = [f"{', '.join(names)} ({why})" for why, names in reasons.items()]
                yield f"{place}: not checked: {'; '.join(parts)}"
        if one.standings is not None and one.standings.basis is not None:
            yield f"{place}: {one.standings.basis}"
        if one.needed is not None:
            varied = one.needed.components.to_dict()
            total = sum(varied.values()) or 1.0
            shares = ", ".join(f"{name} {value / total:.0%}" for name, value in varied.items())
            yield f"{place}: what ratings vary by: {shares}"
    if any(one.standings for one in reports):
        yield (
            "cluster: every system of one is rated significantly higher than every system of the "
            "next, at level 0.05 over all pairs; ranks: those that the tests leave possible"
        )
    yield from map(
        _needed_remark, {one.needed.unit: one.needed for one in reports if one.needed}.values()
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
    groups: dict[int, list[tuple[ComparisonCell, ...]]] = {}
    for one in standings:
        ranks = str(one.best) if one.best == one.worst else f"{one.best}–{one.worst}"
        groups.setdefault(one.cluster, []).append(
            (
                ComparisonCell(one.system),
                ComparisonCell(number(one.value, 3)),
                ComparisonCell(number(one.error, 3)),
                ComparisonCell(ranks),
                ComparisonCell(str(one.cluster)),
                ComparisonCell(str(one.segments)),
                ComparisonCell(str(one.ratings)),
            )
        )
    return Grid(
        title=f"standings by {report.name} {report.criterion}",
        headings=("system", "mean", "± error", "ranks", "cluster", "segments", "ratings"),
        left=frozenset({0}),
        groups=tuple(map(tuple, groups.values())),
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
                tuple(map(ComparisonCell, _needed_cells(one, by_documents=by_documents)))
                for one in needed.verdicts
            ),
        ),
    )


def _needed_cells(one: NeighborOrder, *, by_documents: bool) -> Iterator[str]:
    yield from (one.better, one.worse, number(one.difference, 3))
    if by_documents:
        yield from (str(one.documents), number(one.design_effect, 2))
    else:
        yield str(one.ratings)
    yield f"{one.power:.0%}"
    for count in (one.needed_documents, one.needed) if by_documents else (one.needed,):
        yield NOTHING if count is None else str(count)
    yield NOTHING if isnan(one.reached) else f"{one.reached:.0%}"
