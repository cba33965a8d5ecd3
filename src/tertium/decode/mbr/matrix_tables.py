"""Utilities in a table: a row for each segment, candidate and pseudo reference.

The columns are ``segment`` (from 0), ``candidate``, ``reference`` and ``utility`` (or ``score``),
in Parquet, TSV, CSV or JSON lines. Texts find their utilities by themselves: rows may come in any
order, and there may be more of them than are asked for.
"""

from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any, Final, Protocol

import numpy as np

from tertium.decode.mbr.matrix import Matrix
from tertium.decode.mbr.matrix_files import SavedMatrices, metric_of_utilities
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.text.file_names import format_of
from tertium.text.files import TextFile
from tertium.text.named_rows import named_rows
from tertium.text.numbers.decimals import decimal, whole

TABLES: Final = ("parquet", "tsv", "csv", "jsonl")
VALUES: Final = ("utility", "score")
_SHOWN: Final = 40


class Matrices(Protocol):
    """Utilities that were computed before, whatever file they come from."""

    name: str
    utility: str
    higher_is_better: bool | None

    def of(self, segment: int, candidates: tuple[str, ...], references: tuple[str, ...]) -> Matrix:
        """The utilities of these candidates against these pseudo references."""
        ...

    def metric(self, own: Metric | None = None) -> Metric | None:
        """The metric that they are of, if it is one of ours."""
        ...


def read_matrices(path: str | PathLike[str]) -> Matrices:
    """The utilities of a file: arrays (``.npz``, ``.npy``) or a table."""
    name = fspath(path)
    if name.endswith((".npz", ".npy")):
        return SavedMatrices(path)
    if format_of(name) not in TABLES:
        raise OptionError(
            f"{name}: found none of .npz, .npy, .parquet, .tsv, .csv and .jsonl at the end, "
            "expected one of them"
        )
    return TableMatrices(name)


class TableMatrices:
    """Utilities found by segment and texts."""

    def __init__(self, path: str) -> None:
        self.name = path
        self.utility = ""
        self.higher_is_better: bool | None = None
        self._found: dict[int, dict[tuple[str, str], float]] = {}
        for place, row in named_rows(TextFile.find(path), format_of(path)).rows:
            segment, pair, value = _read(place, row)
            known = self._found.setdefault(segment, {})
            if known.setdefault(pair, value) != value:
                raise InputError(
                    f"{place}: found {value:g} for texts that have {known[pair]:g} before, "
                    "expected one utility"
                )
        if not self._found:
            raise InputError(f"{path}: empty, expected utilities")

    def metric(self, own: Metric | None = None) -> Metric | None:
        """The metric that they are of, which only the user can say."""
        return metric_of_utilities(self.name, self.utility, own)

    def of(self, segment: int, candidates: tuple[str, ...], references: tuple[str, ...]) -> Matrix:
        """The utilities of these candidates against these pseudo references."""
        known = self._found.get(segment)
        if known is None:
            raise InputError(f"{self.name}: found no row of segment {segment}, expected some")
        matrix = np.empty((len(candidates), len(references)))
        for row, candidate in enumerate(candidates):
            for column, reference in enumerate(references):
                value = known.get((candidate, reference))
                if value is None:
                    raise InputError(
                        f"{self.name}: segment {segment}: found no utility of "
                        f"'{_cut(candidate)}' against '{_cut(reference)}', expected one"
                    )
                matrix[row, column] = value
        return matrix


def _read(place: str, row: Mapping[str, Any]) -> tuple[int, tuple[str, str], float]:
    value = next((row[name] for name in VALUES if row.get(name) is not None), None)
    segment, number = whole(str(row.get("segment", ""))), decimal(str(value))
    texts = row.get("candidate"), row.get("reference")
    if segment is None or number is None or not all(isinstance(one, str) for one in texts):
        raise InputError(
            f"{place}: found {_cut(str(dict(row)))}, expected segment from 0, candidate, "
            "reference and utility"
        )
    return segment, (str(texts[0]), str(texts[1])), number


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
