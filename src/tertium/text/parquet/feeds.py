"""Tables in Parquet files whose texts are decoded a piece at a time, as lines are read."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tertium._native import Texts, concatenate
from tertium.errors import InputError
from tertium.text.column_roles import LABELS, LANGUAGES, TEXT, ColumnKey, ColumnRoles
from tertium.text.feeds import Columns, Cursor
from tertium.text.files import TextFile
from tertium.text.keyed_segments import Records
from tertium.text.limits.budget import Budget
from tertium.text.named_rows import opened_parquet, parquet_modules, readable_parquet
from tertium.text.parquet.batches import batches_of, row_budget
from tertium.text.parquet.columns import EVERY, is_text, keys_of, read_parquet, texts_of

HELD: Final = frozenset({"id", "segment", "pair", TEXT, *LANGUAGES})
"""Roles of columns that decide which rows are taken, in which order or as what."""


def stored_table(
    file: TextFile, columns: ColumnRoles, *, labels: bool = True
) -> "StoredTable | None":
    """A table that can be read a piece at a time; nothing if it must be held.

    All texts must be strings, of which the file itself says that none is null. Rows that are named
    may have to be put in order, and those of one language pair to be picked.
    """
    arrow, _ = parquet_modules(file.name)
    with readable_parquet(file.name, arrow), closing(opened_parquet(file)) as rows:
        schema, metadata = rows.schema_arrow, rows.metadata
        keys = keys_of(schema.names, columns, EVERY)
        if not metadata.num_rows or not keys or any(key.role in HELD for key in keys.values()):
            return None
        texts = {name: key for name, key in keys.items() if key.role not in LABELS}
        for name in texts:
            if not is_text(schema.field(name).type, arrow.types) or not _is_full(metadata, name):
                return None
    records = read_parquet(file, columns, roles=LABELS if labels else ("document",))
    if records is None or records.pairs is not None or _names_rows(records.documents):
        return None
    return StoredTable(file, texts, records if labels else replace(records, documents=None))


def _names_rows(labels: tuple[str, ...] | None) -> bool:
    return labels is not None and len(labels) > 1 and len(set(labels)) == len(labels)


def _is_full(metadata: Any, column: str) -> bool:
    """Whether the file says of every piece of a column that it has no null."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    places = range(metadata.num_columns)
    found = [one for one in places if groups[0].column(one).path_in_schema == column]
    if not found:  # the two parts of a damaged file that name columns differ
        return False
    (place, *_) = found
    told = [group.column(place).statistics for group in groups]
    return all(one is not None and one.has_null_count and not one.null_count for one in told)


class StoredTable(NamedTuple):
    """A table whose texts stay in the file until they are asked for; ``records`` has the labels."""

    file: TextFile
    keys: dict[str, ColumnKey]
    records: Records

    def feed(self, role: str) -> "ParquetFeed | None":
        """The columns of a role."""
        names = tuple(name for name, key in self.keys.items() if key.role == role)
        return ParquetFeed(self.file, names) if names else None

    def systems(self) -> "Iterator[tuple[str | None, ParquetFeed]]":
        """Every system, and its name where it has one of its own."""
        for name, key in self.keys.items():
            if key.role == "hypothesis":
                part = None if key.part is None else str(key.part)
                yield part, ParquetFeed(self.file, (name,))


class ParquetFeed(NamedTuple):
    """Columns of strings without nulls, which are decoded a piece at a time."""

    file: TextFile
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.name

    def open(self) -> Cursor:
        """A cursor before the first row."""
        return _ParquetCursor(self)


class _ParquetCursor:
    """A place in such columns."""

    __slots__ = ("_budget", "_done", "_left", "_pieces", "_rows", "_width")

    def __init__(self, feed: ParquetFeed) -> None:
        self._width = len(feed.names)
        self._rows: Any = opened_parquet(feed.file)
        self._budget = row_budget(feed.name, self._width)
        self._pieces = _pieces(feed, self._rows, self._budget)
        self._left: Columns | None = None  # what was decoded and not taken
        self._done = 0

    def take(self, count: int) -> Columns:
        parts: list[Columns] = []
        self._budget.restart()
        while count > 0 and (piece := self._left or next(self._pieces, None)) is not None:
            size = len(piece[0])
            self._left = None
            if size > count:
                self._left = tuple(column.take(slice(count, size)) for column in piece)
                piece = tuple(column.take(slice(0, count)) for column in piece)
            parts.append(piece)
            self._done += len(piece[0])
            count -= len(piece[0])
        if len(parts) == 1:
            return parts[0]
        return tuple(concatenate([part[i] for part in parts]) for i in range(self._width))

    def count_rest(self) -> int:
        return int(self._rows.metadata.num_rows) - self._done

    def close(self) -> None:
        self._pieces.close()
        self._rows.close()


def _pieces(feed: ParquetFeed, rows: Any, budget: Budget) -> Generator[Columns, None, None]:
    arrow, _ = parquet_modules(feed.name)
    key, done = ColumnKey("hypothesis", ""), 0  # texts, and no lists
    with readable_parquet(feed.name, arrow):
        # Each feed has a thread of its own already.
        for batch in batches_of(rows, feed.names, budget, use_threads=False):
            yield tuple(
                _checked(batch.column(name), key, f"{feed.name}: column '{name}'", done)
                for name in feed.names
            )
            done += batch.num_rows


def _checked(column: Any, key: ColumnKey, place: str, before: int) -> Texts:
    found = texts_of(column, key, place, before)
    if found is None:
        raise InputError(f"{place}: found nulls that its own statistics deny, expected none")
    return found[0]
