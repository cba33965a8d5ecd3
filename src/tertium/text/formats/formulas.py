"""Cells that a spreadsheet would run as formulas, made harmless in files that people open in one.

A text such as ``=HYPERLINK(…)`` or ``@SUM(…)`` in a downloaded table is run by Excel, LibreOffice
and Google Sheets when the file is opened. OWASP's cure is an apostrophe before it, which makes the
cell text. So that readers get the text back exactly, a table with such cells has one more column,
`FORMULA_COLUMN`, that lists the columns of the row that were changed; a table without any is
written as ever. Numbers (``-0.53``) are left alone.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

FORMULA_COLUMN: Final = "formula_cells"
"""The column that says which cells of its row have an apostrophe that is none of the text."""

# Blanks and quotes in front do not help: a spreadsheet trims the one and takes off the other. The
# wide forms are triggers where the language of the spreadsheet is Chinese, Japanese or Korean.
# Apostrophes before a tab count with it, or a text of both would lose one when it is restored.
_FORMULA: Final = re.compile(r"""(?:[\s"']*[=+\-@＝＋－＠]|'*[\t\r])""")
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?|[+-]?(?:inf|nan)")


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet might run the cell.

    >>> [is_formula(cell) for cell in ("=1+1", "- Yes", "-0.53", "+1e-5", "a=b", '"@x"', "")]
    [True, True, False, False, False, True, False]
    """
    return _FORMULA.match(cell) is not None and _NUMBER.fullmatch(cell) is None


def neutral_cell(cell: str) -> str:
    """The cell with an apostrophe before it if a spreadsheet might run it.

    >>> neutral_cell("=1+1"), neutral_cell("-1"), neutral_cell("'=1")
    ("'=1+1", '-1', "''=1")
    """
    return f"'{cell}" if is_formula(cell) else cell


def restored_cell(cell: str) -> str:
    """What `neutral_cell` made its cell from."""
    return cell[1:] if cell.startswith("'") and is_formula(cell[1:]) else cell


def neutral_table(
    header: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[str]]]:
    """A table in which nothing is run, with the column that tells how to restore it if needed."""
    safe = [[neutral_cell(cell) for cell in row] for row in rows]
    changed = [
        [name for name, cell, text in zip(header, cells, row, strict=True) if cell != text]
        for cells, row in zip(safe, rows, strict=True)
    ]
    if not any(changed):
        return list(header), safe
    listed = [json.dumps(names, ensure_ascii=False) if names else "" for names in changed]
    return [*header, FORMULA_COLUMN], [
        [*row, changed] for row, changed in zip(safe, listed, strict=True)
    ]


def restored_row(row: Mapping[str, str]) -> dict[str, str]:
    """The cells of a row as they were before `neutral_table`; other rows are left alone."""
    cells = dict(row)
    names: object = []
    with suppress(ValueError, RecursionError):
        names = json.loads(cells.get(FORMULA_COLUMN) or "[]")
    for name in names if isinstance(names, list) else ():
        if isinstance(name, str) and name in cells:
            cells[name] = cells[name].removeprefix("'")
    return cells
