"""The tests between metrics that WMT's metrics tasks make, exchange by exchange.

By the definitions of mt-metrics-eval: ``PermutationSigDiff`` exchanges scores (PERM-BOTH of Deutsch
et al. 2021), ``PairwisePermutationSigDiff`` exchanges comparisons of two outputs of a segment.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Agreement = Callable[[Floats], float]


def standard(scores: Floats) -> Floats:
    return np.asarray((scores - scores.mean()) / scores.std())


def exchanged_scores(
    agreement: Agreement, first: Floats, second: Floats, *, exchanges: int, seed: int
) -> float:
    """The p-value that the first metric agrees better, every score exchanged for itself."""
    rng = np.random.default_rng(seed)
    first, second = standard(first), standard(second)
    observed = agreement(first) - agreement(second)
    extreme = 0
    for _ in range(exchanges):
        swap = rng.integers(0, 2, first.shape).astype(bool)
        better, worse = np.where(swap, second, first), np.where(swap, first, second)
        extreme += agreement(better) - agreement(worse) >= observed - 1e-12
    return extreme / exchanges


def p_values_of_systems(values: Floats, signs: Floats) -> Floats:
    """Of each pair of systems, by exchanging their segments as ``signs`` say."""
    left, right = np.triu_indices(len(values), 1)
    permuted, totals = values @ signs.T, values.sum(axis=1)
    apart = totals[left] - totals[right]
    return np.asarray((permuted[left] - permuted[right] >= apart[:, None] - 1e-9).mean(axis=1))


def soft_accuracy_of(ratings: Floats, permutations: int, seed: int = 4) -> Agreement:
    """Soft pairwise accuracy as a function of scores, with p-values from permutations."""
    rng = np.random.default_rng(seed)
    signs = 2 * np.rint(rng.random((permutations, ratings.shape[1]), dtype=np.float32)) - 1.0
    people = p_values_of_systems(ratings, signs)
    return lambda scores: float(1 - np.abs(people - p_values_of_systems(scores, signs)).mean())


def pearson_of(ratings: Floats) -> Agreement:
    return lambda scores: float(np.corrcoef(ratings.ravel(), scores.ravel())[0, 1])


def exchanged_pairs(
    ratings: Floats,
    first: Floats,
    second: Floats,
    epsilons: tuple[float, float],
    *,
    exchanges: int,
    seed: int,
) -> float:
    """The p-value that the first metric has the higher acc_eq, comparisons exchanged."""
    rng = np.random.default_rng(seed)
    segments = []
    for segment in range(ratings.shape[1]):
        rated = np.flatnonzero(~np.isnan(ratings[:, segment]))
        pairs = [(i, j) for i in rated for j in rated if i < j]
        if pairs:
            segments.append(
                np.array(
                    [
                        [
                            said(scores[i, segment] - scores[j, segment], epsilon)
                            == said(ratings[i, segment] - ratings[j, segment], 0.0)
                            for i, j in pairs
                        ]
                        for scores, epsilon in zip((first, second), epsilons, strict=True)
                    ]
                )
            )
    observed = float(np.mean([right[0].mean() - right[1].mean() for right in segments]))
    extreme = 0
    for _ in range(exchanges):
        apart = 0.0
        for right in segments:
            swap = rng.integers(0, 2, right.shape[1]).astype(bool)
            better = np.where(swap, right[1], right[0])
            worse = np.where(swap, right[0], right[1])
            apart += (better.mean() - worse.mean()) / len(segments)
        extreme += apart >= observed - 1e-12
    return extreme / exchanges


def said(difference: float, epsilon: float) -> int:
    """Which of two outputs is better: 1, −1, or 0 where they are tied."""
    return 0 if abs(difference) <= epsilon else (1 if difference > 0 else -1)
