"""Values of JSON objects, checked: what is missing or of another kind is named with its place."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tertium.errors import InputError, LimitError
from tertium.meta.spans.span import Kind, Side
from tertium.text import named_rows
from tertium.text.decimals import decimal
from tertium.text.files import TextFile
from tertium.text.named_rows import kind_of

# What a file says of marked errors, before its lines are put together.


class MarkedError(NamedTuple):
    """A marked error; the offsets are those of a `Span`."""

    start: int
    end: int
    severity: str
    category: str = ""
    side: Side = "target"


class Look(NamedTuple):
    """One rater's look at one output; ``segment`` counts from 0.

    Without one, ``id`` tells the items apart, and ``number``, ``document``, ``position`` and
    ``shown`` are what the file says of the item (`tertium.meta.spans.span.ItemKey`). ``sliders``
    are scores on scales of a campaign's own, by their names.
    """

    place: str
    system: str
    rater: str
    segment: int | None = None
    id: str = ""
    pair: str = ""
    marks: tuple[MarkedError, ...] = ()
    score: float | None = None
    kind: Kind = ""
    begin: float | None = None
    seconds: float | None = None
    hypothesis: str | None = None
    source: str | None = None
    number: int | None = None
    document: str = ""
    position: int | None = None
    shown: int = 0
    sliders: tuple[tuple[str, float], ...] = ()


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
        for number, item in enumerate(self.items(key), 1):
            yield Fields.of(item, f"{self.place}: {key} {number}")

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
