"""The one parser of numbers that stand in files, whichever format and command reads them.

A number is written in plain decimal digits, with a sign, a point and an exponent if need be. What
Python's ``float`` takes beyond that (``1_0``, digits of other scripts, ``inf``, ``nan``) is no
number here: ``nan`` says that there is none, as ``None``, ``-`` and an empty cell do.
"""

import re
from math import isfinite, nan
from typing import Final

from tertium.errors import InputError

MISSING: Final = frozenset({"", "none", "nan", "null", "na", "n/a", "-"})
"""Cells, in lower case, that say there is no number."""

_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SHOWN: Final = 60


def decimal(text: str) -> float | None:
    """The finite number that a text is, with blanks around it or not; None for any other text.

    >>> decimal("-1.5e3"), decimal("1_0"), decimal("nan")
    (-1500.0, None, None)
    """
    bare = text.strip()
    if _DECIMAL.fullmatch(bare) is None:
        return None
    value = float(bare)
    return value if isfinite(value) else None


def whole(text: str) -> int | None:
    """The whole number from 0 on that a text is; None for any other text.

    >>> whole("12"), whole("1_2"), whole("-1")
    (12, None, None)
    """
    bare = text.strip()
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) < 20 else None


def is_missing(text: str) -> bool:
    """Whether a cell says that there is no number."""
    return text.strip().lower() in MISSING


def number_in(cell: object, location: str, *, expected: str = "a number") -> float:
    """The number in a cell of a table or a value of JSON; NaN where it says that there is none.

    ``location`` stands at the front of an error, and ``expected`` what would do.

    >>> number_in("0.853", "comet.tsv:2"), number_in("None", "comet.tsv:3"), number_in(7, "a:1")
    (0.853, nan, 7.0)
    """
    value: float | None = None
    if isinstance(cell, str):
        value = nan if is_missing(cell) else decimal(cell)
    elif cell is None or cell != cell:  # noqa: PLR0124 - NaN, of whatever type
        value = nan
    elif isinstance(cell, int | float) and not isinstance(cell, bool):
        value = _finite(cell)
    if value is None:
        shown = cell.strip()[:_SHOWN] if isinstance(cell, str) else repr(cell)[:_SHOWN]
        comma = " with a point, not a comma" if isinstance(cell, str) and "," in cell else ""
        raise InputError(f"{location}: found '{shown}', expected {expected}{comma}")
    return value


def _finite(cell: float) -> float | None:
    try:
        value = float(cell)
    except OverflowError:
        return None
    return value if isfinite(value) else None
