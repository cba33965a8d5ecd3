"""RIBES as Isozaki et al. (2010) and Hirao et al. (2014, section 3) define it."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp

Words = Sequence[str]


def places(part: Words, text: Words) -> list[int]:
    """Where the part begins in the text, overlapping occurrences included."""
    starts = range(len(text) - len(part) + 1)
    return [start for start in starts if text[start : start + len(part)] == part]


def growing_contexts(text: Words, i: int) -> Iterator[tuple[int, Words]]:
    """The word alone, then with one neighbour more each time: left, right, left, right, …

    Each with the place of the word in it.
    """
    yield 0, text[i : i + 1]
    for width in range(1, len(text)):
        if width <= i:
            yield width, text[i - width : i + 1]
        if i + width < len(text):
            yield 0, text[i : i + width + 1]


def correspondence(hypothesis: Words, reference: Words) -> list[int]:
    """The reference position of each hypothesis word whose context stands once in both texts."""
    positions = []
    for i, word in enumerate(hypothesis):
        if word not in reference:
            continue
        for offset, context in growing_contexts(hypothesis, i):
            found = places(context, reference)
            if len(found) == 1 and len(places(context, hypothesis)) == 1:
                positions.append(found[0] + offset)
                break
    return positions


def normalised_tau(positions: Sequence[int]) -> float:
    """NKT = (τ + 1) / 2: the share of pairs that are in increasing order."""
    pairs = list(combinations(positions, 2))
    return sum(first < second for first, second in pairs) / len(pairs)


def sentence_ribes(hypothesis: Words, reference: Words, alpha: float, beta: float) -> float:
    """NKT · P^α · BP^β."""
    if not hypothesis:
        return 0.0
    brevity = min(1.0, exp(1 - len(reference) / len(hypothesis)))
    positions = correspondence(hypothesis, reference)
    if len(positions) == 1 and len(reference) == 1:
        tau = 1.0
    elif len(positions) < 2:
        return 0.0
    else:
        tau = normalised_tau(positions)
    precision = len(positions) / len(hypothesis)
    return float(tau * precision**alpha * brevity**beta)


def ribes(
    hypothesis: Words, references: Sequence[Words], alpha: float = 0.25, beta: float = 0.1
) -> float:
    """The best over the references, as a fraction."""
    return max(sentence_ribes(hypothesis, reference, alpha, beta) for reference in references)
