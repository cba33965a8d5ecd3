"""Names in columns of tags and in JSON lines: only tags or spans of names that change do."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from tertium.errors import InputError
from tertium.text.annotations.annotated_text import AnnotatedText, Entity
from tertium.text.annotations.iob import OUTSIDE, TAG

Place: TypeAlias = tuple[int, int]


class Replacement(NamedTuple):
    """The characters ``start`` to ``stop`` become ``text``; of an empty part, they stand before."""

    start: int
    stop: int
    text: str


def replaced(content: str, replacements: Iterable[Replacement]) -> str:
    """The text with all of them; those at one place stand in the order in which they came.

    >>> replaced("abc", [Replacement(1, 2, "-"), Replacement(0, 0, "<")])
    '<a-c'
    """
    parts: list[str] = []
    position = 0
    for start, stop, text in sorted(replacements, key=lambda one: one[:2]):
        parts += (content[position:start], text)
        position = stop
    return "".join([*parts, content[position:]])


def lines_of(content: str) -> Iterator[tuple[int, str]]:
    r"""Every line with the place where it begins, cut as `numbered_lines` cuts them.

    >>> list(lines_of("a\r\n\nb"))
    [(0, 'a'), (3, ''), (4, 'b')]
    """
    start = 0
    while start < len(content):
        stop = content.find("\n", start)
        stop = len(content) if stop < 0 else stop
        yield start, content[start:stop].removesuffix("\r")
        start = stop + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """How the names of a segment become others; numbers are places in the list of its names.

    A name whose characters stay the same and whose label does not is retyped, so that whatever
    else its file says of it stays.
    """

    removed: frozenset[int]
    retyped: dict[int, str]
    added: tuple[Entity, ...]

    def __bool__(self) -> bool:
        return bool(self.removed or self.retyped or self.added)

    @classmethod
    def between(cls, found: Sequence[Entity], wanted: Sequence[Entity]) -> "Changes":
        """From the names that a file has to those that it is to have."""
        fresh = [one for one in dict.fromkeys(map(_key, wanted)) if one not in map(_key, found)]
        kept = set(map(_key, wanted))
        removed: list[int] = []
        retyped: dict[int, str] = {}
        for number, one in enumerate(found):
            if _key(one) in kept:
                continue
            other = next((new for new in fresh if new[:2] == (one.start, one.end)), None)
            if other is None:
                removed.append(number)
            else:
                fresh.remove(other)
                retyped[number] = other[2]
        return cls(
            removed=frozenset(removed),
            retyped=retyped,
            added=tuple(Entity(start=a, end=b, label=label) for a, b, label in fresh),
        )


def _key(entity: Entity) -> tuple[int, int, str]:
    return entity.start, entity.end, entity.label


_BLANK: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = json.JSONDecoder()


def span_replacements(line: str, changes: Changes) -> Iterator[Replacement]:
    """What changes in a line."""
    start, _ = _values(line, 0)["entities"]
    items = list(_items(line, start))
    # Names are numbered in the order of `AnnotatedText`; the file's own may be another one.
    order = sorted(range(len(items)), key=lambda at: _place(items[at][1]))
    numbers = {at: number for number, at in enumerate(order)}
    kept = [at for at in range(len(items)) if numbers[at] not in changes.removed]
    for at in kept:
        label = changes.retyped.get(numbers[at])
        if label is not None:
            place = _values(line, items[at][0][0])["label"]
            yield Replacement(*place, json.dumps(label, ensure_ascii=False))
    for at in range(len(items)):
        if at not in kept:
            yield _without(items, at, kept)
    if changes.added:
        added = ", ".join(_span(one) for one in changes.added)
        if kept:
            end = items[kept[-1]][0][1]
            yield Replacement(end, end, f", {added}")
        else:
            yield Replacement(start + 1, start + 1, added)


def _without(
    items: Sequence[tuple[Place, dict[str, Any]]], at: int, kept: Sequence[int]
) -> Replacement:
    """Take out a span with the comma that parts it from what stays."""
    (start, stop), _ = items[at]
    if any(other < at for other in kept):
        return Replacement(items[at - 1][0][1], stop, "")
    if at + 1 < len(items):
        return Replacement(start, items[at + 1][0][0], "")
    return Replacement(start, stop, "")


def _place(span: dict[str, Any]) -> tuple[int, int]:
    return span["start"], -span["end"]


def _span(one: Entity) -> str:
    record = {"start": one.start, "end": one.end, "label": one.label}
    return json.dumps(record, ensure_ascii=False)


def _values(line: str, start: int) -> dict[str, Place]:
    """Where the values of a JSON object stand; of a key that is there twice the last counts."""
    places: dict[str, Place] = {}
    at = _after(line, _after(line, start) + 1)
    while line[at] != "}":
        key, at = _DECODER.raw_decode(line, at)
        at = _after(line, _after(line, at) + 1)
        _, end = _DECODER.raw_decode(line, at)
        places[key] = (at, end)
        at = _after(line, end)
        if line[at] == ",":
            at = _after(line, at + 1)
    return places


def _items(line: str, start: int) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The objects of a JSON list, with their places."""
    at = _after(line, start + 1)
    while line[at] != "]":
        value, end = _DECODER.raw_decode(line, at)
        yield (at, end), value
        at = _after(line, end)
        if line[at] == ",":
            at = _after(line, at + 1)


def _after(line: str, at: int) -> int:
    blank = _BLANK.match(line, at)
    return at if blank is None else blank.end()


_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TagCell:
    """The tag of a word, and where it stands in the file."""

    start: int
    tag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """How a file marks the first and the last word of a name."""

    alone: str
    first: str
    inside: str
    last: str

    def tags(self, label: str, size: int) -> list[str]:
        """The tags of a name of some words."""
        if size == 1:
            return [f"{self.alone}-{label}"]
        middle = [self.inside] * (size - 2)
        return [f"{kind}-{label}" for kind in (self.first, *middle, self.last)]


IOB2: Final = Scheme(alone="B", first="B", inside="I", last="I")
IOB1: Final = Scheme(alone="I", first="I", inside="I", last="I")
IOBES: Final = Scheme(alone="S", first="B", inside="I", last="E")
BILOU: Final = Scheme(alone="U", first="B", inside="I", last="L")


def scheme_of(segments: Sequence[Sequence[TagCell]]) -> Scheme:
    """The scheme of a file, by its tags; IOB2 where nothing speaks against it."""
    kinds = {one.tag[0] for cells in segments for one in cells}
    if kinds & {"L", "U"}:
        return BILOU
    if kinds & {"E", "S"}:
        return IOBES
    for cells in segments:
        before = OUTSIDE
        for one in cells:
            if one.tag[0] == "I" and before[1:] != one.tag[1:]:
                return IOB1  # a name that begins with I
            before = one.tag
    return IOB2


def cell_places(line: str, start: int) -> Iterator[tuple[int, str]]:
    """The cells of a line with their places, cut as `read_columns` cuts them."""
    if "\t" not in line:
        yield from ((start + word.start(), word[0]) for word in _WORD.finditer(line))
        return
    place = start
    for cell in line.split("\t"):
        yield place, cell
        place += len(cell) + 1


def tag_replacements(
    annotated: AnnotatedText, cells: Sequence[TagCell], changes: Changes, scheme: Scheme
) -> Iterator[Replacement]:
    """What changes in the tags of one segment."""
    tags = [one.tag for one in cells]
    owner = [-1] * len(cells)
    names: list[tuple[Entity, str | None]] = []
    for number, one in enumerate(annotated.entities):
        if number in changes.removed:
            words = _words(annotated, one)
            tags[words] = [OUTSIDE] * len(tags[words])
        else:
            names.append((one, changes.retyped.get(number)))
    names += [(one, one.label) for one in changes.added]
    for number, (one, label) in enumerate(names):
        words = _words(annotated, one)
        if max(owner[words]) >= 0:
            raise InputError(f"columns: found {one} overlapping another name, expected apart ones")
        owner[words] = [number] * len(tags[words])
        if label is not None:
            tags[words] = _checked(scheme.tags(label, len(tags[words])))
    # Where two names of one type touch, the second has to say that it begins.
    for word in range(1, len(tags)):
        touches = owner[word - 1] != owner[word] and owner[word] >= 0 <= owner[word - 1]
        if touches and tags[word][0] == "I" and tags[word][1:] == tags[word - 1][1:]:
            tags[word] = "B" + tags[word][1:]
    for cell, tag in zip(cells, tags, strict=True):
        if tag != cell.tag:
            yield Replacement(cell.start, cell.start + len(cell.tag), tag)


def _words(annotated: AnnotatedText, entity: Entity) -> slice:
    """The words of a name, which has to have whole ones."""
    first = next((k for k, (at, _) in enumerate(annotated.tokens) if at == entity.start), None)
    stop = next((k for k, (_, at) in enumerate(annotated.tokens, 1) if at == entity.end), None)
    if first is None or stop is None:
        raise InputError(f"columns: found {entity} cutting a word, expected whole words")
    return slice(first, stop)


def _checked(tags: list[str]) -> list[str]:
    for tag in tags:
        if not TAG.fullmatch(tag) or re.search(r"[\t\n\r]", tag):
            raise InputError(f"columns: found tag {tag!r}, expected text of one line")
    return tags
