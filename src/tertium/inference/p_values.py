"""p-values from distributions, with ties that rounding cannot break, and as people read them."""

from math import ceil
from typing import Final

import numpy as np

from tertium.metrics.contract.base import Scores

ROUNDING: Final = 1e-11
"""Differences smaller than this share of the scores themselves are no differences."""


RAW_P: Final = "raw p"
"""What every table calls the p-value of one test alone."""
CORRECTED_P: Final = "corrected p"
"""What every table calls the p-value that decides, corrected for all tests of its family."""


def tie_width(*scores: float) -> float:
    """How far two scores of this size may lie apart and still be equal."""
    return ROUNDING * max(map(abs, scores))


def p_value_of(extreme: int, trials: int) -> float:
    """(1 + extreme) / (1 + trials): the observed value is one of those that chance can give.

    >>> p_value_of(0, 999)
    0.001
    """
    return (1 + extreme) / (1 + trials)


def two_sided(null: Scores, observed: float, tie: float, *, exact: bool = False) -> float:
    """How often the null distribution is as far from 0 as what was observed.

    An ``exact`` null distribution holds everything that can happen, what was observed included.
    """
    extreme = int(np.count_nonzero(np.abs(null) >= abs(observed) - tie))
    return extreme / null.size if exact else p_value_of(extreme, null.size)


def p_value_text(p_value: float, floor: float = 0.0) -> str:
    """A p-value with four digits; ``<`` where the trials, or the digits, can say no less.

    >>> p_value_text(0.0312), p_value_text(1 / 1001, floor=1 / 1001), p_value_text(1e-9)
    ('0.0312', '<0.0010', '<0.0001')
    """
    if p_value <= floor * (1 + 1e-9):
        return f"<{least_text(floor)}"
    return "<0.0001" if p_value < 0.00005 else f"{p_value:.4f}"


def p_value_texts(raw: float, corrected: float, floors: tuple[float, float] = (0.0, 0.0)) -> str:
    """Both p-values by their names, with the smallest that the trials can give of each.

    >>> p_value_texts(0.004, 0.0312)
    'raw p = 0.0040, corrected p = 0.0312'
    """
    texts = (
        p_value_text(p_value, floor)
        for p_value, floor in zip((raw, corrected), floors, strict=True)
    )
    named = zip((RAW_P, CORRECTED_P), texts, strict=True)
    return ", ".join(
        f"{name} < {text[1:]}" if text.startswith("<") else f"{name} = {text}"
        for name, text in named
    )


def least_text(floor: float) -> str:
    """The smallest p-value that trials can give, rounded up."""
    return f"{ceil(10_000 * floor - 1e-9) / 10_000:.4f}"
