"""A corpus and its systems, aligned and read in pieces of bounded size."""

import sys
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, NamedTuple

from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.plurals import counted
from tertium.text.corpus import Chunk, Corpus, System
from tertium.text.feeds import Ahead, Columns, Cursor, Feed, LineFeed
from tertium.text.limits.tokens import check_tokens
from tertium.text.references import References

if TYPE_CHECKING:
    from tertium.text.keyed_segments import Key

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
