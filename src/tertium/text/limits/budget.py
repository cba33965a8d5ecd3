"""What a reader may hold in memory: rows and bytes, counted while it reads.

Every reader that holds what it reads has a `Budget` and tells it of each row or block *before* the
next one is read, so that a small file that stands for a large one (compression, dictionaries,
empty lines) ends in an error with its place, and not in the end of the process. A reader that goes
through a file in pieces of bounded size needs none: it reads any length.

A file may take half of the memory of the process (`tertium.text.limits.memory`), the other half is
for what is made of it. Formats differ in what a row costs in memory, so a reader says so: a line in
the native core takes 64 bytes more than its text, a message of polib three thousand. These are
estimates; what they miss meets the limit of the process.

When writing a reader:

- Count what was decompressed or decoded, not what lies on the disk, and count it in pieces: a
  budget that is told of a whole file afterwards comes too late.
- Count rows as well as bytes. An empty row has no bytes and costs memory all the same.
- Rows and bytes each have half of the memory as their limit; they are not added up. So ``row`` is
  the cost beside the text, and a file of many long rows can come to more than half.
- A budget is made where reading starts, as it takes the limit that holds at that moment.
"""

from typing import Final

from tertium.errors import LimitError
from tertium.text.limits.memory import memory_limit

LINE: Final = 64
"""Bytes that a line costs in the native core beside its text."""
OBJECT: Final = 256
"""Bytes that a row, a line or a value costs as a Python object."""
CELL: Final = 24
"""Bytes that a cell of a column costs in the native core, empty or not."""
HELD: Final = 2
"""Bytes of memory for a byte of text that is held as it is."""
PARSED: Final = 6
"""Bytes of memory for a byte of a file that is read whole, decoded and taken apart."""


class Budget:
    """Counts what one reader holds of one file.

    Args:
        name: the file, in front of the error.
        row: bytes of memory that a row costs beside its text.
        byte: bytes of memory that a byte of the file costs.
        rows: what the rows are called: lines, cells, tags, messages.

    >>> budget = Budget("a.tsv")
    >>> budget.add(rows=3, size=120)
    """

    __slots__ = ("_limit", "_most_bytes", "_most_rows", "_name", "_noun", "_rows", "_size")

    def __init__(
        self, name: str, *, row: int = OBJECT, byte: int = HELD, rows: str = "rows"
    ) -> None:
        self._limit = memory_limit()
        self._name = name
        self._noun = rows
        self._most_rows = self._limit.size // 2 // row
        self._most_bytes = self._limit.size // 2 // byte
        self._rows = self._size = 0

    @property
    def bytes_left(self) -> int:
        """Bytes that may still come."""
        return self._most_bytes - self._size

    def add(self, rows: int = 0, size: int = 0) -> None:
        """Count what was read; more than there is memory for is an error."""
        self._rows += rows
        self._size += size
        if self._rows > self._most_rows:
            raise self._too_much(f"{self._most_rows} {self._noun}")
        if self._size > self._most_bytes:
            raise self._too_much(f"{max(self._most_bytes // 1_000_000, 1)} MB of text")

    def restart(self) -> None:
        """Begin anew: what was counted is not held any more."""
        self._rows = self._size = 0

    def _too_much(self, most: str) -> LimitError:
        return LimitError(
            f"{self._name}: more than {most}, expected at most that within "
            f"{self._limit.shown} of memory ({self._limit.flag} allows more)"
        )
