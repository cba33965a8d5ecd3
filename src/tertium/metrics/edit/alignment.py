"""Word alignments by edit distance, with shifts and without, as people read them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from tertium import _native
from tertium._native import Texts
from tertium.plurals import counted
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
    return [line for alignment in aligned for line in str(alignment).splitlines()]


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


_PRIVATE_PLANE = 0xF0000
"""The native core writes blanks that do not end a word, and the empty word, from here on."""


@dataclass(frozen=True, slots=True)
class WordShift:
    """``words`` stood at ``start`` and stand at ``to`` once the shift is made."""

    start: int
    to: int
    words: tuple[str, ...]

    @property
    def length(self) -> int:
        """How many words move."""
        return len(self.words)

    def __str__(self) -> str:
        number = "1 word" if self.length == 1 else f"{counted(self.length, 'word')}"
        return f"shift {number} from {self.start} to {self.to}: {' '.join(self.words)}"


@dataclass(frozen=True, slots=True)
class ShiftAlignment:
    """Shifts in the order they are made, then the alignment of what they lead to.

    ``order`` has, for each word after all shifts, its place in the hypothesis.
    """

    shifts: tuple[WordShift, ...]
    order: tuple[int, ...]
    alignment: WordAlignment

    @property
    def edits(self) -> int:
        """Shifts, insertions, deletions and substitutions."""
        return len(self.shifts) + sum(move != "=" for move in self.alignment.moves)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.shifts), str(self.alignment).rstrip()])


@dataclass(frozen=True, slots=True)
class CostlyAlignment(ShiftAlignment):
    """The same with costs: of each pair, which may be one of phrases, and of all edits.

    Further letters are ``T`` for equal stems, ``Y`` for synonyms and ``P`` for a phrase.
    """

    costs: tuple[float, ...]
    cost: float


def shift_alignment(
    hypothesis: Texts, reference: Texts, shifts: Iterable[tuple[int, int, int]], moves: str
) -> ShiftAlignment:
    """The words of the only segment of both columns, with shifts (from, length, to) and moves."""
    steps = ((move, int(move != "D"), int(move != "I")) for move in moves)
    return ShiftAlignment(*_aligned(hypothesis, reference, shifts, steps))


def costly_alignment(
    hypothesis: Texts,
    reference: Texts,
    shifts: Iterable[tuple[int, int, int]],
    steps: Sequence[tuple[str, int, int, float]],
    cost: float,
) -> CostlyAlignment:
    """The same with steps (move, words, reference words, cost)."""
    parts = _aligned(hypothesis, reference, shifts, (step[:3] for step in steps))
    return CostlyAlignment(*parts, tuple(step[3] for step in steps), cost)


def _aligned(
    hypothesis: Texts,
    reference: Texts,
    shifts: Iterable[tuple[int, int, int]],
    steps: Iterable[tuple[str, int, int]],
) -> tuple[tuple[WordShift, ...], tuple[int, ...], WordAlignment]:
    words, reference_words = (
        _readable(_native.tokenize("none", text)[0]) for text in (hypothesis, reference)
    )
    order = list(range(len(words)))
    made = []
    for start, length, to in shifts:
        block = order[start : start + length]
        del order[start : start + length]
        order[to:to] = block
        made.append(WordShift(start, to, tuple(words[index] for index in block)))
    left, right = iter(reference_words), iter([words[index] for index in order])
    moves, pairs = [], []
    for move, count, reference_count in steps:
        moves.append(move)
        pairs.append((" ".join(islice(left, reference_count)), " ".join(islice(right, count))))
    return tuple(made), tuple(order), WordAlignment(tuple(pairs), "".join(moves))


def _readable(words: list[str]) -> list[str]:
    return [word if word.isascii() else "".join(map(_original, word)) for word in words]


def _original(character: str) -> str:
    code = ord(character) - _PRIVATE_PLANE
    if code < 0:
        return character
    return chr(code) if code else ""
