"""Segment-level Pearson and Kendall correlations, averaged over groups as mt-metrics-eval does.

``none`` takes all rated outputs together; ``item`` correlates the systems' outputs for each
segment, and takes the mean over segments; ``system`` correlates the segments of each system, and
takes the mean over systems. Groups with fewer than two ratings, or without a defined
correlation, are left out of the mean, and counted.
"""

from dataclasses import dataclass, field, fields
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.meta.agreement.correlation import Additive, count_pairs, grouped, mean_of, share
from tertium.meta.ratings.judgments import Floats
from tertium.metrics.contract.base import Rows, Scores
from tertium.plain import Plain

# Accuracy with tie calibration (Deutsch, Foster & Freitag 2023, "Ties Matter").
#
# People often find two outputs equally good; a metric with real numbers hardly ever does. So two
# scores count as tied where they lie no further apart than ε, and ε is the one that agrees best.

MOST_PAIRS: Final = 1 << 20
"""Pairs that are looked at one by one."""
FIRST_PARTS: Final = 64
"""Into which the distances are divided first, where there are more."""
EQUAL: Final = 1e-11
"""Accuracies that differ by less are the same; the smaller ε is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration(Plain):
    """The best accuracy, the ε it is reached with, and the groups it is the mean of.

    ``uncalibrated`` is the accuracy with ε = 0.
    """

    accuracy: float
    epsilon: float
    uncalibrated: float
    groups: int
    pairs: int


def calibrate_ties(ratings: Floats, scores: Floats, grouping: str = "item") -> Calibration:
    """The ε with the greatest mean accuracy of all groups, found exactly.

    Both are (systems, segments), NaN where there is nothing. A growing ε ties every pair once:
    it becomes right if people found a tie, wrong if it was in the right order, and stays wrong
    otherwise. So the accuracy is a running sum over the pairs in the order of their distances.
    """
    ratings, scores = grouped(ratings, scores, grouping)
    members = np.count_nonzero(~np.isnan(ratings), axis=1)
    several = members > 1
    members = members[several]
    if not len(members):
        nan = float("nan")
        return Calibration(accuracy=nan, epsilon=nan, uncalibrated=nan, groups=0, pairs=0)
    sizes = members * (members - 1) // 2
    groups = _rated_groups(ratings[several], scores[several], 1 / (sizes * len(sizes)))
    uncalibrated, accuracy, epsilon = _swept(groups)
    return Calibration(
        accuracy=accuracy,
        epsilon=epsilon,
        uncalibrated=uncalibrated,
        groups=len(sizes),
        pairs=int(sizes.sum()),
    )


def _rated_groups(ratings: Floats, scores: Floats, weights: Floats) -> _native.RatedGroups:
    """Groups, (groups, members), with the weight of a pair of each."""
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(~np.isnan(ratings), axis=1))])
    by_rating = np.argsort(ratings, axis=1, kind="stable")  # what is missing comes last
    rises = np.diff(np.take_along_axis(ratings, by_rating, axis=1), axis=1) != 0
    ranks = np.zeros(ratings.shape, dtype=np.int64)  # from 0 on within each group
    steps = np.cumsum(rises, axis=1)
    np.put_along_axis(ranks, by_rating[:, 1:], steps, axis=1)
    by_score = np.argsort(scores, axis=1, kind="stable")
    rising = np.take_along_axis(scores, by_score, axis=1)
    known = ~np.isnan(rising)
    ranks_of = np.take_along_axis(ranks, by_score, axis=1)
    return _native.RatedGroups(
        ranks_of[known].tolist(), rising[known].tolist(), starts.tolist(), weights.tolist()
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """Thresholds ε that are distances of pairs, rising, and what is known of each."""

    epsilon: Floats
    rises: Floats
    accuracy: Floats
    pairs: Floats
    above: Floats
    """The next greater distance."""

    @classmethod
    def at(cls, groups: _native.RatedGroups, thresholds: Floats, right: float) -> Self:
        rises, falls, pairs, below, above = groups.counts(thresholds).T
        return cls(np.maximum(below, 0.0), rises, right - falls + rises, pairs, above)

    def with_more(self, other: Self) -> Self:
        epsilon = np.concatenate([self.epsilon, other.epsilon])
        chosen = np.unique(epsilon, return_index=True)[1]
        return type(self)(
            *(
                np.concatenate([getattr(self, field.name), getattr(other, field.name)])[chosen]
                for field in fields(self)
            )
        )


def _swept(groups: _native.RatedGroups) -> tuple[float, float, float]:
    """Accuracy without ties of our making, best accuracy, and its ε.

    A large group has too many pairs to look at each. Counts at some thresholds bound what lies
    between them: at most all ties of people are found there before anything is lost. Only
    intervals that may hold the maximum are divided further, until few pairs are left.
    """
    right = float(groups.counts(np.array([np.inf]))[0, 1])
    known = _Points.at(groups, np.array([0.0, np.inf]), right)
    while True:
        best = float(known.accuracy.max())
        bound = known.accuracy[:-1] + np.diff(known.rises)
        open_ends = known.above[:-1] < known.epsilon[1:]  # else the upper end is all there is
        places = np.flatnonzero(open_ends & (bound >= best - EQUAL))
        if float(np.diff(known.pairs)[places].sum()) <= MOST_PAIRS:
            break
        parts = max(2, FIRST_PARTS // len(places))
        steps = np.linspace(0.0, 1.0, parts + 1)[:-1, np.newaxis]
        lows, highs = known.above[places], known.epsilon[places + 1]
        known = known.with_more(_Points.at(groups, np.unique(lows + steps * (highs - lows)), right))
    values, epsilons = _between(groups, known, places)
    uncalibrated = float(known.accuracy[0])
    values = np.concatenate([known.accuracy, values])
    epsilons = np.concatenate([known.epsilon, epsilons])
    accuracy = float(values.max())
    if uncalibrated >= accuracy - EQUAL:
        return uncalibrated, uncalibrated, 0.0
    epsilon = float(epsilons[values >= accuracy - EQUAL].min())
    return uncalibrated, float(values[epsilons == epsilon][0]), epsilon


def _rising(distances: Floats, gains: Floats) -> NDArray[np.intp]:
    """The order of rising distances, and of rising gains where distances are the same.

    Numbers are sorted several times as quickly by one key as by two, and few distances are the same
    where scores have many digits.
    """
    order = np.argsort(distances)
    same = np.diff(distances[order]) == 0
    tied = np.flatnonzero(np.r_[same, False] | np.r_[False, same])
    if len(tied):
        pairs = order[tied]
        order[tied] = pairs[np.lexsort((gains[pairs], distances[pairs]))]
    return order


def _between(
    groups: _native.RatedGroups, known: _Points, places: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """The accuracy at every distance between some points and the next ones, and the distances."""
    distances, gains, interval = groups.pairs(known.epsilon[places], known.epsilon[places + 1]).T
    order = _rising(distances, gains)  # the same sums whatever order the pairs come in
    distances, gains, interval = distances[order], gains[order], interval[order].astype(np.intp)
    running = np.cumsum(gains)
    firsts = np.flatnonzero(np.diff(interval, prepend=-1))
    offsets = known.accuracy[places][interval[firsts]] - (running[firsts] - gains[firsts])
    accuracies = running + np.repeat(offsets, np.diff(firsts, append=len(distances)))
    lasts = np.flatnonzero(np.diff(distances, append=np.inf))
    return accuracies[lasts], distances[lasts]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grouped:
    """A mean over groups, how many there are, and how many of all were left out.

    ``additive`` is there where the same can be made from statistics of segments.
    """

    value: float
    groups: int
    undefined: int
    additive: Additive | None = field(default=None, repr=False)
    calibration: Calibration | None = None


def segment_pearson(ratings: Floats, scores: Floats, grouping: str = "none") -> Grouped:
    """Pearson's r of (systems, segments) ratings and scores, NaN where one is missing."""
    additive = None if grouping == "item" else _moments_of(ratings, scores, grouping)
    return _averaged(_pearson_rows(*grouped(ratings, scores, grouping)), grouping, additive)


def segment_kendall(ratings: Floats, scores: Floats, grouping: str = "item") -> Grouped:
    """Kendall's τ-b of the same."""
    return _averaged(count_pairs(*grouped(ratings, scores, grouping)).tau_b, grouping, None)


def segment_accuracy(
    ratings: Floats, scores: Floats, grouping: str = "item", *, epsilon: float | None = None
) -> Grouped:
    """acc_eq (Deutsch et al. 2023): pairs in the same order, or tied for both, among all pairs.

    Scores are tied within ``epsilon``, the best one if it is not given.
    """
    found = calibrate_ties(ratings, scores, grouping) if epsilon is None else None
    width = epsilon if found is None else found.epsilon
    if found is not None and grouping != "item":
        groups = grouped(ratings, scores, grouping)[0]
        return Grouped(
            value=found.accuracy,
            groups=found.groups,
            undefined=len(groups) - found.groups,
            calibration=found,
        )
    width = 0.0 if width is None or np.isnan(width) else width
    values = count_pairs(*grouped(ratings, scores, grouping), epsilon=width).accuracy
    result = _averaged(values, grouping, None)
    return Grouped(
        value=result.value,
        groups=result.groups,
        undefined=result.undefined,
        additive=result.additive,
        calibration=found,
    )


def _averaged(values: Floats, grouping: str, additive: Additive | None) -> Grouped:
    known = ~np.isnan(values)
    return Grouped(
        value=float(values[known].mean()) if known.any() else float("nan"),
        groups=int(known.sum()),
        undefined=int((~known).sum()),
        additive=mean_of(values) if grouping == "item" else additive,
    )


def _pearson_rows(x: Floats, y: Floats) -> Floats:
    """Pearson's r of each row, over the members that are there."""
    known = ~np.isnan(x)
    count = known.sum(axis=1)
    a, b = _deviations(x, known), _deviations(y, known)
    product = np.sqrt((a * a).sum(axis=1)) * np.sqrt((b * b).sum(axis=1))
    defined = (count > 1) & (product > 0)
    r = (a * b).sum(axis=1) / np.where(defined, product, 1.0)
    return np.where(defined, np.clip(r, -1.0, 1.0), np.nan)


def _deviations(x: Floats, known: np.ndarray) -> Floats:
    """Deviations from the mean of each row; exactly 0 where a row is constant."""
    high = np.where(known, x, -np.inf).max(axis=1, initial=-np.inf)
    low = np.where(known, x, np.inf).min(axis=1, initial=np.inf)
    count = np.maximum(known.sum(axis=1), 1)
    mean = np.where(known, x, 0.0).sum(axis=1) / count
    varies = known & (high > low)[:, np.newaxis]
    return np.where(varies, x - mean[:, np.newaxis], 0.0)


def _moments_of(ratings: Floats, scores: Floats, grouping: str) -> Additive:
    """Sums from which r follows, for each system or for all together, by segment."""
    missing = np.isnan(ratings) | np.isnan(scores)
    # Near 0 squares lose nothing when they are subtracted from one another.
    x, y = (_centred(values, missing) for values in (ratings, scores))
    moments = np.stack([~missing, x, y, x * x, y * y, x * y], axis=-1)
    if grouping == "none":
        moments = moments.sum(axis=0, keepdims=True)
    systems = len(moments)
    rows = moments.transpose(1, 0, 2).reshape(moments.shape[1], -1)

    def score(rows: Rows) -> Scores:
        found = _from_moments(rows.reshape(*rows.shape[:-1], systems, 6))
        known = ~np.isnan(found)
        sums = [np.where(known, found, 0.0).sum(axis=-1), known.sum(axis=-1)]
        return share(np.stack(sums, axis=-1))

    return Additive(rows=np.asarray(rows, dtype=np.float64), score=score)


def _centred(x: Floats, missing: np.ndarray) -> Floats:
    if missing.all():
        return np.zeros(x.shape)
    known = x[~missing]
    spread = known.std() or 1.0
    return np.where(missing, 0.0, (x - known.mean()) / spread)


def _from_moments(sums: Floats) -> Floats:
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    safe = np.maximum(n, 1)
    a, b, both = xx - x * x / safe, yy - y * y / safe, xy - x * y / safe
    defined = (n > 1) & (a > 1e-12 * safe) & (b > 1e-12 * safe)
    product = np.sqrt(np.where(defined, a * b, 1.0))
    return np.where(defined, np.clip(both / product, -1.0, 1.0), np.nan)
