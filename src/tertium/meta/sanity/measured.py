"""What a check says of one judge, and the words that all checks share."""

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from tertium.installation import scipy_for
from tertium.meta.ratings.judge_agreement import without_repeats
from tertium.meta.ratings.rating_sets import Ratings

LEAST: Final = 10
"""Ratings that a judge must have for a check; of fewer nothing can be said."""


class JudgeCheck(NamedTuple):
    """One judge under one check; ``matters`` is whether it would be bad, were it no chance.

    ``value`` is the judge's own, ``usual`` that of the other judges, from ``size`` ratings.
    ``p_value`` is how often an honest judge, who is like the others, would be as far off.
    """

    judge: str
    size: int
    value: float
    usual: float
    p_value: float
    matters: bool


def outputs_of(ratings: Ratings) -> Ratings:
    """One rating of an output by a judge; ratings of whole systems are no part of it."""
    kept = np.flatnonzero(ratings.segment >= 0)
    some = replace(
        ratings,
        system=ratings.system[kept],
        segment=ratings.segment[kept],
        judge=ratings.judge[kept],
        value=ratings.value[kept],
    )
    return without_repeats(some) if len(kept) else some


def more_often(own: int, of_own: int, others: int, of_others: int) -> float:
    """Fisher's exact test: the chance that a judge like the others has as many or more.

    >>> round(more_often(5, 10, 5, 90), 4)
    0.0007
    """
    with scipy_for("Fisher's test"):
        from scipy.stats import hypergeom

    if not of_own or not of_others:
        return 1.0
    return float(hypergeom.sf(own - 1, of_own + of_others, own + others, of_own))
