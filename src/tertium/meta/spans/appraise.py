"""Scores exported from Appraise: a row of cells without a header for each look at an output.

``user,system,item,TYPE,src,tgt,score,document,complete[,errors,begin,end]``; campaigns such as
WMT25's have the segment in front of the system. TYPE is TGT for an output, BAD for one that was
damaged on purpose, REF for a human translation, CHK for an output shown again. Offsets of errors
name the last marked unit of JavaScript's strings, and the file has no texts to convert them by.

Which segment an item is cannot be told from the export alone. In WMT24 the item's number is a line
of the test set; in the years before it counts the items of a task, of which a document may be shown
in part. Readers say both, and `tertium.meta.spans.segments` decides with the test set at hand.
"""

import ast
import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from tertium.errors import InputError
from tertium.meta.ratings.entries import OmissionCounts, language
from tertium.meta.spans.browser_lines import category_of
from tertium.meta.spans.fields import Fields, Look, MarkedError, whole_json
from tertium.meta.spans.span import Kind
from tertium.text.decimals import decimal
from tertium.text.files import TextFile
from tertium.text.formats.formulas import restored_cell
from tertium.text.lines import numbered_lines

KINDS: Final[dict[str, Kind]] = {"TGT": "", "CHK": "", "BAD": "degraded", "REF": "reference"}
"""Type of an item → what it is a control of. What is shown again is no other kind of item."""
_SUFFIX: Final = re.compile(r"(?:#(?:bad|duplicate|ref|chk)\d*)+$", re.IGNORECASE)
_FILLER: Final = re.compile(r"#(?:incomplete|dup)\d*(?=#|$)", re.IGNORECASE)
"""Documents that only fill a task up to its length."""


class AppraiseRow(NamedTuple):
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
    return at is not None and len(cells) > at + 3 and decimal(cells[at + 3]) is not None


def read_appraise(file: TextFile, tally: OmissionCounts) -> Iterator[Look]:
    """Every item that was scored; of looks of one person at one output the last counts."""
    rows: dict[tuple[str, ...], AppraiseRow] = {}
    for row in _rows(file):
        if "tutorial" in row.system or "tutorial" in row.document:
            tally.add("items of the tutorial", row.place, pair=row.pair)
            continue
        if _FILLER.search(row.document):
            tally.add("items of documents that fill a task up", row.place, pair=row.pair)
            continue
        key = (row.user, row.pair, row.system, row.item, row.type, row.document or row.segment)
        other = rows.get(key)
        if other is not None:
            tally.add("looks that the same person changed later", row.place, pair=row.pair)
            row = max(row, other, key=_finished)  # noqa: PLW2901 - the later one
        rows[key] = row
    pairs: dict[str, list[AppraiseRow]] = {}
    for row in rows.values():
        pairs.setdefault(row.pair, []).append(row)
    looks = {}
    for some in pairs.values():
        views = _views(some)
        lined = _counts_lines(some, views)
        marks = {row.place: _marks(row, tally) for row in some}
        scored = not _is_mqm(some, marks)
        for row in some:
            name = _name(row, views[row.place], lined=lined)
            looks[row.place] = _look(row, views[row.place], name)._replace(
                marks=marks[row.place], score=row.score if scored else None
            )
    yield from (looks[row.place] for row in rows.values())


def _finished(row: AppraiseRow) -> tuple[float, float]:
    return row.end or 0.0, row.begin or 0.0


def _is_mqm(rows: Sequence[AppraiseRow], marks: Mapping[str, Sequence[MarkedError]]) -> bool:
    """Whether raters marked errors by category and gave no score, for which the file has one."""
    categorised = any(mark.category for some in marks.values() for mark in some)
    return categorised and len({row.score for row in rows}) == 1


def _rows(file: TextFile) -> Iterator[AppraiseRow]:
    for number, line in numbered_lines(file):
        if not line.strip():
            continue
        location = f"{file.name}:{number}"
        try:
            cells = next(csv.reader([line], strict=True))
        except csv.Error as error:
            raise InputError(f"{location}: {error}, expected CSV") from None
        at = _type_at(cells)
        if at is None or len(cells) <= at + 3:
            raise InputError(
                f"{location}: found '{line[:60]}', expected user, system, item, type "
                f"({', '.join(KINDS)}), two languages and a score"
            )
        score = decimal(cells[at + 3])
        if score is None:
            raise InputError(f"{location}: score '{cells[at + 3]}', expected a number")
        rest = [*cells[at + 4 :], "", "", "", "", ""]
        yield AppraiseRow(
            place=location,
            user=restored_cell(cells[0]),
            system=base_system(restored_cell(cells[at - 2])),
            item=cells[at - 1],
            type=cells[at],
            pair="-".join(map(language, cells[at + 1 : at + 3])),
            score=score,
            document=rest[0],
            segment=cells[1] if at == 4 else "",
            errors=rest[2],
            begin=decimal(rest[3]),
            end=decimal(rest[4]),
        )


def base_system(name: str) -> str:
    """A system as outputs are called.

    >>> base_system("wmt23.ONLINE-A")
    'ONLINE-A'
    """
    return re.sub(r"^wmt\d\d\.", "", name)


def base_document(name: str, system: str) -> str:
    """A document as the test set calls it: without the system, and without what was done to it.

    >>> base_document("pa.35733#ONLINE-W#bad2", "ONLINE-W")
    'pa.35733'
    """
    return _SUFFIX.sub("", name).removesuffix(f"#{system}")


class _View(NamedTuple):
    """An item among those of its document that a person saw together."""

    document: str
    position: int
    shown: int


def _name(row: AppraiseRow, view: _View, *, lined: bool) -> str:
    """What tells an item from others, for any rater."""
    if row.segment or not view.document:
        return row.segment or row.item
    if lined:
        return f"{view.document}:{row.item}"
    return f"{view.document}:{view.position} of {view.shown}"


def _look(row: AppraiseRow, view: _View, name: str) -> Look:
    took = None if row.begin is None or row.end is None else row.end - row.begin
    number = decimal(row.item)
    return Look(
        place=row.place,
        system=row.system,
        rater=row.user,
        id=name,
        pair=row.pair,
        kind=KINDS[row.type],
        begin=row.begin,
        seconds=took if took is not None and took > 0 else None,
        number=None if row.segment or number is None or number % 1 else int(number),
        document=view.document,
        position=view.position,
        shown=view.shown,
    )


def _views(rows: Sequence[AppraiseRow]) -> dict[str, _View]:
    """Row → its place among the items of a document that a person saw of a system.

    A damaged document is another document with the same segments, so both have the same names.
    """
    documents: dict[tuple[str, ...], list[AppraiseRow]] = {}
    for row in rows:
        documents.setdefault((row.user, row.system, row.document), []).append(row)
    result = {}
    for (_, system, document), items in documents.items():
        name = base_document(document, system)
        for position, row in enumerate(sorted(items, key=lambda item: _order(item.item)), 1):
            result[row.place] = _View(name, position, len(items))
    return result


def _counts_lines(rows: Sequence[AppraiseRow], views: Mapping[str, _View]) -> bool:
    """Whether items seem to be numbered by lines of the test set, not within a task.

    Then a number is of one document only, and damaged outputs have the numbers of whole ones.
    """
    owners: dict[str, str] = {}
    whole: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        document = views[row.place].document
        if owners.setdefault(row.item, document) != document:
            return False
        if not KINDS[row.type]:
            whole.setdefault((row.user, row.system, document), set()).add(row.item)
    return all(
        row.item in whole.get((row.user, row.system, views[row.place].document), {row.item})
        for row in rows
    )


def _order(item: str) -> tuple[float, str]:
    number = decimal(item)
    return (math.inf if number is None else number), item


def _marks(row: AppraiseRow, tally: OmissionCounts) -> tuple[MarkedError, ...]:
    if not row.errors.strip():
        return ()
    try:
        errors = json.loads(row.errors)
    except (ValueError, RecursionError):
        errors = _literal(row)
    errors = [errors] if isinstance(errors, dict) else errors
    marks = []
    for error in Fields({"errors": errors}, row.place).objects("errors"):
        severity, category = error.text("severity", "undecided").lower(), category_of(error)
        if error.values.get("start_i") == "missing":
            tally.add("errors of missing text, which have no place", row.place, pair=row.pair)
            marks.append(MarkedError(0, 0, severity, category))
            continue
        start, end = error.whole("start_i"), error.whole("end_i")
        if not 0 <= start <= end:
            raise InputError(
                f"{error.place}: span from {start} to {end}, expected a start from 0 on and an end "
                "not before it"
            )
        marks.append(MarkedError(start, end + 1, severity, category))
    return tuple(marks)


def _literal(row: AppraiseRow) -> object:
    """Some versions write errors as Python does."""
    try:
        return ast.literal_eval(row.errors)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        shown = row.errors if len(row.errors) < 40 else f"{row.errors[:40]}…"
        raise InputError(f"{row.place}: errors '{shown}', expected JSON") from None


def _type_at(cells: Sequence[str]) -> int | None:
    return next((at for at in (3, 4) if len(cells) > at and cells[at] in KINDS), None)


# The batches of a campaign of Appraise: the texts that its export does not have.
#
# ``[{"task": {…}, "items": [{"itemID", "itemType", "documentID", "targetID", "sourceText",
# "targetText"}, …]}, …]``. A person works on one task, so the task is the one that has all that the
# person saw; the item's number is unique within it, and across tasks it is not.

Key: TypeAlias = tuple[str, int | None, str, str]
"""System, number, document and kind of an item."""
NEEDED: Final = ("itemID", "documentID", "targetID", "sourceText", "targetText")


class ShownTexts(NamedTuple):
    """What a rater saw."""

    source: str
    hypothesis: str


Task: TypeAlias = Mapping[Key, ShownTexts]


def is_batches(value: object) -> bool:
    """Whether a JSON value is a list of tasks."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and isinstance(item.get("items"), list) for item in value)
    )


def read_batches(file: TextFile) -> tuple[Task, ...]:
    """The tasks of a campaign, each with the texts of its items."""
    tasks = []
    for number, row in enumerate(whole_json(file), 1):
        task: dict[Key, ShownTexts] = {}
        for item in Fields.of(row, f"{file.name}: task {number}").objects("items"):
            if not all(key in item for key in NEEDED):
                continue
            kind = item.text("itemType", "TGT")
            if kind not in KINDS:
                raise InputError(f"{item.place}: type '{kind}', expected {', '.join(KINDS)}")
            system = base_system(item.text("targetID"))
            document = base_document(item.text("documentID"), system)
            key = (system, item.whole("itemID"), document, KINDS[kind])
            task[key] = ShownTexts(item.text("sourceText"), item.text("targetText"))
        tasks.append(task)
    return tuple(tasks)


def with_batches(looks: Sequence[Look], tasks: Sequence[Task]) -> list[Look]:
    """The looks with the texts of the task that their rater worked on."""
    seen: dict[str, list[Look]] = {}
    for look in looks:
        if look.hypothesis is None and look.segment is None:
            seen.setdefault(look.rater, []).append(look)
    texts: dict[str, ShownTexts] = {}
    for own in seen.values():
        if not _add_texts(own, tasks, texts):  # a person with several tasks: document by document
            views: dict[tuple[str, str, str], list[Look]] = {}
            for look in own:
                views.setdefault((look.system, look.document, look.kind), []).append(look)
            for some in views.values():
                if not _add_texts(some, tasks, texts):
                    raise InputError(
                        f"{some[0].place}: items of {some[0].rater} in document "
                        f"'{some[0].document}', expected all of them in one task of the batches"
                    )
    names = _names(looks, texts)
    return [
        look._replace(
            source=texts[look.place].source,
            hypothesis=texts[look.place].hypothesis,
            id=names[look.place],
        )
        if look.place in texts
        else look
        for look in looks
    ]


def _names(looks: Iterable[Look], texts: Mapping[str, ShownTexts]) -> dict[str, str]:
    """Names that are the same in every task: the document and the source, which may be repeated."""
    names: dict[str, str] = {}
    counts: dict[tuple[str, ...], int] = {}
    for look in sorted(looks, key=lambda row: row.number or 0):
        if look.place in texts:
            source = texts[look.place].source
            view = (look.rater, look.system, look.document, look.kind, source)
            counts[view] = counts.get(view, 0) + 1
            names[look.place] = f"{look.document}:{source} {counts[view]}"
    return names


def _add_texts(looks: Sequence[Look], tasks: Iterable[Task], texts: dict[str, ShownTexts]) -> bool:
    """Take the texts of the one task that has all these looks; False if none has them all."""
    keys = {look.place: (look.system, look.number, look.document, look.kind) for look in looks}
    fitting = [task for task in tasks if all(key in task for key in keys.values())]
    if not fitting:
        return False
    for place, key in keys.items():
        if len({task[key] for task in fitting}) > 1:
            raise InputError(
                f"{place}: {len(fitting)} tasks of the batches have this item, with different "
                "texts, expected one"
            )
        texts[place] = fitting[0][key]
    return True
