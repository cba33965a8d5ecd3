"""A file of scores, read by the layout that its name and its first line tell."""

import hashlib
import json
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from tertium.errors import InputError
from tertium.metrics.foreign.line_layouts import (
    is_printed,
    is_score,
    level_of,
    read_blocks,
    read_column,
    read_printed,
)
from tertium.metrics.foreign.row_layouts import (
    is_prediction,
    is_spaced_header,
    read_json,
    read_rows,
)
from tertium.metrics.foreign.score_table import ForeignScores
from tertium.text.file_names import format_of
from tertium.text.files import TextFile
from tertium.text.limits.budget import HELD
from tertium.text.lines import numbered_lines
from tertium.text.named_rows import check_json

_KEPT: Final = 32
_DIGITS: Final = 12


def read_scores(path: str) -> ForeignScores:
    """All that a file says; kept while the file stays what it is, for each system asks for it."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError):
        return _read(TextFile.find(path))  # which says what is wrong
    return _kept(path, (state.st_ino, state.st_mtime_ns, state.st_size))


def read_sent_scores(file: TextFile) -> ForeignScores:
    """The same of a file that is held already; nothing by its name is looked for."""
    return _read(file)


@lru_cache(maxsize=_KEPT)
def _kept(path: str, _state: tuple[int, ...]) -> ForeignScores:
    return _read(TextFile.find(path))


def _read(file: TextFile) -> ForeignScores:
    digest = hashlib.sha256(file.read(growth=HELD)).hexdigest()[:_DIGITS]
    table = _by_layout(file, digest)
    if not len(table):
        raise InputError(f"{file.name}: empty, expected scores")
    if not table.scores:
        raise InputError(f"{file.name}: found no column of numbers, expected scores")
    return table


def _by_layout(file: TextFile, digest: str) -> ForeignScores:
    if level_of(file.name):
        return read_blocks(file, digest)
    if format_of(file.name) == "parquet":
        return read_rows(file, "parquet", digest)
    first = next((line for _, line in numbered_lines(file) if line.strip()), None)
    if first is None:
        raise InputError(f"{file.name}: empty, expected scores")
    if first.lstrip().startswith(("{", "[")):
        return (
            read_rows(file, "jsonl", digest)
            if _is_row(first, file.name)
            else read_json(file, digest)
        )
    cells = first.split("\t") if "\t" in first else first.split()
    if len(cells) == 2 and is_score(cells[1]):
        return read_blocks(file, digest)
    return _without_names(file, first, digest) or read_rows(file, _divided(file, first), digest)


def _divided(file: TextFile, first: str) -> str:
    """What divides the cells of a table; a header of tabs may stand above rows of spaces."""
    second = next((line for _, line in islice(numbered_lines(file), 1, 2)), "")
    if is_spaced_header(first) and ("\t" not in first or "\t" not in second):
        return "spaces"
    return "tsv" if "\t" in first else "csv"


def _without_names(file: TextFile, first: str, digest: str) -> ForeignScores | None:
    if is_printed(first):
        return read_printed(file, digest)
    return read_column(file, digest) if is_score(first) else None


def _is_row(line: str, name: str) -> bool:
    """Whether a line of JSON is a row by itself: an object, and not one of lists for all files."""
    check_json(line, name)
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(row, dict) or is_prediction(row):
        return False
    lists = [value for value in row.values() if isinstance(value, list)]
    return not lists or any(not isinstance(one, dict) for value in lists for one in value)
