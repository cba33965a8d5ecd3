"""p-values from distributions, with ties that rounding cannot break."""

from typing import Final

import numpy as np

from tertium.metrics.base import Scores

ROUNDING: Final = 1e-11
"""Differences smaller than this share of the scores themselves are no differences."""


def tie_width(*scores: float) -> float:
    """How far two scores of this size may lie apart and still be equal."""
    return ROUNDING * max(map(abs, scores))


def p_value_of(extreme: int, trials: int) -> float:
    """(1 + extreme) / (1 + trials): the observed value is one of those that chance can give.

    >>> p_value_of(0, 999)
    0.001
    """
    return (1 + extreme) / (1 + trials)


def two_sided(null: Scores, observed: float, tie: float) -> float:
    """How often the null distribution is as far from 0 as what was observed."""
    return p_value_of(int(np.count_nonzero(np.abs(null) >= abs(observed) - tie)), null.size)
