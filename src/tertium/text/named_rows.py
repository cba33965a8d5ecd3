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
from tertium.text.memory import HELD, OBJECT, Budget

if TYPE_CHECKING:
    from tertium.text.formats.quoting import Quoting

DELIMITERS = ",;\t|"
"""What may separate the cells of CSV, the usual one first."""

LONG_ROW = 16
"""Bytes of memory for a byte of a row that is longer than a block: its cells are objects."""
_SMALL_JSON = 1 << 16
"""Bytes that need no counting."""


class NamedRows(NamedTuple):
    """A place and a dictionary for each row; without a header each row has columns of its own."""

    header: list[str] | None
    rows: Iterator[tuple[str, dict[str, Any]]]


def named_rows(
    file: TextFile,
    kind: str,
    wanted: Callable[[str], object] = lambda _: True,
    quoting: "Quoting" = "auto",
    *,
    held: bool = True,
) -> NamedRows:
    """The rows of a file of that kind; of Parquet only columns that are wanted are read.

    Rows that the caller holds, in one form or another, are counted: see
    `tertium.text.memory`.
    """
    match kind:
        case "tsv":
            return _cells(file, _tab_rows(file, quoting, held=held))
        case "csv":
            return _cells(file, _comma_rows(file, wanted, held=held))
        case "xlsx":
            from tertium.text.formats.workbook import read_sheet

            sheet = read_sheet(file, wanted)
            return _cells(file, chain([(1, sheet.header)], sheet.rows))
        case "jsonl":
            return NamedRows(None, _json(file, held=held))
        case _:
            return _parquet(file, wanted, held=held)


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


def _tab_rows(file: TextFile, quoting: "Quoting", *, held: bool) -> Iterator[tuple[int, list[str]]]:
    from tertium.text.formats.quoting import quoted_rows

    if (rows := quoted_rows(file, quoting, held=held)) is not None:
        yield from rows
        return
    for number, line in numbered_lines(file, held=held):
        yield number, line.split("\t")


def _comma_rows(
    file: TextFile, wanted: Callable[[str], object], *, held: bool
) -> Iterator[tuple[int, list[str]]]:
    lines = _decoded_lines(file, held=held)
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


def _decoded_lines(file: TextFile, *, held: bool) -> Iterator[str]:
    """Lines with their ends, which count inside quotes."""
    budget = Budget(file.name, rows="lines")
    for number, line in enumerate(_raw_lines(file), 1):
        if held:
            budget.add(rows=1, size=len(line))
        try:
            yield (line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line).decode()
        except UnicodeDecodeError:
            raise InputError(f"{file.name}:{number}: invalid UTF-8, expected UTF-8 text") from None


def _raw_lines(file: TextFile) -> Iterator[bytes]:
    """Lines with their ends, a block of the file in memory."""
    rest: list[bytes] = []  # of a line that may be longer than many blocks
    budget = Budget(file.name, byte=LONG_ROW)
    with closing(file.open()) as stream:
        while block := stream.read(BLOCK):
            whole, end, tail = block.rpartition(b"\n")
            budget.add(size=len(block))
            if end:
                yield from io.BytesIO(b"".join((*rest, whole, end)))
                rest = []
                budget.restart()
            rest.append(tail)
    if any(rest):
        yield b"".join(rest)


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
    seen: set[str] = set()
    for column in header:
        if column in seen:
            raise InputError(f"{file.name}:1: column '{column}' twice, expected once")
        seen.add(column)
    budget = Budget(file.name, row=OBJECT, rows="cells in a row")
    budget.add(rows=len(header))

    def named() -> Iterator[tuple[str, dict[str, Any]]]:
        for number, cells in rows:
            location = f"{file.name}:{number}"
            if len(cells) != len(header):
                raise InputError(
                    f"{location}: {counted(len(cells), 'column')}, expected {len(header)} as "
                    "in line 1"
                )
            row = dict(zip(header, cells, strict=True))
            yield location, restored_row(row) if FORMULA_COLUMN in row else row

    return NamedRows(header, named())


def _json(file: TextFile, *, held: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in numbered_lines(file, held=held):
        location = f"{file.name}:{number}"
        if number == 1 and (line.strip() == "{" or line.lstrip().startswith("[")):
            yield from _json_list(file)  # as pandas and others write one
            return
        yield location, json_row(line, location)


def _json_list(file: TextFile) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list that is the whole file."""
    rows = whole_json(file, "JSON lines or a list")
    if not isinstance(rows, list):
        raise InputError(
            f"{file.name}: {kind_of(rows)} over several lines, expected JSON lines or a list of "
            "objects ('jq -c' makes lines)"
        )
    for number, row in enumerate(rows, 1):
        location = f"{file.name}: object {number}"
        if not isinstance(row, dict):
            raise InputError(f"{location}: {kind_of(row)}, expected an object")
        yield location, row


def whole_json(file: TextFile, expected: str = "JSON") -> Any:
    """The one value of a file; an error says what was ``expected``."""
    data = file.read().removeprefix(BYTE_ORDER_MARK)
    check_json(data, file.name)
    try:
        return json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file.name}: {error}, expected {expected}") from None


def check_json(data: bytes | str, location: str) -> None:
    """Refuse more values than there is memory for; a value of two bytes becomes an object of 64.

    Signs inside of strings are counted, too, which does no harm: texts have few of them.
    """
    if len(data) < _SMALL_JSON:
        return
    budget = Budget(location, rows="values")
    for sign in ",[{":
        budget.add(rows=data.count(sign) if isinstance(data, str) else data.count(sign.encode()))


def json_row(line: str, location: str) -> dict[str, Any]:
    """The object on a line."""
    check_json(line, location)
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{location}: {error}, expected one JSON object per line") from None
    if not isinstance(row, dict):
        raise InputError(f"{location}: {kind_of(row)}, expected one JSON object per line")
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


def _parquet(file: TextFile, wanted: Callable[[str], object], *, held: bool) -> NamedRows:
    from tertium.text.parquet_tables import batches_of, row_budget

    arrow, _ = parquet_modules(file.name)

    def named() -> Iterator[tuple[str, dict[str, Any]]]:
        number = 0
        with readable_parquet(file.name, arrow), closing(opened_parquet(file)) as rows:
            chosen = [column for column in header if wanted(column)]
            budget = row_budget(file.name, len(chosen))
            for batch in batches_of(rows, chosen, budget):
                if not held:
                    budget.restart()
                for row in batch.to_pylist():
                    number += 1
                    yield f"{file.name}: row {number}", row

    with closing(opened_parquet(file)) as rows:
        header: list[str] = list(rows.schema_arrow.names)
    return NamedRows(header, named())


def opened_parquet(file: TextFile) -> Any:
    """The file as pyarrow reads it; columns of repeated values stay dictionaries."""
    from tertium.text.parquet_tables import repeated_columns

    arrow, parquet = parquet_modules(file.name)
    held = file.data is not None or file.compression
    source = io.BytesIO(file.read(growth=HELD)) if held else file.name
    # By default whole groups of rows would be read ahead, which may be all of the file.
    options = {"pre_buffer": False, "buffer_size": BLOCK}
    with readable_parquet(file.name, arrow):
        rows = parquet.ParquetFile(source, **options)
        _check_groups(rows)
        repeated = repeated_columns(rows)
        if not repeated:
            return rows
        metadata = rows.metadata
        rows.close()
        return parquet.ParquetFile(source, metadata=metadata, read_dictionary=repeated, **options)


def _check_groups(rows: Any) -> None:
    """Let Arrow read a row of each group, where damage is an exception.

    Where Python asks for what the footer says of a column, Arrow ends the process instead.
    """
    for group in range(rows.num_row_groups):
        next(rows.iter_batches(batch_size=1, row_groups=[group], use_threads=False), None)


def whole_batches(rows: Any, **options: Any) -> Iterator[Any]:
    """The record batches of an open file; other rows than its footer says are an error."""
    done = 0
    for batch in rows.iter_batches(**options):
        done += batch.num_rows
        yield batch
    if done != rows.metadata.num_rows:
        raise ValueError(f"found {counted(done, 'row')}, its footer says {rows.metadata.num_rows}")


def parquet_modules(location: str) -> tuple[Any, Any]:
    """``pyarrow`` and ``pyarrow.parquet``, or an error that says how to get them."""
    try:
        # Typed as Any: the package is optional, and not needed to check the types of ours.
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError(
            f"{location}: the package pyarrow is missing, "
            f"expected for Parquet files: {install_hint('parquet')}"
        ) from None


@contextmanager
def readable_parquet(location: str, arrow: Any) -> Iterator[None]:
    """What pyarrow says of a file that it cannot read, in one line."""
    try:
        yield
    except MemoryError:  # which is one of Arrow's own, too
        raise
    except (OSError, ValueError, arrow.ArrowException) as error:
        found = str(error).partition("\n")[0]
        raise InputError(f"{location}: {found}, expected a Parquet file") from None
