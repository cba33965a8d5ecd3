"""The rankings of WMT: CSV files in which a judge orders up to five systems on a segment.

Columns: ``srclang``, ``trglang``, ``srcIndex`` (from 1), ``judgeId``, and for each system
``systemNId`` and ``systemNrank``; −1 says that an output was not ranked.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from typing import Final

from tertium.errors import InputError
from tertium.meta.ratings.entries import UNRANKED, Ranking, read_segment
from tertium.meta.ratings.languages import language
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.formats.formulas import restored_row
from tertium.text.lines import numbered_lines
from tertium.text.numbers.decimals import whole

_SYSTEM: Final = re.compile(r"system(\d+)id")


def is_ranking_header(cells: list[str]) -> bool:
    """Whether a first line is that of WMT's ranking files."""
    names = {cell.strip().lower() for cell in cells}
    return "srcindex" in names and any(_SYSTEM.fullmatch(name) for name in names)


def read_rankings(file: TextFile) -> Iterator[Ranking]:
    """Every line of the file."""
    reader = csv.reader((line for _, line in numbered_lines(file)), strict=True)
    try:
        names = next(reader, [])
        header = [cell.strip().lower() for cell in names]
        slots = _slots(header, file.name)
        for cells in reader:
            place = f"{file.name}:{reader.line_num}"
            if len(cells) != len(header):
                raise InputError(
                    f"{place}: {counted(len(cells), 'column')}, expected {len(header)}"
                )
            row = restored_row(dict(zip(names, cells, strict=True)))
            yield _ranking(dict(zip(header, row.values(), strict=True)), slots, place)
    except csv.Error as error:
        raise InputError(f"{file.name}:{reader.line_num}: {error}, expected CSV") from None


def _slots(header: list[str], name: str) -> list[tuple[str, str]]:
    """The columns of every system and its rank."""
    numbers = [match[1] for column in header if (match := _SYSTEM.fullmatch(column))]
    slots = [(f"system{number}id", f"system{number}rank") for number in numbers]
    needed = ["srclang", "trglang", "srcindex", "judgeid", *(rank for _, rank in slots)]
    for column in needed:
        if column not in header:
            raise InputError(f"{name}:1: no column '{column}', expected WMT's ranking columns")
    if len(slots) < 2:
        raise InputError(
            f"{name}:1: {counted(len(slots), 'system')}, expected system1Id, system2Id, …"
        )
    return slots


def _ranking(row: Mapping[str, str], slots: list[tuple[str, str]], place: str) -> Ranking:
    return Ranking(
        place=place,
        pair=f"{language(row['srclang'])}-{language(row['trglang'])}",
        segment=read_segment(row["srcindex"], place),
        judge=row["judgeid"].strip(),
        systems=tuple(row[system].strip() for system, _ in slots),
        ranks=tuple(_rank(row[rank], place) for _, rank in slots),
    )


def _rank(text: str, place: str) -> int:
    rank = UNRANKED if text.strip() == str(UNRANKED) else whole(text)
    if not rank:
        raise InputError(f"{place}: rank '{text}', expected a number from 1 on, or -1 for none")
    return rank
