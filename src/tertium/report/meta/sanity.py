"""Judges to look at and ratings that verdicts need, for people."""

from collections.abc import Iterator, Sequence

from tertium.meta.ratings.judges import JudgeReport
from tertium.meta.sanity.needed import Needed
from tertium.report.comparison.cells import Cell, Grid
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
                            Cell(check.judge or "(unnamed)"),
                            Cell(check.check),
                            Cell(number(check.value, 2)),
                            Cell(number(check.usual, 2)),
                            Cell(str(check.count)),
                            Cell(f"{check.adjusted:.2g}"),
                        )
                        for check in one.sanity.bad
                    ),
                ),
            )
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
        if one.needed is not None:
            varied = one.needed.components.to_dict()
            total = sum(varied.values()) or 1.0
            shares = ", ".join(f"{name} {value / total:.0%}" for name, value in varied.items())
            yield f"{place}: what ratings vary by: {shares}"
    if any(one.needed for one in reports):
        some = next(one.needed for one in reports if one.needed is not None)
        yield (
            f"needed: ratings of each system for a chance of {some.power:.0%} to find the "
            f"difference there is, at level {some.alpha:g}; simulated {some.trials} times, "
            f"seed {some.seed}"
        )


def _needed_grid(report: JudgeReport, needed: Needed) -> Grid:
    return Grid(
        title=f"neighbours by {report.name} {report.criterion}, and what their order takes",
        headings=("better", "worse", "difference", "ratings", "found", "needed", "found then"),
        left=frozenset({0, 1}),
        groups=(
            tuple(
                (
                    Cell(one.better),
                    Cell(one.worse),
                    Cell(number(one.difference, 3)),
                    Cell(str(one.ratings)),
                    Cell(f"{one.power:.0%}"),
                    Cell(NOTHING if one.needed is None else str(one.needed)),
                    Cell(NOTHING if one.reached != one.reached else f"{one.reached:.0%}"),
                )
                for one in needed.verdicts
            ),
        ),
    )
