"""Names in columns of words and tags: only the tags of words whose name changes do."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tertium.errors import InputError
from tertium.text.annotations.annotated_text import AnnotatedText, Entity
from tertium.text.annotations.editing.replacements import Changes, Replacement
from tertium.text.annotations.tags import OUTSIDE, TAG

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
