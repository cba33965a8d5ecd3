"""Workbooks of Excel (XLSX) as tables, read by openpyxl (extra ``xlsx``).

The sheet is the one whose first row names columns that are read; several of them are an error. A
workbook is a ZIP archive that a few kilobytes can blow up, so its size when unpacked, its rows
and its cells are counted before and while it is read.
"""

import io
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, NamedTuple

from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.memory import HELD, Budget

GROWTH: Final = 16
"""Bytes of memory that a byte of XML becomes: a shared string of 14 is an object of 60 and more."""
STEEPEST: Final = 400
"""Times that a part may grow when it is unpacked; XML of real text grows 5 to 30 times."""
SMALL: Final = 1 << 20
"""Bytes of a part that may grow as it likes."""
MOST_ROWS: Final = 1 << 20
MOST_COLUMNS: Final = 1 << 10


class WorkbookSheet(NamedTuple):
    """A sheet of a workbook: its name, its first row, and the rows below with their numbers."""

    name: str
    header: list[str]
    rows: Iterator[tuple[int, list[Any]]]


def read_sheet(file: TextFile, wanted: Callable[[str], object]) -> WorkbookSheet:
    """The sheet with columns that are wanted, or the first that is not empty."""
    openpyxl = _openpyxl(file.name)
    data = file.read(growth=HELD)
    _check_size(file.name, data)
    with _readable(file.name):
        book = openpyxl.load_workbook(
            io.BytesIO(data), read_only=True, data_only=True, keep_links=False
        )
        sheets = []
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # which may claim a million columns
            rows = _rows(file.name, sheet)
            _, header = next(rows, (0, []))
            names = ["" if cell is None else str(cell) for cell in header]
            if names:
                sheets.append(WorkbookSheet(sheet.title, names, rows))
    if not sheets:
        raise InputError(f"{file.name}: empty, expected a row of column names")
    named = [sheet for sheet in sheets if any(cell and wanted(cell) for cell in sheet.header)]
    if len(named) > 1:
        titles = ", ".join(f"'{sheet.name}'" for sheet in named)
        raise InputError(
            f"{file.name}: sheets {titles} have texts, expected one sheet (save the others apart)"
        )
    sheet = (named or sheets)[0]
    return sheet._replace(rows=_texts(file.name, sheet, [bool(wanted(c)) for c in sheet.header]))


def _rows(name: str, sheet: Any) -> Iterator[tuple[int, list[Any]]]:
    """Rows that are not empty; empty cells at their ends do not count."""
    budget = Budget(f"{name}: sheet '{sheet.title}'", rows="cells")
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):
        if number > MOST_ROWS or len(values) > MOST_COLUMNS:
            raise InputError(
                f"{name}: sheet '{sheet.title}': row {number}, {counted(len(values), 'column')}, "
                "expected at "
                f"most {MOST_ROWS} rows and {MOST_COLUMNS} columns"
            )
        budget.add(
            rows=len(values) + 1, size=sum(len(value) for value in values if isinstance(value, str))
        )
        row = list(values)
        while row and row[-1] in {None, ""}:
            row.pop()
        if row:
            yield number, row


def _texts(name: str, sheet: WorkbookSheet, wanted: list[bool]) -> Iterator[tuple[int, list[str]]]:
    """The rows as texts, as many as there are names of columns."""
    with _readable(name):
        for number, cells in sheet.rows:
            row = cells + [None] * (len(wanted) - len(cells))
            yield (
                number,
                [
                    _text(value, f"{name}: sheet '{sheet.name}', row {number}, column {index}")
                    if index > len(wanted) or wanted[index - 1]
                    else str(value)
                    for index, value in enumerate(row, 1)
                ],
            )


def _text(value: object, location: str) -> str:
    """A cell as it was typed; of a date or a formula's error that cannot be known."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{location}: {value}, expected text (format the column as text)")


@contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        yield
    except (InputError, MemoryError, GeneratorExit):
        raise
    except Exception as error:  # noqa: BLE001 - openpyxl raises whatever it stumbles on
        found = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{name}: damaged ({found}), expected an XLSX workbook") from None


def _check_size(name: str, data: bytes) -> None:
    with _readable(name), zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
    size = sum(part.file_size for part in parts)
    Budget(name, byte=GROWTH).add(size=size)
    steep = any(
        part.file_size > SMALL and part.file_size > STEEPEST * part.compress_size for part in parts
    )
    if steep:
        raise InputError(
            f"{name}: {size >> 20} MiB when unpacked, expected no part that grows more than "
            f"{STEEPEST} times"
        )


def _openpyxl(name: str) -> Any:
    # It warns of parts that nobody reads here, such as print areas: not a word for who scores.
    warnings.filterwarnings("ignore", module="openpyxl")
    try:
        return import_module("openpyxl")
    except ImportError:
        raise MissingExtraError(
            f"{name}: the package openpyxl is missing, expected for XLSX files: "
            f"{install_hint('xlsx')}"
        ) from None
