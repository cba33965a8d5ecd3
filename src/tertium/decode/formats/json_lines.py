"""JSON objects, one a line, from whoever wrote them."""

import json
from typing import Any

from tertium.decode.formats.numbered_lines import shortened


def parsed_object(text: str) -> dict[str, Any]:
    """The object on a line; a ValueError for anything else, however deep or broken."""
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
