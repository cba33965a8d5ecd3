"""Columns of text in the store: packed once, known by their hash."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import cast

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from tertium.serve.store.schema import StoredText

Line = str | None
"""The text of a segment; ``None`` where a reference is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedText:
    """A column as it is kept; packing takes time, so it is done before the store is locked."""

    sha256: str
    """Of the lines as JSON; it does not depend on how they are compressed."""
    lines: int
    data: bytes = field(repr=False)


def packed(lines: Sequence[Line]) -> PackedText:
    """The lines as JSON, compressed."""
    plain = json.dumps(list(lines), ensure_ascii=False, separators=(",", ":")).encode()
    return PackedText(
        sha256=sha256(plain).hexdigest(), lines=len(lines), data=zlib.compress(plain, 4)
    )


def unpacked(data: bytes) -> list[Line]:
    """The lines again."""
    return cast("list[Line]", json.loads(zlib.decompress(data)))


def keep_packed(session: Session, text: PackedText) -> StoredText:
    """The stored column of these lines, made where no other has them."""
    query = select(StoredText).where(StoredText.sha256 == text.sha256)
    found = session.scalar(query)
    if found is not None:
        return found
    made = StoredText(sha256=text.sha256, lines=text.lines, data=text.data)
    try:
        with session.begin_nested():
            session.add(made)
    except IntegrityError:  # somebody else sent the same at the same time
        return session.scalars(query).one()
    return made


def keep_text(session: Session, lines: Sequence[Line]) -> StoredText:
    """The same of lines that are few enough to be packed now."""
    return keep_packed(session, packed(lines))


def lines_of(session: Session, text_id: int) -> list[str]:
    """The lines of a stored column that has one for every segment."""
    return [line or "" for line in lines_or_gaps(session, text_id)]


def lines_or_gaps(session: Session, text_id: int) -> list[Line]:
    """The lines of a column of references, some of which may be missing."""
    return unpacked(session.scalars(select(StoredText.data).where(StoredText.id == text_id)).one())
