"""Alignments with shifts, as people read them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from tertium import _native
from tertium._native import Texts
from tertium.metrics.edit.alignment import WordAlignment
from tertium.plurals import counted

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
        made.append(WordShift(start, to, tuple(words[place] for place in block)))
    left, right = iter(reference_words), iter([words[place] for place in order])
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
