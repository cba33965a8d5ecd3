"""States, nodes and words get numbers, features get columns, in the order in which they come."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from tertium.decode.structures.arrays import Floats
from tertium.errors import InputError
from tertium.plurals import counted


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
