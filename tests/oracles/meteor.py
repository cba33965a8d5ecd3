"""METEOR with exact matches: the formulas of Denkowski & Lavie (2014), every alignment tried."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

Words = Sequence[str]
Alignment = tuple[tuple[int, int], ...]
"""Pairs (hypothesis place, reference place), ascending by the latter."""


@dataclass(frozen=True)
class Counts:
    """What a corpus adds up; content and function words of hypothesis and reference."""

    hypothesis: tuple[int, int]
    reference: tuple[int, int]
    matched: tuple[int, int]
    chunks: int

    def __add__(self, other: "Counts") -> "Counts":
        def add(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
            return a[0] + b[0], a[1] + b[1]

        return Counts(
            add(self.hypothesis, other.hypothesis),
            add(self.reference, other.reference),
            add(self.matched, other.matched),
            self.chunks + other.chunks,
        )


def alignments(hypothesis: Words, reference: Words, place: int = 0) -> Iterator[Alignment]:
    """All ways to pair equal words so that no word is used twice."""
    if place == len(reference):
        yield ()
        return
    for rest in alignments(hypothesis, reference, place + 1):
        yield rest
        used = {i for i, _ in rest}
        for i, word in enumerate(hypothesis):
            if word == reference[place] and i not in used:
                yield ((i, place), *rest)


def chunks(alignment: Alignment) -> int:
    """Runs of pairs that are neighbours on both sides."""
    pairs = set(alignment)
    return sum((i - 1, j - 1) not in pairs for i, j in pairs)


def counts(hypothesis: Words, reference: Words, function_words: Collection[str]) -> Counts:
    """Of the alignment with the most matches, then the fewest chunks."""

    def kinds(words: Words) -> tuple[int, int]:
        function = sum(word in function_words for word in words)
        return len(words) - function, function

    best = min(alignments(hypothesis, reference), key=lambda a: (-len(a), chunks(a)))
    whole = len(best) == len(hypothesis) == len(reference) and chunks(best) == 1
    return Counts(
        kinds(hypothesis),
        kinds(reference),
        kinds([reference[j] for _, j in best]),
        0 if whole else chunks(best),
    )


def score(counted: Counts, alpha: float, beta: float, gamma: float, delta: float) -> float:
    """Fα · (1 − γ (chunks / matches)^β)."""

    def weight(words: tuple[int, int]) -> float:
        content, function = words
        return delta * content + (1 - delta) * function

    if not sum(counted.matched):
        return 0.0
    precision = weight(counted.matched) / weight(counted.hypothesis)
    recall = weight(counted.matched) / weight(counted.reference)
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    fragmentation = counted.chunks / sum(counted.matched)
    return float(mean * (1 - gamma * fragmentation**beta))
