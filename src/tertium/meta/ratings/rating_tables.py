"""Tables of ratings or of published scores, whose first line names the columns.

The columns of direct assessment (``LP DATA SYSTEM SID HUMAN``), of WMT's metrics task
(``METRIC LP TESTSET SYSTEM SCORE``) and plain ones (``system segment judge criterion rating``)
are the same roles under other names. Tabs, commas or spaces divide them; JSON lines have the
names as keys. A segment counts from 1; without one a rating is of the whole system. ``kind`` says
that an item was a control (``degraded``, ``reference``, ``check``), ``begin`` and ``seconds`` when
the work on it began and how long it took.
"""

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import Rating, is_pair, read_segment, read_value
from tertium.plurals import counted
from tertium.text.decimals import decimal
from tertium.text.files import TextFile
from tertium.text.formats.formulas import restored_row
from tertium.text.lines import numbered_lines
from tertium.text.named_rows import json_row, kind_of

ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    "system": ("system", "sys", "system_id", "systemid"),
    "rating": ("rating", "human", "score"),
    "segment": ("segment", "seg", "sid", "segment_id", "seg_id"),
    "judge": ("judge", "judge_id", "judgeid", "annotator", "rater"),
    "criterion": ("criterion", "metric"),
    "pair": ("pair", "lp", "language_pair", "langpair"),
    "testset": ("testset", "test_set", "data"),
    "domain": ("domain", "genre"),
    "document": ("document", "doc", "doc_id", "document_id", "docid"),
    "kind": ("kind", "item_type", "itemtype"),
    "begin": ("begin",),
    "seconds": ("seconds",),
}
"""Role → names of its column, in any case. Other columns are left alone."""

CRITERIA: Final = ("adequacy", "fluency")
"""Columns that are ratings under the criterion they are named after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumns:
    """Where in a row the roles are found; ``ratings`` are (column, criterion)."""

    roles: Mapping[str, str]
    ratings: tuple[tuple[str, str], ...]

    @classmethod
    def find(cls, header: Sequence[str], location: str) -> "TableColumns":
        """The columns by role, or an error that says what is missing or twofold."""
        found: dict[str, str] = {}
        wide = []
        for column in header:
            name = column.strip().lower()
            role = next((role for role, names in ROLES.items() if name in names), None)
            if name in CRITERIA:
                wide.append((column, name))
            elif role in found:
                raise InputError(
                    f"{location}: columns '{found[role]}' and '{column}' are both the {role}, "
                    "expected one"
                )
            elif role is not None:
                found[role] = column
        if "system" not in found or not (wide or "rating" in found):
            raise InputError(
                f"{location}: columns {', '.join(header)}, expected at least system and rating "
                "(also called human or score), or adequacy and fluency"
            )
        if wide and "rating" in found:
            raise InputError(
                f"{location}: columns '{found['rating']}' and '{wide[0][0]}', "
                "expected one rating in a row or one of each criterion"
            )
        usual = "human" if found.get("rating", "").strip().lower() == "human" else "rating"
        return cls(roles=found, ratings=tuple(wide) or ((found["rating"], usual),))


def is_table_header(cells: Sequence[str]) -> bool:
    """Whether a first line has the columns of a table of ratings."""
    names = {cell.strip().lower() for cell in cells}
    rated = names & {*ROLES["rating"], *CRITERIA}
    return bool(rated) and bool(names & {*ROLES["system"]})


def split_header(line: str) -> tuple[str, list[str]]:
    """What divides the columns (tab, comma or, as '', white space), and their names."""
    for divider in ("\t", ","):
        if divider in line:
            return divider, next(csv.reader([line], delimiter=divider))
    return "", line.split()


def read_table(file: TextFile, grades: Mapping[str, float] | None = None) -> Iterator[Rating]:
    """Every rating of a table with a header line."""
    lines = numbered_lines(file)
    _, first = next(lines, (1, ""))
    divider, header = split_header(first)
    columns = TableColumns.find(header, f"{file.name}:1")
    for number, line in lines:
        if not line.strip():
            continue
        cells = line.split() if not divider else _cells(line, divider, f"{file.name}:{number}")
        if len(cells) != len(header):
            raise InputError(
                f"{file.name}:{number}: {counted(len(cells), 'column')}, expected {len(header)} as "
                "in line 1"
            )
        row = restored_row(dict(zip(header, cells, strict=True)))
        yield from _ratings(row, columns, f"{file.name}:{number}", grades)


def _cells(line: str, divider: str, location: str) -> list[str]:
    if divider == "\t":
        return line.split("\t")  # a quotation mark is a character there
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise InputError(f"{location}: {error}, expected CSV") from None


def read_json(file: TextFile, grades: Mapping[str, float] | None = None) -> Iterator[Rating]:
    """Every rating of JSON lines, objects with the columns as keys."""
    for number, line in numbered_lines(file):
        location = f"{file.name}:{number}"
        if not line.strip():
            continue
        row = json_row(line, location)
        cells = {key: _text(value, key, location) for key, value in row.items()}
        yield from _ratings(cells, TableColumns.find(list(cells), location), location, grades)


def _text(value: object, key: str, location: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{location}: '{key}' is {kind_of(value)}, expected text or a number")


def _ratings(
    row: Mapping[str, str],
    columns: TableColumns,
    location: str,
    grades: Mapping[str, float] | None,
) -> Iterator[Rating]:
    def cell(role: str) -> str:
        return row[columns.roles[role]].strip() if role in columns.roles else ""

    system = cell("system")
    if not system:
        raise InputError(f"{location}: no system, expected a name")
    segment = read_segment(cell("segment"), location) if cell("segment") else None
    for column, criterion in columns.ratings:
        yield Rating(
            place=location,
            system=system,
            value=read_value(row[column], location, grades),
            criterion=cell("criterion") or criterion,
            pair=cell("pair"),
            testset=cell("testset"),
            domain=cell("domain"),
            segment=segment,
            judge=cell("judge"),
            kind=_kind(cell("kind"), location),
            begin=_moment(cell("begin"), location),
            seconds=_moment(cell("seconds"), location),
            document=cell("document"),
        )


KINDS: Final = {
    "": "",
    "system": "",
    "tgt": "",
    "chk": "",
    "bad": "degraded",
    "degraded": "degraded",
    "ref": "reference",
    "reference": "reference",
    "check": "check",
}
"""What an item is, as tables and Appraise call it, and as `Rating` does."""


def _kind(text: str, location: str) -> str:
    if text.lower() not in KINDS:
        raise InputError(f"{location}: kind '{text}', expected {', '.join(filter(None, KINDS))}")
    return KINDS[text.lower()]


def _moment(text: str, location: str) -> float | None:
    """A number of seconds, or none."""
    value = read_value(text, location)
    return None if math.isnan(value) else value


# Columns of grades: a letter or number a line, beside the rows of a table of ratings.
#
# The files are called CRITERION.PAIR, as those of Sudoh, Takahashi and Nakamura (2021), who graded
# the direct-assessment segments of WMT15–17 for adequacy and fluency.

GRADES: Final[Mapping[str, Mapping[str, float]]] = {
    "adequacy": {"S": 5.0, "A": 4.0, "B": 3.0, "C": 2.0, "F": 2.0, "O": 1.0, "N": 1.0},
    "fluency": {"S": 5.0, "A": 4.0, "B": 3.0, "D": 2.0, "F": 1.0},
}
"""Criterion → number of each letter. The files come without a key: the order is that of the mean
direct assessment of the segments with a letter. C and F are two kinds of wrong content, O and N
say something else or nothing; how far apart they lie is our convention."""


def parse_grades(pairs: Sequence[tuple[str, str]]) -> dict[str, float] | None:
    """Grades that a user gives as letter and number.

    >>> parse_grades([("A", "2"), ("B", "1")])
    {'A': 2.0, 'B': 1.0}
    """
    grades = {}
    for letter, text in pairs:
        number = decimal(text)
        if number is None:
            raise OptionError(f"grade '{letter}': found '{text}', expected a number")
        grades[letter] = number
    return grades or None


def is_grade_file(name: str) -> bool:
    """Whether a file is called CRITERION.PAIR.

    >>> is_grade_file("wmt17/adequacy.de-en"), is_grade_file("newstest2012.es-en.UPC")
    (True, False)
    """
    front, _, pair = Path(name).name.rpartition(".")
    return bool(front) and is_pair(pair)


def read_grades(
    file: TextFile, frame: Sequence[Rating], grades: Mapping[str, float] | None = None
) -> Iterator[Rating]:
    """The lines of a file as ratings of what the rows of ``frame`` rate, pair by pair."""
    front, _, pair = Path(file.name).name.rpartition(".")
    if not is_grade_file(file.name):
        raise InputError(f"{file.name}: found this name, expected CRITERION.PAIR")
    criterion = front.rpartition(".")[2].lower()
    rows = [row for row in frame if row.pair == pair and row.segment is not None]
    rows = [row for row in rows if row.criterion == rows[0].criterion]
    if not rows:
        raise InputError(
            f"{file.name}: found no table with rows of {pair} before it, "
            "expected one whose rows it goes along with"
        )
    scale = grades or GRADES.get(criterion)
    lines = list(numbered_lines(file))
    if len(lines) != len(rows):
        raise InputError(
            f"{file.name}: {counted(len(lines), 'line')}, expected {len(rows)} (rows of {pair} "
            "from "
            f"{rows[0].place})"
        )
    for (number, line), row in zip(lines, rows, strict=True):
        location = f"{file.name}:{number}"
        value = read_value(line, location, scale)
        yield row._replace(place=location, value=value, criterion=criterion)
