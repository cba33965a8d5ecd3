"""Weights as vectors in the order of features, and as the text that decoders read."""

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium.decode.formats.features import feature_text
from tertium.errors import InputError
from tertium.plurals import counted


def union_of(names: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The features that some hypotheses or graphs have, in the order in which they come up.

    Features that are called by numbers are in the order of these.

    >>> union_of([("lm", "tm"), ("tm", "oov")]), union_of([("1", "10"), ("2",)])
    (('lm', 'tm', 'oov'), ('1', '2', '10'))
    """
    result = tuple(dict.fromkeys(name for some in names for name in some))
    if all(name.isascii() and name.isdigit() for name in result):
        return tuple(sorted(result, key=int))
    return result


def vector_of(
    weights: Mapping[str, float] | ArrayLike, names: Sequence[str], location: str
) -> NDArray[np.float64]:
    """Weights in the order of the features; a feature that has none gets 0.

    Weights that are called ``1``, ``2``, …, as in a file without names, may also be meant in the
    order of features that have names.
    """
    if isinstance(weights, Mapping):
        if not any(name in weights for name in names):
            return _in_order(weights, names, location)
        return np.array([weights.get(name, 0.0) for name in names], dtype=np.float64)
    result = np.asarray(weights, dtype=np.float64)
    if result.shape != (len(names),) or not np.isfinite(result).all():
        raise InputError(
            f"{location}: found {counted(result.size, 'number')}, expected a finite one for each "
            f"of the {counted(len(names), 'feature')}: {_some(names)}"
        )
    return result


def _in_order(
    weights: Mapping[str, float], names: Sequence[str], location: str
) -> NDArray[np.float64]:
    if list(weights) != [str(number) for number in range(1, len(names) + 1)]:
        raise InputError(
            f"{location}: found weights of {_some(list(weights))}, expected some of {_some(names)}"
        )
    return np.array(list(weights.values()), dtype=np.float64)


def moses_text(weights: Mapping[str, float]) -> str:
    """A line for every feature function, as Moses' tuners exchange them.

    >>> print(moses_text({"LM0": 0.5, "TM0_1": 0.25, "TM0_2": -0.25}), end="")
    LM0= 0.5
    TM0= 0.25 -0.25
    """
    line = feature_text(tuple(weights), weights.values())
    return re.sub(r" (?=\S+= )", "\n", line) + "\n"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
