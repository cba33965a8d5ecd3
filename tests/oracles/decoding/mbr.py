"""Minimum Bayes risk as the papers write it: double loops, and sums over all paths."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tertium.metrics.contract.base import Metric

Words = tuple[str, ...]


def utility(metric: Metric, hypothesis: str, reference: str) -> float:
    """The segment score of one pair."""
    chosen = metric.for_segments()
    return float(chosen.score(chosen.statistics([hypothesis], [reference])[0]))


def expected(
    metric: Metric,
    candidates: Sequence[str],
    references: Sequence[str],
    probabilities: Sequence[float],
) -> list[float]:
    """Σ_r p(r) · u(h, r) of every candidate h."""
    return [
        sum(
            probability * utility(metric, candidate, reference)
            for reference, probability in zip(references, probabilities, strict=True)
        )
        for candidate in candidates
    ]


def winners(metric: Metric, scores: Sequence[float], tolerance: float = 1e-9) -> set[int]:
    """All candidates that are the best, up to rounding."""
    sign = 1 if metric.higher_is_better else -1
    best = max(sign * score for score in scores)
    return {place for place, score in enumerate(scores) if sign * score >= best - tolerance}


def softmax(scores: Sequence[float], scale: float = 1.0) -> NDArray[np.float64]:
    """Exp(scale · score), normalised."""
    weights = [math.exp(scale * (score - max(scores))) for score in scores]
    return np.array([weight / math.fsum(weights) for weight in weights])


def grams(words: Words, order: int) -> list[Words]:
    """The n-grams of one order."""
    return [words[start : start + order] for start in range(len(words) - order + 1)]


def posteriors(paths: Iterable[tuple[Words, float]], order: int) -> dict[Words, float]:
    """The summed probability of the paths that have an n-gram at least once."""
    found: dict[Words, float] = {}
    for words, probability in paths:
        for n in range(1, order + 1):
            for gram in set(grams(words, n)):
                found[gram] = found.get(gram, 0.0) + probability
    return found


def linear_gain(
    words: Words, found: dict[Words, float], precision: float, ratio: float, penalty: float
) -> float:
    """Tromble et al. 2008, equations 7 and 18, with T = 1 and four orders."""
    gain = (-1.0 - penalty) * len(words)
    for n in range(1, 5):
        theta = 1 / (4 * precision * ratio ** (n - 1))
        gain += theta * sum(found.get(gram, 0.0) for gram in grams(words, n))
    return gain
