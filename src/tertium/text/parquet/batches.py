"""Rows of Parquet files a batch at a time, each measured before its texts are decoded.

A value that a column repeats stands in the file once, in a dictionary: 3 kB can be a million rows
of 10 kB. So columns whose rows take few bytes in the file are read as the dictionaries that they
are (indices and values, which Arrow can do without decoding), and what they would become is
computed from the lengths of the values. Other columns have their texts in the file; how many of
their rows are decoded at a time follows from the bytes that the footer tells.
"""

from collections.abc import Collection, Iterator
from typing import Any, Final

from tertium.text.limits.budget import CELL, LINE, Budget

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
    batches = rows.iter_batches(
        batch_size=_batch_rows(rows, columns), columns=list(columns), use_threads=use_threads
    )
    for batch in batches:
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
