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
from typing import Final

from tertium.errors import InputError
from tertium.meta.ratings.entries import Rating, read_segment, read_value
from tertium.plurals import counted
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
    def find(cls, header: Sequence[str], place: str) -> "TableColumns":
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
                    f"{place}: columns '{found[role]}' and '{column}' are both the {role}, "
                    "expected one"
                )
            elif role is not None:
                found[role] = column
        if "system" not in found or not (wide or "rating" in found):
            raise InputError(
                f"{place}: columns {', '.join(header)}, expected at least system and rating "
                "(also called human or score), or adequacy and fluency"
            )
        if wide and "rating" in found:
            raise InputError(
                f"{place}: columns '{found['rating']}' and '{wide[0][0]}', "
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


def _cells(line: str, divider: str, place: str) -> list[str]:
    if divider == "\t":
        return line.split("\t")  # a quotation mark is a character there
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise InputError(f"{place}: {error}, expected CSV") from None


def read_json(file: TextFile, grades: Mapping[str, float] | None = None) -> Iterator[Rating]:
    """Every rating of JSON lines, objects with the columns as keys."""
    for number, line in numbered_lines(file):
        place = f"{file.name}:{number}"
        if not line.strip():
            continue
        row = json_row(line, place)
        cells = {key: _text(value, key, place) for key, value in row.items()}
        yield from _ratings(cells, TableColumns.find(list(cells), place), place, grades)


def _text(value: object, key: str, place: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{place}: '{key}' is {kind_of(value)}, expected text or a number")


def _ratings(
    row: Mapping[str, str],
    columns: TableColumns,
    place: str,
    grades: Mapping[str, float] | None,
) -> Iterator[Rating]:
    def cell(role: str) -> str:
        return row[columns.roles[role]].strip() if role in columns.roles else ""

    system = cell("system")
    if not system:
        raise InputError(f"{place}: no system, expected a name")
    segment = read_segment(cell("segment"), place) if cell("segment") else None
    for column, criterion in columns.ratings:
        yield Rating(
            place=place,
            system=system,
            value=read_value(row[column], place, grades),
            criterion=cell("criterion") or criterion,
            pair=cell("pair"),
            testset=cell("testset"),
            domain=cell("domain"),
            segment=segment,
            judge=cell("judge"),
            kind=_kind(cell("kind"), place),
            begin=_moment(cell("begin"), place),
            seconds=_moment(cell("seconds"), place),
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


def _kind(text: str, place: str) -> str:
    if text.lower() not in KINDS:
        raise InputError(f"{place}: kind '{text}', expected {', '.join(filter(None, KINDS))}")
    return KINDS[text.lower()]


def _moment(text: str, place: str) -> float | None:
    """A number of seconds, or none."""
    value = read_value(text, place)
    return None if math.isnan(value) else value
