"""TESLA-M as Liu, Dahlmeier & Ng (2010) define it; each matching is a linear program, by HiGHS."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy.optimize import linprog

Word = tuple[str, str]
"""Lemma and part of speech."""
Gram = tuple[Word, ...]


def grams(words: Sequence[Word], n: int) -> list[Gram]:
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def word_similarity(one: Word, other: Word, senses: Mapping[str, set[int]]) -> float:
    """1 for equal lemmas, else (synonyms + equal parts of speech) / 2."""
    (lemma, pos), (other_lemma, other_pos) = one, other
    if lemma == other_lemma:
        return 1.0
    synonyms = bool(senses.get(lemma, set()) & senses.get(other_lemma, set()))
    return (synonyms + (pos == other_pos)) / 2


def similarity(one: Gram, other: Gram, senses: Mapping[str, set[int]]) -> float:
    """1/n Σ s(xᵢ, yᵢ), and 0 if any of them is 0."""
    words = [word_similarity(a, b, senses) for a, b in zip(one, other, strict=True)]
    return 0.0 if 0 in words else sum(words) / len(words)


def weight(gram: Gram, is_function: Callable[[str], bool], factor: float) -> float:
    """factor for each function word."""
    return float(np.prod([factor if is_function(pos) else 1.0 for _, pos in gram]))


def matched(
    ours: Sequence[float], theirs: Sequence[float], similarities: Sequence[Sequence[float]]
) -> float:
    """max Σ s(xᵢ, yⱼ) wᵢⱼ with Σⱼ wᵢⱼ ≤ weight of xᵢ, Σᵢ wᵢⱼ ≤ weight of yⱼ and w ≥ 0."""
    rows, columns = len(ours), len(theirs)
    limits = np.zeros((rows + columns, rows * columns))
    for i in range(rows):
        for j in range(columns):
            limits[i, i * columns + j] = limits[rows + j, i * columns + j] = 1
    found = linprog(
        -np.array(similarities).ravel(), A_ub=limits, b_ub=[*ours, *theirs], method="highs"
    )
    assert found.fun is not None, found.message
    return float(-found.fun)


def tesla(
    hypothesis: list[Word],
    references: list[list[Word]],
    senses: Mapping[str, set[int]],
    is_function: Callable[[str], bool],
    *,
    factor: float = 0.1,
    alpha: float = 0.8,
    order: int = 3,
) -> float:
    """Mean of F = PR / (αP + (1 − α)R) over n that a side has, and over references."""
    scores = []
    for reference in references:
        found = []
        for n in range(1, order + 1):
            ours, theirs = grams(hypothesis, n), grams(reference, n)
            if not ours and not theirs:
                continue
            if not ours or not theirs:
                found.append(0.0)
                continue
            our_weights = [weight(gram, is_function, factor) for gram in ours]
            their_weights = [weight(gram, is_function, factor) for gram in theirs]
            total = matched(
                our_weights,
                their_weights,
                [[similarity(one, other, senses) for other in theirs] for one in ours],
            )
            precision, recall = total / sum(our_weights), total / sum(their_weights)
            below = alpha * precision + (1 - alpha) * recall
            found.append(precision * recall / below if below else 0.0)
        scores.append(sum(found) / len(found) if found else 1.0)
    return 100 * sum(scores) / len(scores)
