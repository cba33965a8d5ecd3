"""How many segments each system wins over each other one, under every metric."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.audit.case import equal_width
from tertium.inference.units import Units
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Metric, Scores
from tertium.scored.scored import Scored

LEAST_SEGMENTS: Final = 30
"""With fewer segments that differ, a share of them says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WonSegments:
    """Shares of segments that the first of two systems wins; all arrays are (metrics, S, S).

    Only segments count in which some metric tells the two outputs apart, and in which this metric
    has scored both; a tie is half a win. ``gains`` are the shares as distances of two normal
    distributions (their quantiles), so that all metrics have one unit whatever theirs is; where
    fewer than ``LEAST_SEGMENTS`` differ, they are NaN. ``clustering`` is the variance of a share
    when whole units are drawn, by that of single segments. ``distances``, (S, S), say how unlike
    the segment scores of two systems are; ``lengths``, (S,), are in any unit.
    """

    metrics: tuple[Metric, ...]
    shares: Scores = field(repr=False)
    gains: Scores = field(repr=False)
    counts: NDArray[np.intp] = field(repr=False)
    clustering: Scores = field(repr=False)
    distances: Scores = field(repr=False)
    lengths: Scores = field(repr=False)

    def error(self, metric: int, pair: tuple[int, int], gain: float | None = None) -> float:
        """The standard error of a gain, or what it would be if the gain were another one.

        What wins every segment has a share without spread. So whether it wins too many is asked
        of the gain that was expected.
        """
        with scipy_for("the audit 'gaming'"):
            from scipy.special import ndtr

        own = (metric, *pair)
        share = float(ndtr(self.gains[own] if gain is None else gain))
        variance = self.clustering[own] * share * (1 - share) / (self.counts[own] + 1)
        return float(np.sqrt(variance) / _density(share))


def won_segments(
    scored: Scored, units: Units, *, damaged: NDArray[np.bool_], lengths: Scores
) -> WonSegments:
    """All pairs of systems under all metrics, by their segment scores.

    Segments in which the output of either system is ``damaged``, (systems, segments), do not
    count: metrics differ in what they make of an HTML entity or of no output at all.
    ``lengths`` are those of all outputs of a system together.
    """
    signs = [1 if one.higher_is_better else -1 for one in scored.metrics]
    scores = [
        np.where(damaged, np.nan, sign * scored.segments_of(one))
        for sign, one in zip(signs, scored.metrics, strict=True)
    ]
    widths = [equal_width(float(np.nanmax(np.abs(one), initial=0.0))) for one in scores]
    spreads = [_spread(one) for one in scores]
    systems = len(scored.systems)
    shape = (len(scores), systems, systems)
    shares, clustering = np.full(shape, np.nan), np.ones(shape)
    counts = np.zeros(shape, dtype=np.intp)
    distances = np.zeros((systems, systems))
    for place in range(systems):
        differences = [one[place] - one for one in scores]
        won = np.stack([_signs(one, width) for one, width in zip(differences, widths, strict=True)])
        known = np.stack([~np.isnan(one) for one in differences])
        counting = known & won.any(axis=0)
        counts[:, place] = counting.sum(axis=-1)
        shares[:, place], clustering[:, place] = _shares(won, counting, units)
        distances[place] = _distances(differences, spreads)
    shares[counts < LEAST_SEGMENTS] = np.nan
    with scipy_for("the audit 'gaming'"):
        from scipy.special import ndtri  # takes longer to import than all the rest

    return WonSegments(
        metrics=scored.metrics,
        shares=shares,
        gains=ndtri(shares),
        counts=counts,
        clustering=clustering,
        distances=distances,
        lengths=lengths,
    )


def _signs(differences: Scores, width: float) -> NDArray[np.int8]:
    """1 for a segment won, −1 for one lost, 0 for a tie and where a score is missing."""
    with np.errstate(invalid="ignore"):
        return (differences > width).astype(np.int8) - (differences < -width).astype(np.int8)


def _shares(
    won: NDArray[np.int8], counting: NDArray[np.bool_], units: Units
) -> tuple[Scores, Scores]:
    """Shares of segments won, never 0 or 1, and how units cluster them; (metrics, systems)."""
    count = counting.sum(axis=-1)
    wins = (won.sum(axis=-1, dtype=np.int64) + count) / 2
    shares = (wins + 0.5) / (count + 1)
    if units.unit == "segment":
        return shares, np.ones_like(shares)
    apart = np.where(counting, (won + 1) / 2 - shares[..., None], 0.0)
    whole = (units.sums(apart[..., None])[..., 0] ** 2).sum(axis=-1)
    return shares, np.maximum(whole / (shares * (1 - shares) * (count + 1)), 1.0)


def _density(share: float) -> float:
    """Of the normal distribution, where it has reached this share."""
    with scipy_for("the audit 'gaming'"):
        from scipy.special import ndtri

    return float(np.exp(-(ndtri(share) ** 2) / 2) / np.sqrt(2 * np.pi))


def _spread(scores: Scores) -> float:
    known = scores[~np.isnan(scores)]
    return (float(known.std()) if len(known) else 0.0) or 1.0


def _distances(differences: Sequence[Scores], spreads: Sequence[float]) -> Scores:
    """The mean square of the differences under all metrics, each in its own unit."""
    sums = np.zeros(len(differences[0]))
    for one, spread in zip(differences, spreads, strict=True):
        known = ~np.isnan(one)
        squares = np.where(known, one / spread, 0.0) ** 2
        sums += squares.sum(axis=-1) / np.maximum(known.sum(axis=-1), 1)
    return sums
