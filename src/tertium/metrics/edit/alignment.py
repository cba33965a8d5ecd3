"""Word alignments by edit distance, as people read them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium import _native
from tertium._native import Texts
from tertium.text.tokenizers import Lowercase, Tokenizer

if TYPE_CHECKING:
    from tertium.metrics.contract.pictures import Picture


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """Pairs of (reference word, hypothesis word); a missing side is an empty string.

    ``moves`` has a letter for each pair: ``=`` match, ``S`` substitution, ``I`` insertion,
    ``D`` deletion.
    """

    pairs: tuple[tuple[str, str], ...]
    moves: str

    def __str__(self) -> str:
        above, below, moves = ["REF:"], ["HYP:"], ["    "]
        for (reference, word), move in zip(self.pairs, self.moves, strict=True):
            width = max(len(reference), len(word), 1)
            above.append(reference.ljust(width) if reference else "*" * width)
            below.append(word.ljust(width) if word else "*" * width)
            moves.append(" " * width if move == "=" else move.ljust(width))
        return "\n".join(" ".join(cells).rstrip() for cells in (above, below, moves))


class Aligning(ABC):
    """A metric that tells what happened, and shows it, by one alignment with each reference."""

    __slots__ = ()

    @abstractmethod
    def trace_and_pictures(
        self, hypothesis: str, references: Sequence[str]
    ) -> "tuple[list[str], tuple[Picture, ...]]":
        """What happened in one segment, line by line, and how words are aligned."""

    def trace(self, hypothesis: str, references: Sequence[str]) -> list[str]:
        """What happened in one segment, line by line for people."""
        return self.trace_and_pictures(hypothesis, references)[0]

    def pictures(self, hypothesis: str, references: Sequence[str]) -> "tuple[Picture, ...]":
        """How the metric aligns one segment with each reference."""
        return self.trace_and_pictures(hypothesis, references)[1]


def alignment_lines(aligned: Iterable[object]) -> list[str]:
    """The alignments with every reference, as lines."""
    return [line for one in aligned for line in str(one).splitlines()]


def align(
    hypothesis: str, reference: str, tokenizer: Tokenizer, *, lowercase: Lowercase
) -> WordAlignment:
    """The alignment with the fewest edits.

    >>> print(align("the cat sat down", "the cats sat", Tokenizer("none"), lowercase=False))
    REF: the cats sat ****
    HYP: the cat  sat down
             S        I
    """
    words = [
        tokenizer.native_texts(Texts([text]), lowercase=lowercase)
        for text in (hypothesis, reference)
    ]
    prepared = _native.TokenizedReferences([words[1]], tokenizer.native_name)
    moves = _native.edit_alignments(words[0], prepared, 0)[0]
    hypothesis_words, reference_words = (
        iter(_native.tokenize(tokenizer.native_name, text)[0]) for text in words
    )
    pairs = tuple(
        (
            "" if move == "I" else next(reference_words),
            "" if move == "D" else next(hypothesis_words),
        )
        for move in moves
    )
    return WordAlignment(pairs, moves)
