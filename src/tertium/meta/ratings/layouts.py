"""Files of ratings, or of scores published in the same layouts, told apart by their shape."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from tertium.choices import RATING_FORMATS
from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import (
    FileRows,
    JoinedRatings,
    OmissionCounts,
    Ranking,
    Rating,
    RatingColumns,
    is_pair,
    parts_of,
)
from tertium.meta.ratings.judgments import Exclusion
from tertium.meta.ratings.ranking_files import (
    is_judged_texts,
    is_ranking_header,
    is_task_header,
    judged_texts,
    located_rankings,
    read_rankings,
    read_task_judgments,
)
from tertium.meta.ratings.rating_tables import (
    is_grade_file,
    is_table_header,
    read_grades,
    read_json,
    read_table,
    split_header,
)
from tertium.meta.spans.files import span_format
from tertium.meta.spans.rating_lines import is_rating_file
from tertium.meta.spans.ratings import span_ratings
from tertium.meta.spans.segments import RatedCorpus
from tertium.metrics.foreign.score_files import level_of, read_score_columns
from tertium.plurals import counted
from tertium.suggestions import did_you_mean
from tertium.text.documents import labels_of
from tertium.text.files import TextFile, compression_of
from tertium.text.lines import numbered_lines

# The folders of mt-metrics-eval: a file for each rating or metric, language pair and level.
#
# ``human-scores/PAIR.CRITERION.LEVEL.score`` and ``metric-scores/PAIR/METRIC-REF.LEVEL.score``,
# where the level is ``sys`` (lines ``system value``), ``domain`` (``domain system value``) or
# ``seg`` (``system value``, all segments of a system in order). ``None`` says not rated.
# ``documents/PAIR.docs`` has the domain and the document of every segment.

LEVELS: Final = ("sys", "domain", "seg")


def is_score_file(name: str) -> bool:
    """Whether a file is called as mt-metrics-eval calls its files.

    >>> is_score_file("zh-en.mqm.seg.score"), is_score_file("ratings.tsv")
    (True, False)
    """
    return level_of(Path(name).name) in LEVELS and len(_parts(name)) > 2


def _parts(name: str) -> list[str]:
    return Path(name.removesuffix(compression_of(name))).name.split(".")


def score_files(folder: str | os.PathLike[str], *, metrics: bool = False) -> list[str]:
    """The files of a folder, of its ``human-scores`` or of its ``metric-scores/PAIR``."""
    top = Path(folder)
    named = top / ("metric-scores" if metrics else "human-scores")
    place = named if named.is_dir() else top
    result = sorted(
        str(path)
        for pattern in ("*", "*/*")
        for path in place.glob(pattern)
        if is_score_file(path.name) and (metrics or pattern == "*")
    )
    if not result:
        wanted = "METRIC.LEVEL.score" if metrics else "PAIR.CRITERION.LEVEL.score"
        raise InputError(f"{place}: no such files, expected {wanted} of mt-metrics-eval")
    return result


def read_score_file(file: TextFile) -> Sequence[Rating]:
    """Every line of a file of any level; segments have the documents that the folder tells."""
    pair, criterion, level = _from_name(file.name)
    columns = read_score_columns(file)
    if level != "seg":
        domains = columns.domains or [""] * len(columns)
        lines = zip(columns.system.tolist(), columns.values.tolist(), domains, strict=True)
        return [
            Rating(
                place=f"{file.name}:{number}",
                system=columns.systems[system],
                value=value,
                criterion=criterion,
                pair=pair,
                domain=domain,
            )
            for number, (system, value, domain) in enumerate(lines, 1)
        ]
    counts = np.bincount(columns.system, minlength=len(columns.systems))
    _check_lengths(dict(zip(columns.systems, counts.tolist(), strict=True)), file.name)
    by_system = np.argsort(columns.system, kind="stable")
    segment = np.empty(len(columns), dtype=np.int32)
    segment[by_system] = np.concatenate(
        [np.arange(count, dtype=np.int32) for count in counts] or [segment]
    )
    ratings = RatingColumns(
        name=file.name,
        criterion=criterion,
        pair=pair,
        systems=columns.systems,
        system=columns.system,
        segment=segment,
        values=columns.values,
    )
    documents = _documents_beside(file, pair)
    beyond = np.flatnonzero(segment >= len(documents)) if documents else ()
    for index in beyond[:1]:
        raise _beyond(ratings[index], len(documents))
    return replace(ratings, documents=documents)


def with_documents(rows: Iterable[Rating], file: TextFile) -> Iterator[Rating]:
    """The rows of a file with their documents, if its folder has a neighbour that names them."""
    labels: dict[str, tuple[str, ...]] = {}
    for row in rows:
        if row.segment is None or row.document or not row.located:
            yield row
            continue
        if row.pair not in labels:
            labels[row.pair] = _documents_beside(file, row.pair)
        known = labels[row.pair]
        if known and row.segment >= len(known):
            raise _beyond(row, len(known))
        yield row._replace(document=known[row.segment]) if known else row


def _beyond(row: Rating, segments: int) -> InputError:
    return InputError(
        f"{row.place}: segment {(row.segment or 0) + 1}, expected up to {segments} "
        f"(documents/{row.pair}.docs)"
    )


def _documents_beside(file: TextFile, pair: str) -> tuple[str, ...]:
    path = Path(file.name).parent.parent / "documents" / f"{pair}.docs"
    return labels_of(TextFile.find(path), "document") if pair and path.is_file() else ()


def _from_name(name: str) -> tuple[str, str, str]:
    """Language pair, criterion or metric, and level."""
    path = Path(name)
    if not is_score_file(name):
        raise InputError(f"{name}: found this name, expected PAIR.CRITERION.LEVEL.score")
    *front, level, _ = _parts(name)
    if is_pair(front[0]) and len(front) > 1:
        return front[0], ".".join(front[1:]), level
    folder = path.parent.name
    return (folder if is_pair(folder) else ""), ".".join(front), level


def _check_lengths(counts: dict[str, int], name: str) -> None:
    """Segments are known by their order alone, so all systems must have all of them."""
    first = next(iter(counts), "")
    for system, count in counts.items():
        if count != counts[first]:
            raise InputError(
                f"{name}: {counted(count, 'segment')} of {system}, expected {counts[first]} (as "
                f"{first})"
            )


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
    if format not in RATING_FORMATS:
        raise OptionError(did_you_mean("ratings format", format, RATING_FORMATS))
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
    ratings = span_ratings(files, tally, texts=texts, pair=pair)
    inside = next((file for file in files if is_rating_file(file.name)), None)
    return ratings if inside is None else with_documents(ratings, inside)


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
    result: list[str | FileRows] = []
    for path in paths:
        if isinstance(path, FileRows):
            result.append(path)
            continue
        name = os.fspath(path)
        result += score_files(name, metrics=metrics) if Path(name).is_dir() else [name]
    if not result:
        raise InputError("ratings: found no files, expected at least one")
    return result
