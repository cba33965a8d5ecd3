"""The folders of mt-metrics-eval: a file for each rating or metric, language pair and level.

``human-scores/PAIR.CRITERION.LEVEL.score`` and ``metric-scores/PAIR/METRIC-REF.LEVEL.score``,
where the level is ``sys`` (lines ``system value``), ``domain`` (``domain system value``) or
``seg`` (``system value``, all segments of a system in order). ``None`` says not rated.
``documents/PAIR.docs`` has the domain and the document of every segment.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from tertium.errors import InputError
from tertium.meta.ratings.entries import Rating, is_pair
from tertium.metrics.foreign.score_files import level_of, score_lines
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


def read_score_file(file: TextFile) -> Iterator[Rating]:
    """Every line of a file of any level."""
    pair, criterion, level = _from_name(file.name)
    counts: dict[str, int] = {}
    for line in score_lines(file):
        segment = counts.get(line.system, 0)
        counts[line.system] = segment + 1
        yield Rating(
            place=line.place,
            system=line.system,
            value=line.value,
            criterion=criterion,
            pair=pair,
            domain=line.domain,
            segment=segment if level == "seg" else None,
        )
    if level == "seg":
        _check_lengths(counts, file.name)


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
            raise InputError(
                f"{row.place}: segment {row.segment + 1}, expected up to {len(known)} "
                f"(documents/{row.pair}.docs)"
            )
        yield row._replace(document=known[row.segment]) if known else row


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
