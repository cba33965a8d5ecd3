"""Every system beside every other under one metric, by the resamples that intervals come from."""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from tertium.compare.score_results import FEWEST_SEGMENTS
from tertium.compare.testing import Settings
from tertium.inference.bootstrap import percentiles
from tertium.inference.p_values import tie_width, two_sided
from tertium.metrics.base import Scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTable:
    """Matrices whose row is the system that is compared with, and whose column the other.

    ``deltas`` are the other's score minus that of the row, ``low`` and ``high`` the interval of
    the delta. ``p_values`` are two-sided; ``adjusted`` are corrected for as many systems as the
    row is compared with, as `tertium.compare` corrects with the row as its baseline.
    """

    deltas: Scores = field(repr=False)
    low: Scores = field(repr=False)
    high: Scores = field(repr=False)
    p_values: Scores = field(repr=False)
    adjusted: Scores = field(repr=False)
    settings: Settings
    tested: bool = True
    """False on segments too few to be resampled, where every p-value is 1."""

    def differ(self, first: int, second: int) -> bool:
        """Whether the difference is significant."""
        return bool(self.adjusted[first, second] <= self.settings.alpha)


def pair_table(
    scores: Scores, resampled: Scores, settings: Settings, *, segments: int
) -> PairTable:
    """``scores`` are those of all systems, ``resampled`` those on resamples, (systems, trials)."""
    tested = segments >= FEWEST_SEGMENTS
    count = len(scores)
    deltas = scores[np.newaxis, :] - scores[:, np.newaxis]
    low, high = np.zeros((count, count)), np.zeros((count, count))
    p_values = np.ones((count, count))
    for a, b in combinations(range(count), 2):
        drawn = resampled[b] - resampled[a]
        interval = percentiles(drawn, level=settings.level, seed=settings.seed)
        low[a, b], high[a, b] = interval.low, interval.high
        low[b, a], high[b, a] = -interval.high, -interval.low
        delta = float(deltas[a, b])
        tie = tie_width(float(scores[a]), float(scores[b]))
        if tested:
            p_values[a, b] = p_values[b, a] = two_sided(drawn - delta, delta, tie)
    adjusted = np.ones((count, count))
    for a in range(count):
        others = np.arange(count) != a
        adjusted[a, others] = settings.adjusted(p_values[a, others].tolist())
    return PairTable(
        deltas=deltas,
        low=low,
        high=high,
        p_values=p_values,
        adjusted=adjusted,
        settings=settings,
        tested=tested,
    )
