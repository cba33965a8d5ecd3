"""Agreement on marked errors, character by character and by trying every pairing."""

from collections.abc import Sequence
from itertools import permutations

from tertium.meta.spans.span import SEVERITIES, Span


def labels(spans: Sequence[Span], length: int) -> list[str]:
    """The heaviest severity at every character, or ''."""
    found = []
    for place in range(length):
        over = [one.severity for one in spans if one.start <= place < one.end]
        found.append(max(over, key=SEVERITIES.index, default=""))
    return found


def characters(first: Sequence[Span], second: Sequence[Span], length: int) -> tuple[float, ...]:
    """Characters marked (for each), common ones, and common ones of the same severity."""
    one, other = labels(first, length), labels(second, length)
    both = list(zip(one, other, strict=True))
    marked = sum(a != "" for a in one) + sum(b != "" for b in other)
    common = [(a, b) for a, b in both if a and b]
    return marked, len(common), sum(a == b for a, b in common)


def most_pairs(
    first: Sequence[Span], second: Sequence[Span], *, exact: bool, severity: bool
) -> int:
    """The most spans that can be paired, over all orders of the longer list."""
    short, long = sorted((first, second), key=len)

    def fits(one: Span, other: Span) -> bool:
        if severity and one.severity != other.severity:
            return False
        if exact:
            return (one.start, one.end) == (other.start, other.end)
        return bool(set(range(one.start, one.end)) & set(range(other.start, other.end)))

    return max(
        sum(fits(one, other) for one, other in zip(short, some, strict=False))
        for some in permutations(long)
    )
