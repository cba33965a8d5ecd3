"""Names in JSON lines: spans are put in, taken out or given another label."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tertium.text.annotations.annotated_text import Entity
from tertium.text.annotations.editing.replacements import Changes, Place, Replacement

_BLANK: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = json.JSONDecoder()


def span_replacements(line: str, changes: Changes) -> Iterator[Replacement]:
    """What changes in a line."""
    start, _ = _values(line, 0)["entities"]
    items = list(_items(line, start))
    # Names are numbered in the order of `AnnotatedText`; the file's own may be another one.
    order = sorted(range(len(items)), key=lambda at: _place(items[at][1]))
    numbers = {at: number for number, at in enumerate(order)}
    kept = [at for at in range(len(items)) if numbers[at] not in changes.removed]
    for at in kept:
        label = changes.retyped.get(numbers[at])
        if label is not None:
            place = _values(line, items[at][0][0])["label"]
            yield Replacement(*place, json.dumps(label, ensure_ascii=False))
    for at in range(len(items)):
        if at not in kept:
            yield _without(items, at, kept)
    if changes.added:
        added = ", ".join(_span(one) for one in changes.added)
        if kept:
            end = items[kept[-1]][0][1]
            yield Replacement(end, end, f", {added}")
        else:
            yield Replacement(start + 1, start + 1, added)


def _without(
    items: Sequence[tuple[Place, dict[str, Any]]], at: int, kept: Sequence[int]
) -> Replacement:
    """Take out a span with the comma that parts it from what stays."""
    (start, stop), _ = items[at]
    if any(other < at for other in kept):
        return Replacement(items[at - 1][0][1], stop, "")
    if at + 1 < len(items):
        return Replacement(start, items[at + 1][0][0], "")
    return Replacement(start, stop, "")


def _place(span: dict[str, Any]) -> tuple[int, int]:
    return span["start"], -span["end"]


def _span(one: Entity) -> str:
    record = {"start": one.start, "end": one.end, "label": one.label}
    return json.dumps(record, ensure_ascii=False)


def _values(line: str, start: int) -> dict[str, Place]:
    """Where the values of a JSON object stand; of a key that is there twice the last counts."""
    places: dict[str, Place] = {}
    at = _after(line, _after(line, start) + 1)
    while line[at] != "}":
        key, at = _DECODER.raw_decode(line, at)
        at = _after(line, _after(line, at) + 1)
        _, end = _DECODER.raw_decode(line, at)
        places[key] = (at, end)
        at = _after(line, end)
        if line[at] == ",":
            at = _after(line, at + 1)
    return places


def _items(line: str, start: int) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The objects of a JSON list, with their places."""
    at = _after(line, start + 1)
    while line[at] != "]":
        value, end = _DECODER.raw_decode(line, at)
        yield (at, end), value
        at = _after(line, end)
        if line[at] == ",":
            at = _after(line, at + 1)


def _after(line: str, at: int) -> int:
    blank = _BLANK.match(line, at)
    return at if blank is None else blank.end()
