"""Values of JSON objects, checked: what is missing or of another kind is named with its place."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError, LimitError
from tertium.text import named_rows
from tertium.text.files import TextFile
from tertium.text.named_rows import kind_of
from tertium.text.numbers.decimals import decimal


@dataclass(frozen=True, slots=True)
class Fields:
    """An object of a JSON file, and where it stands."""

    values: Mapping[str, Any]
    place: str

    @classmethod
    def of(cls, value: object, place: str) -> "Fields":
        """A value that must be an object."""
        if not isinstance(value, dict):
            raise InputError(f"{place}: {kind_of(value)}, expected an object")
        return cls(value, place)

    def __contains__(self, key: str) -> bool:
        return self.values.get(key) is not None

    def text(self, key: str, default: str | None = None) -> str:
        """Text, or a number as text."""
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self._wrong(key, value, "text")
        return str(value)

    def number(self, key: str) -> float:
        """A number; text that is one counts."""
        value = self._value(key)
        number = None if isinstance(value, bool) else decimal(str(value))
        if number is None:
            raise self._wrong(key, value, "a number")
        return number

    def whole(self, key: str) -> int:
        """A whole number."""
        value = self._value(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(key, value, "a whole number")
        return value

    def items(self, key: str) -> list[Any]:
        """A list; none at all is an empty one."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, list):
            raise self._wrong(key, value, "a list")
        return value or []

    def objects(self, key: str) -> Iterator["Fields"]:
        """The objects of a list, with their numbers in the place."""
        for number, one in enumerate(self.items(key), 1):
            yield Fields.of(one, f"{self.place}: {key} {number}")

    def inner(self, key: str) -> "Fields":
        """An object; none at all is an empty one."""
        return Fields.of(self.values.get(key) or {}, f"{self.place}: {key}")

    def _value(self, key: str, default: str | None = None) -> Any:
        value = self.values.get(key, default)
        if value is None:
            value = default
        if value is None:
            raise InputError(f"{self.place}: no '{key}', expected one")
        return value

    def _wrong(self, key: str, value: object, expected: str) -> InputError:
        shown = f"'{value}'" if isinstance(value, str) else kind_of(value)
        return InputError(f"{self.place}: '{key}' is {shown}, expected {expected}")


def first_object(line: str) -> dict[str, object]:
    """The object on a line, or an empty one: for a look at what a file is."""
    named_rows.check_json(line, "first line")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def whole_json(file: TextFile) -> Any:
    """The one JSON value of a file, or None if it is none."""
    try:
        return named_rows.whole_json(file)
    except LimitError:
        raise
    except InputError:
        return None
