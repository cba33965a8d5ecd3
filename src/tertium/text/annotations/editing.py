"""Files of annotations with other names in them, and every other byte as it was.

A change is a list of replacements of characters. Columns and JSON lines change only in the tags or
spans of names that change; in MUC mark-up tags are put in, taken out or changed, and nothing around
them is. The result is read again and compared with what was wanted before it is given back.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from tertium.errors import InputError
from tertium.text.annotations.annotated_text import AnnotatedText, Entity, at
from tertium.text.annotations.files import FORMATS
from tertium.text.annotations.iob import OUTSIDE, TAG, column_cells
from tertium.text.annotations.muc import (
    ATTRIBUTE,
    BLANKS,
    articles_of,
    element_of,
    end_tag,
    is_articles,
    quoted,
    start_tag,
)
from tertium.text.annotations.muc import (
    TAG as MARKUP_TAG,
)
from tertium.text.files import TextFile
from tertium.text.formats.sgml import ENTITY, decode_entities
from tertium.text.formats.xml_events import declared_text
from tertium.text.lines import BYTE_ORDER_MARK

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
    for start, stop, text in sorted(replacements, key=lambda replacement: replacement[:2]):
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
    def between(cls, entities: Sequence[Entity], wanted: Sequence[Entity]) -> "Changes":
        """From the names that a file has to those that it is to have."""
        fresh = [key for key in dict.fromkeys(map(_key, wanted)) if key not in map(_key, entities)]
        kept = set(map(_key, wanted))
        removed: list[int] = []
        retyped: dict[int, str] = {}
        for number, entity in enumerate(entities):
            if _key(entity) in kept:
                continue
            other = next((new for new in fresh if new[:2] == (entity.start, entity.end)), None)
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
    order = sorted(range(len(items)), key=lambda index: _place(items[index][1]))
    numbers = {index: number for number, index in enumerate(order)}
    kept = [index for index in range(len(items)) if numbers[index] not in changes.removed]
    for index in kept:
        label = changes.retyped.get(numbers[index])
        if label is not None:
            place = _values(line, items[index][0][0])["label"]
            yield Replacement(*place, json.dumps(label, ensure_ascii=False))
    for index in range(len(items)):
        if index not in kept:
            yield _without(items, index, kept)
    if changes.added:
        added = ", ".join(_span(entity) for entity in changes.added)
        if kept:
            end = items[kept[-1]][0][1]
            yield Replacement(end, end, f", {added}")
        else:
            yield Replacement(start + 1, start + 1, added)


def _without(
    items: Sequence[tuple[Place, dict[str, Any]]], index: int, kept: Sequence[int]
) -> Replacement:
    """Take out a span with the comma that parts it from what stays."""
    (start, stop), _ = items[index]
    if any(other < index for other in kept):
        return Replacement(items[index - 1][0][1], stop, "")
    if index + 1 < len(items):
        return Replacement(start, items[index + 1][0][0], "")
    return Replacement(start, stop, "")


def _place(span: dict[str, Any]) -> tuple[int, int]:
    return span["start"], -span["end"]


def _span(entity: Entity) -> str:
    record = {"start": entity.start, "end": entity.end, "label": entity.label}
    return json.dumps(record, ensure_ascii=False)


def _values(line: str, start: int) -> dict[str, Place]:
    """Where the values of a JSON object stand; of a key that is there twice the last counts."""
    places: dict[str, Place] = {}
    offset = _after(line, _after(line, start) + 1)
    while line[offset] != "}":
        key, offset = _DECODER.raw_decode(line, offset)
        offset = _after(line, _after(line, offset) + 1)
        _, end = _DECODER.raw_decode(line, offset)
        places[key] = (offset, end)
        offset = _after(line, end)
        if line[offset] == ",":
            offset = _after(line, offset + 1)
    return places


def _items(line: str, start: int) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The objects of a JSON list, with their places."""
    offset = _after(line, start + 1)
    while line[offset] != "]":
        value, end = _DECODER.raw_decode(line, offset)
        yield (offset, end), value
        offset = _after(line, end)
        if line[offset] == ",":
            offset = _after(line, offset + 1)


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
    kinds = {cell.tag[0] for cells in segments for cell in cells}
    if kinds & {"L", "U"}:
        return BILOU
    if kinds & {"E", "S"}:
        return IOBES
    for cells in segments:
        before = OUTSIDE
        for cell in cells:
            if cell.tag[0] == "I" and before[1:] != cell.tag[1:]:
                return IOB1  # a name that begins with I
            before = cell.tag
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
    tags = [cell.tag for cell in cells]
    owner = [-1] * len(cells)
    names: list[tuple[Entity, str | None]] = []
    for number, entity in enumerate(annotated.entities):
        if number in changes.removed:
            words = _words(annotated, entity)
            tags[words] = [OUTSIDE] * len(tags[words])
        else:
            names.append((entity, changes.retyped.get(number)))
    names += [(entity, entity.label) for entity in changes.added]
    for number, (entity, label) in enumerate(names):
        words = _words(annotated, entity)
        if max(owner[words]) >= 0:
            raise InputError(
                f"columns: found {entity} overlapping another name, expected apart ones"
            )
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


@dataclass(slots=True)
class _Tagged:
    """A name with the places of its two tags in the mark-up."""

    start: int
    opening: Place
    end: int = 0
    closing: Place = (0, 0)


@dataclass(slots=True)
class _Layout:
    """Where the characters and tags of a text stand in its mark-up."""

    characters: list[Place] = field(default_factory=list)
    names: list[_Tagged] = field(default_factory=list)

    @classmethod
    def of(cls, marked: str) -> "_Layout":
        """The same walk as `parse_muc`, which has checked the mark-up."""
        layout = cls()
        opened: list[_Tagged] = []
        position = 0
        while tag := MARKUP_TAG.search(marked, position):
            layout.add(marked, position, tag.start())
            position = tag.end()
            if tag["end"]:
                one = opened.pop()
                one.end, one.closing = len(layout.characters), tag.span()
            else:
                opened.append(_Tagged(len(layout.characters), tag.span()))
                layout.names.append(opened[-1])
        layout.add(marked, position, len(marked))
        # As `AnnotatedText` orders entities, so that numbers mean the same.
        layout.names.sort(key=lambda name: (name.start, -name.end))
        return layout

    def add(self, marked: str, start: int, stop: int) -> None:
        """The characters between two tags; an entity such as ``&amp;`` is one or two of them."""
        position = start
        for entity in ENTITY.finditer(marked, start, stop):
            self.characters += ((at, at + 1) for at in range(position, entity.start()))
            decoded = decode_entities(entity[0])
            if decoded == entity[0]:
                self.characters += ((at, at + 1) for at in range(*entity.span()))
            else:
                self.characters += [entity.span()] * len(decoded)
            position = entity.end()
        self.characters += ((at, at + 1) for at in range(position, stop))

    def before(self, entity: Entity, others: Sequence[_Tagged]) -> int:
        """Where the start tag of a new name stands: outside of what it holds."""
        starts = [
            other for other in others if other.start == entity.start and other.end < entity.end
        ]
        return min([self.characters[entity.start][0], *(other.opening[0] for other in starts)])

    def after(self, entity: Entity, others: Sequence[_Tagged]) -> int:
        """Where its end tag stands."""
        ends = [other for other in others if other.end == entity.end and other.start > entity.start]
        return max([self.characters[entity.end - 1][1], *(other.closing[1] for other in ends)])


def markup_replacements(
    marked: str, changes: Changes, entities: Sequence[Entity]
) -> Iterator[Replacement]:
    """What changes in the mark-up of one segment."""
    layout = _Layout.of(marked)
    kept = [name for number, name in enumerate(layout.names) if number not in changes.removed]
    _check_crossing([*(Entity(start=o.start, end=o.end, label="-") for o in kept), *changes.added])
    for number in changes.removed:
        yield Replacement(*layout.names[number].opening, "")
        yield Replacement(*layout.names[number].closing, "")
    for number, label in changes.retyped.items():
        yield from _retyped(marked, layout.names[number], entities[number].label, label)
    # At one place ends come before starts, inner ends and outer starts first.
    added = sorted(changes.added, key=lambda new: (new.start, -new.end))
    for entity in reversed(added):
        _check_whole(layout, entity)
        at = layout.after(entity, kept)
        yield Replacement(at, at, end_tag(entity))
    for entity in added:
        at = layout.before(entity, kept)
        yield Replacement(at, at, start_tag(entity))


def _retyped(marked: str, tagged: _Tagged, old: str, new: str) -> Iterator[Replacement]:
    start, stop = tagged.opening
    tag = MARKUP_TAG.match(marked, start, stop)
    element = "" if tag is None else tag["element"]
    if element.upper() == element_of(old) != element_of(new):
        yield Replacement(start + 1, start + 1 + len(element), element_of(new))
        end = tagged.closing[0] + 2
        yield Replacement(end, end + len(element), element_of(new))
    offset = start + 1 + len(element)
    while attribute := ATTRIBUTE.match(marked, offset, stop):
        if attribute["name"].upper() == "TYPE":
            yield Replacement(*attribute.span("value"), f'"{quoted(new)}"')
        offset = attribute.end()


def _check_crossing(entities: Sequence[Entity]) -> None:
    ordered = sorted(entities, key=lambda entity: (entity.start, -entity.end))
    opened: list[Entity] = []
    for one in ordered:
        while opened and opened[-1].end <= one.start:
            opened.pop()
        if opened and one.end > opened[-1].end:
            raise InputError(
                f"inline mark-up: found characters {one.start}–{one.end} crossing "
                f"{opened[-1].start}–{opened[-1].end}, expected one name inside the other"
            )
        opened.append(one)


def _check_whole(layout: _Layout, entity: Entity) -> None:
    edges = ((entity.start - 1, entity.start), (entity.end - 1, entity.end))
    for left, right in edges:
        inside = left >= 0 and right < len(layout.characters)
        if inside and layout.characters[left] == layout.characters[right]:
            raise InputError(
                f"inline mark-up: found {entity} cutting an entity of two characters, expected both"
            )


def wrapped_places(written: str) -> list[Place]:
    """Where each character of a paragraph stands in its file, whose lines are wrapped anywhere."""
    places: list[Place] = []
    position = 0
    for blanks in BLANKS.finditer(written):
        places += ((at, at + 1) for at in range(position, blanks.start()))
        places.append(blanks.span())
        position = blanks.end()
    places += ((at, at + 1) for at in range(position, len(written)))
    first, last = 0, len(places)
    while first < last and _is_blank(written, places[first]):
        first += 1
    while first < last and _is_blank(written, places[last - 1]):
        last -= 1
    return places[first:last]


def _is_blank(written: str, place: Place) -> bool:
    return BLANKS.fullmatch(written, *place) is not None


def moved(replacements: Iterator[Replacement], places: Sequence[Place]) -> Iterator[Replacement]:
    """The same in the file from which the paragraph came."""
    for start, stop, text in replacements:
        if start == stop:
            # An end tag follows its text at once, a start tag stands directly before its own.
            at = places[start - 1][1] if text.startswith("</") else places[start][0]
            yield Replacement(at, at, text)
        else:
            yield Replacement(places[start][0], places[stop - 1][1], text)


_MARK: Final = BYTE_ORDER_MARK


def edited(
    data: bytes,
    wanted: Mapping[int, Sequence[Entity]],
    *,
    format: str,  # noqa: A002
    name: str = "annotations",
) -> bytes:
    r"""The same file with other names in some segments.

    Args:
        data: the file.
        wanted: for segments that change, counted from 0, all names they are to have: places and
            labels count, for attributes stay what they are in the file.
        format: muc, conll or jsonl.
        name: how errors call the file.

    >>> edited(b"Ann left .\n", {0: [Entity(start=0, end=3, label="PERSON")]}, format="muc")
    b'<ENAMEX TYPE="PERSON">Ann</ENAMEX> left .\n'
    """
    file = TextFile(name=name, data=data)
    reader, _ = FORMATS[format]
    read = list(reader(file))
    changes = {
        number: change
        for number, names in wanted.items()
        if (change := Changes.between(read[number][1].entities, names))
    }
    if not changes:
        return data
    content = declared_text(file)
    write = {"muc": _in_markup, "conll": _in_columns, "jsonl": _in_spans}[format]
    replacements = list(write(file, content, [text for _, text in read], changes))
    result = replaced(content, replacements).encode()
    result = _MARK + result if data.startswith(_MARK) else result
    _check(TextFile(name=name, data=result), format, [text for _, text in read], wanted)
    return result


def _in_markup(
    file: TextFile, content: str, read: Sequence[AnnotatedText], changes: Mapping[int, Changes]
) -> Iterator[Replacement]:
    if not is_articles(file):
        for number, (start, line) in enumerate(lines_of(content)):
            if number in changes:
                entities = read[number].entities
                with at(f"{file.name}: segment {number + 1}"):
                    for replacement in markup_replacements(line, changes[number], entities):
                        yield Replacement(
                            replacement.start + start, replacement.stop + start, replacement.text
                        )
        return
    paragraphs = (paragraph for article in articles_of(file) for paragraph in article.paragraphs)
    for number, paragraph in enumerate(paragraphs):
        if number in changes:
            places = [
                (paragraph.start + start, paragraph.start + stop)
                for start, stop in wrapped_places(paragraph.written)
            ]
            entities = read[number].entities
            with at(f"{file.name}: segment {number + 1}"):
                tags = markup_replacements(paragraph.marked, changes[number], entities)
                yield from moved(tags, places)


def _in_columns(
    file: TextFile, content: str, read: Sequence[AnnotatedText], changes: Mapping[int, Changes]
) -> Iterator[Replacement]:
    lines = list(lines_of(content))
    tag, segments = column_cells(file)
    cells = []
    for numbers in segments:
        placed = (list(cell_places(lines[k - 1][1], lines[k - 1][0])) for k in numbers)
        cells.append(
            [
                TagCell(start=cells_of_line[tag][0], tag=cells_of_line[tag][1])
                for cells_of_line in placed
            ]
        )
    scheme = scheme_of(cells)
    for number, change in changes.items():
        with at(f"{file.name}: segment {number + 1}"):
            yield from tag_replacements(read[number], cells[number], change, scheme)


def _in_spans(
    _file: TextFile, content: str, _read: Sequence[AnnotatedText], changes: Mapping[int, Changes]
) -> Iterator[Replacement]:
    for number, (start, line) in enumerate(lines_of(content)):
        if number in changes:
            for replacement in span_replacements(line, changes[number]):
                yield Replacement(
                    replacement.start + start, replacement.stop + start, replacement.text
                )


def _check(
    file: TextFile,
    format: str,  # noqa: A002
    before: Sequence[AnnotatedText],
    wanted: Mapping[int, Sequence[Entity]],
) -> None:
    """Read it again: a file that says anything else than what was asked for is never given out."""
    reader, _ = FORMATS[format]
    after = [text for _, text in reader(file)]
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        names = _keys(old.text, wanted.get(number, old.entities))
        if _visible(old.text) != _visible(new.text) or names != _keys(new.text, new.entities):
            raise InputError(
                f"{file.name}: segment {number + 1}: found names that {format} cannot hold, "
                "expected others, or another format"
            )


def _keys(text: str, entities: Sequence[Entity]) -> set[tuple[int, str, str]]:
    """Names without regard to white space, of which wrapped lines may have more or less."""
    return {
        (
            len(_visible(text[: entity.start])),
            _visible(text[entity.start : entity.end]),
            entity.label,
        )
        for entity in entities
    }


def _visible(text: str) -> str:
    return "".join(text.split())
