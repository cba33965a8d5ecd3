"""Agreement that is made of sums over segments, so that resampling them is a matrix product."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tertium._native import PackedRows
from tertium.errors import InputError
from tertium.inference.rows import check_trials
from tertium.inference.units import Units
from tertium.metrics.contract.base import Rows, Scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Additive:
    """Statistics of every segment, (segments, K), and what a sum of them is worth.

    The idea of `tertium.metrics` once more: ``score`` maps (..., K) to (...).
    """

    rows: Rows = field(repr=False)
    score: Callable[[Rows], Scores] = field(repr=False)

    @property
    def value(self) -> float:
        """What all segments together are worth."""
        return float(self.score(self.rows.sum(axis=0)))

    def resampled(self, *, trials: int, seed: int, units: Units | None = None) -> Scores:
        """The same for bootstrap resamples of the segments, or of whole ``units`` of them."""
        check_trials(trials, seed)
        if not len(self.rows):
            raise InputError("segments: found none, expected at least one")
        rows = self.rows if units is None else units.sums(self.rows)
        packed = PackedRows(np.ascontiguousarray(rows))
        sums = packed.resampled_sums(seed=seed, stream=0, first=0, trials=trials)
        return self.score(sums.T)


def share(rows: Rows) -> Scores:
    """The first sum over the second; NaN where that is 0."""
    total = rows[..., 1]
    return np.where(total == 0, np.nan, rows[..., 0] / np.where(total == 0, 1.0, total))


def mean_of(values: Scores) -> Additive:
    """The mean of the segments' own values, those that are NaN left out."""
    known = ~np.isnan(values)
    rows = np.stack([np.where(known, values, 0.0), known], axis=-1)
    return Additive(rows=rows, score=share)
