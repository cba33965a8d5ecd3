"""Utility matrices in files, to be used again with other probabilities.

A ``.npz`` file has for every segment an array ``7.matrix`` (candidates × pseudo references, any
type of number), and beside it ``7.candidates`` and ``7.references``, the texts: a JSON list as
bytes of UTF-8, or an array of strings. ``utility`` names what was measured, ``higher_is_better``
says which way; all but the matrices may be missing. A ``.npy`` file is the matrix of segment 0.
"""

import json
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, Protocol, Self
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from tertium.decode.mbr.lists import Choice
from tertium.decode.mbr.matrix import Matrix
from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import parse_metric
from tertium.plurals import counted
from tertium.text.decimals import decimal, whole
from tertium.text.files import TextFile
from tertium.text.formats.table import format_of
from tertium.text.memory import Budget
from tertium.text.named_rows import named_rows
from tertium.text.output_files import draft_of

MATRIX_TYPES: Final = ("float64", "float32", "float16")
"""What utilities can be stored as: half the bytes are half the file."""

_UNREADABLE: Final = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    TypeError,
    SyntaxError,
    MemoryError,
    OverflowError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
)
"""What numpy and zipfile raise for files that are no arrays, or only half of them."""
GROWTH: Final = 9
"""Bytes of memory for a byte of an array: of small integers, doubles are made."""


def check_matrix_name(path: str | PathLike[str]) -> None:
    """Refuse a name that says neither ``.npz`` nor ``.npy``."""
    if not str(path).endswith((".npz", ".npy")):
        raise OptionError(f"{path}: found neither .npz nor .npy at the end, expected one of them")


def save_matrices(
    path: str | PathLike[str],
    choices: list[Choice],
    *,
    type: str = "float64",  # noqa: A002
) -> None:
    """``.npz``: a matrix for each segment with its texts; ``.npy``: the matrix of the only one.

    Choices must have been made with ``keep_matrix=True``.
    """
    if not choices:
        raise OptionError("matrix: found no choices, expected one at least")
    with MatrixWriter(path, type=type) as writer:
        for choice in choices:
            writer.add(choice)


class MatrixWriter:
    """Writes a matrix as soon as its segment is done; the file is complete or not there at all."""

    def __init__(self, path: str | PathLike[str], *, type: str = "float64") -> None:  # noqa: A002
        check_matrix_name(path)
        if type not in MATRIX_TYPES:
            raise OptionError(
                f"matrix: found type {type}, expected one of {', '.join(MATRIX_TYPES)}"
            )
        self.path, self.type = Path(path), type
        self.draft = draft_of(self.path)
        self.segments: set[int] = set()
        self.archive: zipfile.ZipFile | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if self.archive is not None:
                self.archive.close()
            if kind is None and self.segments:
                self.draft.replace(self.path)
        except OSError as error:
            raise TertiumError(f"{self.path}: {error.strerror}, expected a file to write") from None
        finally:
            self.draft.unlink(missing_ok=True)

    def add(self, choice: Choice) -> None:
        """Write the matrix of one segment, and what it was made of."""
        if choice.matrix is None:
            raise OptionError("matrix: found choices without one, expected keep_matrix=True")
        if choice.segment in self.segments:
            raise InputError(f"segment {choice.segment}: found it twice, expected it once")
        self.segments.add(choice.segment)
        matrix = choice.matrix.astype(self.type)
        try:
            if self.path.name.endswith(".npy"):
                self._write_only(matrix)
                return
            first = self.archive is None
            self.archive = self.archive or zipfile.ZipFile(self.draft, "w", zipfile.ZIP_DEFLATED)
            if first:
                self._write("utility", np.array(choice.utility))
                self._write("higher_is_better", np.array(choice.higher_is_better))
            self._write(f"{choice.segment}.matrix", matrix)
            self._write(f"{choice.segment}.candidates", _bytes(choice.candidates))
            self._write(f"{choice.segment}.references", _bytes(choice.evidence.texts))
        except OSError as error:
            raise TertiumError(f"{self.path}: {error.strerror}, expected a file to write") from None

    def _write_only(self, matrix: NDArray[Any]) -> None:
        if len(self.segments) > 1:
            raise OptionError(
                f"{self.path.name}: found {counted(len(self.segments), 'segment')}, "
                "expected one (or a .npz file)"
            )
        with self.draft.open("wb") as file:
            np.save(file, matrix)

    def _write(self, name: str, array: NDArray[Any]) -> None:
        if self.archive is not None:
            with self.archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


class SavedMatrices(Mapping[int, Matrix]):
    """The matrices of a file, each read when it is asked for; texts are checked where there are.

    ``utility`` is what the file says of its numbers, empty where it says nothing.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.name = str(path)
        check_matrix_name(path)
        try:
            file = Path(path).open("rb")  # noqa: SIM115 (for as long as somebody may ask)
            finalize(self, file.close)
            array = np.load(file, allow_pickle=False)
        except _UNREADABLE as error:
            raise self._unreadable(error) from None
        self.arrays: Mapping[str, NDArray[Any]] = (
            {"0.matrix": array} if isinstance(array, np.ndarray) else array
        )
        self.segments = sorted(
            int(name.removesuffix(".matrix"))
            for name in self.arrays
            if name.endswith(".matrix") and name.removesuffix(".matrix").isdecimal()
        )
        if not self.segments:
            raise InputError(f"{path}: found no array such as 0.matrix, expected utility matrices")
        label = self._array("utility")
        self.utility = "" if label is None else str(label)
        direction = self._array("higher_is_better")
        self.higher_is_better = None if direction is None else bool(direction.all())

    def metric(self, own: Metric | None = None) -> Metric | None:
        """The metric that the utilities are of, if it is one of ours.

        ``own`` is what the user thinks it is; a file that says another one is an error.
        """
        return metric_of_utilities(self.name, self.utility, own)

    def _unreadable(self, error: BaseException) -> InputError:
        said = str(error).partition("\n")[0] or type(error).__name__
        return InputError(f"{self.name}: {said}, expected utility matrices")

    def _array(self, name: str) -> NDArray[Any] | None:
        if name not in self.arrays:
            return None
        try:
            self._check_size(name)
            return self.arrays[name]
        except _UNREADABLE as error:
            raise self._unreadable(error) from None

    def _check_size(self, name: str) -> None:
        """Refuse an array that is small only as long as it is packed."""
        archive: zipfile.ZipFile | None = getattr(self.arrays, "zip", None)
        if archive is not None:
            packed = archive.getinfo(f"{name}.npy" if f"{name}.npy" in archive.namelist() else name)
            Budget(f"{self.name}: {name}", byte=GROWTH).add(size=packed.file_size)

    def of(self, segment: int, candidates: tuple[str, ...], references: tuple[str, ...]) -> Matrix:
        """The matrix of these texts, which must be those it was made of."""
        self.check(segment, candidates, references)
        return self[segment]

    def __getitem__(self, segment: int) -> Matrix:
        matrix = self._array(f"{segment}.matrix")
        if matrix is None:
            raise InputError(f"{self.name}: found no matrix for segment {segment}, expected one")
        if matrix.ndim != 2 or matrix.dtype.kind not in "fiu":
            raise InputError(
                f"{self.name}: segment {segment}: found shape {matrix.shape} of {matrix.dtype}, "
                "expected rows and columns of numbers"
            )
        values: Matrix = matrix.astype(np.float64)
        for row, column in np.argwhere(~np.isfinite(values))[:1].tolist():
            raise InputError(
                f"{self.name}: segment {segment}: found {values[row, column]} in row {row}, "
                f"column {column}, expected finite numbers"
            )
        return values

    def __iter__(self) -> Iterator[int]:
        return iter(self.segments)

    def __len__(self) -> int:
        return len(self.segments)

    def check(self, segment: int, candidates: tuple[str, ...], references: tuple[str, ...]) -> None:
        """Refuse texts that are not those the matrix was made of."""
        for kind, texts in (("candidates", candidates), ("references", references)):
            saved = self._array(f"{segment}.{kind}")
            if saved is not None and self._texts(saved, segment, kind) != texts:
                raise InputError(
                    f"{self.name}: segment {segment}: found {kind} other than those of the "
                    "matrix, expected the same texts in the same order"
                )

    def _texts(self, saved: NDArray[Any], segment: int, kind: str) -> tuple[str, ...]:
        if saved.dtype.kind == "U":
            return tuple(saved.ravel().tolist())
        try:
            texts = json.loads(saved.astype(np.uint8).tobytes())
        except (ValueError, RecursionError):
            texts = None
        if not isinstance(texts, list):
            raise InputError(
                f"{self.name}: segment {segment}: found {kind} that are no JSON list and no "
                "strings, expected texts"
            )
        return tuple(texts)


def metric_of_utilities(name: str, utility: str, own: Metric | None) -> Metric | None:
    """The metric of the utilities in a file of that name, which says so itself or does not."""
    if own is not None and utility not in {"", own.spec}:
        raise InputError(f"{name}: found utility {utility}, expected {own.spec} (--utility)")
    if own is not None or not utility:
        return own
    try:
        return parse_metric(utility)
    except TertiumError:
        return None  # somebody else's, such as comet


def _bytes(texts: tuple[str, ...]) -> NDArray[np.uint8]:
    """A list as JSON: an array of strings would give every text the length of the longest."""
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), dtype=np.uint8)


# Utilities in a table: a row for each segment, candidate and pseudo reference.
#
# The columns are ``segment`` (from 0), ``candidate``, ``reference`` and ``utility`` (or ``score``),
# in Parquet, TSV, CSV or JSON lines. Texts find their utilities by themselves: rows may come in any
# order, and there may be more of them than are asked for.

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
        for location, row in named_rows(TextFile.find(path), format_of(path)).rows:
            segment, pair, value = _read(location, row)
            known = self._found.setdefault(segment, {})
            if known.setdefault(pair, value) != value:
                raise InputError(
                    f"{location}: found {value:g} for texts that have {known[pair]:g} before, "
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


def _read(location: str, row: Mapping[str, Any]) -> tuple[int, tuple[str, str], float]:
    value = next((row[name] for name in VALUES if row.get(name) is not None), None)
    segment, number = whole(str(row.get("segment", ""))), decimal(str(value))
    texts = row.get("candidate"), row.get("reference")
    if segment is None or number is None or not all(isinstance(text, str) for text in texts):
        raise InputError(
            f"{location}: found {_cut(str(dict(row)))}, expected segment from 0, candidate, "
            "reference and utility"
        )
    return segment, (str(texts[0]), str(texts[1])), number


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
