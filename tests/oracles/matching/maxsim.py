"""MaxSim as Chan & Ng (2008) write it; the best matching is found by trying all."""

from collections.abc import Mapping, Sequence
from itertools import permutations

Word = tuple[str, str]
"""Lemma and part of speech."""
Gram = tuple[Word, ...]


def grams(words: Sequence[Word], n: int) -> list[Gram]:
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def synonymous(one: str, other: str, senses: Mapping[str, set[int]]) -> bool:
    """Syn: the synonym sets of all senses have one in common."""
    return one == other or bool(senses.get(one, set()) & senses.get(other, set()))


def sim(one: Gram, other: Gram, senses: Mapping[str, set[int]]) -> float:
    """1/n Σ [I(pos) + Syn(lemma)] / 2, and 0 if any position is 0."""
    positions = [
        ((pos == other_pos) + synonymous(lemma, other_lemma, senses)) / 2
        for (lemma, pos), (other_lemma, other_pos) in zip(one, other, strict=True)
    ]
    return 0.0 if 0 in positions else sum(positions) / len(positions)


def best_matching(weights: list[list[float]]) -> float:
    """Maximum over all one-to-one pairings."""
    if not weights or not weights[0]:
        return 0.0
    if len(weights) > len(weights[0]):
        weights = [list(column) for column in zip(*weights, strict=True)]
    places = range(len(weights[0]))
    return max(
        sum(row[place] for row, place in zip(weights, chosen, strict=True))
        for chosen in permutations(places, len(weights))
    )


def common(hypothesis: list[Gram], reference: list[Gram], senses: Mapping[str, set[int]]) -> float:
    """Matches by lemma and POS, then by lemma, then by the matching."""
    ours, theirs, found = list(hypothesis), list(reference), 0.0
    for parts in (2, 1):
        for gram in list(ours):
            key = [word[:parts] for word in gram]
            same = [other for other in theirs if [word[:parts] for word in other] == key]
            if same:
                ours.remove(gram)
                theirs.remove(same[0])
                found += 1
    return found + best_matching([[sim(one, other, senses) for other in theirs] for one in ours])


def maxsim(
    hypothesis: list[Word],
    references: list[list[Word]],
    senses: Mapping[str, set[int]],
    *,
    alpha: float = 0.8,
    order: int = 3,
) -> float:
    """Mean of F = PR / (αP + (1 − α)R) over n that a side has, and over references."""
    scores = []
    for reference in references:
        found = []
        for n in range(1, order + 1):
            ours, theirs = grams(hypothesis, n), grams(reference, n)
            if ours or theirs:
                match = common(ours, theirs, senses)
                precision = match / len(ours) if ours else 0.0
                recall = match / len(theirs) if theirs else 0.0
                below = alpha * precision + (1 - alpha) * recall
                found.append(precision * recall / below if below else 0.0)
        scores.append(sum(found) / len(found) if found else 1.0)
    return 100 * sum(scores) / len(scores)
