"""A corpus and its systems, aligned and read in pieces of bounded size.

A `CorpusFile` gives a `Feed` for each role, a feed gives cursors, and `Inputs` takes neighboring
segments from all cursors at a time, in threads.
"""

import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from threading import Thread
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

from tertium import _native
from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.plurals import counted
from tertium.text.corpus import Chunk, Corpus, System
from tertium.text.files import TextFile
from tertium.text.formats.table import system_name
from tertium.text.lines import LineCursor
from tertium.text.references import References

if TYPE_CHECKING:
    from tertium.text.formats.table import ReadingOptions
    from tertium.text.keyed_segments import Key, Records

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


class CorpusFile(Protocol):
    """A file that was opened for a corpus, whatever its format.

    There are four kinds: `PlainText`, whose lines are read when chunks are asked for; `Records`,
    which are in memory; tables of Parquet whose texts stay in the file (`StoredTable`); and many
    files of plain text that are read as one (`FileSet`).
    """

    @property
    def name(self) -> str: ...

    @property
    def labels(self) -> "Records | None":
        """What the file says of its segments beside their texts."""
        ...

    @property
    def has_systems(self) -> bool:
        """Whether there are hypotheses beside references."""
        ...

    def reference_feed(self, _num_refs: int, /) -> Feed:
        """All references."""
        ...

    def source_feed(self) -> Feed:
        """The sources, for which the file was given."""
        ...

    def sources_beside(self) -> Feed | None:
        """The sources beside references, if any."""
        ...

    def system_feeds(self, name: str | None = None) -> list[tuple[str, Feed]]:
        """Every system; one without a name of its own is called ``name``, or after the file."""
        ...


class PlainText(NamedTuple):
    """A file whose lines are segments, in any role."""

    file: TextFile

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.name

    @property
    def labels(self) -> None:
        """Plain text has none."""

    @property
    def has_systems(self) -> bool:
        """Plain text has one text for each segment."""
        return False

    def reference_feed(self, num_refs: int) -> Feed:
        """The lines, or the cells of as many columns."""
        return LineFeed(file=self.file, width=num_refs)

    def source_feed(self) -> Feed:
        """The lines."""
        return LineFeed(file=self.file)

    def sources_beside(self) -> None:
        """Plain text has one text for each segment."""

    def system_feeds(self, name: str | None = None) -> list[tuple[str, Feed]]:
        """One system, which is called after the file."""
        return [(name or system_name(self.name), LineFeed(file=self.file))]


def read_lines(file: TextFile, _options: "ReadingOptions") -> PlainText:
    """The reader of plain text."""
    return PlainText(file)


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
        return tuple(Texts([row[index] or None for row in rows]) for index in range(self._width))


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


TOKENIZER: Final = "zh-fixed"
"""Words and signs as 13a has them, and each Chinese character by itself."""

_PIECE: Final = 1 << 20
"""Characters that are cut at a time, so that little memory is needed."""


def token_count(text: str) -> int:
    """How many tokens a text has, whatever its length.

    >>> token_count("The cat, they say, sat."), token_count("猫坐在垫子上。"), token_count("")
    (8, 7, 0)
    """
    pieces = Texts(list(_pieces(text)))
    return sum(map(len, _native.tokenize(TOKENIZER, pieces)))


def check_tokens(texts: Texts, most: int, name: str, *, start: int, lines: bool) -> None:
    """Refuse a segment of more tokens; the first one in the column follows ``start`` others.

    ``lines`` says that segments are the lines of the file ``name``.
    """
    for index in texts.longer_than(most):  # a token has a byte at least
        found = token_count(texts[index] or "")
        if found > most:
            number = start + index + 1
            where = f"{name}:{number}" if lines else f"{name}: segment {number}"
            raise InputError(
                f"{where}: {counted(found, 'token')}, expected at most {most} (--max-tokens)"
            )


def check_candidates(texts: Sequence[str], most: int, name: str) -> None:
    """Refuse a candidate of more tokens.

    >>> check_candidates(["a", "a b c"], 2, "segment 0")
    Traceback (most recent call last):
    tertium.errors.InputError: segment 0, candidate 2: 3 tokens, expected at most 2 (--max-tokens)
    """
    for index, text in enumerate(texts, 1):
        if len(text) > most and (found := token_count(text)) > most:
            raise InputError(
                f"{name}, candidate {index}: {counted(found, 'token')}, expected at most {most} "
                "(--max-tokens)"
            )


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find(" ", start + _PIECE)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end


CHUNK = 1 << 15


class Inputs(NamedTuple):
    """Files that were opened and named; nothing of plain text is in memory yet."""

    references: tuple[Feed, ...]
    systems: tuple[Feed, ...]
    system_names: tuple[str, ...]
    source: Feed | None = None
    documents: tuple[str, ...] | None = None
    genres: tuple[str, ...] | None = None
    paragraphs: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    keys: "tuple[Key, ...] | None" = None  # what names the segments, where the files do
    labels_name: str = ""  # the file of documents and genres, where they have one of their own
    max_tokens: int | None = None  # segments of more are refused
    notes: tuple[str, ...] = ()  # what must be said beside every result
    hints: tuple[str, ...] = ()  # what the user may want to know of how files were joined

    @property
    def name(self) -> str:
        """The first reference, which all others must be as long as."""
        return self.references[0].name

    def load(self) -> Chunk:
        """Everything at once."""
        with closing(self.chunks(sys.maxsize)) as chunks:
            return next(chunks)

    def chunks(self, segments: int = CHUNK, *, reused: bool = True) -> Generator[Chunk, None, None]:
        """Neighbouring segments, at most so many at a time; one empty chunk for no segments.

        Files are read while a chunk is worked on. Can be called again for another pass. ``reused``
        says whether references are read for more than one system or metric.
        """
        if segments < 1:
            raise OptionError(f"segments: {segments}, expected at least 1")
        return self._chunks(segments, reused=reused)

    def _chunks(self, segments: int, *, reused: bool) -> Generator[Chunk, None, None]:
        with ExitStack() as stack:
            cursors = [stack.enter_context(closing(feed.open())) for feed in self._feeds]
            ahead = stack.enter_context(closing(Ahead(cursors, segments)))
            start, size = 0, segments
            ahead.start()
            while size == segments:
                pieces = ahead.pieces()
                self._check_tokens(pieces, start)
                sizes = [len(piece[0]) for piece in pieces]
                sizes += [min(segments, len(labels) - start) for labels in self._own_labels]
                size = sizes[0]
                if any(other != size for other in sizes):
                    raise self._mismatch(start, pieces, cursors)
                if size == segments:
                    ahead.start()
                if size or not start:
                    yield self._chunk(pieces, start, size, reused=reused)
                start += size

    def _check_tokens(self, pieces: Sequence[Columns], start: int) -> None:
        if self.max_tokens is None:
            return
        for feed, piece in zip(self._feeds, pieces, strict=True):
            for column in piece:
                lines = isinstance(feed, LineFeed)
                check_tokens(column, self.max_tokens, feed.name, start=start, lines=lines)

    @property
    def _feeds(self) -> tuple[Feed, ...]:
        sources = () if self.source is None else (self.source,)
        return (*self.references, *sources, *self.systems)

    @property
    def _own_labels(self) -> list[tuple[str, ...]]:
        labels = (self.documents, self.genres, self.paragraphs) if self.labels_name else ()
        return [column for column in labels if column is not None]

    def _chunk(self, pieces: Sequence[Columns], start: int, size: int, *, reused: bool) -> Chunk:
        first_system = len(pieces) - len(self.systems)
        columns = tuple(column for piece in pieces[: len(self.references)] for column in piece)
        require_a_reference(columns, self.name, start)
        stop = start + size
        corpus = Corpus(
            references=References(columns, reused=reused),
            name=self.name,
            sources=None if self.source is None else pieces[first_system - 1][0],
            documents=None if self.documents is None else self.documents[start:stop],
            genres=None if self.genres is None else self.genres[start:stop],
            paragraphs=None if self.paragraphs is None else self.paragraphs[start:stop],
            ids=None if self.ids is None else self.ids[start:stop],
            notes=self.notes,
        )
        systems = (
            System(name=name, hypotheses=piece[0])
            for name, piece in zip(self.system_names, pieces[first_system:], strict=True)
        )
        return Chunk(corpus=corpus, systems=tuple(systems))

    def _mismatch(
        self, start: int, pieces: Sequence[Columns], cursors: Sequence[Cursor]
    ) -> InputError:
        """Say how many segments the files have, which means to count to their ends."""
        totals = [
            (feed.name, start + len(piece[0]) + cursor.count_rest())
            for feed, piece, cursor in zip(self._feeds, pieces, cursors, strict=True)
        ]
        totals += [(self.labels_name, len(labels)) for labels in self._own_labels]
        (reference, expected), *others = totals
        name, found = next(other for other in others if other[1] != expected)
        # Who forgets -i gives all files as references, and nothing to score.
        hint = "; name the systems after -i" if name == "stdin" and not found else ""
        return InputError(
            f"{name}: {counted(found, 'segment')}, "
            f"expected {expected} (reference {reference}){hint}"
        )


def require_a_reference(columns: Sequence[Texts], name: str, start: int) -> None:
    """Refuse a segment without any; the first one in the columns follows ``start`` others."""
    if not all(column.any_missing for column in columns):
        return
    rows = zip(*(column.to_list() for column in columns), strict=True)
    for number, row in enumerate(rows, start + 1):
        if all(reference is None for reference in row):
            raise InputError(f"{name}: segment {number}: no reference, expected at least one")
