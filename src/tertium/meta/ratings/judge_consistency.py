"""How far judges agree with themselves and others where they gave numbers instead of ranks.

A judge who sees an output twice should say the same twice: Krippendorff's α of such pairs, and how
far apart they are. And numbers imply preferences: of two outputs of a segment the one that a judge
rated higher, so that Cohen's κ of WMT's rankings can be had from ratings too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tertium.meta.ratings.judge_agreement import krippendorff_alpha
from tertium.meta.ratings.judgments import Comparisons, Floats
from tertium.meta.ratings.many_judges import Ratings
from tertium.plain import Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats(Plain):
    """Outputs that a judge rated more than once.

    ``alpha`` is Krippendorff's, of intervals, with a judge's ratings of an output as one unit;
    ``distance`` the mean distance of two of them, ``same`` the share that are equal.
    """

    outputs: int
    pairs: int
    alpha: float
    distance: float
    same: float


def repeats_of(ratings: Ratings) -> Repeats | None:
    """What judges said when they saw an output again; None if nobody did."""
    units = _own_units(ratings)
    distances = [
        np.abs(np.subtract(*ratings.value[list(two)]))
        for group in _groups(units)
        for two in combinations(group, 2)
    ]
    if not distances:
        return None
    return Repeats(
        outputs=int((np.unique(units, return_counts=True)[1] > 1).sum()),
        pairs=len(distances),
        alpha=krippendorff_alpha(units, ratings.value, "interval"),
        distance=float(np.mean(distances)),
        same=float(np.mean(np.equal(distances, 0))),
    )


def without_repeats(ratings: Ratings) -> Ratings:
    """One rating of an output by a judge: the mean of those there are."""
    units, first, inverse = np.unique(_own_units(ratings), return_index=True, return_inverse=True)
    sums = np.bincount(inverse, weights=ratings.value, minlength=len(units))
    means: Floats = sums / np.bincount(inverse, minlength=len(units))
    order = np.argsort(first)
    kept = first[order]
    return replace(
        ratings,
        system=ratings.system[kept],
        segment=ratings.segment[kept],
        judge=ratings.judge[kept],
        value=means[order],
    )


def implied_comparisons(ratings: Ratings) -> Comparisons:
    """Every two outputs of a segment that a judge rated, the higher one as the better.

    Where a judge rated an output twice, both count, each against all of the other's.
    """
    chosen = np.flatnonzero(ratings.segment >= 0)
    units = ratings.judge[chosen].astype(np.int64) * (ratings.width + 1) + ratings.segment[chosen]
    found = [
        (chosen[a], chosen[b])
        for group in _groups(units)
        for a, b in combinations(group, 2)
        if ratings.system[chosen[a]] != ratings.system[chosen[b]]
    ]
    pairs = np.array(found, dtype=np.int64).reshape(-1, 2)
    turned = ratings.value[pairs[:, 0]] < ratings.value[pairs[:, 1]]
    better = np.where(turned, pairs[:, 1], pairs[:, 0])
    worse = np.where(turned, pairs[:, 0], pairs[:, 1])
    return Comparisons(
        segment=ratings.segment[better],
        judge=ratings.judge[better],
        better=ratings.system[better],
        worse=ratings.system[worse],
        tie=ratings.value[better] == ratings.value[worse],
    )


def _own_units(ratings: Ratings) -> NDArray[np.int64]:
    """A number for each rating, equal where the same judge rated the same output."""
    outputs = ratings.system.astype(np.int64) * (ratings.width + 1) + ratings.segment + 1
    return outputs * max(1, len(ratings.judges)) + ratings.judge


def _groups(units: NDArray[np.int64]) -> Sequence[list[int]]:
    """The places of equal units, where there are several."""
    order = np.argsort(units, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(units[order])) + 1)
    return [part.tolist() for part in parts if len(part) > 1]
