"""The folders of mt-metrics-eval: a file for each rating or metric, language pair and level.

``human-scores/PAIR.CRITERION.LEVEL.score`` and ``metric-scores/PAIR/METRIC-REF.LEVEL.score``,
where the level is ``sys`` (lines ``system value``), ``domain`` (``domain system value``) or
``seg`` (``system value``, all segments of a system in order). ``None`` says not rated.
``documents/PAIR.docs`` has the domain and the document of every segment.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from tertium.errors import InputError
from tertium.meta.ratings.entries import Rating, RatingColumns, is_pair
from tertium.metrics.foreign.score_files import level_of, read_score_columns
from tertium.plurals import counted
from tertium.text.documents import labels_of
from tertium.text.file_names import compression_of
from tertium.text.files import TextFile

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
    found = sorted(
        str(path)
        for pattern in ("*", "*/*")
        for path in place.glob(pattern)
        if is_score_file(path.name) and (metrics or pattern == "*")
    )
    if not found:
        wanted = "METRIC.LEVEL.score" if metrics else "PAIR.CRITERION.LEVEL.score"
        raise InputError(f"{place}: no such files, expected {wanted} of mt-metrics-eval")
    return found


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
