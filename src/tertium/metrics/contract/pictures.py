"""How a metric lays an output beside a reference, word by word, for people to look at."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from tertium.metrics.edit.alignment import ShiftAlignment, WordAlignment

KINDS: Final = {
    "=": "match",
    "S": "substitution",
    "I": "insertion",
    "D": "deletion",
    "T": "same stem",
    "Y": "synonym",
    "P": "paraphrase",
}
"""What the letter of a pair means."""


@dataclass(frozen=True, slots=True)
class WordPair:
    """Words of the reference above words of the output; a missing side is empty.

    ``kind`` is one of `KINDS`, ``shift`` the number of the shift that moved the output's words,
    ``note`` what the metric gives or takes for the pair.
    """

    kind: str
    reference: str
    output: str
    shift: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One segment beside one reference; the score is made from those that are ``counted``."""

    pairs: tuple[WordPair, ...]
    shifts: int = 0
    counted: bool = True

    def count(self, kind: str) -> int:
        """The pairs of one kind."""
        return sum(pair.kind == kind for pair in self.pairs)

    @property
    def edits(self) -> int:
        """Shifts, insertions, deletions and substitutions."""
        return self.shifts + sum(map(self.count, "SID"))


def of_alignment(alignment: WordAlignment) -> Picture:
    """An alignment without shifts."""
    return Picture(
        pairs=tuple(
            WordPair(move, reference, word)
            for move, (reference, word) in zip(alignment.moves, alignment.pairs, strict=True)
        )
    )


def of_shifts(alignment: ShiftAlignment) -> Picture:
    """An alignment after shifts: every word knows which shift, the last one, has moved it."""
    order = list(range(len(alignment.order)))
    moved = [0] * len(order)
    for number, shift in enumerate(alignment.shifts, 1):
        block = order[shift.start : shift.start + shift.length]
        del order[shift.start : shift.start + shift.length]
        order[shift.to : shift.to] = block
        for index in block:
            moved[index] = number
    pairs, at = [], 0
    for move, (reference, words) in zip(
        alignment.alignment.moves, alignment.alignment.pairs, strict=True
    ):
        # Only phrases are of several words; a single word may hold odd blanks.
        count = 0 if move == "D" else len(words.split(" ")) if move == "P" else 1
        numbers = [moved[order[place]] for place in range(at, at + count)]
        pairs.append(WordPair(move, reference, words, max(numbers, default=0)))
        at += count
    return Picture(pairs=tuple(pairs), shifts=len(alignment.shifts))


Match: TypeAlias = tuple[str, int, int, int, int]
"""Stage, start and length in the output, start and length in the reference."""

_STAGES: Final = {"exact": "=", "stem": "T", "synonym": "Y", "paraphrase": "P"}


def of_matches(words: Sequence[str], reference: Sequence[str], matches: Sequence[Match]) -> Picture:
    """Matches in the order of the output, each with the number of its chunk.

    Words that match nothing are insertions and deletions; a deletion stands behind the words
    that it follows in the reference.
    """
    behind: dict[int, list[WordPair]] = {}  # by the end of what is matched in the reference
    taken = {place + k for _, _, _, place, width in matches for k in range(width)}
    end = 0
    for index, word in enumerate(reference):
        if index in taken:
            end = index + 1
        else:
            behind.setdefault(end, []).append(WordPair("D", word, ""))
    pairs = list(behind.get(0, []))
    chunk, at, expected = 0, 0, (-1, -1)
    for stage, start, length, index, width in sorted(matches, key=lambda match: match[1]):
        pairs += [WordPair("I", "", word) for word in words[at:start]]
        chunk += (start, index) != expected
        at, expected = start + length, (start + length, index + width)
        pairs.append(
            WordPair(
                _STAGES[stage],
                " ".join(reference[index : index + width]),
                " ".join(words[start:at]),
                note=f"chunk {chunk}",
            )
        )
        pairs += behind.get(index + width, [])
    pairs += [WordPair("I", "", word) for word in words[at:]]
    return Picture(pairs=tuple(pairs))


def counting(pictures: Sequence[Picture], costs: Sequence[float]) -> tuple[Picture, ...]:
    """The pictures of all references, of which the first with the least cost counts."""
    best = min(range(len(costs)), key=costs.__getitem__, default=-1)
    return tuple(replace(picture, counted=index == best) for index, picture in enumerate(pictures))
