"""Arrays inside values that must not change: checked once, then read-only."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium.errors import InputError, OptionError
from tertium.plurals import counted

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


def integers(values: ArrayLike, name: str, location: str) -> Integers:
    """Whole numbers of 32 bits in a row."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(
            f"{location}: {name}: found {_kind(array)}, expected a row of whole numbers"
        )
    if array.dtype != np.int32 and (abs(array.astype(np.int64)) >= 2**31).any():
        raise InputError(f"{location}: {name}: found a number of more than 31 bits")
    result: Integers = read_only(array, np.int32)
    return result


def table(values: ArrayLike, rows: int, columns: Sequence[str], location: str, what: str) -> Floats:
    """Finite numbers: a row for each of ``what``, a column for each feature."""
    if not columns and values is NO_NUMBERS:
        return _no_columns(rows)
    array: Floats = read_only(values, np.float64)
    if array.size == 0 and rows * len(columns) == 0:
        array = read_only(np.zeros((rows, len(columns))), np.float64)
    if array.shape != (rows, len(columns)):
        raise InputError(
            f"{location}: features: found an array of shape {array.shape}, "
            f"expected {(rows, len(columns))} ({what}, feature names)"
        )
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise InputError(
            f"{location}: {what} {row}: feature {columns[column]}: "
            f"found {array[row, column]}, expected a finite number"
        )
    return array


def distinct(names: Sequence[str], what: str, location: str) -> tuple[str, ...]:
    """Names as a tuple, each of them once."""
    if isinstance(names, str):
        raise InputError(f"{location}: {what}: found one string, expected a sequence of strings")
    kept = tuple(names)
    if kept and len(set(kept)) < len(kept):
        twice = next(name for name in kept if kept.count(name) > 1)
        raise InputError(f"{location}: {what}: found {twice!r} twice, expected each once")
    return kept


def default_weights(values: ArrayLike, names: Sequence[str], location: str) -> Floats:
    """The weights a structure carries; 1 for every feature where nobody said anything."""
    array: Floats = read_only(values, np.float64)
    if array.size == 0:
        array = read_only(np.ones(len(names)), np.float64)
    if array.shape != (len(names),):
        raise InputError(
            f"{location}: weights: found {array.size}, expected {len(names)} (one for each feature)"
        )
    if not np.isfinite(array).all():
        raise InputError(f"{location}: weights: found NaN or infinity, expected finite numbers")
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


# States, nodes and words get numbers, features get columns, in the order in which they come.


class Numbers:
    """Things numbered in the order in which they first come."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def __getitem__(self, thing: Hashable) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, thing: Hashable) -> bool:
        return thing in self._numbers

    def things(self) -> list[Any]:
        """The things in the order of their numbers."""
        return list(self._numbers)


def named(values: Any) -> Mapping[str, float]:
    """Features as a mapping: a number alone is ``score``, several are ``score_1``, ….

    >>> named(-2), named([1, 2])
    ({'score': -2}, {'score_1': 1, 'score_2': 2})
    """
    if values is None:
        return {}
    if isinstance(values, Mapping):
        return values
    if np.ndim(values) == 0:
        return {"score": values}
    return {f"score_{number}": value for number, value in enumerate(values, 1)}


def feature_table(
    rows: Sequence[Any], feature_names: Sequence[str] | None
) -> tuple[tuple[str, ...], Floats]:
    """The names in the order in which they come up, and a row of values for each; absent is 0."""
    if feature_names is None:
        mappings = [named(row) for row in rows]
        names = tuple(dict.fromkeys(name for row in mappings for name in row))
    else:
        names = tuple(feature_names)
        mappings = [_with_names(row, names) for row in rows]
    columns = {name: column for column, name in enumerate(names)}
    values = np.zeros((len(rows), len(names)))
    for row, mapping in enumerate(mappings):
        for name, value in mapping.items():
            if name not in columns:
                raise InputError(f"found feature {name!r}, expected one of {', '.join(names)}")
            values[row, columns[name]] = value
    return names, values


def _with_names(values: Any, names: Sequence[str]) -> Mapping[str, float]:
    if values is None or isinstance(values, Mapping):
        return values or {}
    numbers = np.atleast_1d(values).tolist()
    if len(numbers) != len(names):
        raise InputError(
            f"found {counted(len(numbers), 'feature')}, expected {len(names)}: {', '.join(names)}"
        )
    return dict(zip(names, numbers, strict=True))


# A path through a lattice or a derivation of a forest: what it says and what it scores.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Path:
    """One way through a structure.

    ``edges`` are the arcs from start to end, or the hyperedges from the goal down, left before
    right. ``score`` is the model's (features · weights), the higher the better.
    """

    words: tuple[str, ...]
    score: float
    features: Floats
    edges: tuple[int, ...]

    @property
    def text(self) -> str:
        """The words with spaces between them."""
        return " ".join(self.words)

    def __str__(self) -> str:
        return f"{self.score:.6g}  {self.text}"


# Any acyclic graph of states in the order that the algorithms need: topological, trimmed.

Indices: TypeAlias = NDArray[np.int64]

Place: TypeAlias = Callable[[int], str]
"""Where a state is to be found, for an error: ``dev.fst: line 7: state 12``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What the numbers of a graph stand for, and what to do about states that are on no path.

    ``place`` says where a state is to be found, for errors.
    """

    vocabulary: Sequence[str]
    feature_names: tuple[str, ...]
    weights: Weights
    name: str
    place: Place
    trim: bool = False

    def fields(self, used: Iterable[int]) -> dict[str, Any]:
        """The fields of a lattice or forest that are in it; of the words those in use."""
        names = self.feature_names
        return {
            "vocabulary": tuple(self.vocabulary[word] for word in used),
            "feature_names": names,
            "weights": chosen_weights(self.weights, names, np.ones(len(names))),
            "name": self.name,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """``numbers`` are the new numbers of states, −1 for one left out; ``kept`` says which arcs."""

    numbers: Indices
    kept: Indices
    states: int


def lattice_order(  # noqa: PLR0917 (a graph is a handful of arrays)
    states: int,
    sources: Indices,
    targets: Indices,
    start: int,
    final: int,
    place: Place,
    *,
    trim: bool,
) -> Order:
    """A topological order of the states between ``start`` and ``final``, which come first and last.

    A state that the start does not reach, or that does not reach the final state, is an error,
    or left out with ``trim``.
    """
    kept = np.arange(len(sources))
    alive = np.ones(states, dtype=bool)
    forward = reached(states, sources, targets, start)
    backward = reached(states, targets, sources, final)
    if not forward[final]:
        raise InputError(f"{place(final)}: the start does not reach it, expected a path to it")
    if not (forward & backward).all():
        if not trim:
            lost = int(np.argmin(forward & backward))
            what = "leads to no final state" if forward[lost] else "the start does not reach it"
            raise InputError(f"{place(lost)}: {what}, expected every state to be on a path")
        alive = forward & backward
        kept = np.flatnonzero(alive[sources] & alive[targets])
    order = topological(states, sources[kept], targets[kept], place)
    order = order[alive[order]]
    numbers = np.full(states, -1, dtype=np.int64)
    numbers[order] = np.arange(len(order))
    return Order(numbers=numbers, kept=kept, states=len(order))


def reached(states: int, sources: Indices, targets: Indices, start: int) -> NDArray[np.bool_]:
    """Which states can be come to from ``start``."""
    result = np.zeros(states, dtype=bool)
    result[start] = True
    if (sources < targets).all() or (sources > targets).all():
        # In topological order already: one pass over the arcs in that order sees everything.
        step = 1 if (sources < targets).all() else -1
        order = np.argsort(step * sources, kind="stable")
        flags = result.tolist()
        for source, target in zip(sources[order].tolist(), targets[order].tolist(), strict=True):
            if flags[source]:
                flags[target] = True
        return np.array(flags, dtype=bool)
    begins, neighbours = adjacency(states, sources, targets)
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for other in neighbours[begins[state] : begins[state + 1]]:
            if not result[other]:
                result[other] = True
                waiting.append(other)
    return result


def topological(states: int, sources: Indices, targets: Indices, place: Place) -> Indices:
    """The states so that every arc goes forward: as they are if they do, else Kahn's order."""
    if (sources < targets).all():
        return np.arange(states)
    begins, neighbours = adjacency(states, sources, targets)
    missing = np.bincount(targets, minlength=states).tolist()
    order = [state for state in range(states) if not missing[state]]
    for state in order:  # grows while it is read
        for other in neighbours[begins[state] : begins[state + 1]]:
            missing[other] -= 1
            if not missing[other]:
                order.append(other)
    if len(order) < states:
        raise InputError(
            f"{place(_on_cycle(begins, neighbours, missing))}: on a cycle, expected none"
        )
    return np.array(order, dtype=np.int64)


def _on_cycle(begins: list[int], neighbours: list[int], missing: list[int]) -> int:
    """A state of a cycle: what is left waits for what is left, so going back comes around."""
    left = [state for state, count in enumerate(missing) if count]
    before = {
        other: state for state in left for other in neighbours[begins[state] : begins[state + 1]]
    }
    state, seen = left[0], set[int]()
    while state not in seen:
        seen.add(state)
        state = before[state]
    return state


def adjacency(states: int, sources: Indices, targets: Indices) -> tuple[list[int], list[int]]:
    """Where each state's neighbours begin, and the neighbours, as lists that are quick to read."""
    order = np.argsort(sources, kind="stable")
    begins = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=states))))
    return begins.tolist(), targets[order].tolist()
