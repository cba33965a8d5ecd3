"""TSV, CSV, JSON lines and Parquet with named columns.

Columns: ``source``; ``reference`` and every other one that begins so; ``hypothesis`` (a
system called after the file) or ``hypothesis_NAME`` and ``hypothesis:NAME``; ``document``;
``genre`` or ``domain``; ``id``. In JSON lines and Parquet, references may be a list and
``hypotheses`` an object ``{name: text}``. Other columns are left alone.
"""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint
from tertium.text.column_roles import BATCH, ColumnRoles, TableBuilder, kind_of
from tertium.text.files import TextFile
from tertium.text.keyed_segments import Records
from tertium.text.lines import BYTE_ORDER_MARK, numbered_lines


def read_table(file: TextFile, kind: str, columns: ColumnRoles) -> Records:
    """All the rows of a table, checked."""
    match kind:
        case "tsv":
            return _read_cells(file, _tab_rows(file), columns)
        case "csv":
            with _long_fields():
                return _read_cells(file, _comma_rows(file), columns)
        case "jsonl":
            return _read_json(file, columns)
        case _:
            return _read_parquet(file, columns)


def _tab_rows(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    for number, line in numbered_lines(file):
        yield number, line.split("\t")


def _comma_rows(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(_decoded_lines(file), strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells or [""]
    except csv.Error as error:
        raise InputError(f"{file.name}:{reader.line_num}: {error}, expected CSV") from None


def _decoded_lines(file: TextFile) -> Iterator[str]:
    """Lines with their ends, which count inside quotes."""
    data = file.read().removeprefix(BYTE_ORDER_MARK)
    for number, line in enumerate(io.BytesIO(data), 1):
        try:
            yield line.decode()
        except UnicodeDecodeError:
            raise InputError(f"{file.name}:{number}: invalid UTF-8, expected UTF-8 text") from None


@contextmanager
def _long_fields() -> Iterator[None]:
    """The csv module refuses fields of more than 128 KiB, by a limit of the whole process."""
    usual = csv.field_size_limit((1 << 31) - 1)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


def _read_cells(
    file: TextFile, rows: Iterator[tuple[int, list[str]]], columns: ColumnRoles
) -> Records:
    """Rows of cells below a row of column names."""
    _, header = next(rows, (1, []))
    if not header:
        raise InputError(f"{file.name}: empty, expected a row of column names")
    for column in header:
        if header.count(column) > 1:
            raise InputError(f"{file.name}:1: column '{column}' twice, expected once")
    keys = {column: columns.key(column) for column in header}
    references = [column for column, key in keys.items() if key and key.role == "reference"]
    # With one column an empty cell is an empty reference, as an empty line of plain text is.
    optional = references if len(references) > 1 else []
    table = TableBuilder(file.name, columns, header)
    for number, cells in rows:
        if len(cells) != len(header):
            raise InputError(
                f"{file.name}:{number}: {len(cells)} columns, expected {len(header)} as in line 1"
            )
        row: dict[str, str | None] = dict(zip(header, cells, strict=True))
        for column in optional:
            row[column] = row[column] or None
        table.add(f"{file.name}:{number}", row)
    return table.records()


def _read_json(file: TextFile, columns: ColumnRoles) -> Records:
    table = TableBuilder(file.name, columns)
    for number, line in numbered_lines(file):
        place = f"{file.name}:{number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{place}: {error}, expected one JSON object per line") from None
        if not isinstance(row, dict):
            raise InputError(f"{place}: {kind_of(row)}, expected one JSON object per line")
        table.add(place, row)
    return table.records()


def _read_parquet(file: TextFile, columns: ColumnRoles) -> Records:
    try:
        # Typed as Any: the package is optional, and not needed to check the types of ours.
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError(
            f"{file.name}: the package pyarrow is missing, "
            f"expected for Parquet files: {install_hint('parquet')}"
        ) from None
    held = file.data is not None or file.compression
    try:
        with parquet.ParquetFile(io.BytesIO(file.read()) if held else file.name) as rows:
            header = list(rows.schema_arrow.names)
            wanted = [column for column in header if columns.key(column)]
            table = TableBuilder(file.name, columns, header)
            number = 0
            for batch in rows.iter_batches(batch_size=BATCH, columns=wanted):
                for row in batch.to_pylist():
                    number += 1
                    table.add(f"{file.name}: row {number}", row)
    except (OSError, ValueError, arrow.ArrowException) as error:
        found = str(error).partition("\n")[0]
        raise InputError(f"{file.name}: {found}, expected a Parquet file") from None
    return table.records()
