"""Files that people send: held by us, never looked for by their names."""

import re
import unicodedata
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from tertium.errors import InputError
from tertium.serve.errors import TooLargeError
from tertium.text.files import BLOCK, Spool, Stream, TextFile, kept
from tertium.text.formats.content import check_readable

MEGABYTE: Final = 1_000_000
LARGEST: Final = 200 * MEGABYTE
"""Bytes of a file after it was decompressed."""
LONGEST_NAME: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFile:
    """A file as it came; ``name`` is what the sender calls it, ``data`` tells its format."""

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
    """The file without its compression; one that is too large, empty or no text is refused."""
    held = TextFile(name=file.name, data=file.data)
    compression = held.compression
    if compression:
        with closing(held.open()) as stream:
            data = kept(_Bounded(stream, file.name, largest))
        held = TextFile(name=file.name.removesuffix(compression) or "file", data=data)
        if held.compression:
            raise InputError(f"{file.name}: compressed twice, expected once")
    if not held.beginning:
        raise InputError(f"{file.name}: empty, expected text")
    check_readable(held.beginning, file.name)
    return held


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
