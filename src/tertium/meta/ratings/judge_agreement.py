"""How far judges agree beyond chance: Krippendorff's α for ratings, Cohen's κ for rankings.

α (Krippendorff, 2004) compares the disagreement within what was rated twice with that between
any two ratings: α = 1 − D_observed / D_expected. κ (Cohen, 1960) is taken as WMT took it,
κ = (P(A) − P(E)) / (1 − P(E)): P(A) is how often two judgments of the same two outputs say the
same of better, worse and tie, and P(E) = P(tie)² + 2 ((1 − P(tie)) / 2)².
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import OptionError
from tertium.installation import scipy_for
from tertium.meta.ratings.judgments import Comparisons, Floats
from tertium.meta.ratings.rating_sets import Ratings
from tertium.plain import Plain
from tertium.suggestions import did_you_mean

Scale: TypeAlias = Literal["nominal", "ordinal", "interval"]
SCALES: Final[tuple[Scale, ...]] = ("nominal", "ordinal", "interval")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa(Plain):
    """Cohen's κ of preferences; ``pairs`` are the pairs of judgments that were compared."""

    kappa: float
    observed: float
    expected: float
    pairs: int


def krippendorff_alpha(
    units: NDArray[Any], values: NDArray[Any], scale: Scale = "interval"
) -> float:
    """Krippendorff's α of ``values`` where equal ``units`` say that the same was rated.

    NaN if nothing was rated twice, or if all ratings of such units are the same, when chance
    alone would agree too. For ordinal ratings the distance is that of mid-ranks, which is
    what Krippendorff's sum over the ranks between comes to.
    """
    if scale not in SCALES:
        raise OptionError(did_you_mean("scale of ratings", scale, SCALES))
    _, unit, counts = np.unique(units, return_inverse=True, return_counts=True)
    several = counts[unit] > 1
    kept: Floats = np.asarray(values, dtype=np.float64)[several]
    if len(kept) < 2:
        return float("nan")
    _, unit, sizes = np.unique(unit[several], return_inverse=True, return_counts=True)
    numbers = kept
    if scale == "ordinal":
        with scipy_for("agreement of judges"):
            from scipy.stats import rankdata

        numbers = rankdata(kept)
    distances = _kinds if scale == "nominal" else _squares
    expected = distances(np.zeros_like(unit), numbers)[0]
    if expected <= 0:
        return float("nan")
    observed = (distances(unit, numbers) / (sizes - 1)).sum()
    return float(1 - (len(kept) - 1) * observed / expected)


def _squares(unit: NDArray[Any], values: Floats) -> Floats:
    """The sum of (x − y)² over the pairs of ratings of each unit."""
    centred = values - values.mean()  # squares of large numbers would lose digits
    sums = np.bincount(unit, weights=centred)
    squares = np.bincount(unit, weights=centred**2)
    distances: Floats = np.maximum(np.bincount(unit) * squares - sums**2, 0.0)
    return distances


def _kinds(unit: NDArray[Any], values: Floats) -> Floats:
    """The number of pairs of different ratings of each unit."""
    _, kind = np.unique(values, return_inverse=True)
    cells, counts = np.unique(np.stack([unit, kind]), axis=1, return_counts=True)
    alike = np.bincount(cells[0], weights=counts.astype(np.float64) ** 2)
    return (np.bincount(unit).astype(np.float64) ** 2 - alike) / 2


def wmt_kappa(comparisons: Comparisons, *, same_judge: bool = False) -> Kappa | None:
    """κ of preferences between two judges, or between a judge's first and second thoughts.

    None if no two such judgments are of the same two outputs.
    """
    items = same_outputs(comparisons)
    first = np.minimum(comparisons.better, comparisons.worse)
    verdict = np.where(comparisons.tie, 0, np.where(comparisons.better == first, 1, -1))
    agreed = pairs = 0
    order = np.argsort(items, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(items[order])) + 1):
        if len(group) > 1:
            judges, said = comparisons.judge[group], verdict[group]
            wanted = np.triu((judges[:, None] == judges) == same_judge, k=1)
            pairs += int(wanted.sum())
            agreed += int((wanted & (said[:, None] == said)).sum())
    if not pairs:
        return None
    observed = agreed / pairs
    ties = float(comparisons.tie.mean())
    expected = ties**2 + (1 - ties) ** 2 / 2
    kappa = (observed - expected) / (1 - expected) if expected < 1 else float("nan")
    return Kappa(kappa=kappa, observed=observed, expected=expected, pairs=pairs)


def same_outputs(comparisons: Comparisons) -> NDArray[np.int64]:
    """A number for each comparison, equal where the same two outputs were compared."""
    low = np.minimum(comparisons.better, comparisons.worse)
    high = np.maximum(comparisons.better, comparisons.worse)
    table = np.stack([comparisons.segment, low, high])
    return np.unique(table, axis=1, return_inverse=True)[1].reshape(-1).astype(np.int64)


# How far judges agree with themselves and others where they gave numbers instead of ranks.
#
# A judge who sees an output twice should say the same twice: Krippendorff's α of such pairs, and
# how far apart they are. And numbers imply preferences: of two outputs of a segment the one that a
# judge rated higher, so that Cohen's κ of WMT's rankings can be had from ratings too.


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
