"""Files of scores without a header: a number a line, blocks of systems, what COMET prints."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final, NamedTuple

import numpy as np

from tertium.errors import InputError
from tertium.metrics.foreign.score_table import ForeignScores, LinePlaces
from tertium.plurals import counted
from tertium.text.file_names import compression_of, system_name
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.text.numbers.decimals import decimal, is_missing, number_in

SCORE: Final = "score"
"""The column of a file that has but one, and no name for it."""

_LEVEL: Final = re.compile(r"\.(sys|seg|doc|domain)\.score$")
_PRINTED: Final = re.compile(r"(.+)\tSegment (\d+)\tscore: (\S+)(?:\tvariance: \S+)?\s*")
_TOTAL: Final = re.compile(r"(.+)\tscore: (\S+)\s*")
_VARIANT: Final = re.compile(r"-(src|all|ref[^-]*)$", flags=re.IGNORECASE)


def level_of(name: str) -> str:
    """The level that mt-metrics-eval writes into a file's name; empty if it has none.

    >>> level_of("metric-scores/zh-en/COMET-refA.seg.score"), level_of("comet.tsv")
    ('seg', '')
    """
    found = _LEVEL.search(name.removesuffix(compression_of(name)))
    return found[1] if found else ""


def metric_of(name: str) -> str:
    """The metric that a file's name tells, without the references that it was given.

    >>> metric_of("zh-en/XCOMET-Ensemble-refA.seg.score"), metric_of("out/comet.tsv")
    ('XCOMET-Ensemble', 'comet')
    """
    bare = PurePath(name.removesuffix(compression_of(name))).name
    if level_of(bare):
        return _VARIANT.sub("", _LEVEL.sub("", bare))
    return system_name(bare)


def is_score(cell: str) -> bool:
    """Whether a cell is a number, or says that there is none."""
    return cell.strip() != "" and (is_missing(cell) or decimal(cell) is not None)


def is_printed(line: str) -> bool:
    """Whether COMET printed the line."""
    return _PRINTED.fullmatch(line) is not None


def read_column(file: TextFile, digest: str) -> ForeignScores:
    """A number a line, for the segments of one system."""
    values = [number_in(line, f"{file.name}:{number}") for number, line in numbered_lines(file)]
    return _table(file, digest, LinePlaces(file.name, len(values)), values)


class ScoreLine(NamedTuple):
    """A line of mt-metrics-eval: whose score or rating of what, NaN where there is none."""

    place: str
    system: str
    value: float
    domain: str = ""


def score_lines(file: TextFile) -> Iterator[ScoreLine]:
    """The lines of a file of scores or ratings, of any level that its name tells.

    ``system score`` a line, with the domain in front at that level; at the level of segments all
    those of a system in their order.
    """
    width = 3 if level_of(file.name) == "domain" else 2
    expected = "domain, system, score" if width > 2 else "system, score"
    for number, line in numbered_lines(file):
        place = f"{file.name}:{number}"
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != width:
            raise InputError(
                f"{place}: {counted(len(cells), 'column')}, expected {width} ({expected})"
            )
        *domain, system, text = (cell.strip() for cell in cells)
        yield ScoreLine(place, system, number_in(text, place), *domain)


def read_blocks(file: TextFile, digest: str) -> ForeignScores:
    """``system score`` a line, all segments of a system in their order (mt-metrics-eval)."""
    level = level_of(file.name)
    if level not in {"", "seg"}:
        raise InputError(
            f"{file.name}: found scores of level {level}, expected those of segments (.seg.score)"
        )
    lines = list(score_lines(file))
    places = LinePlaces(file.name, len(lines))
    # The shared tasks ask for scores that rise with quality, and turn those that do not.
    return _table(
        file,
        digest,
        places,
        [one.value for one in lines],
        systems=[one.system for one in lines],
        gains=level == "seg",
    )


def read_printed(file: TextFile, digest: str) -> ForeignScores:
    """What ``comet-score`` prints: file, segment from 0, score; system scores end it."""
    places, systems, segments, values = [], [], [], []
    for number, line in numbered_lines(file):
        place = f"{file.name}:{number}"
        found = _PRINTED.fullmatch(line)
        if found is None:
            if line.strip() and not _TOTAL.fullmatch(line):
                raise InputError(
                    f"{place}: found '{line[:60]}', expected FILE, tab, Segment N, tab, score: X"
                )
            continue
        places.append(place)
        systems.append(system_name(found[1]))
        segments.append(found[2])
        values.append(number_in(found[3], place))
    return _table(file, digest, places, values, systems=systems, segments=segments, title="COMET")


def _table(
    file: TextFile,
    digest: str,
    places: Sequence[str],
    values: list[float],
    *,
    systems: list[str] | None = None,
    segments: list[str] | None = None,
    title: str = "",
    gains: bool = False,
) -> ForeignScores:
    return ForeignScores(
        name=file.name,
        digest=digest,
        scores={SCORE: np.array(values, dtype=np.float64)},
        places=places,
        systems=systems,
        segments=segments,
        titles={SCORE: title or metric_of(file.name)},
        gains=gains,
    )
