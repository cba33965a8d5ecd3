"""Columns of text in the store: each kept once, under the hash of what it says."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.store.schema import StoredText

Line = str | None
"""The text of a segment; ``None`` where a reference is missing."""
_LEVEL: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedText:
    """A column as it is kept; packing takes time, so it is done before the store is locked."""

    sha256: str
    lines: int
    data: bytes = field(repr=False)


def packed(lines: Sequence[Line]) -> PackedText:
    """The column, ready to be kept."""
    plain = json.dumps(list(lines), ensure_ascii=False, separators=(",", ":")).encode()
    return PackedText(
        sha256=sha256(plain).hexdigest(), lines=len(lines), data=zlib.compress(plain, _LEVEL)
    )


def unpacked(data: bytes) -> list[Line]:
    """The lines of a column."""
    return cast("list[Line]", json.loads(zlib.decompress(data)))


def keep(session: Session, text: PackedText) -> int:
    """The number of the column in the store, where it may be already."""
    found = session.scalar(select(StoredText.id).where(StoredText.sha256 == text.sha256))
    if found is not None:
        return found
    made = StoredText(sha256=text.sha256, lines=text.lines, data=text.data)
    session.add(made)
    session.flush()
    return made.id


def lines_of(session: Session, text_id: int) -> list[Line]:
    """The lines of a column in the store."""
    return unpacked(session.scalars(select(StoredText.data).where(StoredText.id == text_id)).one())


def strings_of(session: Session, text_id: int) -> list[str]:
    """The lines of a column that has one for every segment."""
    return [line or "" for line in lines_of(session, text_id)]
