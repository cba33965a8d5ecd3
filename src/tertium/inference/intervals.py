"""Confidence intervals from bootstrap resamples: percentiles, or BCa, which sees bias and skew.

Percentiles (Efron 1979) take the middle of the resampled scores. BCa (Efron 1987) takes other
quantiles of the same resamples: it moves them by z₀, how far the median of the resamples lies from
the observed score, and by the acceleration a, how the standard error changes with the score, which
is the skewness of the jackknife over 6. The formula stands at `bca_limits`. In addition to the
resamples it costs one score for each unit left out.

Where the textbook leaves a gap:

- Resamples that tie with the observed score count half in z₀; a difference that may be rounding is
  a tie.
- If all resamples lie on one side, z₀ would be infinite; their share is cut at half a resample.
- Beyond the pole, 1 − a (z₀ ± z) ≤ 0, the formula changes its sign; there the end is the outermost
  resample.
- Documents are few: their resamples are too narrow by √((n − 1)/n), and Student's t fits better
  than the normal distribution (`tertium.inference.units.widening`). BCa stretches z by that factor,
  with fewer degrees of freedom where a few documents dominate (`_freedom`), and its interval is
  never narrower than that of `limits`. Intervals by segments are not widened, as in sacreBLEU.

Resamples and jackknife must be over the same units and the same mean over runs, or a is that of
another statistic. Arrays are (…, trials) and (…, units), so that many systems take one call.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.choices import INTERVALS
from tertium.errors import OptionError
from tertium.inference.p_values import ROUNDING
from tertium.inference.rows import MetricRows
from tertium.inference.units import widened, widening
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Scores
from tertium.results import Interval, Unit


def check_interval(method: str) -> None:
    """Refuse a kind of interval that there is not."""
    if method not in INTERVALS:
        raise OptionError(f"interval: found '{method}', expected {' or '.join(INTERVALS)}")


def percentiles(
    scores: Scores,
    *,
    level: float,
    seed: int,
    unit: Unit | None = None,
    units: int | None = None,
) -> Interval:
    """The middle ``level`` of a distribution, and what was drawn to get it.

    Of documents it is as much wider, seen from the median, as their number needs.
    """
    low, high = limits(scores, level=level, unit=unit, units=units)
    return _interval(scores, low, high, level=level, seed=seed, unit=unit, units=units)


def bca(
    scores: Scores,
    observed: float,
    left_out: Scores,
    *,
    level: float,
    seed: int,
    unit: Unit | None = None,
    units: int | None = None,
) -> Interval:
    """The BCa interval (Efron 1987) of what was observed; see `bca_limits`."""
    low, high = bca_limits(
        scores, np.array(observed), left_out, level=level, unit=unit, units=units
    )
    return _interval(
        scores, low, high, level=level, seed=seed, unit=unit, units=units, method="bca"
    )


def _interval(scores: Scores, low: Scores, high: Scores, **how: Any) -> Interval:
    mean = float(scores.mean())
    return Interval(low=float(low), high=float(high), mean=mean, trials=len(scores), **how)


def limits(
    scores: Scores, *, level: float, unit: Unit | None = None, units: int | None = None
) -> tuple[Scores, Scores]:
    """Both ends of the interval of `percentiles`, of (…, trials) distributions at once."""
    shares = [(1 - level) / 2, (1 + level) / 2]
    wider = widening(unit, units, level) if unit and units else 1.0
    if wider == 1:
        low, high = np.quantile(scores, shares, axis=-1)
        return low, high
    low, middle, high = np.quantile(scores, [shares[0], 0.5, shares[1]], axis=-1)
    return middle + wider * (low - middle), middle + wider * (high - middle)


def bca_limits(
    scores: Scores,
    observed: Scores,
    left_out: Scores,
    *,
    level: float,
    unit: Unit | None = None,
    units: int | None = None,
) -> tuple[Scores, Scores]:
    """Both ends of bias-corrected and accelerated intervals, of many distributions at once.

    ``scores`` are (…, trials), ``observed`` (…) and ``left_out`` (…, units): what was observed
    with each unit left out in turn (`left_out_scores`). With z₀ the normal quantile of the share
    of resamples below the observed value (ties count half), a the skewness of ``left_out`` over
    6 and z that of the level, the ends are the quantiles Φ(z₀ + (z₀ ± z) / (1 − a (z₀ ± z))) of
    the resamples. By documents z is as much larger as their number needs, and the more so the more
    a few of them decide (`widened`, `_freedom`); and as no quantile lies beyond the outermost
    resample, which of few documents is too near, no end is nearer than that of `limits`.
    """
    with scipy_for("intervals by BCa", otherwise=", or take percentiles"):
        from scipy.special import ndtr, ndtri  # takes longer to import than all the rest

    trials = scores.shape[-1]
    tie = ROUNDING * np.maximum(np.abs(observed), np.abs(scores).max(axis=-1))
    distances = scores - observed[..., np.newaxis]
    below = np.count_nonzero(distances < -tie[..., np.newaxis], axis=-1)
    above = np.count_nonzero(distances > tie[..., np.newaxis], axis=-1)
    share = (trials + below - above) / (2 * trials)
    # Where all resamples lie on one side, their number says how far out the value may be.
    bias = ndtri(np.clip(share, 0.5 / trials, 1 - 0.5 / trials))
    bend = _acceleration(left_out, tie)
    bound = np.asarray(ndtri((1 + level) / 2))
    if unit == "document" and units:
        bound = bound * widened(units, _freedom(left_out, tie), level)
    ends = []
    for quantile in (-bound, bound):
        moved = bias + quantile
        scale = 1 - bend * moved
        # Beyond its pole the formula turns back; what it tends to there is the outermost resample.
        bent = np.where(scale > 0, moved / np.where(scale > 0, scale, 1.0), np.sign(moved) * np.inf)
        ends.append(_quantiles(scores, ndtr(bias + bent)))
    if unit != "document" or not units:
        return ends[0], ends[1]
    low, high = limits(scores, level=level, unit=unit, units=units)
    return np.minimum(ends[0], low), np.maximum(ends[1], high)


def left_out_scores(group: MetricRows) -> Scores:
    """The score of every system without each of its units, (systems, units); mean over runs.

    Statistics are additive, so that a jackknife costs no more than as many scores.
    """
    if group.units < 2:
        return np.repeat(np.array(group.observed)[:, np.newaxis], group.units, axis=1)
    total = np.zeros((group.systems, group.units))
    for run in range(group.runs):
        rows = group.of_run(run)
        total += group.metric.score(rows.sum(axis=1, keepdims=True) - rows)
    return total / group.runs


def _acceleration(left_out: Scores, tie: NDArray[np.float64]) -> Scores:
    """Σ u³ / 6 (Σ u²)^1.5 of the distances u from the mean; 0 where they are rounding."""
    influence, spread, flat = _influence(left_out, tie)
    cubed = (influence**3).sum(axis=-1) / np.where(flat, 1.0, 6 * spread**1.5)
    return np.where(flat, 0.0, cubed)


def _freedom(left_out: Scores, tie: NDArray[np.float64]) -> Scores:
    """Of how many degrees of freedom the variance of n units is: n − 1, or 2n / (kurtosis − 1).

    That of normal values varies as a χ² with n − 1 of them. Where few units have much influence
    it varies as if there were fewer, and as many as give the same variance (Satterthwaite 1946)
    are what Student's t needs.
    """
    influence, spread, flat = _influence(left_out, tie)
    units = left_out.shape[-1]
    kurtosis = units * (influence**4).sum(axis=-1) / np.where(flat, 1.0, spread**2)
    heavy = kurtosis > 3
    fewer = 2 * units / (np.where(heavy, kurtosis, 3.0) - 1)
    freedom: Scores = np.where(heavy & ~flat, np.minimum(fewer, units - 1), units - 1)
    return freedom


def _influence(
    left_out: Scores, tie: NDArray[np.float64]
) -> tuple[Scores, Scores, NDArray[np.bool_]]:
    """How far each unit moves the score, the sum of squares, and whether all of it is rounding."""
    influence = left_out.mean(axis=-1, keepdims=True) - left_out
    return influence, (influence**2).sum(axis=-1), np.abs(influence).max(axis=-1) <= tie


def _quantiles(scores: Scores, shares: Scores) -> Scores:
    """A quantile of its own for each of (…, trials) distributions."""
    flat = zip(scores.reshape(-1, scores.shape[-1]), np.ravel(shares), strict=True)
    return np.array([np.quantile(values, share) for values, share in flat]).reshape(
        np.shape(shares)
    )
