"""Texts that differ in white space only: where a name of one stands in the other.

A file of annotations may cut its text into paragraphs or words where a test set has segments.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.annotations.annotated_text import AnnotatedText, shortened

Place: TypeAlias = tuple[int, int]
"""A segment and a character of it."""
Span: TypeAlias = tuple[int, int, int]
"""A segment, and the first and last+1 of its characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """The visible characters of both texts, which are the same ones in the same order."""

    by_file: tuple[tuple[Place, Place], ...]
    by_store: tuple[tuple[Place, Place], ...]

    def to_store(self, span: Span, place: str) -> Span:
        """Where a span of the file stands in the store."""
        return _moved(span, self.by_file, place)

    def to_file(self, span: Span, place: str) -> Span:
        """Where a span of the store stands in the file."""
        return _moved(span, self.by_store, place)


def aligned(
    name: str,
    file: Sequence[AnnotatedText],
    segments: Sequence[str],
    documents: Sequence[str] | None,
) -> Alignment:
    """Hold a file against a text; segments may be others where documents are the same.

    ``name`` is the file's, for errors.
    """
    if len(file) == len(segments):
        groups = [([number], [number]) for number in range(len(file))]
    else:
        groups = _by_document(name, file, segments, documents)
    pairs: list[tuple[Place, Place]] = []
    for units, numbers in groups:
        _check_same(
            name, [file[unit].text for unit in units], [segments[k] for k in numbers], units
        )
        found = _visible((unit, file[unit].text) for unit in units)
        expected = _visible((number, segments[number]) for number in numbers)
        pairs += zip(found, expected, strict=True)
    # Documents may come in another order: each side is searched by its own.
    return Alignment(by_file=tuple(sorted(pairs)), by_store=tuple(sorted((b, a) for a, b in pairs)))


def _by_document(
    name: str,
    file: Sequence[AnnotatedText],
    segments: Sequence[str],
    documents: Sequence[str] | None,
) -> list[tuple[list[int], list[int]]]:
    units: dict[str | None, list[int]] = {}
    for number, one in enumerate(file):
        units.setdefault(one.document, []).append(number)
    if documents is None or None in units:
        raise InputError(f"{name}: {counted(len(file), 'segment')}, expected {len(segments)}")
    numbers: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        numbers.setdefault(document, []).append(number)
    for label in (*numbers, *units):
        if label not in units or label not in numbers:
            where = "the file" if label not in units else "the test set"
            raise InputError(f"{name}: document {label!r} is not in {where}, expected in both")
    return [(some, numbers[str(document)]) for document, some in units.items()]


def _visible(texts: Iterable[tuple[int, str]]) -> Iterable[tuple[int, int]]:
    for number, text in texts:
        for place, character in enumerate(text):
            if not character.isspace():
                yield number, place


def _check_same(
    name: str, found: Sequence[str], expected: Sequence[str], units: Sequence[int]
) -> None:
    mine, theirs = "".join("".join(found).split()), "".join("".join(expected).split())
    if mine == theirs:
        return
    shorter = min(len(mine), len(theirs))
    at = next((k for k in range(shorter) if mine[k] != theirs[k]), shorter)
    seen = list(accumulate(len("".join(text.split())) for text in found))
    unit = next((one for one, end in zip(units, seen, strict=True) if end > at), units[-1])
    start = max(0, at - 10)
    raise InputError(
        f"{name}: segment {unit + 1}: found text '{shortened(mine[start:], 30)}', "
        f"expected '{shortened(theirs[start:], 30)}' as in the test set"
    )


def _moved(span: Span, pairs: Sequence[tuple[Place, Place]], place: str) -> Span:
    number, start, end = span
    nowhere = (-1, -1)
    first = bisect_left(pairs, ((number, start), nowhere))
    last = bisect_left(pairs, ((number, end), nowhere)) - 1
    if first > last:
        raise InputError(f"{place}: found a name of blanks, expected text")
    (there, begin), (other, stop) = pairs[first][1], pairs[last][1]
    if there != other:
        raise InputError(f"{place}: found a name across two segments, expected within one")
    return there, begin, stop + 1
