"""Word order as permutations of the source, and how far two of them are apart.

Birch, Osborne & Blunsom (2010) reduce a word alignment to a permutation in which nothing is
reordered without need; questions left open are settled as in the authors' own program, the
permutation scorer of Moses.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from tertium.metrics.annotation.parses import FormError
from tertium.plurals import counted

FORM: Final = "text ||| alignment"
_POINT: Final = re.compile(r"([0-9]{1,7})-([0-9]{1,7})")


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedText:
    """A translation with the points (source word, target word) of its alignment, from 0."""

    text: str
    length: int
    """Words of the text, as the alignment counts them: those between blanks."""
    points: tuple[tuple[int, int], ...]
    source_length: int | None = None

    @property
    def least_source_length(self) -> int:
        """As many source words as the alignment shows."""
        return max((source + 1 for source, _ in self.points), default=0)


def read_aligned(segment: str) -> AlignedText:
    """Read ``text ||| 0-0 1-2 …``, perhaps with ``||| number of source words`` behind.

    The number is needed only where the last source words are not aligned in any translation.
    An empty line is an empty text.

    >>> read_aligned("a b ||| 0-1 1-0").points
    ((0, 1), (1, 0))
    """
    parts = [part.strip() for part in segment.split("|||")]
    if not segment.strip():
        parts = ["", ""]
    if len(parts) not in (2, 3):
        raise FormError(
            f"{len(parts) - 1} times '|||'", f"'{FORM}' or '{FORM} ||| number of source words'"
        )
    text, alignment = parts[:2]
    points = tuple(alignment_points(alignment))
    aligned = AlignedText(text=text, length=len(text.split()), points=points)
    if outside := [target for _, target in aligned.points if target >= aligned.length]:
        raise FormError(
            f"target word {outside[0]} in the alignment",
            f"at most {aligned.length - 1}, for the text has {counted(aligned.length, 'word')}",
        )
    if len(parts) == 2:
        return aligned
    return replace(aligned, source_length=_source_length(parts[2], aligned))


def alignment_points(alignment: str) -> Iterable[tuple[int, int]]:
    """The points (source word, target word) of a line such as ``0-0 1-2``."""
    for word in alignment.split():
        point = _POINT.fullmatch(word)
        if point is None:
            raise FormError(f"'{word}' in the alignment", "source-target, such as 0-1")
        yield int(point[1]), int(point[2])


def _source_length(text: str, aligned: AlignedText) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise FormError(f"'{text}' after the alignment", "the number of source words")
    if int(text) < aligned.least_source_length:
        raise FormError(
            f"source word {aligned.least_source_length - 1} in the alignment",
            f"at most {int(text) - 1}, for the source has {int(text)} words",
        )
    return int(text)


def permutation(points: Iterable[tuple[int, int]], length: int) -> list[int]:
    """The rank that every source word has in the order of the target.

    Of several target words the first counts. A source word without one goes along with the
    source word before it, and those with the same target word keep the source's order.

    >>> permutation([(0, 8), (1, 0), (3, 2), (3, 3), (4, 5), (5, 5), (6, 5), (7, 7)], 8)
    [7, 0, 1, 2, 3, 4, 5, 6]
    """
    first: dict[int, int] = {}
    for source, target in points:
        first[source] = min(target, first.get(source, target))
    places, last = [], 0
    for source in range(length):
        last = first.get(source, last)
        places.append(last)
    ranks = [0] * length
    for rank, source in enumerate(sorted(range(length), key=places.__getitem__)):
        ranks[source] = rank
    return ranks


def kendall(one: Sequence[int], other: Sequence[int]) -> float:
    """1 − √(share of pairs in different order); 1 where there is no pair."""
    size = len(one)
    if size < 2:
        return 1.0
    in_order = [0] * size
    for first, second in zip(one, other, strict=True):
        in_order[first] = second
    return 1 - sqrt(_inversions(in_order) / (size * (size - 1) / 2))


def hamming(one: Sequence[int], other: Sequence[int]) -> float:
    """The share of source words with the same rank; 1 where there is no word."""
    same = sum(first == second for first, second in zip(one, other, strict=True))
    return same / len(one) if one else 1.0


def _inversions(ranks: Sequence[int]) -> int:
    """Pairs in falling order, counted in a Fenwick tree: n log n also for very long lines."""
    counts = [0] * (len(ranks) + 1)
    inversions = 0
    for seen, rank in enumerate(ranks):
        index, before = rank, 0
        while index > 0:
            before += counts[index]
            index -= index & -index
        inversions += seen - before
        index = rank + 1
        while index <= len(ranks):
            counts[index] += 1
            index += index & -index
    return inversions
