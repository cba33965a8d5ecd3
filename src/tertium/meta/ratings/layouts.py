"""Files of ratings, or of scores published in the same layouts, told apart by their shape."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.choices import FORMATS
from tertium.meta.ratings.entries import (
    FileRows,
    JoinedRatings,
    OmissionCounts,
    Ranking,
    Rating,
    RatingColumns,
    parts_of,
)
from tertium.meta.ratings.folders import is_score_file, read_score_file, score_files, with_documents
from tertium.meta.ratings.grades import is_grade_file, read_grades
from tertium.meta.ratings.judged_texts import is_judged_texts, judged_texts, located_rankings
from tertium.meta.ratings.judgments import Exclusion
from tertium.meta.ratings.ranking_files import is_ranking_header, read_rankings
from tertium.meta.ratings.rating_tables import is_table_header, read_json, read_table, split_header
from tertium.meta.ratings.task_judgments import is_task_header, read_task_judgments
from tertium.meta.spans.files import span_format
from tertium.meta.spans.rating_lines import is_rating_file
from tertium.meta.spans.ratings import span_ratings
from tertium.meta.spans.segments import RatedCorpus
from tertium.plurals import counted
from tertium.suggestions import did_you_mean
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines

AnyPath: TypeAlias = str | os.PathLike[str]
AnySource: TypeAlias = AnyPath | FileRows
"""A file or folder, or rows that were read elsewhere, such as from a store."""


def read_files(
    paths: Iterable[AnySource],
    *,
    format: str = "auto",  # noqa: A002 - the user's word
    grades: Mapping[str, float] | None = None,
    metrics: bool = False,
    texts: RatedCorpus | None = None,
    pair: str | None = None,
) -> FileRows:
    """All the rows of some files and folders; ``metrics`` says that they hold scores.

    ``texts`` are the test set on which exports of rating tools are located, those of ``pair`` if
    one is given.
    """
    if format not in FORMATS:
        raise OptionError(did_you_mean("ratings format", format, FORMATS))
    tally = OmissionCounts()
    parts: list[Sequence[Rating]] = []
    rankings: list[Ranking] = []
    read: list[Exclusion] = []
    exports: list[TextFile] = []
    frame: list[Rating] = []  # the last table, which columns of grades go along with
    for path in _files(paths, metrics=metrics):
        if isinstance(path, FileRows):
            rows = path
        else:
            file = TextFile.find(path)
            kind = shape(file) if format == "auto" else format
            if kind == "spans":
                exports.append(file)
                continue
            rows = _rows(file, kind, frame, grades)
            if kind == "mt-metrics-eval" and texts is not None:
                _check_length(file, rows, len(texts.corpus), pair)
            frame = list(rows.ratings) if kind in {"table", "jsonl"} else frame
        parts += parts_of(rows.ratings)
        rankings += rows.rankings
        read += rows.exclusions
    if exports:
        parts.append(list(_exported(exports, tally, texts, pair)))
    if texts is not None:
        rankings = located_rankings(rankings, texts, tally, pair=pair)
    ratings = JoinedRatings(part for part in parts if part)
    if not ratings and not rankings:
        raise InputError("ratings: found none in the files, expected at least one")
    return FileRows(
        ratings=ratings,
        rankings=tuple(rankings),
        exclusions=(*read, *tally.exclusions()),
    )


def _exported(
    files: Sequence[TextFile], tally: OmissionCounts, texts: RatedCorpus | None, pair: str | None
) -> Iterable[Rating]:
    """The ratings of exports, read together so that their items go by the same numbers."""
    found = span_ratings(files, tally, texts=texts, pair=pair)
    inside = next((file for file in files if is_rating_file(file.name)), None)
    return found if inside is None else with_documents(found, inside)


def _rows(
    file: TextFile,
    kind: str,
    frame: Sequence[Rating],
    grades: Mapping[str, float] | None,
) -> FileRows:
    """What one file says; ``frame`` are the ratings of the table before it."""
    if kind == "wmt08":
        return read_task_judgments(file)
    if kind in {"wmt-ranks", "jcml"}:
        orders = read_rankings(file) if kind == "wmt-ranks" else judged_texts(file)
        return FileRows(rankings=tuple(orders))
    ratings: Iterable[Rating]
    match kind:
        case "table":
            ratings = read_table(file, grades)
        case "jsonl":
            ratings = read_json(file, grades)
        case "mt-metrics-eval":
            return FileRows(ratings=read_score_file(file))
        case _:
            ratings = read_grades(file, list(frame), grades)
    return FileRows(ratings=tuple(ratings))


def _check_length(file: TextFile, rows: FileRows, size: int, pair: str | None) -> None:
    """Refuse ratings of another number of segments: lines are all that tells which they are of."""
    parts = [part for part in parts_of(rows.ratings) if isinstance(part, RatingColumns)]
    count = 1 + max((int(part.segment.max(initial=-1)) for part in parts), default=-1)
    chosen = pair is None or rows.ratings[0].pair in {"", pair}
    if count not in {0, size} and chosen:
        raise InputError(f"{file.name}: {counted(count, 'segment')}, expected {size} (the texts)")


def shape(file: TextFile) -> str:
    """The format of a file by its name and its first line."""
    if is_score_file(file.name):
        return "mt-metrics-eval"
    if span_format(file) is not None:
        return "spans"
    if is_judged_texts(file):
        return "jcml"
    first = next((line for _, line in numbered_lines(file)), "")
    if first.lstrip().startswith("{"):
        return "jsonl"
    _, cells = split_header(first)
    headers = {"wmt-ranks": is_ranking_header, "wmt08": is_task_header, "table": is_table_header}
    known = next((name for name, fits in headers.items() if fits(cells)), None)
    if known is not None:
        return known
    if is_grade_file(file.name) and len(cells) == 1:
        return "grades"
    shown = first if len(first) < 60 else f"{first[:60]}…"
    raise InputError(
        f"{file.name}:1: found '{shown}', expected a header with system and rating, WMT's ranking "
        "columns, JSON lines, JCML, marked errors, or a file called PAIR.CRITERION.LEVEL.score or "
        "CRITERION.PAIR"
    )


def _files(paths: Iterable[AnySource], *, metrics: bool) -> list[str | FileRows]:
    """Files as they are, and those of folders."""
    found: list[str | FileRows] = []
    for path in paths:
        if isinstance(path, FileRows):
            found.append(path)
            continue
        name = os.fspath(path)
        found += score_files(name, metrics=metrics) if Path(name).is_dir() else [name]
    if not found:
        raise InputError("ratings: found no files, expected at least one")
    return found
