"""Rows of Parquet files a batch at a time, each measured before its texts are decoded.

A value that a column repeats stands in the file once, in a dictionary: 3 kB can be a million rows
of 10 kB. So columns whose rows take few bytes in the file are read as the dictionaries that they
are (indices and values, which Arrow can do without decoding), and what they would become is
computed from the lengths of the values. Other columns have their texts in the file; how many of
their rows are decoded at a time follows from the bytes that the footer tells.
"""

from collections.abc import Collection, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tertium import _native
from tertium._native import Texts, concatenate
from tertium.errors import InputError
from tertium.text.column_roles import (
    LABELS,
    LANGUAGES,
    TEXT,
    ColumnKey,
    ColumnRoles,
    preferred,
    read_corpus_table,
    table_records,
)
from tertium.text.files import TextFile
from tertium.text.formats.table import ReadingOptions, system_name
from tertium.text.inputs import Columns, Cursor, Feed
from tertium.text.keyed_segments import Records
from tertium.text.memory import CELL, LINE, Budget
from tertium.text.named_rows import (
    opened_parquet,
    parquet_modules,
    readable_parquet,
    whole_batches,
)

ROWS: Final = 1 << 15
"""How many are decoded at a time, if they are short."""
FEW_ROWS: Final = 1 << 9
"""The same of lists of repeated values, which Arrow cannot read as dictionaries."""
AT_ONCE: Final = 1 << 25
"""Bytes of texts that are decoded at a time, by the footer's word."""
SHORT: Final = 32
"""Bytes of a row in the file below which its value may be one that is repeated."""


def repeated_columns(rows: Any) -> list[str]:
    """The columns of texts that are to be read as dictionaries."""
    names = set(rows.schema_arrow.names)
    return [name for name in _short_paths(rows.metadata) if name in names]


def batches_of(
    rows: Any, columns: Collection[str], budget: Budget, *, use_threads: bool = True
) -> Iterator[Any]:
    """The record batches of an open file, counted; the caller restarts what it does not hold."""
    for batch in whole_batches(
        rows,
        batch_size=_batch_rows(rows, columns),
        columns=list(columns),
        use_threads=use_threads,
    ):
        budget.add(rows=batch.num_rows, size=sum(map(_decoded_size, batch.columns)))
        yield batch


def row_budget(name: str, columns: int) -> Budget:
    """What rows of so many columns may take."""
    return Budget(name, row=LINE * max(columns, 1))


def check_lists(column: Any, name: str) -> None:
    """Refuse lists that are so long that a column for each place would not fit.

    One row with a million references makes a million columns of all rows.
    """
    width = max((len(value) for value in column), default=0)
    Budget(name, row=CELL, rows="references of all rows").add(rows=width * len(column))


def _short_paths(metadata: Any) -> list[str]:
    """The columns of bytes that take few of them in some group of rows."""
    short: dict[str, None] = {}
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for chunk in map(group.column, range(group.num_columns)):
            few_bytes = chunk.total_uncompressed_size < SHORT * max(chunk.num_values, 1)
            if few_bytes and chunk.physical_type == "BYTE_ARRAY" and chunk.has_dictionary_page:
                short[chunk.path_in_schema] = None
    return list(short)


def _batch_rows(rows: Any, columns: Collection[str]) -> int:
    """How many rows have about so many bytes that they can be decoded at once."""
    metadata, most = rows.metadata, ROWS
    schema = rows.schema_arrow
    if any(
        path.partition(".")[0] in columns
        for path in set(_short_paths(metadata)) - set(schema.names)
    ):
        most = FEW_ROWS
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        size = sum(
            chunk.total_uncompressed_size
            for chunk in map(group.column, range(group.num_columns))
            if chunk.path_in_schema.partition(".")[0] in columns or chunk.path_in_schema in columns
        )
        if size > AT_ONCE:
            most = min(most, max(AT_ONCE * group.num_rows // size, 1))
    return most


def _decoded_size(column: Any) -> int:
    """Bytes of a column when every value stands for itself."""
    if not hasattr(column, "dictionary"):
        return int(column.nbytes)
    from importlib import import_module

    compute = import_module("pyarrow.compute")
    try:
        lengths = compute.binary_length(column.dictionary)
        total = compute.sum(lengths.cast("int64").take(column.indices)).as_py()
    except (NotImplementedError, KeyError):  # no texts
        return int(column.nbytes)
    return int(total or 0) + int(column.indices.nbytes)


EVERY: Final = (*LABELS, TEXT, "source", "reference", "hypothesis")
"""The roles that a column can play."""


def read_parquet(
    file: TextFile, columns: ColumnRoles, *, roles: Collection[str] = EVERY
) -> Records | None:
    """All rows of a table whose columns of these roles are all text without gaps, else nothing.

    Whatever is less plain (nulls, numbers, objects, lists of several columns) is for
    `tertium.text.column_roles`, which goes through it value by value and gives the same for plain
    text.
    """
    arrow, _ = parquet_modules(file.name)
    with readable_parquet(file.name, arrow), closing(opened_parquet(file)) as rows:
        schema = rows.schema_arrow
        keys = keys_of(schema.names, columns, roles)
        if keys is None or not _are_plain(schema, keys, arrow.types):
            return None
        parts: dict[str, list[list[Texts]]] = {name: [] for name in keys}
        done = 0
        budget = row_budget(file.name, len(keys))
        budget.add(rows=rows.metadata.num_rows)
        budget.restart()
        for batch in batches_of(rows, keys, budget):
            for name, key in keys.items():
                found = texts_of(batch.column(name), key, f"{file.name}: column '{name}'", done)
                if found is None:
                    return None
                parts[name].append(found)
            done += batch.num_rows
        if not done and keys:
            return None
        done = done or rows.metadata.num_rows
    by_role: dict[str, list[tuple[ColumnKey, Texts]]] = {role: [] for role in EVERY}
    for name, key in keys.items():
        by_role[key.role] += [(key, texts) for texts in _joined(parts[name], file.name)]
    return table_records(file.name, done, tuple(schema.names), by_role, columns)


def keys_of(
    names: Collection[str], columns: ColumnRoles, roles: Collection[str]
) -> dict[str, ColumnKey] | None:
    """The columns of some roles; nothing where a name, or the role of a column, is not plain."""
    if columns.paths or any(len(columns.keys(name)) > 1 for name in names):
        return None
    every = [key for name in names if (key := columns.key(name))]
    known = {key.column: key for key in preferred(every) if key.role in roles}
    single = [key.role for key in known.values() if key.role not in {"reference", "hypothesis"}]
    unique = len(set(names)) == len(names) and len(set(single)) == len(single)
    return known if unique else None


def _are_plain(schema: Any, keys: dict[str, ColumnKey], types: Any) -> bool:
    """Whether the core can take every column, and in the order of the slow way."""
    references = [name for name, key in keys.items() if key.role == "reference"]
    for name, key in keys.items():
        kind = schema.field(name).type
        if key.role == "reference" and len(references) == 1 and _is_list(kind, types):
            kind = kind.value_type
        if not is_text(kind, types):
            return False
    return True


def _is_list(kind: Any, types: Any) -> bool:
    return bool(types.is_list(kind) or types.is_large_list(kind))


def is_text(kind: Any, types: Any) -> bool:
    """Whether a column of this type has strings."""
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind))


def texts_of(column: Any, key: ColumnKey, location: str, before: int) -> list[Texts] | None:
    """The native columns of one of Arrow's; nothing if a value is missing."""
    lists = hasattr(column, "flatten") and hasattr(column, "offsets")
    if column.null_count or (lists and column.flatten().null_count):
        return None
    if lists:
        check_lists(column, location)
    try:
        texts, valid = _native.arrow_array(
            *column.__arrow_c_array__(), lists=key.role == "reference"
        )
    except ValueError as error:
        raise InputError(_located(str(error), location, before)) from None
    return texts if 0 not in valid else None  # an empty list has no reference


def _located(message: str, location: str, before: int) -> str:
    """The core counts the rows that it was given."""
    head, _, rest = message.partition(": ")
    if not head.startswith("row "):
        return f"{location}: {message}"
    return f"{location}, row {before + int(head.removeprefix('row '))}: {rest}"


def _joined(parts: list[list[Texts]], name: str) -> list[Texts]:
    """The pieces of a column below each other; where lists are short, references are missing."""
    width = max(map(len, parts))
    rows = sum(len(part[0]) for part in parts)
    Budget(name, row=CELL, rows="references of all rows").add(rows=width * rows)
    gaps = {len(part[0]): None for part in parts if len(part) < width}
    missing = {size: Texts([None] * size) for size in gaps}
    return [
        concatenate([part[i] if i < len(part) else missing[len(part[0])] for part in parts])
        for i in range(width)
    ]


HELD: Final = frozenset({"id", "segment", "pair", TEXT, *LANGUAGES})
"""Roles of columns that decide which rows are taken, in which order or as what."""


def read_parquet_table(file: TextFile, options: ReadingOptions) -> "StoredTable | Records":
    """The reader of Parquet: columns of text are decoded a piece at a time where that is enough."""
    if not options.whole and (stored := stored_table(file, options.columns, labels=options.labels)):
        return stored
    return read_corpus_table(file, options)


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
    found = [index for index in places if groups[0].column(index).path_in_schema == column]
    if not found:  # the two parts of a damaged file that name columns differ
        return False
    (place, *_) = found
    told = [group.column(place).statistics for group in groups]
    return all(
        statistics is not None and statistics.has_null_count and not statistics.null_count
        for statistics in told
    )


class StoredTable(NamedTuple):
    """A table whose texts stay in the file until they are asked for; ``labels`` are in memory."""

    file: TextFile
    keys: dict[str, ColumnKey]
    labels: Records

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.name

    @property
    def has_systems(self) -> bool:
        """Whether there are hypotheses beside references."""
        return self.feed("hypothesis") is not None

    def reference_feed(self, num_refs: int) -> Feed:
        """All references."""
        return self.feed("reference") or self.labels.reference_feed(num_refs)

    def source_feed(self) -> Feed:
        """The sources, for which the file was given."""
        return self.feed("source") or self.labels.source_feed()

    def sources_beside(self) -> Feed | None:
        """The sources beside references, if any."""
        return self.feed("source")

    def system_feeds(self, name: str | None = None) -> list[tuple[str, Feed]]:
        """Every system; one without a name of its own is called ``name``, or after the file."""
        if not self.has_systems:
            return self.labels.system_feeds(name)
        file_name = name or system_name(self.name)
        return [(own or file_name, feed) for own, feed in self.systems()]

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


def _checked(column: Any, key: ColumnKey, location: str, before: int) -> Texts:
    found = texts_of(column, key, location, before)
    if found is None:
        raise InputError(f"{location}: found nulls that its own statistics deny, expected none")
    return found[0]
