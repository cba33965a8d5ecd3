"""Names in MUC mark-up: tags are put in, taken out or changed, and nothing around them is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tertium.errors import InputError
from tertium.text.annotations.annotated_text import Entity
from tertium.text.annotations.editing.columns import Changes, Place, Replacement
from tertium.text.annotations.muc import (
    ATTRIBUTE,
    BLANKS,
    TAG,
    element_of,
    end_tag,
    quoted,
    start_tag,
)
from tertium.text.formats.sgml import ENTITY, decode_entities


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
        while tag := TAG.search(marked, position):
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
        layout.names.sort(key=lambda one: (one.start, -one.end))
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

    def before(self, one: Entity, others: Sequence[_Tagged]) -> int:
        """Where the start tag of a new name stands: outside of what it holds."""
        starts = [other for other in others if other.start == one.start and other.end < one.end]
        return min([self.characters[one.start][0], *(other.opening[0] for other in starts)])

    def after(self, one: Entity, others: Sequence[_Tagged]) -> int:
        """Where its end tag stands."""
        ends = [other for other in others if other.end == one.end and other.start > one.start]
        return max([self.characters[one.end - 1][1], *(other.closing[1] for other in ends)])


def tag_replacements(
    marked: str, changes: Changes, found: Sequence[Entity]
) -> Iterator[Replacement]:
    """What changes in the mark-up of one segment."""
    layout = _Layout.of(marked)
    kept = [one for number, one in enumerate(layout.names) if number not in changes.removed]
    _check_crossing([*(Entity(start=o.start, end=o.end, label="-") for o in kept), *changes.added])
    for number in changes.removed:
        yield Replacement(*layout.names[number].opening, "")
        yield Replacement(*layout.names[number].closing, "")
    for number, label in changes.retyped.items():
        yield from _retyped(marked, layout.names[number], found[number].label, label)
    # At one place ends come before starts, inner ends and outer starts first.
    added = sorted(changes.added, key=lambda new: (new.start, -new.end))
    for one in reversed(added):
        _check_whole(layout, one)
        at = layout.after(one, kept)
        yield Replacement(at, at, end_tag(one))
    for one in added:
        at = layout.before(one, kept)
        yield Replacement(at, at, start_tag(one))


def _retyped(marked: str, one: _Tagged, old: str, new: str) -> Iterator[Replacement]:
    start, stop = one.opening
    tag = TAG.match(marked, start, stop)
    element = "" if tag is None else tag["element"]
    if element.upper() == element_of(old) != element_of(new):
        yield Replacement(start + 1, start + 1 + len(element), element_of(new))
        end = one.closing[0] + 2
        yield Replacement(end, end + len(element), element_of(new))
    place = start + 1 + len(element)
    while attribute := ATTRIBUTE.match(marked, place, stop):
        if attribute["name"].upper() == "TYPE":
            yield Replacement(*attribute.span("value"), f'"{quoted(new)}"')
        place = attribute.end()


def _check_crossing(entities: Sequence[Entity]) -> None:
    ordered = sorted(entities, key=lambda one: (one.start, -one.end))
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


def _check_whole(layout: _Layout, one: Entity) -> None:
    edges = ((one.start - 1, one.start), (one.end - 1, one.end))
    for left, right in edges:
        inside = left >= 0 and right < len(layout.characters)
        if inside and layout.characters[left] == layout.characters[right]:
            raise InputError(
                f"inline mark-up: found {one} cutting an entity of two characters, expected both"
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
