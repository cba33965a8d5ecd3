"""Pairwise ranking optimisation (Hopkins & May 2011)."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tertium.installation import scipy_for
from tertium.tune.pools import Block, Vector
from tertium.tune.training_options import TrainingOptions

if TYPE_CHECKING:
    from scipy import sparse


def sampled_differences(
    block: Block, worth: Vector, options: TrainingOptions, rng: np.random.Generator
) -> "list[sparse.csr_matrix]":
    """Features of the better hypothesis less those of the worse, for pairs that differ most."""
    if len(worth) < 2:
        return []
    ones, others = rng.integers(len(worth), size=(2, options.pairs))
    apart = np.abs(worth[ones] - worth[others])
    order = np.argsort(-apart, kind="stable")[: options.kept_pairs]
    kept = order[apart[order] >= max(options.threshold, 1e-12)]
    if not len(kept):
        return []
    ones, others = ones[kept], others[kept]
    swapped = worth[ones] < worth[others]
    better, worse = np.where(swapped, others, ones), np.where(swapped, ones, others)
    with scipy_for("PRO"):
        from scipy import sparse

    return [sparse.csr_matrix(block[better] - block[worse])]


def ranking_weights(
    differences: "sparse.csr_matrix", start: Vector, l2: float, free: NDArray[np.bool_]
) -> Vector:
    """The weights that minimise the mean of ln(1 + exp(−w·d)), plus l2 / 2 · |w|².

    Features that are not free stay at their start.
    """
    with scipy_for("PRO"):
        from scipy import optimize

    held = np.where(free, 0.0, start)
    own = differences[:, np.flatnonzero(free)]
    given = differences @ held

    def loss(weights: Vector) -> tuple[float, Vector]:
        margins = own @ weights + given
        value = float(np.logaddexp(0, -margins).mean() + l2 / 2 * weights @ weights)
        pulls = -1 / (1 + np.exp(np.minimum(margins, 700)))
        return value, np.asarray(own.T @ pulls).ravel() / len(margins) + l2 * weights

    found = optimize.minimize(loss, start[free], jac=True, method="L-BFGS-B")
    weights = held.copy()
    weights[free] = found.x
    return weights
