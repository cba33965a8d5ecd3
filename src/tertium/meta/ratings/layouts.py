"""Files of ratings, or of scores published in the same layouts, told apart by their shape."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.choices import FORMATS
from tertium.meta.ratings.entries import FileRows, Ranking, Rating, Tally
from tertium.meta.ratings.folders import is_score_file, read_score_file, score_files, with_documents
from tertium.meta.ratings.grades import is_grade_file, read_grades
from tertium.meta.ratings.judgments import Exclusion
from tertium.meta.ratings.ranking_files import is_ranking_header, read_rankings
from tertium.meta.ratings.rating_tables import is_table_header, read_json, read_table, split_header
from tertium.meta.spans.files import span_format
from tertium.meta.spans.ratings import span_ratings
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
) -> FileRows:
    """All the rows of some files and folders; ``metrics`` says that they hold scores."""
    if format not in FORMATS:
        raise OptionError(did_you_mean("ratings format", format, FORMATS))
    tally = Tally()
    ratings: list[Rating] = []
    rankings: list[Ranking] = []
    read: list[Exclusion] = []
    frame: list[Rating] = []  # the last table, which columns of grades go along with
    for path in _files(paths, metrics=metrics):
        if isinstance(path, FileRows):
            ratings += path.ratings
            rankings += path.rankings
            read += path.exclusions
            continue
        file = TextFile.find(path)
        match shape(file) if format == "auto" else format:
            case "wmt-ranks":
                rankings += read_rankings(file)
            case "table":
                frame = list(read_table(file, grades))
                ratings += frame
            case "jsonl":
                frame = list(read_json(file, grades))
                ratings += frame
            case "mt-metrics-eval":
                ratings += with_documents(read_score_file(file), file)
            case "spans":
                ratings += with_documents(span_ratings(file, tally), file)
            case _:
                ratings += read_grades(file, frame, grades)
    if not ratings and not rankings:
        raise InputError("ratings: found none in the files, expected at least one")
    return FileRows(
        ratings=tuple(ratings),
        rankings=tuple(rankings),
        exclusions=(*read, *tally.exclusions()),
    )


def shape(file: TextFile) -> str:
    """The format of a file by its name and its first line."""
    if is_score_file(file.name):
        return "mt-metrics-eval"
    if span_format(file) is not None:
        return "spans"
    first = next((line for _, line in numbered_lines(file)), "")
    if first.lstrip().startswith("{"):
        return "jsonl"
    _, cells = split_header(first)
    if is_ranking_header(cells):
        return "wmt-ranks"
    if is_table_header(cells):
        return "table"
    if is_grade_file(file.name) and len(cells) == 1:
        return "grades"
    shown = first if len(first) < 60 else f"{first[:60]}…"
    raise InputError(
        f"{file.name}:1: found '{shown}', expected a header with system and rating, WMT's ranking "
        "columns, JSON lines, marked errors, or a file called PAIR.CRITERION.LEVEL.score or "
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
