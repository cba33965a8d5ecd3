"""Columns of text in the store: packed once, known by their hash."""

import json
import zlib
from collections.abc import Sequence
from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.store.schema import StoredText


def packed(lines: Sequence[str]) -> bytes:
    """The lines as JSON, compressed."""
    return zlib.compress(_plain(lines), 6)


def unpacked(data: bytes) -> list[str]:
    """The lines again."""
    lines: list[str] = json.loads(zlib.decompress(data))
    return lines


def text_hash(lines: Sequence[str]) -> str:
    """The SHA-256 of the lines; it does not depend on how they are compressed."""
    return sha256(_plain(lines)).hexdigest()


def keep_text(session: Session, lines: Sequence[str]) -> StoredText:
    """The stored column of these lines, made where no other has them."""
    hashed = text_hash(lines)
    found = session.scalar(select(StoredText).where(StoredText.sha256 == hashed))
    if found is None:
        found = StoredText(sha256=hashed, lines=len(lines), data=packed(lines))
        session.add(found)
        session.flush()
    return found


def lines_of(session: Session, text_id: int) -> list[str]:
    """The lines of a stored column."""
    return unpacked(session.get_one(StoredText, text_id).data)


def _plain(lines: Sequence[str]) -> bytes:
    return json.dumps(list(lines), ensure_ascii=False, separators=(",", ":")).encode()
