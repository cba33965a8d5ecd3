"""Files of names: kept as they were sent, and given out with nothing else changed."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, Literal, TypeAlias
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.errors import InputError
from tertium.serve.annotation.alignment import Alignment, aligned
from tertium.serve.annotation.events import lock_names
from tertium.serve.annotation.layers import Name, annotated, names_of
from tertium.serve.annotation.targets import TargetText
from tertium.serve.store.schema import AnnotationEvent, AnnotationFile
from tertium.text.annotations import FORMATS, AnnotatedText, Entity, annotation_lines
from tertium.text.annotations.editing import edited
from tertium.text.file_names import compression_of
from tertium.text.files import TextFile

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
