"""Soft pairwise accuracy (Thompson, Mathur, Deutsch & Khayrallah 2024), official at WMT24 and 25.

Pairwise accuracy asks whether a metric puts two systems in people's order, however sure either is.
The soft one compares how sure they are: the p-value of a permutation test that one system is
better than the other, by people's ratings and by the metric's scores of the same segments.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.meta.ratings.judgments import Floats

PERMUTATIONS: Final = 1000
"""As many as mt-metrics-eval takes, and in the same order, so that figures can be compared."""
SEED: Final = 4
ROUNDING: Final = 1e-10
"""Of a system's sum; mt-metrics-eval, in single precision, lets rounding decide such ties."""
BLOCKS: Final = 20
"""Of permutations, left out in turn to see how much chance is in the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftAccuracy:
    """1 − the mean difference of p-values over pairs of systems, and its noise.

    ``noise`` is the standard error that comes from drawing permutations, by the jackknife over
    blocks of them; ``segments`` are those that all systems have a rating and a score for.
    """

    value: float
    noise: float
    segments: int
    pairs: int


def soft_accuracy(
    ratings: Floats, scores: Floats, *, permutations: int = PERMUTATIONS, seed: int = SEED
) -> SoftAccuracy:
    """Of (systems, segments) ratings and scores, NaN where one is missing; higher is better.

    >>> rng = np.random.default_rng(1)
    >>> ratings = rng.normal(size=(3, 50)) + np.array([[0.0], [0.3], [0.9]])
    >>> soft_accuracy(ratings, 10 * ratings).value
    1.0
    """
    whole = ~(np.isnan(ratings) | np.isnan(scores)).any(axis=0)
    segments = int(whole.sum())
    pairs = len(ratings) * (len(ratings) - 1) // 2
    if not segments or not pairs:
        nan = float("nan")
        return SoftAccuracy(value=nan, noise=nan, segments=segments, pairs=pairs)
    rated = np.ascontiguousarray(ratings[:, whole])
    people = _people_exceeded(rated.tobytes(), len(rated), permutations, seed)
    metric = _exceeded(scores[:, whole], _signs(permutations, segments, seed))
    value, noise = _agreement_and_noise(people, metric)
    return SoftAccuracy(value=value, noise=noise, segments=segments, pairs=pairs)


@lru_cache(maxsize=1)
def _signs(permutations: int, segments: int, seed: int) -> Floats:
    """Whether each permutation exchanges the two systems' outputs of a segment, −1 or +1.

    Every metric of a test set sees the same permutations.
    """
    drawn = np.random.default_rng(seed).random((permutations, segments), dtype=np.float32)
    signs = 2 * np.rint(drawn).astype(np.float64) - 1
    signs.setflags(write=False)
    return signs


@lru_cache(maxsize=2)
def _people_exceeded(
    ratings: bytes, systems: int, permutations: int, seed: int
) -> NDArray[np.bool_]:
    """`_exceeded` of ratings, which are those of the metric before more often than not."""
    values = np.frombuffer(ratings).reshape(systems, -1)
    return _exceeded(values, _signs(permutations, values.shape[1], seed))


def _exceeded(values: Floats, signs: Floats) -> NDArray[np.bool_]:
    """Whether each permutation of each pair differs by no less than the systems themselves.

    Shape (pairs, permutations). What differs by rounding alone is no less.
    """
    first, second = np.triu_indices(len(values), 1)
    totals, permuted = values.sum(axis=1), np.ascontiguousarray((signs @ values.T).T)
    more = permuted[first] - permuted[second] - (totals[first] - totals[second])[:, np.newaxis]
    exceeded: NDArray[np.bool_] = more >= -ROUNDING * np.abs(values).sum(axis=1).max()
    return exceeded


def _agreement_and_noise(
    people: NDArray[np.bool_], metric: NDArray[np.bool_]
) -> tuple[float, float]:
    """1 − the mean difference of p-values over pairs, and the jackknife's error of it."""
    permutations = people.shape[1]
    counts = np.stack([people.sum(axis=1), metric.sum(axis=1)])
    p_values = counts / permutations
    value = float(1 - np.abs(p_values[0] - p_values[1]).mean())
    if permutations < BLOCKS:
        return value, float("nan")
    values = np.empty(BLOCKS)
    for number, block in enumerate(np.array_split(np.arange(permutations), BLOCKS)):
        inside = slice(block[0], block[-1] + 1)
        others = counts - np.stack([counts_[:, inside].sum(axis=1) for counts_ in (people, metric)])
        left = others / (permutations - len(block))
        values[number] = 1 - np.abs(left[0] - left[1]).mean()
    spread = ((values - values.mean()) ** 2).sum()
    return value, float(np.sqrt((BLOCKS - 1) / BLOCKS * spread))
