"""A t-test of few units: CR2 variance with Satterthwaite's degrees of freedom.

Bell and McCaffrey (2002), as Pustejovsky and Tipton (2018) have it: segments are observations,
documents are clusters, and the mean difference is what is estimated. A document's residual is
divided by the square root of 1 minus its share of all segments, which makes the variance unbiased
if segments were independent; as documents of different size are not equally many independent
residuals, the degrees of freedom are those that give the variance its own variance.
"""

import numpy as np

from tertium.installation import scipy_for
from tertium.metrics.contract.base import Rows, Scores


def unit_shares(first: Rows, second: Rows) -> Scores:
    """Which share of a corpus each unit is, by two systems' statistics of it, (…, units, K).

    Sizes are what both have in common, such as the lengths of references; without any, the mean
    over all statistics. Swaps change neither.

    >>> unit_shares(np.array([[4.0, 10.0], [5.0, 30.0]]), np.array([[3.0, 10.0], [1.0, 30.0]]))
    array([0.25, 0.75])
    """
    sizes = np.abs(first) + np.abs(second)
    totals = sizes.sum(axis=-2, keepdims=True)
    known = totals > 0
    common = known & (first == second).all(axis=-2, keepdims=True)
    chosen = np.where(common.any(axis=-1, keepdims=True), common, known)
    shares = np.where(chosen, sizes / np.where(known, totals, 1.0), 0.0).sum(axis=-1)
    columns = chosen.sum(axis=-1)
    result: Scores = np.where(columns > 0, shares / np.maximum(columns, 1), 1 / first.shape[-2])
    return result


def cluster_t_test(delta: float, effects: Scores, shares: Scores, *, tie: float = 0.0) -> float:
    """The two-sided p-value of a difference that is the sum of its units' ``effects``.

    ``shares`` are the units' shares of the corpus; differences up to ``tie`` are none. Where all
    units say exactly the same it is the p-value of an exact swap.

    >>> round(cluster_t_test(3.0, np.array([0.9, 1.0, 1.1]), np.full(3, 1 / 3)), 4)
    0.0033
    """
    with scipy_for("tests of few units"):
        from scipy.special import stdtr  # takes longer to import than all the rest

    if abs(delta) <= tie or len(effects) < 2 or shares.max() >= 1:
        return 1.0
    residuals = effects - shares * effects.sum()
    error = float(np.sqrt((residuals**2 / (1 - shares)).sum()))
    if error <= tie:  # nothing to judge by but that all units say the same
        return float(2.0 ** (1 - len(effects)))
    return float(2 * stdtr(degrees_of_freedom(shares), -abs(delta) / error))


def degrees_of_freedom(shares: Scores) -> float:
    """Satterthwaite's, of independent segments: n − 1 of n units of equal size.

    >>> round(degrees_of_freedom(np.full(5, 0.2)), 6)
    4.0
    >>> round(degrees_of_freedom(np.array([0.8, 0.05, 0.05, 0.05, 0.05])), 2)
    1.39
    """
    # The covariance of the residuals' sums, of independent segments, before and after CR2.
    covariance = np.diag(shares) - np.outer(shares, shares)
    scale = np.sqrt(1 - shares)
    corrected = covariance / np.outer(scale, scale)
    return float(np.trace(corrected) ** 2 / (corrected**2).sum())
