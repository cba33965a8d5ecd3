"""WMT's rankings: its ranking CSV, the CSV of all tasks of WMT08, and JCML with the texts."""

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tertium.errors import InputError
from tertium.meta.ratings.entries import (
    UNRANKED,
    FileRows,
    OmissionCounts,
    Ranking,
    Rating,
    language,
    language_pair,
    read_segment,
    read_value,
)
from tertium.meta.spans.segments import RatedCorpus, locate
from tertium.meta.spans.span import Annotation, Annotations, ItemKey
from tertium.plurals import counted
from tertium.text.decimals import whole
from tertium.text.files import TextFile
from tertium.text.formats.formulas import restored_row
from tertium.text.formats.xml_events import scan_xml
from tertium.text.lines import numbered_lines

# The rankings of WMT: CSV files in which a judge orders up to five systems on a segment.
#
# Columns: ``srclang``, ``trglang``, ``srcIndex`` (from 1), ``judgeId``, and for each system
# ``systemNId`` and ``systemNrank``; −1 says that an output was not ranked.

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
            location = f"{file.name}:{reader.line_num}"
            if len(cells) != len(header):
                raise InputError(
                    f"{location}: {counted(len(cells), 'column')}, expected {len(header)}"
                )
            row = restored_row(dict(zip(names, cells, strict=True)))
            yield _csv_ranking(dict(zip(header, row.values(), strict=True)), slots, location)
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


def _csv_ranking(row: Mapping[str, str], slots: list[tuple[str, str]], location: str) -> Ranking:
    return Ranking(
        place=location,
        pair=f"{language(row['srclang'])}-{language(row['trglang'])}",
        segment=read_segment(row["srcindex"], location),
        judge=row["judgeid"].strip(),
        systems=tuple(row[system].strip() for system, _ in slots),
        ranks=tuple(_rank(row[rank], location) for _, rank in slots),
    )


def _rank(text: str, location: str) -> int:
    rank = UNRANKED if text.strip() == str(UNRANKED) else whole(text)
    if not rank:
        raise InputError(f"{location}: rank '{text}', expected a number from 1 on, or -1 for none")
    return rank


# Rankings with the texts that were judged: JCML, ``<judgedsentence>`` with a ``<tgt>`` per system.
#
# ``id`` is the sentence's number in the test set, from 1; ``rank`` is lower for better output and
# −1 for what was not ranked; ``_ref`` is the reference, judged among the systems.

_PAIR: Final = re.compile(r"(?:^|[._-])([a-z]{2,3}-[a-z]{2,3})(?=[._-]|$)")
_LOOK_AT: Final = 20
"""Lines at the top of a file among which its first element stands."""


def is_judged_texts(file: TextFile) -> bool:
    """Whether a file begins as JCML does."""
    for number, line in numbered_lines(file):
        text = line.strip()
        if text.startswith("<jcml"):
            return True
        if number > _LOOK_AT or (text and not text.startswith("<")):
            return False
    return False


def judged_texts(file: TextFile) -> list[Ranking]:
    """Every judged sentence, with the texts."""
    match = _PAIR.search(Path(file.name).name)
    reader = _JcmlReader(file.name, language_pair(match[1]) if match else "")
    scan_xml(file, reader.start, reader.end, reader.text)
    return reader.rankings


class _JcmlReader:
    """Puts the elements of a file together."""

    def __init__(self, name: str, pair: str) -> None:
        self._name = name
        self._pair = pair
        self._place = ""
        self._attributes: Mapping[str, str] = {}
        self._texts: list[tuple[str, str, int]] = []
        self._source = ""
        self._output: tuple[str, int] | None = None
        self._written: list[str] = []
        self.rankings: list[Ranking] = []

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        location = f"{self._name}:{line}"
        self._written = []
        if tag == "judgedsentence":
            self._place, self._attributes, self._texts, self._source = location, attributes, [], ""
        elif tag == "tgt":
            self._output = (
                attributes.get("system", ""),
                _jcml_rank(attributes.get("rank", ""), location),
            )

    def text(self, text: str) -> None:
        self._written.append(text)

    def end(self, tag: str) -> None:
        written = " ".join("".join(self._written).split())
        if tag == "src":
            self._source = written
        elif tag == "tgt" and self._output is not None:
            self._texts.append((self._output[0], written, self._output[1]))
            self._output = None
        elif tag == "judgedsentence":
            self.rankings.append(
                Ranking(
                    place=self._place,
                    pair=self._pair,
                    segment=read_segment(self._attributes.get("id", ""), self._place),
                    judge=self._attributes.get("judge_id", ""),
                    systems=tuple(system for system, _, _ in self._texts),
                    ranks=tuple(rank for _, _, rank in self._texts),
                    texts=tuple(text for _, text, _ in self._texts),
                    source=self._source,
                )
            )


def _jcml_rank(text: str, location: str) -> int:
    try:
        rank = int(text)
    except ValueError:
        rank = 0
    if rank < 1 and rank != UNRANKED:
        raise InputError(f"{location}: rank '{text}', expected a number from 1 on, or -1 for none")
    return rank


def located_rankings(
    rankings: Sequence[Ranking],
    texts: RatedCorpus,
    tally: OmissionCounts,
    *,
    pair: str | None = None,
) -> list[Ranking]:
    """Rankings on the segments that have their texts; those without texts stay where they are."""
    asked = [
        ranking
        for ranking in rankings
        if ranking.texts and (pair is None or ranking.pair in {"", pair})
    ]
    here = texts.by_rated_name(
        list(dict.fromkeys(name for ranking in asked for name in ranking.systems))
    )
    if not here:
        return list(rankings)
    items = Annotations(
        name=asked[0].pair or "rankings",
        annotations=tuple(
            Annotation(
                segment=ranking.segment,
                system=system,
                rater=ranking.judge,
                place=ranking.place,
                hypothesis=text,
                source=ranking.source or None,
                key=ItemKey(name=str(ranking.segment + 1), number=ranking.segment + 1),
            )
            for ranking in asked
            for system, text in zip(ranking.systems, ranking.texts, strict=True)
            if system in here
        ),
    )
    segments: dict[str, set[int | None]] = {}
    for item, segment in zip(items, locate(items, texts), strict=True):
        segments.setdefault(item.place, set()).add(segment)
    found = []
    for ranking in rankings:
        there = segments.get(ranking.place)
        if there is None:
            found.append(ranking)
        elif len(there) == 1 and (segment := next(iter(there))) is not None:
            found.append(ranking._replace(segment=segment))
        else:
            tally.add(
                "rankings of texts that the systems do not have", ranking.place, pair=ranking.pair
            )
    if rankings and not found:
        raise InputError(f"{asked[0].place}: found no ranked text among the outputs, expected some")
    return found


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
            location = f"{file.name}:{reader.line_num}"
            if not len(NEEDED) <= len(cells) <= len(header):
                raise InputError(
                    f"{location}: {counted(len(cells), 'column')}, expected {len(header)}"
                )
            # A line ends with its last system.
            row = dict.fromkeys(header, "") | dict(zip(header, cells, strict=False))
            yield row, location
    except csv.Error as error:
        raise InputError(f"{file.name}:{reader.line_num}: {error}, expected CSV") from None


def _outputs(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The systems of a row, each with the number of its columns."""
    for column, name in row.items():
        match = re.fullmatch(r"system_(\d+)", column)
        if match and name.strip():
            yield name.strip(), match[1]


def _ranking(row: Mapping[str, str], criterion: str, location: str) -> Ranking:
    outputs = list(_outputs(row))
    return Ranking(
        place=location,
        pair="",
        segment=_item(row["item_id"], location),
        judge=row["annotator_id"].strip(),
        systems=tuple(name for name, _ in outputs),
        ranks=tuple(
            _task_rank(row.get(f"score_{number}_a", ""), location) for _, number in outputs
        ),
        criterion=criterion,
        located=criterion == "rank",
    )


def _accepted(row: Mapping[str, str], shared: Rating, location: str) -> Iterator[Rating]:
    for name, number in _outputs(row):
        text = row.get(f"score_{number}_a", "").strip()
        if text not in ACCEPTED:
            raise InputError(
                f"{location}: answer '{text}', expected 1 (yes), 2 (no) or 3 (not sure)"
            )
        yield shared._replace(
            system=name,
            value=ACCEPTED[text],
            criterion="constituent-accept",
            segment=_item(row["item_id"], location),
            located=False,
        )


def _graded(
    row: Mapping[str, str], criteria: list[str], shared: Rating, location: str
) -> Iterator[Rating]:
    for name, number in _outputs(row):
        for criterion, column in zip(criteria, "ab", strict=False):
            value = read_value(row.get(f"score_{number}_{column}", ""), location)
            yield shared._replace(
                system=name,
                value=value,
                criterion=criterion,
                segment=_item(row["item_id"], location),
            )


def _item(text: str, location: str) -> int:
    if not (text.strip().isascii() and text.strip().isdecimal()):
        raise InputError(f"{location}: item '{text}', expected a number from 0 on")
    return int(text)


def _task_rank(text: str, location: str) -> int:
    if text.strip() not in {"1", "2", "3", "4", "5"}:
        raise InputError(f"{location}: rank '{text}', expected 1 to 5")
    return int(text)
