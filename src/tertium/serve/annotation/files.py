"""Files of marked names: aligned with the text that is stored, imported, exported."""

import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import accumulate
from typing import Final, Literal, TypeAlias
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.serve.annotation.layers import Name, annotated, lock_names, names_of
from tertium.serve.annotation.targets import TargetText
from tertium.serve.store.schema import AnnotationEvent, AnnotationFile
from tertium.text.annotations import FORMATS, Entity, annotation_lines
from tertium.text.annotations.annotated_text import AnnotatedText, shortened
from tertium.text.annotations.editing import edited
from tertium.text.files import TextFile, compression_of

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


Format: TypeAlias = Literal["muc", "conll", "jsonl"]
EXTENSIONS: Final[dict[Format, str]] = {"muc": ".muc", "conll": ".conll", "jsonl": ".jsonl"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    """A file that was read and fits its text: what it says, in the places of the text."""

    name: str
    format: Format
    data: bytes
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What a file brought: names in all, and what changed in the layer."""

    names: int
    added: int
    removed: int


def read_file(
    text: TargetText,
    name: str,
    format: Format,  # noqa: A002
    data: bytes,
    read: Callable[[str, Format, bytes], list[AnnotatedText]] | None = None,
) -> ReadFile:
    """Read a file before anything is written; it must have the segments of the text.

    ``read`` takes the place of `read_units`, such as a call of it in another process.
    """
    if compression_of(name):
        raise InputError(f"{name}: found a compressed file, expected it as it is")
    units = (read or read_units)(name, format, data)
    alignment = aligned(name, units, text.segments, text.documents)
    names = {
        one.key: one
        for number, unit in enumerate(units)
        for one in _names(alignment, name, number, unit)
    }
    return ReadFile(name=name, format=format, data=data, names=tuple(names.values()))


def import_file(
    session: Session, text: TargetText, annotator: str, actor: str, file: ReadFile
) -> Imported:
    """Make a layer say what a file says, and keep the file."""
    target = text.target
    lock_names(session, text)
    before = {one.key: one for one in names_of(session, target, annotator)}
    after = {one.key: one for one in file.names}
    session.add(
        AnnotationFile(
            test_set_id=target.test_set_id,
            target_kind=target.kind,
            target_id=target.id,
            annotator=annotator,
            name=file.name,
            format=file.format,
            sha256=sha256(file.data).hexdigest(),
            data=zlib.compress(file.data),
            sent_by=actor,
        )
    )
    changes = [("remove", one) for key, one in before.items() if key not in after]
    changes += [("add", one) for key, one in after.items() if key not in before]
    session.add_all(
        AnnotationEvent(
            test_set_id=target.test_set_id,
            target_kind=target.kind,
            target_id=target.id,
            annotator=annotator,
            segment=one.segment,
            action=action,
            start=one.start,
            end=one.end,
            type=one.type,
            origin="import",
            client_key=f"import {uuid4().hex}",
        )
        for action, one in changes
    )
    added = sum(action == "add" for action, _ in changes)
    return Imported(names=len(after), added=added, removed=len(changes) - added)


def export_file(session: Session, text: TargetText, annotator: str, format: Format) -> bytes:  # noqa: A002
    """The names of a layer as a file.

    Where such a file was sent before, it is that file with the changes since then in it, and
    every other byte as it was. Attributes of another format's file are kept where this one can
    hold them.
    """
    names = names_of(session, text.target, annotator)
    kept = _last_file(session, text, annotator)
    if kept is None:
        return "".join(annotation_lines(_labelled(text, names, format), format)).encode()
    name, kind, data = kept
    units = read_units(name, kind, data)
    alignment = aligned(name, units, text.segments, text.documents)
    wanted: dict[int, list[Entity]] = {number: [] for number in range(len(units))}
    # A name that the file has keeps the file's own places, blanks at its ends included.
    found: dict[tuple[int, int, int, str], list[tuple[int, Entity]]] = {}
    for number, unit in enumerate(units):
        for entity, one in zip(unit.entities, _names(alignment, name, number, unit), strict=True):
            found.setdefault(one.key, []).append((number, entity))
    for one in names:
        for number, entity in found.get(one.key, []):
            wanted[number].append(entity)
        if one.key not in found:
            place = f"segment {one.segment + 1}"
            number, start, end = alignment.to_file((one.segment, one.start, one.end), place)
            wanted[number].append(Entity(start=start, end=end, label=one.type))
    changed = edited(data, wanted, format=kind, name=name)
    if kind == format:
        return changed
    return _converted(read_units(name, kind, changed), format)


def _converted(units: Sequence[AnnotatedText], format: Format) -> bytes:  # noqa: A002
    if format == "muc":
        units = [one.bare() for one in units]  # lines of mark-up have no names of documents
    return "".join(annotation_lines(units, format)).encode()


def read_units(name: str, format: Format, data: bytes) -> list[AnnotatedText]:  # noqa: A002
    """The segments of a file with their names."""
    reader, _ = FORMATS[format]
    return [one for _, one in reader(TextFile(name=name, data=data))]


def _names(alignment: Alignment, name: str, number: int, unit: AnnotatedText) -> list[Name]:
    found = []
    for one in unit.entities:
        place = f"{name}: segment {number + 1}: {one}"
        segment, start, end = alignment.to_store((number, one.start, one.end), place)
        found.append(Name(segment=segment, start=start, end=end, type=one.label, origin="import"))
    return found


def _last_file(
    session: Session, text: TargetText, annotator: str
) -> tuple[str, Format, bytes] | None:
    target = text.target
    kept = session.scalar(
        select(AnnotationFile)
        .where(
            AnnotationFile.test_set_id == target.test_set_id,
            AnnotationFile.target_kind == target.kind,
            AnnotationFile.target_id == target.id,
            AnnotationFile.annotator == annotator,
        )
        .order_by(AnnotationFile.id.desc())
        .limit(1)
    )
    if kept is None:
        return None
    return kept.name, kept.format, zlib.decompress(kept.data)  # type: ignore[return-value]


def _labelled(
    text: TargetText,
    names: Sequence[Name],
    format: Format,  # noqa: A002
) -> list[AnnotatedText]:
    units = annotated(text.segments, names)
    if text.documents is None or format == "muc":
        return units
    return [
        replace(one, document=document) for one, document in zip(units, text.documents, strict=True)
    ]
