"""All the metrics that files and folders of scores hold."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from tertium.errors import InputError
from tertium.metrics.foreign.file_scores import SYSTEM, FileScores, files_of_pattern
from tertium.metrics.foreign.line_layouts import level_of, metric_of
from tertium.metrics.foreign.score_files import read_scores
from tertium.metrics.foreign.score_table import ForeignScores

FOLDER: Final = "metric-scores"


def metrics_of_files(
    paths: Iterable[str | os.PathLike[str]], *, pair: str = "", systems: Sequence[str] = ()
) -> list[FileScores]:
    """A metric for each column of scores, under the name that the file has for it.

    A folder is one of mt-metrics-eval: a test set's, its ``metric-scores``, or that of a
    language pair there. ``pair`` chooses among several. A table with a column for each of the
    ``systems`` is one metric, called after the file.
    """
    return [metric for path in paths for metric in _metrics(os.fspath(path), pair, systems)]


def _metrics(path: str, pair: str, systems: Sequence[str]) -> list[FileScores]:
    if SYSTEM in path:
        return _of_pattern(path, pair)
    if not Path(path).is_dir():
        table = read_scores(path)
        if len(table.scores) > 1 and table.is_wide(systems):
            return [FileScores(file=path, label=metric_of(path), pair=_pair_in(table, pair))]
        return _of_columns(path, table, pair)
    files = sorted(str(one) for one in _folder(path, pair).iterdir() if level_of(one.name) == "seg")
    if not files:
        raise InputError(f"{path}: found no NAME.seg.score, expected those of mt-metrics-eval")
    return [FileScores(file=one, label=metric_of(one)) for one in files]


def _of_columns(path: str, table: ForeignScores, pair: str) -> list[FileScores]:
    several = len(table.scores) > 1
    return [
        FileScores(
            file=path,
            column=column if several else "",
            label=table.title(column),
            pair=_pair_in(table, pair),
        )
        for column in table.scores
    ]


def _pair_in(table: ForeignScores, pair: str) -> str:
    """The language pair, of a file that tells any."""
    return "" if table.pairs is None else pair


def _of_pattern(path: str, pair: str) -> list[FileScores]:
    """The columns of one of the files, which all have the same, each under its name."""
    files = files_of_pattern(path)
    if not files:
        return [FileScores(file=path, label=_name_of_pattern(path))]
    table = read_scores(files[0])
    if len(table.scores) == 1:
        return [FileScores(file=path, label=_name_of_pattern(path), pair=_pair_in(table, pair))]
    return _of_columns(path, table, pair)


def _name_of_pattern(path: str) -> str:
    """What the files of all systems have in common: the rest of their name, or their folder."""
    place = Path(path)
    stem = metric_of(place.name).replace(SYSTEM, "").strip(".-_")
    return stem or place.parent.name


def _folder(path: str, pair: str) -> Path:
    """The folder with the files of one language pair."""
    top = Path(path)
    inner = top / FOLDER
    place = inner if inner.is_dir() else top
    pairs = sorted(one.name for one in place.iterdir() if one.is_dir())
    if any(level_of(one.name) for one in place.iterdir()) or not pairs:
        return place
    if pair and pair not in pairs:
        raise InputError(f"{place}: found {', '.join(pairs)}, expected {pair}")
    if not pair and len(pairs) > 1:
        raise InputError(
            f"{place}: found {', '.join(pairs)}, expected one of them: {place / pairs[0]}"
        )
    return place / (pair or pairs[0])
