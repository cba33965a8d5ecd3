"""Many tests at once: adjusted p-values that may be compared with the level as before."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

PValues: TypeAlias = NDArray[np.float64]


def holm(p_values: Sequence[float] | PValues) -> PValues:
    """Holm (1979): the chance of even one false finding stays below the level.

    The k-th smallest of m p-values counts (m − k + 1)-fold, and never less than the one before.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    weighted = given[order] * np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(weighted))
    return adjusted


def benjamini_hochberg(p_values: Sequence[float] | PValues) -> PValues:
    """Benjamini & Hochberg (1995): the expected share of false findings stays below the level.

    The k-th smallest of m p-values counts m/k-fold, and never more than the one after.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    # The factor first: it is never below 1, so rounding cannot make a p-value smaller.
    weighted = given[order] * (len(given) / np.arange(1, len(given) + 1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(weighted[::-1])[::-1])
    return adjusted
