"""The judgments of WMT08: a CSV file with all tasks of a year, of several protocols.

Columns: ``TASK`` (``WMT08 French-English News``: language pair and test set), ``TYPE``,
``ITEM_ID``, ``ANNOTATOR_ID``, ``TIME`` and for each system ``SYSTEM_N``, ``SCORE_N_A``,
``SCORE_N_B``. The types:

==================  ==========================================================  ==================
TYPE                score                                                       criterion
==================  ==========================================================  ==================
RANK                rank of the sentence, 1 is best                             rank
CONSTITUENT         rank of the translation of one constituent, 1 is best       constituent
CONSTITUENT_ACCEPT  is it acceptable: 1 yes, 2 no; 3, not sure, is no rating    constituent-accept
ADEQUACY, FLUENCY   a grade, more is better; ``ADEQUACY_FLUENCY`` has both, as  adequacy, fluency
                    A and B, ``FLUENCY_ADEQUACY`` the other way round
==================  ==========================================================  ==================

An ``ITEM_ID`` of RANK is a line of the test set, from 0: among the ranks of newstest2008, systems
with the same output at that line are tied in 211 of 217 cases, at the line before in 50 of 159. One
of constituents numbers constituents, and no file says of which sentence, so that these judgments
are of systems only.
"""

import csv
import math
import re
from collections.abc import Iterator, Mapping
from typing import Final

from tertium.errors import InputError
from tertium.meta.ratings.entries import FileRows, Ranking, Rating, read_value
from tertium.meta.ratings.languages import language
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines

NEEDED: Final = ("task", "type", "item_id", "annotator_id", "system_0", "score_0_a")
ORDERS: Final = {"RANK": "rank", "CONSTITUENT": "constituent"}
GRADES: Final = ("adequacy", "fluency")
ACCEPTED: Final = {"1": 1.0, "2": 0.0, "3": math.nan}
_TASK: Final = re.compile(r"(?:WMT\d\d\s+)?(\w+)-(\w+)\s+(.+)", re.IGNORECASE)


def is_task_header(cells: list[str]) -> bool:
    """Whether a first line is that of such a file."""
    return {cell.strip().lower() for cell in cells}.issuperset(NEEDED)


def read_task_judgments(file: TextFile) -> FileRows:
    """Every line of the file, as rankings or ratings."""
    ratings: list[Rating] = []
    rankings: list[Ranking] = []
    for row, place in _rows(file):
        match = _TASK.fullmatch(row["task"].strip())
        if match is None:
            raise InputError(f"{place}: task '{row['task']}', expected such as French-English News")
        pair = f"{language(match[1])}-{language(match[2])}"
        testset = match[3].strip().lower()
        kind = row["type"].strip().upper()
        if kind in ORDERS:
            rankings.append(_ranking(row, ORDERS[kind], place)._replace(pair=pair, testset=testset))
            continue
        shared = Rating(place=place, system="", value=math.nan, criterion="", pair=pair)
        shared = shared._replace(testset=testset, judge=row["annotator_id"].strip())
        if kind == "CONSTITUENT_ACCEPT":
            ratings += _accepted(row, shared, place)
        elif set(kind.lower().split("_")) <= set(GRADES):
            ratings += _graded(row, kind.lower().split("_"), shared, place)
        else:
            known = (*ORDERS, "CONSTITUENT_ACCEPT", "ADEQUACY", "FLUENCY")
            raise InputError(f"{place}: type '{row['type']}', expected {', '.join(known)}")
    return FileRows(ratings=tuple(ratings), rankings=tuple(rankings))


def _rows(file: TextFile) -> Iterator[tuple[dict[str, str], str]]:
    reader = csv.reader((line for _, line in numbered_lines(file)), strict=True)
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        for column in NEEDED:
            if column not in header:
                raise InputError(f"{file.name}:1: no column '{column}', expected those of WMT08")
        for cells in reader:
            place = f"{file.name}:{reader.line_num}"
            if not len(NEEDED) <= len(cells) <= len(header):
                raise InputError(
                    f"{place}: {counted(len(cells), 'column')}, expected {len(header)}"
                )
            # A line ends with its last system.
            row = dict.fromkeys(header, "") | dict(zip(header, cells, strict=False))
            yield row, place
    except csv.Error as error:
        raise InputError(f"{file.name}:{reader.line_num}: {error}, expected CSV") from None


def _outputs(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The systems of a row, each with the number of its columns."""
    for column, name in row.items():
        match = re.fullmatch(r"system_(\d+)", column)
        if match and name.strip():
            yield name.strip(), match[1]


def _ranking(row: Mapping[str, str], criterion: str, place: str) -> Ranking:
    outputs = list(_outputs(row))
    return Ranking(
        place=place,
        pair="",
        segment=_item(row["item_id"], place),
        judge=row["annotator_id"].strip(),
        systems=tuple(name for name, _ in outputs),
        ranks=tuple(_rank(row.get(f"score_{number}_a", ""), place) for _, number in outputs),
        criterion=criterion,
        located=criterion == "rank",
    )


def _accepted(row: Mapping[str, str], shared: Rating, place: str) -> Iterator[Rating]:
    for name, number in _outputs(row):
        text = row.get(f"score_{number}_a", "").strip()
        if text not in ACCEPTED:
            raise InputError(f"{place}: answer '{text}', expected 1 (yes), 2 (no) or 3 (not sure)")
        yield shared._replace(
            system=name,
            value=ACCEPTED[text],
            criterion="constituent-accept",
            segment=_item(row["item_id"], place),
            located=False,
        )


def _graded(
    row: Mapping[str, str], criteria: list[str], shared: Rating, place: str
) -> Iterator[Rating]:
    for name, number in _outputs(row):
        for criterion, column in zip(criteria, "ab", strict=False):
            value = read_value(row.get(f"score_{number}_{column}", ""), place)
            yield shared._replace(
                system=name,
                value=value,
                criterion=criterion,
                segment=_item(row["item_id"], place),
            )


def _item(text: str, place: str) -> int:
    if not (text.strip().isascii() and text.strip().isdecimal()):
        raise InputError(f"{place}: item '{text}', expected a number from 0 on")
    return int(text)


def _rank(text: str, place: str) -> int:
    if text.strip() not in {"1", "2", "3", "4", "5"}:
        raise InputError(f"{place}: rank '{text}', expected 1 to 5")
    return int(text)
