"""Judges who fail controls: outputs shown again, damaged on purpose, or checks of attention."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isnan
from typing import Final

import numpy as np

from tertium.installation import scipy_for
from tertium.meta.ratings.many_judges import Ratings
from tertium.meta.sanity.measured import JudgeCheck, more_often

LEAST_CONTROLS: Final = 5
AS_CHANCE: Final = 0.75
"""Repeats this near to the distance of any two ratings of the judge are no repeats."""
MISSED: Final = 1 / 4
"""The share of failed controls that is too much; chance misses half of the damages."""


def repetition(ratings: Ratings) -> list[JudgeCheck] | str:
    """How far a judge's two ratings of an output are apart, in units of any two of the judge's.

    The p-value is of the Mann-Whitney test against the other judges' distances.
    """
    with scipy_for("repeated ratings"):
        from scipy.stats import mannwhitneyu

    distances = {name: _distances(ratings, number) for number, name in enumerate(ratings.judges)}
    enough = {name: one for name, one in distances.items() if len(one) >= LEAST_CONTROLS}
    if len(enough) < 2:
        return f"{'only one' if enough else 'no'} judge rated {LEAST_CONTROLS} outputs again"
    found = []
    for name, own in enough.items():
        rest = np.concatenate([one for other, one in enough.items() if other != name])
        tested = mannwhitneyu(own, rest, alternative="greater")
        found.append(
            JudgeCheck(
                judge=name,
                size=len(own),
                value=float(own.mean()),
                usual=float(
                    np.median([one.mean() for other, one in enough.items() if other != name])
                ),
                p_value=float(tested.pvalue),
                matters=bool(own.mean() >= AS_CHANCE),
            )
        )
    return found


def _distances(ratings: Ratings, judge: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The distances of repeated ratings, over the mean distance of any two of the judge's."""
    own = np.flatnonzero((ratings.judge == judge) & (ratings.segment >= 0))
    values = ratings.value[own]
    if len(values) < 2 or values.std() == 0:
        return np.zeros(0)
    ordered = np.sort(values)
    size = len(ordered)
    # The mean of |x − y| over all pairs, from the order of the values.
    weights = 2 * np.arange(size) - size + 1
    chance = 2 * float((weights * ordered).sum()) / (size * (size - 1))
    groups: dict[tuple[int, int], list[float]] = {}
    for place in own.tolist():
        key = (int(ratings.system[place]), int(ratings.segment[place]))
        groups.setdefault(key, []).append(float(ratings.value[place]))
    pairs = [abs(a - b) for some in groups.values() for a, b in combinations(some, 2)]
    return np.array(pairs) / chance


def blindness(ratings: Ratings) -> list[JudgeCheck] | str:
    """The share of damaged outputs that a judge did not rate below the whole one."""
    whole: dict[tuple[str, str, int | None], list[float]] = {}
    for row in ratings.rows:
        if not row.kind and not isnan(row.value):
            whole.setdefault((row.judge, row.system, row.segment), []).append(row.value)
    missed: dict[str, list[bool]] = {}
    for row in ratings.rows:
        seen = whole.get((row.judge, row.system, row.segment))
        if row.kind == "degraded" and seen and not isnan(row.value):
            missed.setdefault(row.judge, []).append(bool(row.value >= np.mean(seen)))
    return _failures(missed, "damaged outputs and the whole ones")


def inattention(ratings: Ratings) -> list[JudgeCheck] | str:
    """The share of checks of attention that a judge failed."""
    failed: dict[str, list[bool]] = {}
    for row in ratings.rows:
        if row.kind == "check":
            failed.setdefault(row.judge, []).append(row.value < 1)
    return _failures(failed, "checks of attention")


def _failures(failed: Mapping[str, Sequence[bool]], what: str) -> list[JudgeCheck] | str:
    """The share of controls that each judge failed, beside that of the others."""
    enough = {name: some for name, some in failed.items() if len(some) >= LEAST_CONTROLS}
    if len(enough) < 2:
        who = "only one" if enough else "no"
        return f"{who} judge rated {LEAST_CONTROLS} {what}"
    found = []
    for name, own in enough.items():
        rest = [each for other, some in enough.items() if other != name for each in some]
        found.append(
            JudgeCheck(
                judge=name,
                size=len(own),
                value=sum(own) / len(own),
                usual=sum(rest) / len(rest),
                p_value=more_often(sum(own), len(own), sum(rest), len(rest)),
                matters=sum(own) / len(own) >= MISSED,
            )
        )
    return found
