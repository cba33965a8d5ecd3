"""Numbers in cells."""

from typing import Final

NOTHING: Final = "–"
"""Where a number is not defined."""


def number(value: float | None, decimals: int) -> str:
    """A number, or a dash where there is none.

    >>> number(0.5, 2), number(float("nan"), 2), number(None, 2)
    ('0.50', '–', '–')
    """
    return NOTHING if value is None or value != value else f"{value:.{decimals}f}"  # noqa: PLR0124
