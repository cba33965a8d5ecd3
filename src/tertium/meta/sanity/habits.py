"""Judges who answer in one value, are far too fast, or drift while they work."""

from math import isnan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.installation import scipy_for
from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.many_judges import Ratings
from tertium.meta.sanity.measured import LEAST, JudgeCheck, more_often, outputs_of

SAME: Final = 0.8
"""The share of equal answers that is too much."""
FAST: Final = 0.05
"""The share of the others' answers that are called hasty."""
HASTY: Final = 0.5
"""The share of hasty answers that is too much."""
DRIFT: Final = 0.3
"""The correlation with time that is too much."""


def sameness(ratings: Ratings) -> list[JudgeCheck] | str:
    """The share of each judge's commonest answer, beside that of the others' own."""
    some = outputs_of(ratings)
    common: dict[int, tuple[int, int]] = {}
    for one in range(len(some.judges)):
        own = some.value[some.judge == one]
        if len(own) >= LEAST:
            common[one] = (int(np.unique(own, return_counts=True)[1].max()), len(own))
    if len(common) < 2:
        return f"fewer than two judges with {LEAST} ratings"
    found = []
    for one, (most, count) in common.items():
        rest = [pair for other, pair in common.items() if other != one]
        others, of_others = (sum(side) for side in zip(*rest, strict=True))
        found.append(
            JudgeCheck(
                judge=some.judges[one],
                size=count,
                value=most / count,
                usual=float(np.median([a / b for a, b in rest])),
                p_value=more_often(most, count, others, of_others),
                matters=most / count >= SAME,
            )
        )
    return found


def haste(ratings: Ratings) -> list[JudgeCheck] | str:
    """The share of each judge's answers that were quicker than nearly all of the others'."""
    times = _seconds(ratings)
    if len(times) < 2:
        return f"fewer than two judges with {LEAST} times"
    found = []
    for name, own in times.items():
        rest = np.concatenate([some for other, some in times.items() if other != name])
        limit = np.quantile(rest, FAST)
        hasty, others = int((own < limit).sum()), int((rest < limit).sum())
        found.append(
            JudgeCheck(
                judge=name,
                size=len(own),
                value=hasty / len(own),
                usual=others / len(rest),
                p_value=more_often(hasty, len(own), others, len(rest)),
                matters=hasty / len(own) > HASTY,
            )
        )
    return found


def drift(ratings: Ratings) -> list[JudgeCheck] | str:
    """Spearman's correlation of each judge's ratings with time, what was rated put aside.

    From each rating the others' mean of the same output is taken away, or of the same system where
    nobody else rated the output.
    """
    rows = [
        row
        for row in ratings.rows
        if not row.kind and row.begin is not None and not isnan(row.value)
    ]
    by_output: dict[tuple[str, int | None], list[Rating]] = {}
    by_system: dict[str, list[Rating]] = {}
    for row in rows:
        by_output.setdefault((row.system, row.segment), []).append(row)
        by_system.setdefault(row.system, []).append(row)
    found = []
    with scipy_for("habits of judges"):
        from scipy.stats import spearmanr

    for name in ratings.judges:
        own = [row for row in rows if row.judge == name]
        if len(own) < LEAST:
            continue
        rest = [
            row.value - _others(row, by_output[row.system, row.segment], by_system[row.system])
            for row in own
        ]
        begin = [row.begin or 0.0 for row in own]
        if len(set(rest)) < 2 or len(set(begin)) < 2:
            continue
        tested = spearmanr(begin, rest)
        found.append((name, len(own), float(tested.statistic), float(tested.pvalue)))
    if not found:
        return f"no judge with {LEAST} ratings whose times are known"
    usual = float(np.median([rho for _, _, rho, _ in found]))
    return [
        JudgeCheck(
            judge=name, size=count, value=rho, usual=usual, p_value=p, matters=abs(rho) >= DRIFT
        )
        for name, count, rho, p in found
    ]


def _others(row: Rating, output: list[Rating], system: list[Rating]) -> float:
    for some in (output, system):
        values = [one.value for one in some if one.judge != row.judge]
        if values:
            return float(np.mean(values))
    return 0.0


def _seconds(ratings: Ratings) -> dict[str, NDArray[np.float64]]:
    """The times of every judge who has enough of them."""
    times: dict[str, list[float]] = {}
    for row in ratings.rows:
        if row.seconds is not None and row.seconds > 0:
            times.setdefault(row.judge, []).append(row.seconds)
    return {name: np.array(own) for name, own in times.items() if len(own) >= LEAST}
