"""Numbers for JSON."""

import math


def or_none(value: float) -> float | None:
    """The number, or null for JSON, which knows no NaN.

    >>> or_none(0.5), or_none(float("nan"))
    (0.5, None)
    """
    return None if math.isnan(value) else value
