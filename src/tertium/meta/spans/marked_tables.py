"""The raw tables of MQM, ``mqm_*.tsv``: a row for each error, marked ``<v>…</v>`` in the text.

Columns are ``system doc doc_id seg_id rater source target category severity``; newer files call the
numbers ``docSegId`` and ``globalSegId``. An output without errors has one row of ``No-error``.
Some files quote cells as spreadsheets do, others have bare quotation marks.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from tertium.errors import InputError
from tertium.meta.ratings.entries import OmissionCounts, read_segment
from tertium.meta.spans.entries import Look, MarkedError
from tertium.meta.spans.span import Side
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines

NEEDED: Final = ("system", "rater", "source", "target", "category", "severity")
NUMBERS: Final = ("globalsegid", "seg_id", "segid")
"""The column of a segment's number in the test set, from 1; the first of these that there is."""
NO_ERROR: Final = frozenset({"no-error", "no error"})
TESTS: Final = frozenset({"hotw-test"})
"""Severities of rows that test whether a rater looks, not what the text is like."""
_MARK: Final = re.compile("</?v>")


class MarkedText(NamedTuple):
    """A text without its marks, and what they enclosed; ``whole`` is False if they do not close."""

    text: str
    start: int | None
    end: int | None
    whole: bool = True


def is_marked_table(cells: Sequence[str]) -> bool:
    """Whether a first line has the columns of such a table."""
    names = {cell.strip().lower() for cell in cells}
    return names.issuperset(NEEDED) and bool(names.intersection(NUMBERS))


def read_marked_table(file: TextFile, tally: OmissionCounts) -> Iterator[Look]:
    """Every output that a rater looked at, with all the errors of its rows."""
    lines = numbered_lines(file)
    _, first = next(lines, (1, ""))
    header = [cell.strip().lower() for cell in first.split("\t")]
    if not is_marked_table(header):
        raise InputError(
            f"{file.name}:1: columns {', '.join(header)}, expected {', '.join(NEEDED)} and seg_id"
        )
    looks: dict[tuple[str, int, str], Look] = {}
    marks: dict[tuple[str, int, str], list[MarkedError]] = {}  # lists: an output may have many
    for number, line in lines:
        if not line.strip():
            continue
        place = f"{file.name}:{number}"
        cells = line.split("\t")
        if len(cells) != len(header):
            raise InputError(
                f"{place}: {counted(len(cells), 'column')}, expected {len(header)} as in line 1"
            )
        row = dict(zip(header, map(unquoted, cells), strict=True))
        if row["severity"].strip().lower() in TESTS:
            tally.add("rows that test the rater", place)
            continue
        look = _look(row, place, tally)
        key = (look.system, look.segment or 0, look.rater)
        other = looks.get(key)
        if other is not None and other.hypothesis != look.hypothesis:
            tally.add("outputs whose rows have different texts, the first taken", place)
        looks.setdefault(key, look)
        marks.setdefault(key, []).extend(look.marks)
    for key, look in looks.items():
        yield look._replace(marks=tuple(marks[key]))


def _look(row: Mapping[str, str], place: str, tally: OmissionCounts) -> Look:
    source, target = marked(row["source"]), marked(row["target"])
    if not (source.whole and target.whole):
        tally.add("marks that do not close, taken to the end of the text", place)
    system, rater = row["system"].strip(), row["rater"].strip()
    if not system or not rater:
        raise InputError(f"{place}: no {'rater' if system else 'system'}, expected a name")
    name = next(one for one in NUMBERS if one in row)
    return Look(
        place=place,
        system=system,
        rater=rater,
        segment=read_segment(row[name].strip(), place),
        marks=_marks(row, source, target, place, tally),
        hypothesis=target.text,
        source=source.text,
    )


def _marks(
    row: Mapping[str, str],
    source: MarkedText,
    target: MarkedText,
    place: str,
    tally: OmissionCounts,
) -> tuple[MarkedError, ...]:
    severity, category = row["severity"].strip().lower(), row["category"].strip().lower()
    if severity in NO_ERROR or category in NO_ERROR:
        return ()
    side: Side = "source" if target.start is None else "target"
    found = source if side == "source" else target
    if found.start is None or found.end is None:
        tally.add("errors without a mark in the text, counted but not shown", place)
        return (MarkedError(len(target.text), len(target.text), severity, category),)
    return (MarkedError(found.start, found.end, severity, category, side),)


def marked(text: str) -> MarkedText:
    """The text without marks, and the places of the first and the last.

    >>> marked("Wir <v>sehen</v> Licht")
    MarkedText(text='Wir sehen Licht', start=4, end=9, whole=True)
    >>> marked("no mark").start
    """
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    last = 0
    for one in _MARK.finditer(text):
        piece = text[last : one.start()]
        parts.append(piece)
        place += len(piece)
        last = one.end()
        (ends if one.group() == "</v>" else starts).append(place)
    plain = "".join(parts) + text[last:]
    if not starts and not ends:
        return MarkedText(plain, None, None)
    whole = len(starts) == len(ends)
    start = min(starts, default=0)
    end = max(ends) if whole else len(plain)
    return MarkedText(plain, start, max(start, end), whole)


def unquoted(cell: str) -> str:
    """A cell as it was before a spreadsheet quoted it.

    A text that has quotation marks at both ends and none inside is no such cell: a spreadsheet
    would have doubled them.

    >>> unquoted('"He said ""no"" twice"'), unquoted('"no"'), unquoted('"a" and "b"')
    ('He said "no" twice', '"no"', '"a" and "b"')
    """
    inner = cell[1:-1]
    if len(cell) < 4 or cell[0] != '"' or cell[-1] != '"' or '""' not in inner:
        return cell
    return cell if '"' in inner.replace('""', "") else inner.replace('""', '"')
