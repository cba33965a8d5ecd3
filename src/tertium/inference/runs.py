"""How much training alone changes a score: what several runs of two systems tell."""

from collections.abc import Sequence

import numpy as np

from tertium.installation import scipy_for
from tertium.metrics.contract.base import Scores


def deviation(scores: Sequence[float] | Scores) -> float:
    """The standard deviation of the scores of some runs; 0 of a single one."""
    return float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0


def runs_p_value(baseline: Sequence[float] | Scores, system: Sequence[float] | Scores) -> float:
    """Welch's t-test of the scores of runs: could training again make such a difference?

    Tests that resample segments ask how a difference would be on other text, of these very
    runs. This one asks how it would be after other runs, on this very text.

    >>> round(runs_p_value([20.1, 20.4, 20.2], [20.3, 20.9, 20.6]), 3)
    0.157
    """
    with scipy_for("tests over runs"):
        from scipy.special import stdtr  # takes longer to import than all the rest

    shares = [deviation(some) ** 2 / len(some) for some in (baseline, system)]
    delta = float(np.mean(system) - np.mean(baseline))
    variance = sum(shares)
    if variance == 0:
        return 0.0 if delta else 1.0
    pairs = zip(shares, (baseline, system), strict=True)
    freedom = variance**2 / sum(share**2 / (len(some) - 1) for share, some in pairs)
    return float(2 * stdtr(freedom, -abs(delta) / np.sqrt(variance)))
