"""Segments of many files, one after the other; one file is open at a time."""

from typing import NamedTuple

from tertium._native import Texts, concatenate
from tertium.text.feeds import Columns, Cursor
from tertium.text.files import TextFile
from tertium.text.lines import LineCursor


class FilesFeed(NamedTuple):
    """The lines of all the files; ``name`` is their place in an error about them together."""

    name: str
    files: tuple[TextFile, ...]

    def open(self) -> Cursor:
        """A cursor before the first line of the first file."""
        return _FilesCursor(self.files)


class _FilesCursor:
    __slots__ = ("_lines", "_next", "_rest")

    def __init__(self, files: tuple[TextFile, ...]) -> None:
        self._rest = files
        self._next = 0
        self._lines: LineCursor | None = None

    def take(self, count: int) -> Columns:
        parts: list[Texts] = []
        left = count
        while left > 0 and self._open():
            part = self._lines.take(left) if self._lines else Texts([])
            parts.append(part)
            if len(part) < left:
                self.close()
            left -= len(part)
        return (parts[0] if len(parts) == 1 else concatenate(parts),)

    def count_rest(self) -> int:
        count = 0
        while self._open():
            count += self._lines.count_rest() if self._lines else 0
            self.close()
        return count

    def close(self) -> None:
        if self._lines is not None:
            self._lines.close()
            self._lines = None

    def _open(self) -> bool:
        """Open the next file if none is open; say whether there is one."""
        if self._lines is None and self._next < len(self._rest):
            self._lines = LineCursor(self._rest[self._next])
            self._next += 1
        return self._lines is not None
