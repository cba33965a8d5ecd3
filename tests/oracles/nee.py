"""NEE as section 2.2 of Papineni et al. (2002) tells it, on words that need no normalising."""

from collections.abc import Sequence
from fractions import Fraction

Words = Sequence[str]


def contains(text: Words, name: Words) -> bool:
    """Whether the name stands in the text, word for word."""
    return any(list(text[i : i + len(name)]) == list(name) for i in range(len(text)))


def longest_part(texts: Sequence[Words], name: Words) -> int:
    """The number of words of the longest part of the name that stands in a text."""
    parts = [name[i:j] for i in range(len(name)) for j in range(i + 1, len(name) + 1)]
    return max((len(part) for part in parts if any(contains(t, part) for t in texts)), default=0)


def unique(names: Sequence[Words]) -> list[Words]:
    """b) pull unique entities from the document."""
    return [name for k, name in enumerate(names) if name not in names[:k]]


def found(texts: Sequence[Words], names: Sequence[Words], *, partial: bool = False) -> Fraction:
    """c) find the entities in the system output text; none reaches over a segment's end."""
    total = Fraction(0)
    for name in unique(names):
        part = longest_part(texts, name)
        if part == len(name) or partial:
            total += Fraction(part, len(name))
    return total


def counts(
    texts: Sequence[Words], lists: Sequence[Sequence[Words]], *, partial: bool = False
) -> tuple[Fraction, Fraction]:
    """Found and listed names of a unit; of several references the best share, mean length."""
    filled = [names for names in lists if names]
    if not filled:
        return Fraction(0), Fraction(0)
    listed = Fraction(sum(len(unique(names)) for names in filled), len(filled))
    shares = [found(texts, names, partial=partial) / len(unique(names)) for names in filled]
    return max(shares) * listed, listed
