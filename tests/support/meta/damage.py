"""Values and texts with something wrong in them."""

from random import Random
from typing import Any

VALUES: list[Any] = [
    None, True, -1, 3.5, 10**30, "x", "", "missing", [], {}, [[]], [None], {"a": 1}, float("inf"),
]  # fmt: skip
SIGNS = ["", "\t", '"', "{", "0", "-", ",", "\n", "🙂", "\x00", "<v>", "9"]


def changed(value: Any, draw: Random) -> Any:
    """The value with something in it replaced or taken away."""
    if isinstance(value, dict) and value:
        key, made = draw.choice(list(value)), dict(value)
        how = draw.random()
        if how < 0.2:
            del made[key]
        else:
            made[key] = draw.choice(VALUES) if how < 0.5 else changed(made[key], draw)
        return made
    if isinstance(value, list) and value:
        place = draw.randrange(len(value))
        return [*value[:place], changed(value[place], draw), *value[place + 1 :]]
    return draw.choice(VALUES)


def scratched(text: str, draw: Random) -> str:
    """The text with some characters replaced."""
    signs = list(text)
    for _ in range(draw.randrange(1, 4)):
        signs[draw.randrange(len(signs))] = draw.choice(SIGNS)
    return "".join(signs)
