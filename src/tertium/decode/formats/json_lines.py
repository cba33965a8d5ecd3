"""JSON objects, one a line, from whoever wrote them."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from tertium.decode.formats.numbered_lines import Damages, numbered_lines, shortened
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.text.files import TextFile
from tertium.text.named_rows import check_json


def read_lists(
    file: TextFile, damages: Damages, made: Callable[[dict[str, Any], int], NBest]
) -> Iterator[NBest]:
    """The list that is made of each object of a file, and of its place among them."""
    place, last = 0, -1
    for line_number, text in numbered_lines(file, damages):
        if not text.strip():
            continue
        try:
            found = made(parsed_object(text), place)
        except (ValueError, InputError) as error:
            # Which one it was can only be told by its neighbour.
            last += 1
            damages.add(InputError(f"{file.name}: line {line_number}: {error}"), last)
        else:
            last = found.segment
            yield found
        place += 1


def parsed_object(text: str) -> dict[str, Any]:
    """The object on a line; a ValueError for anything else, however deep or broken."""
    check_json(text, "the line")
    try:
        value = json.loads(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise ValueError(f"found no JSON ({error}), expected an object") from None
    return as_object(value, "the line")


def as_object(value: Any, name: str) -> dict[str, Any]:
    """The value itself, if it is an object."""
    if isinstance(value, dict):
        return value
    raise ValueError(f"{name}: found {shortened(str(value))}, expected an object")


def as_list(value: Any, name: str) -> list[Any]:
    """The value itself, if it is a list."""
    if isinstance(value, list):
        return value
    raise ValueError(f"{name}: found {shortened(str(value))}, expected a list")
