"""ORANGE as Lin & Och (2004) define it, for any score of a text against references."""

from collections.abc import Callable, Sequence
from math import exp, log


def rank(candidates: Sequence[float], reference: float) -> float:
    """The place of the reference, from 1; equal scores share the mean of their places."""
    ordered = sorted([*candidates, reference], reverse=True)
    places = [place for place, score in enumerate(ordered, 1) if score == reference]
    return sum(places) / len(places)


def orange(
    lists: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    score: Callable[[str, list[str]], float],
) -> float:
    """Mean over segments of (mean rank of its references) / (length of the list with it)."""
    shares = []
    for candidates, own in zip(lists, references, strict=True):
        ranks = []
        for place, reference in enumerate(own):
            others = [other for number, other in enumerate(own) if number != place]
            scores = [score(candidate, others) for candidate in candidates]
            ranks.append(rank(scores, score(reference, others)))
        shares.append(sum(ranks) / len(ranks) / (len(candidates) + 1))
    return sum(shares) / len(shares)


def smoothed_bleu(text: str, references: list[str], order: int = 4) -> float:
    """Sentence BLEU with one match and one n-gram more above single words (their section 4)."""
    words, others = text.split(), [reference.split() for reference in references]
    if not words:
        return 0.0

    def grams(tokens: list[str], n: int) -> list[tuple[str, ...]]:
        return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]

    logarithms = 0.0
    for n in range(1, order + 1):
        found = grams(words, n)
        matches = sum(
            min(found.count(gram), max(grams(other, n).count(gram) for other in others))
            for gram in set(found)
        )
        extra = 1 if n > 1 else 0
        if matches + extra == 0:
            return 0.0
        logarithms += log((matches + extra) / (len(found) + extra)) / order
    closest = min((len(other) for other in others), key=lambda size: (abs(size - len(words)), size))
    return exp(min(0.0, 1 - closest / len(words)) + logarithms)


def word_accuracy(text: str, references: list[str]) -> float:
    """Minus the fewest edits over the mean reference length."""
    words = text.split()
    edits = []
    for reference in references:
        others = reference.split()
        row = list(range(len(others) + 1))
        for i, word in enumerate(words, 1):
            previous, row[0] = row[0], i
            for j, other in enumerate(others, 1):
                previous, row[j] = (
                    row[j],
                    min(previous + (word != other), row[j] + 1, row[j - 1] + 1),
                )
        edits.append(row[-1])
    mean = sum(len(reference.split()) for reference in references) / len(references)
    return -min(edits) / mean
