"""Rows of TSV, CSV, XLSX, JSON lines and Parquet as dictionaries, with the place of each.

Cells of CSV are separated by whichever of comma, semicolon, tab and bar divides the first line
into names of columns. Quotes of TSV are text or enclose cells, which
`tertium.text.formats.quoting` finds out.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint
from tertium.plurals import counted
from tertium.text.files import BLOCK, TextFile
from tertium.text.formats.formulas import FORMULA_COLUMN, restored_row
from tertium.text.lines import BYTE_ORDER_MARK, numbered_lines

if TYPE_CHECKING:
    from tertium.text.formats.quoting import Quoting

DELIMITERS = ",;\t|"
"""What may separate the cells of CSV, the usual one first."""

BATCH = 1 << 14
"""Rows of Parquet that are Python objects at the same time."""


class NamedRows(NamedTuple):
    """A place and a dictionary for each row; without a header each row has columns of its own."""

    header: list[str] | None
    rows: Iterator[tuple[str, dict[str, Any]]]


def named_rows(
    file: TextFile,
    kind: str,
    wanted: Callable[[str], object] = lambda _: True,
    quoting: "Quoting" = "auto",
) -> NamedRows:
    """The rows of a file of that kind; of Parquet only columns that are wanted are read."""
    match kind:
        case "tsv":
            return _cells(file, _tab_rows(file, quoting))
        case "csv":
            return _cells(file, _comma_rows(file, wanted))
        case "xlsx":
            from tertium.text.formats.workbook import read_sheet

            sheet = read_sheet(file, wanted)
            return _cells(file, chain([(1, sheet.header)], sheet.rows))
        case "jsonl":
            return NamedRows(None, _json(file))
        case _:
            return _parquet(file, wanted)


def delimiter_of(header: str, wanted: Callable[[str], object]) -> tuple[str, int]:
    """What separates the names of columns, and how many of them are wanted.

    >>> delimiter_of("id;source;reference", {"source", "reference"}.__contains__)
    (';', 2)
    """
    counted: list[tuple[int, int, int, str]] = []
    for delimiter in DELIMITERS:
        try:
            cells = next(csv.reader([header], delimiter=delimiter), [])
        except csv.Error:
            continue
        known = sum(bool(wanted(cell)) for cell in cells if cell) if len(cells) > 1 else 0
        counted.append((known, len(cells), -len(counted), delimiter))
    known, _, _, delimiter = max(counted, default=(0, 0, 0, ","))
    return delimiter, known


def _tab_rows(file: TextFile, quoting: "Quoting") -> Iterator[tuple[int, list[str]]]:
    from tertium.text.formats.quoting import quoted_rows

    if (rows := quoted_rows(file, quoting)) is not None:
        yield from rows
        return
    for number, line in numbered_lines(file):
        yield number, line.split("\t")


def _comma_rows(file: TextFile, wanted: Callable[[str], object]) -> Iterator[tuple[int, list[str]]]:
    lines = _decoded_lines(file)
    first = next(lines, "")
    if told := re.fullmatch(r"sep=(.)\s*", first):  # Excel takes this line for itself
        return _separated_rows(file, lines, told[1], skipped=1)
    delimiter, _ = delimiter_of(first, wanted)
    return _separated_rows(file, chain([first] if first else [], lines), delimiter)


def _separated_rows(
    file: TextFile, lines: Iterator[str], delimiter: str, skipped: int = 0
) -> Iterator[tuple[int, list[str]]]:
    with _long_fields():
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            for cells in reader:
                yield reader.line_num + skipped, cells or [""]
        except csv.Error as error:
            line = reader.line_num + skipped
            raise InputError(f"{file.name}:{line}: {error}, expected CSV") from None


def _decoded_lines(file: TextFile) -> Iterator[str]:
    """Lines with their ends, which count inside quotes."""
    for number, line in enumerate(_raw_lines(file), 1):
        try:
            yield (line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line).decode()
        except UnicodeDecodeError:
            raise InputError(f"{file.name}:{number}: invalid UTF-8, expected UTF-8 text") from None


def _raw_lines(file: TextFile) -> Iterator[bytes]:
    """Lines with their ends, a block of the file in memory."""
    rest = b""
    with closing(file.open()) as stream:
        while block := stream.read(BLOCK):
            whole, end, rest = (rest + block).rpartition(b"\n")
            yield from io.BytesIO(whole + end)
    if rest:
        yield rest


@contextmanager
def _long_fields() -> Iterator[None]:
    """The csv module refuses fields of more than 128 KiB, by a limit of the whole process."""
    usual = csv.field_size_limit((1 << 31) - 1)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


def _cells(file: TextFile, rows: Iterator[tuple[int, list[str]]]) -> NamedRows:
    """Rows of cells below a row of column names."""
    _, header = next(rows, (1, []))
    if not header:
        raise InputError(f"{file.name}: empty, expected a row of column names")
    for column in header:
        if header.count(column) > 1:
            raise InputError(f"{file.name}:1: column '{column}' twice, expected once")

    def named() -> Iterator[tuple[str, dict[str, Any]]]:
        for number, cells in rows:
            place = f"{file.name}:{number}"
            if len(cells) != len(header):
                raise InputError(
                    f"{place}: {counted(len(cells), 'column')}, expected {len(header)} as in line 1"
                )
            row = dict(zip(header, cells, strict=True))
            yield place, restored_row(row) if FORMULA_COLUMN in row else row

    return NamedRows(header, named())


def _json(file: TextFile) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in numbered_lines(file):
        place = f"{file.name}:{number}"
        if number == 1 and (line.strip() == "{" or line.lstrip().startswith("[")):
            yield from _json_list(file)  # as pandas and others write one
            return
        yield place, json_row(line, place)


def _json_list(file: TextFile) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list that is the whole file."""
    try:
        rows = json.loads(file.read().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file.name}: {error}, expected JSON lines or a list") from None
    if not isinstance(rows, list):
        raise InputError(
            f"{file.name}: {kind_of(rows)} over several lines, expected JSON lines or a list of "
            "objects ('jq -c' makes lines)"
        )
    for number, row in enumerate(rows, 1):
        place = f"{file.name}: object {number}"
        if not isinstance(row, dict):
            raise InputError(f"{place}: {kind_of(row)}, expected an object")
        yield place, row


def json_row(line: str, place: str) -> dict[str, Any]:
    """The object on a line."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: {error}, expected one JSON object per line") from None
    if not isinstance(row, dict):
        raise InputError(f"{place}: {kind_of(row)}, expected one JSON object per line")
    return row


def kind_of(value: object) -> str:
    """What a JSON value is, in words.

    >>> kind_of([1]), kind_of(2.5)
    ('a list', 'a number')
    """
    kinds: dict[type, str] = {
        str: "text",
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
        type(None): "null",
    }
    return kinds.get(type(value), type(value).__name__)


def _parquet(file: TextFile, wanted: Callable[[str], object]) -> NamedRows:
    arrow, _ = parquet_modules(file.name)

    def named() -> Iterator[tuple[str, dict[str, Any]]]:
        number = 0
        with readable_parquet(file.name, arrow), opened_parquet(file) as rows:
            chosen = [column for column in header if wanted(column)]
            for batch in rows.iter_batches(batch_size=BATCH, columns=chosen):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{file.name}: row {number}", row

    with readable_parquet(file.name, arrow), opened_parquet(file) as rows:
        header: list[str] = list(rows.schema_arrow.names)
    return NamedRows(header, named())


def opened_parquet(file: TextFile) -> Any:
    """The file as pyarrow reads it."""
    _, parquet = parquet_modules(file.name)
    held = file.data is not None or file.compression
    # By default whole groups of rows would be read ahead, which may be all of the file.
    return parquet.ParquetFile(
        io.BytesIO(file.read()) if held else file.name, pre_buffer=False, buffer_size=BLOCK
    )


def parquet_modules(place: str) -> tuple[Any, Any]:
    """``pyarrow`` and ``pyarrow.parquet``, or an error that says how to get them."""
    try:
        # Typed as Any: the package is optional, and not needed to check the types of ours.
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError(
            f"{place}: the package pyarrow is missing, "
            f"expected for Parquet files: {install_hint('parquet')}"
        ) from None


@contextmanager
def readable_parquet(place: str, arrow: Any) -> Iterator[None]:
    """What pyarrow says of a file that it cannot read, in one line."""
    try:
        yield
    except (OSError, ValueError, arrow.ArrowException) as error:
        found = str(error).partition("\n")[0]
        raise InputError(f"{place}: {found}, expected a Parquet file") from None
