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
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from tertium.errors import InputError, OptionError
from tertium.text.files import BLOCK, TextFile

Quoting: TypeAlias = Literal["auto", "yes", "no"]

LONGEST_CELL: Final = 1 << 22
"""Characters after which the end of an enclosed cell is no longer looked for."""
SEVERAL: Final = 3

_ENCLOSED: Final = re.compile(r'"[^"\t\n]*+(?:""[^"\t\n]*+)*+"(?=\t|\r?\n|\r?\Z)')
_ENCLOSED_LINES: Final = re.compile(r'"[^"]*+(?:""[^"]*+)*+"(?=\t|\r?\n|\r?\Z)')
_NUMBER: Final = re.compile(r"[+-]?\d*\.?\d*(?:[eE][+-]?\d+)?")
_BARE_END: Final = re.compile(r"[\t\n]|\Z")


class Cell(NamedTuple):
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


def has_quoted_cells(file: TextFile, quoting: Quoting = "auto") -> bool:
    """Whether quotes at both ends of a cell are not part of its text."""
    if quoting != "auto":
        return quoting == "yes"
    if not _any_cell_begins_with_a_quote(file):
        return False
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        return False  # whoever reads the lines says where
    return _is_quoted(text, file.name)


def _any_cell_begins_with_a_quote(file: TextFile) -> bool:
    last = b"\n"
    with closing(file.open()) as stream:
        while block := stream.read(BLOCK):
            block = last + block.removeprefix(b"\xef\xbb\xbf") if last == b"\n" else last + block
            if b'\t"' in block or b'\n"' in block:
                return True
            last = block[-1:]
    return False


def _is_quoted(text: str, name: str) -> bool:
    tabs = [line.count("\t") for line in text.removesuffix("\n").split("\n")]
    if all(count == tabs[0] for count in tabs):
        # Where lines are rows, a quotation over several segments must not look like one cell.
        return _seems_quoted(list(_cells(text, _ENCLOSED)), text, name)
    cells = list(_cells(text, _ENCLOSED_LINES))
    ends = [index for index, cell in enumerate(cells) if cell.ends_row]
    lengths = {end - before for before, end in zip([-1, *ends], ends, strict=False)}
    return len(lengths) == 1 and not any(_is_loose(cell) for cell in cells)


def _seems_quoted(cells: Sequence[Cell], text: str, name: str) -> bool:
    enclosed = [cell for cell in cells if cell.enclosed]
    if not enclosed:
        return False
    doubled = next((cell for cell in enclosed if '"' in cell.text[1:-1]), None)
    if loose := next(filter(_is_loose, cells), None):
        if doubled is None:
            return False
        line, other = (text.count("\n", 0, cell.start) + 1 for cell in (loose, doubled))
        raise InputError(
            f"{name}:{line}: a cell that begins with a quote which does not enclose it, while the "
            f"quotes in line {other} are doubled, expected one or the other (--quoting yes takes "
            "quotes off, --quoting no leaves them)"
        )
    bare = [cell.text for cell in cells if not cell.enclosed and not _NUMBER.fullmatch(cell.text)]
    if not bare or doubled is not None:
        return True
    by_commas = all("," in cell.text for cell in enclosed) and not any("," in one for one in bare)
    return by_commas and len(enclosed) >= SEVERAL


def _is_loose(cell: Cell) -> bool:
    return not cell.enclosed and cell.text.startswith('"')


def _cells(text: str, enclosed: re.Pattern[str]) -> Iterator[Cell]:
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
        yield Cell(start, text[start:end].removesuffix("\r"), match is not None, ends_row)
        start = end + 1
