"""Columns of segments that are taken a piece at a time, from files or from memory."""

from threading import Thread
from typing import NamedTuple, Protocol, TypeAlias

from tertium._native import Texts
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.lines import LineCursor

Columns: TypeAlias = tuple[Texts, ...]


class Cursor(Protocol):
    """A place in a feed."""

    def take(self, count: int) -> Columns:
        """The next segments; fewer than ``count`` only at the end."""
        ...

    def count_rest(self) -> int:
        """How many segments are left."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


class Feed(Protocol):
    """Columns that can be gone through many times; ``name`` is their place in an error."""

    @property
    def name(self) -> str: ...

    def open(self) -> Cursor:
        """A cursor before the first segment."""
        ...


class HeldFeed(NamedTuple):
    """Columns in memory."""

    name: str
    columns: Columns

    def open(self) -> Cursor:
        """A cursor before the first segment."""
        return _HeldCursor(self.columns)


class _HeldCursor:
    __slots__ = ("_columns", "_taken")

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._taken = 0

    def take(self, count: int) -> Columns:
        start, stop = self._taken, self._taken + min(count, self.count_rest())
        self._taken = stop
        if stop - start == len(self._columns[0]):
            return self._columns
        return tuple(column.take(slice(start, stop)) for column in self._columns)

    def count_rest(self) -> int:
        return len(self._columns[0]) - self._taken

    def close(self) -> None:
        pass


class LineFeed(NamedTuple):
    """Plain text: a segment a line, or with ``width`` > 1 that many references a line.

    Several references are separated by tabs, and an empty one is missing (``None``).
    """

    file: TextFile
    width: int = 1

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.name

    def open(self) -> Cursor:
        """A cursor before the first line."""
        return _TabCursor(self) if self.width > 1 else _PlainCursor(self)


class _PlainCursor:
    __slots__ = ("_lines",)

    def __init__(self, feed: LineFeed) -> None:
        self._lines = LineCursor(feed.file)

    def take(self, count: int) -> Columns:
        return (self._lines.take(count),)

    def count_rest(self) -> int:
        return self._lines.count_rest()

    def close(self) -> None:
        self._lines.close()


class _TabCursor(_PlainCursor):
    __slots__ = ("_name", "_taken", "_width")

    def __init__(self, feed: LineFeed) -> None:
        super().__init__(feed)
        self._name = feed.name
        self._width = feed.width
        self._taken = 0

    def take(self, count: int) -> Columns:
        rows = [(line or "").split("\t") for line in self._lines.take(count).to_list()]
        for number, row in enumerate(rows, self._taken + 1):
            if len(row) != self._width:
                raise InputError(
                    f"{self._name}:{number}: {counted(len(row), 'reference')} separated by tabs, "
                    f"expected {self._width}"
                )
            if not any(row):
                raise InputError(f"{self._name}:{number}: no reference, expected at least one")
        self._taken += len(rows)
        return tuple(Texts([row[place] or None for row in rows]) for place in range(self._width))


class Ahead:
    """Takes the next piece of every cursor in threads while the last piece is worked on.

    The native code gives up the interpreter's lock, so files are read side by side.
    """

    __slots__ = ("_count", "_cursors", "_errors", "_pieces", "_threads")

    def __init__(self, cursors: list[Cursor], count: int) -> None:
        self._cursors = cursors
        self._count = count
        self._threads: list[Thread] = []
        self._pieces: list[Columns] = []
        self._errors: list[BaseException | None] = []

    def start(self) -> None:
        """Begin to take the next pieces."""
        self._pieces = [() for _ in self._cursors]
        self._errors = [None for _ in self._cursors]
        self._threads = [
            Thread(target=self._take, args=(index,)) for index in range(len(self._cursors))
        ]
        for thread in self._threads:
            thread.start()

    def pieces(self) -> list[Columns]:
        """The pieces begun, when they are there; the first error if there was one."""
        self.close()
        for error in self._errors:
            if error is not None:
                raise error
        return self._pieces

    def close(self) -> None:
        """Wait for the threads, so that none outlives its files."""
        for thread in self._threads:
            thread.join()
        self._threads = []

    def _take(self, index: int) -> None:
        try:
            self._pieces[index] = self._cursors[index].take(self._count)
        except BaseException as error:  # noqa: BLE001 (raised again in the thread that asked)
            self._errors[index] = error
