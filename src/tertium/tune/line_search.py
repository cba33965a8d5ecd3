"""Exact line search: the best step from a point in a direction (Och 2003, section 5)."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.tune.surfaces import Surface, Vectors

NARROW: Final = 1e-9
"""An interval no wider than this, relative to where it is, cannot be hit for sure."""
_MARGIN: Final = 0.1
_ROWS_AT_ONCE: Final = 1 << 15  # of statistics: few enough to stay in the cache

Steps = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intervals:
    """Searches cut into intervals, within which no segment changes its hypothesis.

    Those of search q are ``offsets[q]`` … ``offsets[q + 1]`` − 1; interval i begins at
    ``starts[i]``, the first of a search at −∞, and ``rows[i]`` are its statistics, added up.
    """

    offsets: NDArray[np.int64]
    starts: Steps
    rows: Rows

    @property
    def ends(self) -> Steps:
        """Where the intervals end; the last of a search at ∞."""
        ends = np.append(self.starts[1:], np.inf)
        ends[self.offsets[1:] - 1] = np.inf
        return ends


def intervals(surface: Surface, metric: Metric, points: Vectors, directions: Vectors) -> Intervals:
    """What the corpus sums to along each search: row n of ``points`` and of ``directions``."""
    found = surface.envelopes(points, directions)
    offsets, starts, rows = _native.interval_sums(*found, surface.segments, surface.rows(metric))
    return Intervals(offsets=offsets, starts=starts, rows=rows)


def gains(metric: Metric, rows: Rows) -> Scores:
    """Scores turned so that higher is better; an undefined one is worse than any other."""
    blocks = np.split(rows, range(_ROWS_AT_ONCE, len(rows), _ROWS_AT_ONCE))
    scores = np.concatenate([metric.score(block) for block in blocks])
    return np.where(np.isnan(scores), -np.inf, scores if metric.higher_is_better else -scores)


def best_steps(
    surface: Surface, metric: Metric, points: Vectors, directions: Vectors
) -> tuple[Scores, Steps]:
    """For each search the highest gain and a step that reaches it.

    Of equally good intervals the widest counts: its middle is farthest from any change.
    """
    cut = intervals(surface, metric, points, directions)
    starts, ends, sizes = cut.starts, cut.ends, np.diff(cut.offsets)
    middles = _middles(starts, ends)
    room = np.minimum(ends - middles, middles - starts)  # finite, unless nothing ever changes
    values = gains(surface.bound(metric), cut.rows)
    values[room <= NARROW * (1 + np.abs(middles))] = -np.inf
    first = cut.offsets[:-1]
    best = np.maximum.reduceat(values, first)
    room[values < np.repeat(best, sizes)] = -1.0
    most = np.maximum.reduceat(room, first)
    chosen = np.flatnonzero(room == np.repeat(most, sizes))
    chosen = chosen[np.searchsorted(chosen, first)]  # the first of each search
    return best, middles[chosen]


def _middles(starts: Steps, ends: Steps) -> Steps:
    """A step inside each interval; where one has no end, a little beyond the last change."""
    left, right = np.isinf(starts), np.isinf(ends)
    with np.errstate(invalid="ignore"):
        below = ends - _MARGIN * (1 + np.abs(ends))
        above = starts + _MARGIN * (1 + np.abs(starts))
        middles = np.where(left, below, np.where(right, above, (starts + ends) / 2))
    return np.where(left & right, 0.0, middles)
