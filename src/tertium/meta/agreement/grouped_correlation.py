"""Segment-level Pearson and Kendall correlations, averaged over groups as mt-metrics-eval does.

``none`` takes all rated outputs together; ``item`` correlates the systems' outputs for each
segment, and takes the mean over segments; ``system`` correlates the segments of each system, and
takes the mean over systems. Groups with fewer than two ratings, or without a defined
correlation, are left out of the mean, and counted.
"""

from dataclasses import dataclass, field

import numpy as np

from tertium.meta.agreement.additive import Additive, mean_of, share
from tertium.meta.agreement.pair_counts import count_pairs, grouped
from tertium.meta.agreement.tie_calibration import Calibration, calibrate_ties
from tertium.meta.ratings.judgments import Floats
from tertium.metrics.contract.base import Rows, Scores


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
    x, y = (_centred(one, missing) for one in (ratings, scores))
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
