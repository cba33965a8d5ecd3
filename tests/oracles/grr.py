"""The k-gram recognition rate: the automaton of Chiang et al. (2008), searched by brute force."""

from collections.abc import Iterator, Sequence
from functools import cache
from statistics import fmean
from typing import NamedTuple, TypeAlias

from tests.oracles.error_rates import Words

State: TypeAlias = tuple[int, int]


class Automaton(NamedTuple):
    """The automaton of Chiang et al. (2008), section 4.3; states are (i, m)."""

    reference: Words
    k: int
    alpha: float
    beta: float

    def transitions(self, state: State, word: str | None) -> Iterator[tuple[State, float]]:
        """Target and weight of what a word allows; without a word, the ε transition."""
        i, m = state
        if word is None:
            if i < len(self.reference):
                yield (i + 1, 0), -self.beta
            return
        if i < len(self.reference):
            if word == self.reference[i]:
                yield (i + 1, min(m + 1, self.k - 1)), m + 1
            yield (i + 1, 0), 0
        yield (i, 0), -self.alpha

    def path_weights(
        self, hypothesis: Words, state: State = (0, 0), weight: float = 0.0
    ) -> Iterator[float]:
        """The weight of every path, one after the other."""
        if not hypothesis and state[0] == len(self.reference):
            yield weight
        for target, gain in self.transitions(state, None):
            yield from self.path_weights(hypothesis, target, weight + gain)
        if hypothesis:
            for target, gain in self.transitions(state, hypothesis[0]):
                yield from self.path_weights(hypothesis[1:], target, weight + gain)

    def best_weight(self, hypothesis: Words) -> float:
        """The best weight of any path, each state's future computed once."""

        @cache
        def best(words: int, state: State) -> float:
            futures = [gain + best(words, target) for target, gain in self.transitions(state, None)]
            if words < len(hypothesis):
                futures += [
                    gain + best(words + 1, target)
                    for target, gain in self.transitions(state, hypothesis[words])
                ]
            elif state[0] == len(self.reference):
                futures.append(0.0)
            return max(futures)

        return best(0, (0, 0))


def aligned_grams(alignment: Sequence[tuple[int, int]], k: int) -> int:
    """Σ_{n ≤ k} M_n: pairs of equal n-grams all of whose words are aligned to each other."""
    pairs = set(alignment)
    return sum(
        all((j + step, i + step) in pairs for step in range(n))
        for n in range(1, k + 1)
        for j, i in pairs
    )


def alignments(hypothesis: Words, reference: Words) -> Iterator[list[tuple[int, int]]]:
    """Every monotone one-to-one alignment, as pairs of word positions."""
    yield []
    for j in range(len(hypothesis)):
        for i in range(len(reference)):
            for rest in alignments(hypothesis[j + 1 :], reference[i + 1 :]):
                yield [(j, i), *((j + 1 + b, i + 1 + a) for b, a in rest)]


def numerator_by_equation(
    hypothesis: Words, reference: Words, k: int, alpha: float, beta: float
) -> float:
    """Equation 6 without an automaton: unaligned words are insertions and deletions."""

    def value(alignment: list[tuple[int, int]]) -> float:
        matched = [(j, i) for j, i in alignment if hypothesis[j] == reference[i]]
        insertions = len(hypothesis) - len(alignment)
        deletions = len(reference) - len(alignment)
        return aligned_grams(matched, k) - alpha * insertions - beta * deletions

    return max(value(alignment) for alignment in alignments(hypothesis, reference))


def denominator(reference: Words, k: int) -> int:
    return sum(max(0, len(reference) - n + 1) for n in range(1, k + 1))


def gram_recognition_row(
    hypothesis: Words, references: Sequence[Words], k: int, alpha: float, beta: float
) -> tuple[float, float]:
    """Weighted numerator and weight of one segment."""
    pairs = [
        (Automaton(r, k, alpha, beta).best_weight(hypothesis), denominator(r, k))
        for r in references
    ]
    weight = fmean(below for _, below in pairs)
    rates = [above / below for above, below in pairs if below]
    if not rates:
        return max(above for above, _ in pairs), weight
    return max(rates) * weight, weight
