"""Accuracy with tie calibration (Deutsch, Foster & Freitag 2023, "Ties Matter").

People often find two outputs equally good; a metric with real numbers hardly ever does. So two
scores count as tied where they lie no further apart than ε, and ε is the one that agrees best.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.meta.agreement.pair_counts import grouped
from tertium.meta.ratings.judgments import Floats

BLOCK_PAIRS: Final = 1 << 20
"""Pairs in memory at once."""
BUCKETS: Final = 1 << 18
EQUAL: Final = 1e-11
"""Accuracies that differ by less are the same; the smaller ε is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The best accuracy, the ε it is reached with, and the groups it is the mean of.

    ``uncalibrated`` is the accuracy with ε = 0.
    """

    accuracy: float
    epsilon: float
    uncalibrated: float
    groups: int
    pairs: int

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return asdict(self)


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
    pairs = _Pairs(ratings[several], scores[several], 1 / (sizes * len(sizes)))
    uncalibrated, accuracy, epsilon = _swept(pairs)
    return Calibration(
        accuracy=accuracy,
        epsilon=epsilon,
        uncalibrated=uncalibrated,
        groups=len(sizes),
        pairs=int(sizes.sum()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """All pairs of groups, (groups, members), with the weight of a pair of each group."""

    ratings: Floats
    scores: Floats
    weights: Floats

    def __iter__(self) -> Iterator[tuple[Floats, Floats]]:
        """Blocks of distances between scores, and of what the accuracy gains by a tie.

        Pairs where a tie makes no difference are left out.
        """
        distances: list[Floats] = []
        gains: list[Floats] = []
        waiting = 0
        for i in range(self.ratings.shape[1] - 1):
            rating = self.ratings[:, i + 1 :] - self.ratings[:, i : i + 1]
            score = self.scores[:, i + 1 :] - self.scores[:, i : i + 1]
            right = ((rating > 0) & (score > 0)) | ((rating < 0) & (score < 0))
            gain = (rating == 0).astype(np.float64) - right
            chosen = gain != 0
            distances.append(np.abs(score[chosen]))
            gains.append((gain * self.weights[:, np.newaxis])[chosen])
            waiting += len(distances[-1])
            if waiting >= BLOCK_PAIRS:
                yield np.concatenate(distances), np.concatenate(gains)
                distances, gains, waiting = [], [], 0
        if waiting:
            yield np.concatenate(distances), np.concatenate(gains)


def _swept(pairs: _Pairs) -> tuple[float, float, float]:
    """Accuracy without ties of our making, best accuracy, and its ε.

    Pairs of a large group would not fit into memory. A first round puts them into buckets by
    distance; only buckets that may hold the maximum are looked into in a second round.
    """
    most = float(np.nanmax(pairs.scores) - np.nanmin(pairs.scores))
    scale = (BUCKETS - 1) / most if most > 0 and np.isfinite((BUCKETS - 1) / most) else 0.0
    sums, rises = np.zeros(BUCKETS), np.zeros(BUCKETS)
    right = tied = 0.0
    for distances, gains in pairs:
        places = _places(distances, scale)
        sums += np.bincount(places, gains, minlength=BUCKETS)
        rises += np.bincount(places, np.maximum(gains, 0.0), minlength=BUCKETS)
        right -= float(gains[gains < 0].sum())
        tied += float(gains[distances == 0].sum())
    ends = right + np.cumsum(sums)
    uncalibrated = right + tied
    promising = ends - sums + rises >= max(float(ends.max()), uncalibrated) - EQUAL
    accuracy, epsilon = _within(pairs, scale, promising, ends - sums)
    if uncalibrated >= accuracy - EQUAL:
        return uncalibrated, uncalibrated, 0.0
    return uncalibrated, accuracy, epsilon


def _within(
    pairs: _Pairs, scale: float, promising: NDArray[np.bool_], starts: Floats
) -> tuple[float, float]:
    """The best accuracy within some buckets, and its ε; ``starts`` is what they begin with."""
    chosen = [
        (distances[some], gains[some])
        for distances, gains in pairs
        for some in [promising[_places(distances, scale)]]
    ]
    if not chosen:
        return -np.inf, 0.0
    distances = np.concatenate([one for one, _ in chosen])
    gains = np.concatenate([one for _, one in chosen])
    if not len(distances):
        return -np.inf, 0.0
    order = np.argsort(distances)
    distances, gains = distances[order], gains[order]
    places = _places(distances, scale)
    running = np.cumsum(gains)
    firsts = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
    offsets = starts[places[firsts]] - (running[firsts] - gains[firsts])
    accuracies = running + np.repeat(offsets, np.diff(np.r_[firsts, len(places)]))
    lasts = np.flatnonzero(np.r_[distances[1:] != distances[:-1], True])
    values = accuracies[lasts]
    best = int(np.flatnonzero(values >= values.max() - EQUAL)[0])
    return float(values[best]), float(distances[lasts[best]])


def _places(distances: Floats, scale: float) -> NDArray[np.int64]:
    return np.minimum((distances * scale).astype(np.int64), BUCKETS - 1)
