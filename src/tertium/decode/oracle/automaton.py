"""WRR and k-GRR of one reference as an automaton (Chiang et al. 2008, section 4.3).

State (i, m): i reference words have been passed, the last m of them matched in a row. The weight
of the best way to read a hypothesis is the numerator of its rate, so the best path of a lattice
composed with the automaton is the lattice's oracle, in whatever program composes them.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from tertium.decode.formats.numbered_lines import is_one, number_text, shortened
from tertium.decode.formats.special_words import EMPTY_WORDS
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.metrics.edit.wrr import WordRecognitionRate

EMPTY_LABEL: Final = "<eps>"
ANY_LABEL: Final = "<any>"
"""What is written for ⋆, any word, where the words are not known."""

State: TypeAlias = tuple[int, int]


class Move(NamedTuple):
    """An arc. Insertions and substitutions take any word, deletions none: ``word`` is empty."""

    source: State
    target: State
    kind: str
    word: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognitionAutomaton:
    """The automaton of a reference's words.

    >>> wrr = RecognitionAutomaton(words=("a", "b"), k=1, alpha=1.0, beta=0.0)
    >>> len(wrr.states), len(list(wrr.moves())), wrr.possible
    (3, 9, 2)
    """

    words: tuple[str, ...]
    k: int
    alpha: float
    beta: float

    def __post_init__(self) -> None:
        special = EMPTY_WORDS | {ANY_LABEL}
        for word in self.words:
            if word in special or not is_one(word):
                raise InputError(f"found the word {shortened(word)}, expected one for a label")

    @classmethod
    def of(cls, metric: Metric, reference: str) -> "RecognitionAutomaton":
        """The automaton of a metric and a reference; WRR is the rate with k = 1, α = 1, β = 0."""
        if type(metric) is GramRecognitionRate:
            k, alpha, beta = metric.k, metric.alpha, metric.beta
        elif type(metric) is WordRecognitionRate:
            k, alpha, beta = 1, 1.0, 0.0
        else:
            raise OptionError(f"automaton: found metric {metric.spec}, expected grr or wrr")
        return cls(words=tuple(metric.words(reference)), k=k, alpha=alpha, beta=beta)

    @property
    def states(self) -> list[State]:
        """The states that can be reached, the start (0, 0) first."""
        longest = self.k - 1
        return [(i, m) for i in range(len(self.words) + 1) for m in range(min(i, longest) + 1)]

    @property
    def finals(self) -> list[State]:
        """All words of the reference are passed."""
        return [state for state in self.states if state[0] == len(self.words)]

    @property
    def possible(self) -> int:
        """The 1- to k-grams of the reference: what weights are divided by."""
        return sum(max(0, len(self.words) - n) for n in range(self.k))

    def moves(self) -> Iterator[Move]:
        """All arcs, state by state."""
        for i, m in self.states:
            yield Move((i, m), (i, 0), "insertion", "", -self.alpha)
            if i == len(self.words):
                continue
            after = (i + 1, min(m + 1, self.k - 1))
            yield Move((i, m), after, "match", self.words[i], m + 1.0)
            yield Move((i, m), (i + 1, 0), "substitution", "", 0.0)
            yield Move((i, m), (i + 1, 0), "deletion", "", -self.beta)

    def to_openfst(self, vocabulary: Collection[str] | None = None, *, points: bool = False) -> str:
        """OpenFst's text: an acceptor whose costs are the negative weights.

        ⋆ is written as an arc for each word of the vocabulary, or as `ANY_LABEL`. With ``points``
        the cost of a path is minus the metric's score, else minus its numerator.
        """
        if points and not self.possible:
            raise InputError("found a reference without a word, expected words to give points for")
        scale = 100 / self.possible if points else 1.0
        numbers = {state: number for number, state in enumerate(self.states)}
        known = dict.fromkeys((*self.words, *vocabulary)) if vocabulary is not None else [ANY_LABEL]
        lines: list[str] = []
        for move in self.moves():
            labels = {"match": [move.word], "deletion": [EMPTY_LABEL]}.get(move.kind, known)
            ends = f"{numbers[move.source]}\t{numbers[move.target]}"
            cost = number_text(0.0 - scale * move.weight)
            lines += (f"{ends}\t{label}\t{label}\t{cost}\n" for label in labels)
        return "".join([*lines, *(f"{numbers[state]}\n" for state in self.finals)])

    def symbols(self, vocabulary: Collection[str] | None = None) -> str:
        """A table of all labels and their numbers, as OpenFst's programs want it beside."""
        more = (ANY_LABEL,) if vocabulary is None else vocabulary
        labels = dict.fromkeys((EMPTY_LABEL, *self.words, *more))
        return "".join(f"{label}\t{number}\n" for number, label in enumerate(labels))
