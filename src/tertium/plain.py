"""Results as numbers and text and as JSON: one function for all of them.

A result derives from `Plain` and has ``to_dict`` by that: its fields in their order, or, where JSON
names them otherwise, has less or more, the keys that it lists in ``PLAIN``.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from math import isfinite
from typing import Any, ClassVar

from tertium.version import __version__


class Plain:
    """Has ``to_dict``.

    ``PLAIN`` lists the keys, separated by spaces. Each is a field or a property; ``score=value``
    renames one, ``metric=metric.spec`` takes a part of it, ``warnings?`` is left out where there
    is nothing, and ``**settings`` has the keys of another result. ``version`` is tertium's.
    """

    __slots__ = ()
    PLAIN: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return plain_dict(self, self.PLAIN)


def plain_dict(result: Any, keys: str = "") -> dict[str, Any]:
    """The ``keys`` of a result, or all its fields, as `Plain` says.

    >>> from fractions import Fraction
    >>> plain_dict(Fraction(1, 3), "above=numerator below=denominator")
    {'above': 1, 'below': 3}
    """
    values: dict[str, Any] = {}
    for key in keys.split() if keys else _field_names(result):
        if key.startswith("**"):
            values |= to_plain(getattr(result, key[2:]))
            continue
        name, _, path = key.rstrip("?").partition("=")
        if key == "version" and not hasattr(result, key):
            values[key] = __version__
            continue
        value = result
        for part in (path or name).split("."):
            value = getattr(value, part)
        if not key.endswith("?") or not _is_nothing(value):
            values[name] = to_plain(value)
    return values


def _field_names(result: Any) -> tuple[str, ...]:
    if is_dataclass(result):
        return tuple(field.name for field in fields(result) if not field.name.startswith("_"))
    names: tuple[str, ...] = result._fields
    return names


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, tuple | list | dict | str) and not value)


def to_plain(value: Any) -> Any:  # noqa: PLR0911 - a line for each kind of value
    """Any value of a result as JSON has it; numbers that JSON does not know become ``None``.

    >>> to_plain((1, float("nan"), {"a": range(2)}))
    [1, None, {'a': [0, 1]}]
    """
    if value is None or isinstance(value, str | bool | int):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "tolist"):
        return _plain_array(value)
    if isinstance(value, Mapping):
        return {key: to_plain(each) for key, each in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value) or hasattr(value, "_fields"):
        return plain_dict(value)
    return [to_plain(each) for each in value]


def _plain_array(values: Any) -> Any:
    """An array, quickly, for there may be millions of numbers; or one number of NumPy."""
    import numpy as np

    if values.dtype.kind == "f" and not np.isfinite(values).all():
        values = np.where(np.isfinite(values), values, None)
    return values.tolist()


def json_text(value: dict[str, Any]) -> str:
    """JSON that every parser takes: numbers that JSON does not know become ``null``."""
    import json

    return json.dumps(finite(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def finite(value: Any) -> Any:
    """The value with ``None`` for each number that JSON does not know."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
