"""Files that people send: held by us, never looked for by their names."""

import re
import unicodedata
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from tertium.errors import InputError
from tertium.serve.errors import TooLargeError
from tertium.text.file_names import FORMATS, compression_of
from tertium.text.files import BLOCK, Spool, Stream, TextFile, kept

MEGABYTE: Final = 1_000_000
LARGEST: Final = 200 * MEGABYTE
"""Bytes of a file after it was decompressed."""
LONGEST_NAME: Final = 120

_SIGNS: Final = {
    b"PK\x03\x04": "a ZIP or office document",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\xd0\xcf\x11\xe0": "an office document",
    b"{\\rtf": "an office document",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"SQLite format 3": "a database",
    b"\x7fELF": "a program",
}
"""How files begin that are surely no text."""
_COMPRESSED: Final = {b"\x1f\x8b": ".gz", b"\xfd7zXZ": ".xz", b"BZh": ".bz2", b"(\xb5/\xfd": ".zst"}
_PARQUET: Final = b"PAR1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFile:
    """A file as it came; ``name`` is what the sender calls it, and tells its format."""

    name: str
    data: bytes | Spool = field(repr=False)

    @classmethod
    def of(cls, name: str | None, stream: Any) -> "SentFile":
        """All the bytes of a stream: in memory, or in a file of ours without a name."""
        return cls(name=shown_name(name), data=kept(stream))


def shown_name(name: str | None) -> str:
    r"""The last part of a file's name, fit for a message.

    >>> shown_name("C:\\out\\mine.txt"), shown_name("../../etc/passwd"), shown_name(None)
    ('mine.txt', 'passwd', 'file')
    """
    last = re.split(r"[/\\]", name or "")[-1]
    plain = "".join(one for one in last if unicodedata.category(one)[0] != "C").strip()
    return plain[-LONGEST_NAME:] or "file"


def opened(file: SentFile, *, largest: int = LARGEST) -> TextFile:
    """The file without its compression; one that is too large or no text is refused."""
    held = TextFile(name=file.name, data=file.data)
    _check_start(held)
    compression = compression_of(file.name)
    if not compression:
        return held
    with closing(held.open()) as stream:
        data = kept(_Bounded(stream, file.name, largest))
    inner = TextFile(name=file.name[: -len(compression)] or "file", data=data)
    if compression_of(inner.name):
        raise InputError(f"{file.name}: compressed twice, expected once")
    return inner


def _check_start(file: TextFile) -> None:
    with closing(file.raw()) as raw:
        start = raw.read(16) or b""
    for sign, kind in _SIGNS.items():
        if start.startswith(sign):
            known = ", ".join(sorted(FORMATS))
            raise InputError(f"{file.name}: found {kind}, expected text ({known})")
    for sign, compression in _COMPRESSED.items():
        if start.startswith(sign) and compression_of(file.name) != compression:
            raise InputError(
                f"{file.name}: found a compressed file, expected a name that ends in {compression}"
            )
    if start.startswith(_PARQUET) and not file.name.lower().endswith(".parquet"):
        raise InputError(f"{file.name}: found Parquet, expected a name that ends in .parquet")
    if not start:
        raise InputError(f"{file.name}: empty, expected text")


class _Bounded:
    """A stream that ends in an error when more comes out of it than anybody would send."""

    def __init__(self, stream: "Stream | BinaryIO", name: str, largest: int) -> None:
        self._stream = stream
        self._name = name
        self._left = self._largest = largest

    def read(self, size: int = BLOCK) -> bytes:
        block = self._stream.read(size)
        self._left -= len(block)
        if self._left < 0:
            raise TooLargeError(
                f"{self._name}: found more than {self._largest // MEGABYTE} MB after it was "
                "decompressed, expected at most that"
            )
        return block
