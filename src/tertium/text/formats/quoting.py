"""Whether the quotes of a TSV file enclose cells, as Excel and pandas write them, or are text.

TSV has no standard. Files of WMT have quotes that are text; pandas encloses a cell that has a
quote, a tab or a line break, Excel also one that has a comma, and both double the quotes inside.
A file is quoted if

- all its cells are enclosed (numbers and empty cells may be bare), or
- some enclosed cell has doubled quotes inside, and every cell that begins with a quote is
  enclosed, or
- rows have as many cells as the first only if tabs and line breaks inside quotes are text, or
- enclosed cells are those that have a comma, all of them and no others, and there are several.

If some cell speaks for enclosing by doubled quotes and another begins with a quote that does not
enclose it, the file is refused: either way some text would be wrong.
"""

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from tertium.errors import InputError, OptionError
from tertium.text.files import BLOCK, TextFile
from tertium.text.memory import Budget

Quoting: TypeAlias = Literal["auto", "yes", "no"]

LONGEST_CELL: Final = 1 << 22
"""Characters after which the end of an enclosed cell is no longer looked for."""
SEVERAL: Final = 3

_ENCLOSED: Final = re.compile(r'"[^"\t\n]*+(?:""[^"\t\n]*+)*+"(?=\t|\r?\n|\r?\Z)')
_ENCLOSED_LINES: Final = re.compile(r'"[^"]*+(?:""[^"]*+)*+"(?=\t|\r?\n|\r?\Z)')
_NUMBER: Final = re.compile(r"[+-]?\d*\.?\d*(?:[eE][+-]?\d+)?")
_BARE_END: Final = re.compile(r"[\t\n]|\Z")


class QuotedCell(NamedTuple):
    """A cell as it is written, with the offset where it begins."""

    start: int
    text: str
    enclosed: bool
    ends_row: bool


def check_quoting(told: str) -> Quoting:
    """The option as a checked value."""
    for known in get_args(Quoting):
        if told == known:
            checked: Quoting = known
            return checked
    raise OptionError(f"quoting: found '{told}', expected auto, yes or no")


def quoted_rows(
    file: TextFile, quoting: Quoting = "auto", *, held: bool = True
) -> Iterator[tuple[int, list[str]]] | None:
    """The rows of a TSV file whose quotes enclose cells, with their lines; else ``None``."""
    if quoting == "no" or not _any_cell_begins_with_a_quote(file, held=held):
        return None
    try:
        data = file.read()
        Budget(file.name, rows="lines").add(rows=data.count(b"\n"))
        Budget(file.name, rows="cells").add(rows=data.count(b"\t"))
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None  # the reader of the lines says where
    pattern = _enclosed_pattern(text, file.name, forced=quoting == "yes")
    return None if pattern is None else _rows(text, pattern)


def _rows(text: str, enclosed: re.Pattern[str]) -> Iterator[tuple[int, list[str]]]:
    row: list[str] = []
    line, start = 1, 0
    for cell in _cells(text, enclosed):
        row.append(cell.text[1:-1].replace('""', '"') if cell.enclosed else cell.text)
        if cell.ends_row:
            yield line, row
            line += 1 + text.count("\n", start, cell.start + len(cell.text))
            start, row = cell.start + len(cell.text) + 1, []


def _any_cell_begins_with_a_quote(file: TextFile, *, held: bool) -> bool:
    last = b"\n"
    budget = Budget(file.name)
    with closing(file.open()) as stream:
        while block := stream.read(BLOCK):
            if held:
                budget.add(size=len(block))
            block = last + block.removeprefix(b"\xef\xbb\xbf") if last == b"\n" else last + block
            if b'\t"' in block or b'\n"' in block:
                return True
            last = block[-1:]
    return False


def _enclosed_pattern(text: str, name: str, *, forced: bool) -> re.Pattern[str] | None:
    """What an enclosed cell looks like in this file; ``None`` if quotes are text."""
    if not any(map(_is_bare, _cells(text, _ENCLOSED_LINES))):
        return _ENCLOSED_LINES
    lines = text.removesuffix("\n").split("\n")
    tabs = lines[0].count("\t")
    if all(line.count("\t") == tabs for line in lines):
        # Where lines are rows, a quotation over several segments must not look like one cell.
        return _ENCLOSED if forced or _seems_quoted(text, name) else None
    return _ENCLOSED_LINES if forced or _fits_with_longer_cells(text) else None


def _fits_with_longer_cells(text: str) -> bool:
    """Whether all rows are as long as the first if tabs and line breaks inside quotes are text."""
    lengths: set[int] = set()
    length = 0
    for cell in _cells(text, _ENCLOSED_LINES):
        length += 1
        if _is_loose(cell) or len(lengths) > 1:
            return False
        if cell.ends_row:
            lengths.add(length)
            length = 0
    return len(lengths) == 1


def _seems_quoted(text: str, name: str) -> bool:
    doubled: QuotedCell | None = None
    loose: QuotedCell | None = None
    enclosed, by_commas = 0, True
    for cell in _cells(text, _ENCLOSED):
        by_commas = by_commas and cell.enclosed == ("," in cell.text)
        if cell.enclosed:
            enclosed += 1
            doubled = doubled or (cell if '"' in cell.text[1:-1] else None)
        elif cell.text.startswith('"'):
            loose = loose or cell
    if loose is not None and doubled is not None:
        line, other = (text.count("\n", 0, cell.start) + 1 for cell in (loose, doubled))
        raise InputError(
            f"{name}:{line}: a cell that begins with a quote which does not enclose it, while the "
            f"quotes in line {other} are doubled, expected one or the other (--quoting yes takes "
            "quotes off, --quoting no leaves them)"
        )
    return loose is None and (doubled is not None or (by_commas and enclosed >= SEVERAL))


def _is_bare(cell: QuotedCell) -> bool:
    """Whether a cell has text, no number, that is not enclosed."""
    return not cell.enclosed and not _NUMBER.fullmatch(cell.text)


def _is_loose(cell: QuotedCell) -> bool:
    return not cell.enclosed and cell.text.startswith('"')


def _cells(text: str, enclosed: re.Pattern[str]) -> Iterator[QuotedCell]:
    """All cells, where a quote that does not enclose its cell is text."""
    start, size = 0, len(text.removesuffix("\n"))
    while start <= size:
        match = None
        if text.startswith('"', start):
            match = enclosed.match(text, start, min(size, start + LONGEST_CELL))
        if match is not None:
            end = match.end() + text.startswith("\r", match.end())
        else:
            found = _BARE_END.search(text, start, size)
            end = found.start() if found else size
        ends_row = not text.startswith("\t", end)
        yield QuotedCell(start, text[start:end].removesuffix("\r"), match is not None, ends_row)
        start = end + 1
