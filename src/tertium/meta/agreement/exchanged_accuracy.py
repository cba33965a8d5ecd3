"""Permutation tests of acc_eq, the accuracy with calibrated ties (Deutsch et al. 2021, 2023).

A pair of outputs is right or wrong by itself, once it is known which metric scored each of the
two. So the accuracy after any exchange is a sum over pairs, linear in the coins of both outputs and
in their product, and thousands of exchanges are a few matrix products. ε is calibrated once for
each metric; for a pair whose outputs were scored by different metrics it lies halfway between.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.inference.choices import DEFAULT_SEED
from tertium.meta.agreement.choices import Exchange
from tertium.meta.agreement.permutation_test import PermutationTest, coins, standardised
from tertium.meta.agreement.tie_calibration import calibrate_ties
from tertium.meta.ratings.judgments import Floats

MEASURE: Final = "acc-eq-item"


def accuracy_permutation_test(
    ratings: Floats,
    baseline: Floats,
    system: Floats,
    *,
    exchange: Exchange = "systems",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    documents: Sequence[str] | None = None,
) -> PermutationTest:
    """Does the second metric have a higher acc_eq (mean over segments) than the first?

    All are (systems, segments). Ratings may be NaN; scores may be where the rating is.
    ``documents`` has the document of every segment.
    """
    if not np.shape(ratings) == np.shape(baseline) == np.shape(system):
        raise InputError(
            f"scores: found shapes {np.shape(baseline)} and {np.shape(system)}, "
            f"expected {np.shape(ratings)} (ratings)"
        )
    known = ~np.isnan(ratings)
    if np.isnan(baseline[known]).any() or np.isnan(system[known]).any():
        raise InputError("scores: found NaN, expected a score of every rated output")
    first, second = (standardised(one, known) for one in (baseline, system))
    accuracy = _accuracy(ratings, first, second)
    nulls = []
    for mask in coins(first.shape, exchange, trials=trials, seed=seed, documents=documents):
        second_at = mask.astype(np.float64)
        nulls.append(accuracy.value(1 - second_at) - accuracy.value(second_at))
    return PermutationTest(
        measure=MEASURE,
        exchange=exchange,
        baseline=accuracy.constant,
        system=accuracy.of_second,
        observed=accuracy.of_second - accuracy.constant,
        null=np.concatenate(nulls),
        seed=seed,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Accuracy:
    """The accuracy as a function of coins: 1 where the second metric scored an output.

    ``constant`` is that of the first metric, ``of_second`` that of the other; ``linear`` is
    (systems, segments), ``products`` (pairs of systems, segments).
    """

    constant: float
    of_second: float
    linear: Floats
    products: Floats
    left: NDArray[np.intp]
    right: NDArray[np.intp]

    def value(self, thrown: Floats) -> Floats:
        """Of coins (trials, systems or 1, segments or 1)."""
        systems, segments = thrown.shape[1:]
        if systems == 1:  # the same coin twice is its own product
            weights = self.linear.sum(axis=0) + self.products.sum(axis=0)
            return np.asarray(self.constant + thrown[:, 0] @ weights)
        if segments == 1:
            flat = thrown[:, :, 0]
            found = flat @ self.linear.sum(axis=1)
            both = flat[:, self.left] * flat[:, self.right]
            return np.asarray(self.constant + found + both @ self.products.sum(axis=1))
        found = self.constant + np.tensordot(thrown, self.linear, axes=2)
        for place, (i, j) in enumerate(zip(self.left, self.right, strict=True)):
            found = found + (thrown[:, i] * thrown[:, j]) @ self.products[place]
        return np.asarray(found)


def _accuracy(ratings: Floats, first: Floats, second: Floats) -> _Accuracy:
    epsilons = [_epsilon(ratings, one) for one in (first, second)]
    left, right = np.triu_indices(len(ratings), 1)
    rated = ratings[left] - ratings[right]
    there = ~np.isnan(rated)
    pairs = there.sum(axis=0)
    weights = there / np.maximum(pairs, 1) / max(1, int((pairs > 0).sum()))

    def right_at(a: int, b: int) -> Floats:
        scores = (first, second)
        distance = scores[a][left] - scores[b][right]
        tied = np.abs(distance) <= (epsilons[a] + epsilons[b]) / 2
        agrees = np.where(tied, rated == 0, np.sign(distance) == np.sign(rated))
        return np.asarray(np.where(there, agrees, 0.0) * weights)

    none, both = right_at(0, 0), right_at(1, 1)
    one, other = right_at(1, 0), right_at(0, 1)
    linear = np.zeros(ratings.shape)
    np.add.at(linear, left, one - none)
    np.add.at(linear, right, other - none)
    return _Accuracy(
        constant=float(none.sum()),
        of_second=float(both.sum()),
        linear=linear,
        products=both - one - other + none,
        left=left,
        right=right,
    )


def _epsilon(ratings: Floats, scores: Floats) -> float:
    found = calibrate_ties(ratings, scores, "item").epsilon
    return 0.0 if np.isnan(found) else found
