"""Log-probabilities of sampled texts: the model's scores, and a feature to weigh beside others."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, Final

import numpy as np

from tertium.decode.formats.numbered_lines import shortened
from tertium.decode.structures.arrays import Floats
from tertium.decode.structures.nbest import NBest

LOGPROBS: Final = "logprobs"
"""What the feature is called, for ``tune`` and ``rerank``."""

IMPOSSIBLE: Final = -1e6
"""What −∞ and null are read as: finite, so that it can be weighed, and e to it is 0."""


def log_probability(value: Any, name: str) -> float:
    """A number; null, and −∞ in any of the ways JSON gets it, are `IMPOSSIBLE`."""
    if value is None or (isinstance(value, str) and value.lower() in {"-inf", "-infinity"}):
        return IMPOSSIBLE
    if type(value) not in {int, float}:
        raise ValueError(f"{name}: found {shortened(str(value))}, expected a number or null")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number == float("-inf"):
        return IMPOSSIBLE
    if not isfinite(number):
        raise ValueError(f"{name}: found {number}, expected a number, -Infinity or null")
    return number


def log_probabilities(values: Sequence[Any], name: str) -> Floats | None:
    """A number for each; None if there is none but null, for then all are as likely."""
    if all(one is None for one in values):
        return None
    return np.array([log_probability(one, name) for one in values], dtype=np.float64)


def with_log_probabilities(one: NBest, values: Floats | None) -> NBest:
    """The list with log-probabilities as its first feature, and as its scores if it has none."""
    if values is None:
        return one
    return replace(
        one,
        feature_names=(LOGPROBS, *one.feature_names),
        features=np.column_stack((values, one.features)),
        scores=values if one.scores is None else one.scores,
    )
