"""Arrays inside values that must not change: checked once, then read-only."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium.errors import InputError, OptionError

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int32]

Weights: TypeAlias = Mapping[str, float] | ArrayLike | None
"""A number for every feature, numbers by the features' names, or None for the default."""


def read_only(values: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
    """A contiguous array that refuses to be written to; the caller's own stays writable."""
    array = np.ascontiguousarray(values, dtype=dtype)
    if array.flags.writeable:
        array = array.copy() if array is values else array
        array.flags.writeable = False
    return array


NO_NUMBERS: Final[Floats] = read_only(np.zeros(0), np.float64)


def no_numbers() -> Floats:
    """What features and weights are where nobody gave any."""
    return NO_NUMBERS


@cache
def _no_columns(rows: int) -> Floats:
    """The features of lists without any, which are read by the million."""
    return read_only(np.empty((rows, 0)), np.float64)


def integers(values: ArrayLike, name: str, place: str) -> Integers:
    """Whole numbers of 32 bits in a row."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(f"{place}: {name}: found {_kind(array)}, expected a row of whole numbers")
    if array.dtype != np.int32 and (abs(array.astype(np.int64)) >= 2**31).any():
        raise InputError(f"{place}: {name}: found a number of more than 31 bits")
    result: Integers = read_only(array, np.int32)
    return result


def table(values: ArrayLike, rows: int, columns: Sequence[str], place: str, what: str) -> Floats:
    """Finite numbers: a row for each of ``what``, a column for each feature."""
    if not columns and values is NO_NUMBERS:
        return _no_columns(rows)
    array: Floats = read_only(values, np.float64)
    if array.size == 0 and rows * len(columns) == 0:
        array = read_only(np.zeros((rows, len(columns))), np.float64)
    if array.shape != (rows, len(columns)):
        raise InputError(
            f"{place}: features: found an array of shape {array.shape}, "
            f"expected {(rows, len(columns))} ({what}, feature names)"
        )
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise InputError(
            f"{place}: {what} {row}: feature {columns[column]}: "
            f"found {array[row, column]}, expected a finite number"
        )
    return array


def distinct(names: Sequence[str], what: str, place: str) -> tuple[str, ...]:
    """Names as a tuple, each of them once."""
    if isinstance(names, str):
        raise InputError(f"{place}: {what}: found one string, expected a sequence of strings")
    kept = tuple(names)
    if kept and len(set(kept)) < len(kept):
        twice = next(name for name in kept if kept.count(name) > 1)
        raise InputError(f"{place}: {what}: found {twice!r} twice, expected each once")
    return kept


def default_weights(values: ArrayLike, names: Sequence[str], place: str) -> Floats:
    """The weights a structure carries; 1 for every feature where nobody said anything."""
    array: Floats = read_only(values, np.float64)
    if array.size == 0:
        array = read_only(np.ones(len(names)), np.float64)
    if array.shape != (len(names),):
        raise InputError(
            f"{place}: weights: found {array.size}, expected {len(names)} (one for each feature)"
        )
    if not np.isfinite(array).all():
        raise InputError(f"{place}: weights: found NaN or infinity, expected finite numbers")
    return array


def chosen_weights(given: Weights, names: Sequence[str], default: Floats) -> Floats:
    """Weights in the order of the features' names.

    Names a mapping does not have get 0, as decoders treat sparse features; names that only the
    mapping has are for other segments. Nothing in common is a mistake.
    """
    if given is None:
        return default
    if isinstance(given, Mapping):
        if names and given and not any(name in given for name in names):
            raise OptionError(
                f"weights: found {', '.join(list(given)[:4])}, expected some of the features "
                f"{', '.join(names[:4])}{'…' if len(names) > 4 else ''}"
            )
        chosen = np.array([given.get(name, 0.0) for name in names], dtype=np.float64)
    else:
        chosen = np.asarray(given, dtype=np.float64)
    if chosen.shape != (len(names),):
        raise OptionError(f"weights: found {chosen.size}, expected {len(names)}: {names}")
    if not np.isfinite(chosen).all():
        raise OptionError("weights: found NaN or infinity, expected finite numbers")
    return chosen


def _kind(array: NDArray[Any]) -> str:
    return f"an array of {array.dtype} of shape {array.shape}"
