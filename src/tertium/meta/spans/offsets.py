"""Offsets of marked errors: what the tools count, turned into code points with an open end.

Appraise and Pearmut, and the data of WMT25 that were made with Appraise, count the units of
JavaScript's strings (UTF-16: an emoji is two) and name the last unit that is marked. The files of
mt-metrics-eval count code points and name the first that is not.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from tertium.errors import InputError
from tertium.meta.ratings.entries import OmissionCounts

CUT = "offsets beyond the text, cut to it"
SPLIT = "offsets inside a character of two UTF-16 units, widened to it"


class Place(NamedTuple):
    """Where a span begins and ends, as code points; the end is not part of it."""

    start: int
    end: int


def unit_starts(text: str, *, skip: str = "") -> list[int]:
    r"""How many UTF-16 units stand in front of each code point, and in all.

    Characters in ``skip`` are not counted, for Pearmut does not count line breaks.

    >>> unit_starts("a🙂b")
    [0, 1, 3, 4]
    >>> unit_starts("a\nb", skip="\n")
    [0, 1, 1, 2]
    """
    widths = ((0 if one in skip else 1 + (ord(one) > 0xFFFF)) for one in text)
    return list(accumulate(widths, initial=0))


def from_units(
    start: int, end: int, starts: Sequence[int], place: str, tally: OmissionCounts
) -> Place:
    """Code points of UTF-16 units, of which ``end`` is the last that is marked.

    >>> text, tally = "a🙂b", OmissionCounts()
    >>> from_units(1, 2, unit_starts(text), "here", tally)
    Place(start=1, end=2)
    """
    if start < 0 or end < start:
        raise InputError(
            f"{place}: span from {start} to {end}, expected a start from 0 on and an end not "
            "before it"
        )
    total = starts[-1]
    if end >= total:
        tally.add(CUT, place)
        start, end = min(start, total), min(end, total - 1)
        if start > end:
            return Place(len(starts) - 1, len(starts) - 1)
    # A character that is not counted begins where the next one does, so the last such is meant.
    first = bisect_right(starts, start) - 1
    last = bisect_right(starts, end) - 1
    if starts[first] != start or starts[last + 1] != end + 1:
        tally.add(SPLIT, place)
    return Place(first, last + 1)


def check_fit(start: int, end: int, length: int, place: str) -> None:
    """Refuse a span that does not fit the text."""
    if not 0 <= start <= end <= length:
        raise InputError(
            f"{place}: span from {start} to {end}, expected inside of the text (0 to {length})"
        )
