"""Scores exported from Appraise: a row of cells without a header for each look at an output.

``user,system,item,TYPE,src,tgt,score,document,complete[,errors,begin,end]``; campaigns such as
WMT25's have the segment in front of the system. TYPE is TGT for an output, BAD for one that was
damaged on purpose, REF for a human translation, CHK for an output shown again. Offsets of errors
name the last marked unit of JavaScript's strings, and the file has no texts to convert them by.
"""

import ast
import csv
import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tertium.errors import InputError
from tertium.meta.ratings.entries import Tally
from tertium.meta.spans.browser_lines import category_of
from tertium.meta.spans.entries import Look, Mark
from tertium.meta.spans.fields import Fields
from tertium.meta.spans.span import Kind
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines

KINDS: Final[dict[str, Kind]] = {"TGT": "", "CHK": "", "BAD": "degraded", "REF": "reference"}
"""Type of an item → what it is a control of. What is shown again is no other kind of item."""
_SUFFIX: Final = re.compile(r"#(?:bad|duplicate|ref|chk)\d*$", re.IGNORECASE)


class Row(NamedTuple):
    """The cells by name; ``segment`` and ``document`` are empty where there are none."""

    place: str
    user: str
    system: str
    item: str
    type: str
    pair: str
    score: float
    document: str
    segment: str
    errors: str
    begin: float | None
    end: float | None


def is_appraise(cells: Sequence[str]) -> bool:
    """Whether cells are those of an export: a type at the fourth or fifth, then a number.

    >>> is_appraise("u1,A,1,TGT,eng,deu,87".split(",")), is_appraise("system,rating".split(","))
    (True, False)
    """
    at = _type_at(cells)
    return at is not None and len(cells) > at + 3 and _number(cells[at + 3]) is not None


def read_appraise(file: TextFile, tally: Tally) -> Iterator[Look]:
    """Every item that was scored; of an item scored twice by a person the later look counts."""
    rows: dict[tuple[str, str, str, str], Row] = {}
    for row in _rows(file):
        if "tutorial" in row.system or "tutorial" in row.document:
            tally.add("items of the tutorial", row.place)
            continue
        key = (row.user, row.item, row.type, row.document or row.segment)
        other = rows.get(key)
        if other is not None:
            tally.add("looks that the same person changed later", row.place)
            row = max(other, row, key=lambda one: one.begin or 0.0)  # noqa: PLW2901 - the later one
        rows[key] = row
    places = _places_in_documents(list(rows.values()))
    for row in rows.values():
        yield _look(row, places, tally)


def _rows(file: TextFile) -> Iterator[Row]:
    for number, line in numbered_lines(file):
        if not line.strip():
            continue
        place = f"{file.name}:{number}"
        try:
            cells = next(csv.reader([line], strict=True))
        except csv.Error as error:
            raise InputError(f"{place}: {error}, expected CSV") from None
        at = _type_at(cells)
        if at is None or len(cells) <= at + 3:
            raise InputError(
                f"{place}: found '{line[:60]}', expected user, system, item, type "
                f"({', '.join(KINDS)}), two languages and a score"
            )
        score = _number(cells[at + 3])
        if score is None:
            raise InputError(f"{place}: score '{cells[at + 3]}', expected a number")
        rest = [*cells[at + 4 :], "", "", "", "", ""]
        yield Row(
            place=place,
            user=cells[0],
            system=re.sub(r"^wmt\d\d\.", "", cells[at - 2]),
            item=cells[at - 1],
            type=cells[at],
            pair="-".join(cells[at + 1 : at + 3]),
            score=score,
            document=rest[0],
            segment=cells[1] if at == 4 else "",
            errors=rest[2],
            begin=_number(rest[3]),
            end=_number(rest[4]),
        )


def _look(row: Row, places: dict[str, str], tally: Tally) -> Look:
    took = None if row.begin is None or row.end is None else row.end - row.begin
    return Look(
        place=row.place,
        system=row.system,
        rater=row.user,
        id=row.segment or places.get(row.place) or row.item,
        pair=row.pair,
        marks=_marks(row, tally),
        score=row.score,
        kind=KINDS[row.type],
        begin=row.begin,
        seconds=took if took is not None and took > 0 else None,
    )


def _places_in_documents(rows: Sequence[Row]) -> dict[str, str]:
    """Row → DOCUMENT:NUMBER, the number of its item among a person's items of the document.

    A damaged document is another document with the same segments, so both have the same names.
    """
    documents: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.document:
            documents.setdefault((row.user, row.document), []).append(row)
    found = {}
    for (_, document), items in documents.items():
        name = _SUFFIX.sub("", document)
        name = name.removesuffix(f"#{items[0].system}")
        for number, row in enumerate(sorted(items, key=lambda one: _order(one.item)), 1):
            found[row.place] = f"{name}:{number}"
    return found


def _order(item: str) -> tuple[float, str]:
    number = _number(item)
    return (math.inf if number is None else number), item


def _marks(row: Row, tally: Tally) -> tuple[Mark, ...]:
    if not row.errors.strip():
        return ()
    try:
        errors = json.loads(row.errors)
    except (ValueError, RecursionError):
        errors = _literal(row)
    errors = [errors] if isinstance(errors, dict) else errors
    marks = []
    for one in Fields({"errors": errors}, row.place).objects("errors"):
        severity, category = one.text("severity", "undecided").lower(), category_of(one)
        if one.values.get("start_i") == "missing":
            tally.add("errors of missing text, which have no place", row.place)
            marks.append(Mark(0, 0, severity, category))
            continue
        start, end = one.whole("start_i"), one.whole("end_i")
        if not 0 <= start <= end:
            raise InputError(
                f"{one.place}: span from {start} to {end}, expected a start from 0 on and an end "
                "not before it"
            )
        marks.append(Mark(start, end + 1, severity, category))
    return tuple(marks)


def _literal(row: Row) -> object:
    """Some versions write errors as Python does."""
    try:
        return ast.literal_eval(row.errors)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        shown = row.errors if len(row.errors) < 40 else f"{row.errors[:40]}…"
        raise InputError(f"{row.place}: errors '{shown}', expected JSON") from None


def _type_at(cells: Sequence[str]) -> int | None:
    return next((at for at in (3, 4) if len(cells) > at and cells[at] in KINDS), None)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
