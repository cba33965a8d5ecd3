"""A file of annotations with other names in it: what was not changed stays byte for byte."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tertium.errors import InputError
from tertium.text.annotations.annotated_text import AnnotatedText, Entity, at
from tertium.text.annotations.editing import columns, marked_text
from tertium.text.annotations.editing.columns import (
    Changes,
    Replacement,
    lines_of,
    replaced,
)
from tertium.text.annotations.files import FORMATS
from tertium.text.annotations.iob import column_cells
from tertium.text.annotations.muc import articles_of, is_articles
from tertium.text.files import TextFile
from tertium.text.formats.xml_events import declared_text
from tertium.text.lines import BYTE_ORDER_MARK

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
        number: one
        for number, names in wanted.items()
        if (one := Changes.between(read[number][1].entities, names))
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
                found = read[number].entities
                with at(f"{file.name}: segment {number + 1}"):
                    for one in marked_text.tag_replacements(line, changes[number], found):
                        yield Replacement(one.start + start, one.stop + start, one.text)
        return
    paragraphs = (one for article in articles_of(file) for one in article.paragraphs)
    for number, paragraph in enumerate(paragraphs):
        if number in changes:
            places = [
                (paragraph.start + start, paragraph.start + stop)
                for start, stop in marked_text.wrapped_places(paragraph.written)
            ]
            found = read[number].entities
            with at(f"{file.name}: segment {number + 1}"):
                tags = marked_text.tag_replacements(paragraph.marked, changes[number], found)
                yield from marked_text.moved(tags, places)


def _in_columns(
    file: TextFile, content: str, read: Sequence[AnnotatedText], changes: Mapping[int, Changes]
) -> Iterator[Replacement]:
    lines = list(lines_of(content))
    tag, segments = column_cells(file)
    cells = []
    for numbers in segments:
        placed = (list(columns.cell_places(lines[k - 1][1], lines[k - 1][0])) for k in numbers)
        cells.append([columns.TagCell(start=one[tag][0], tag=one[tag][1]) for one in placed])
    scheme = columns.scheme_of(cells)
    for number, one in changes.items():
        with at(f"{file.name}: segment {number + 1}"):
            yield from columns.tag_replacements(read[number], cells[number], one, scheme)


def _in_spans(
    _file: TextFile, content: str, _read: Sequence[AnnotatedText], changes: Mapping[int, Changes]
) -> Iterator[Replacement]:
    for number, (start, line) in enumerate(lines_of(content)):
        if number in changes:
            for one in columns.span_replacements(line, changes[number]):
                yield Replacement(one.start + start, one.stop + start, one.text)


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
        (len(_visible(text[: one.start])), _visible(text[one.start : one.end]), one.label)
        for one in entities
    }


def _visible(text: str) -> str:
    return "".join(text.split())
