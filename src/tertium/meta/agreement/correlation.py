"""Agreement of two rows of numbers, one number per system: correlations and pairwise accuracy.

All functions work along the last axis, so that thousands of resamples are one call. Where a
number is not defined, because one side is constant or there are too few systems, it is NaN.
"""

from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import OptionError
from tertium.meta.agreement.pair_counts import count_pairs
from tertium.meta.ratings.judgments import Floats
from tertium.plurals import counted
from tertium.suggestions import did_you_mean

SystemMeasure: TypeAlias = Literal["pearson", "spearman", "kendall", "accuracy"]
SYSTEM_MEASURES: Final[tuple[SystemMeasure, ...]] = ("pearson", "spearman", "kendall", "accuracy")
COMPARED_MEMBERS: Final = 64
"""Up to so many numbers are ranked by comparing all of them, in thousands of rows at once."""
COMPARISONS: Final = 1 << 22
"""Comparisons that are in memory at once."""


def system_agreement(measure: str, ratings: Floats, scores: Floats) -> Floats:
    """One of the measures by name: shape (..., systems) twice becomes (...).

    >>> float(system_agreement("kendall", np.array([1.0, 2, 3]), np.array([1.0, 3, 2])).round(4))
    0.3333
    """
    if measure == "pearson":
        return pearson(ratings, scores)
    if measure == "spearman":
        return spearman(ratings, scores)
    if measure == "kendall":
        return kendall(ratings, scores)
    if measure == "accuracy":
        return pairwise_accuracy(ratings, scores)
    raise OptionError(did_you_mean("measure", measure, SYSTEM_MEASURES))


def pearson(x: Floats, y: Floats) -> Floats:
    """Pearson's r, the cosine of the two rows with their means taken away."""
    x, y = _both(x, y)
    defined = (x.shape[-1] > 1) & ~_constant(x) & ~_constant(y)
    r = (_direction(x) * _direction(y)).sum(axis=-1)
    return np.where(defined, np.clip(r, -1.0, 1.0), np.nan)


def spearman(x: Floats, y: Floats) -> Floats:
    """Spearman's ρ: Pearson's r of the ranks, equal numbers having their mean rank."""
    x, y = _both(x, y)
    return pearson(mean_ranks(x), mean_ranks(y))


def mean_ranks(values: Floats) -> Floats:
    """Ranks from 1 on the last axis; a row with a NaN has no ranks.

    SciPy has the same, but to import it takes longer than to rank.

    >>> mean_ranks(np.array([30.0, 10, 20, 20])).tolist()
    [4.0, 1.0, 2.5, 2.5]
    """
    ranks = np.full(values.shape, np.nan)
    if values.ndim > 1 and values.shape[-1] <= COMPARED_MEMBERS:
        rows = values.reshape(-1, values.shape[-1])
        flat = ranks.reshape(rows.shape)
        step = max(1, COMPARISONS // max(1, values.shape[-1] ** 2))
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            below = (some[:, np.newaxis, :] < some[:, :, np.newaxis]).sum(axis=-1)
            equal = (some[:, np.newaxis, :] == some[:, :, np.newaxis]).sum(axis=-1)
            missing = np.isnan(some).any(axis=-1, keepdims=True)
            flat[start : start + step] = np.where(missing, np.nan, below + (equal + 1) / 2)
        return flat.reshape(values.shape)
    for index in np.ndindex(values.shape[:-1]):
        if not np.isnan(values[index]).any():
            _, rank, counts = np.unique(values[index], return_inverse=True, return_counts=True)
            ranks[index] = (np.cumsum(counts) - (counts - 1) / 2)[rank]
    return ranks


def kendall(x: Floats, y: Floats) -> Floats:
    """Kendall's τ-b: (C − D) / √((C + D + ties in x only) (C + D + ties in y only))."""
    x, y = _both(x, y)
    if x.ndim == 1:  # a single row may be long, and is sorted then
        return np.asarray(count_pairs(x[np.newaxis], y[np.newaxis]).tau_b[0])
    a, b = _pair_signs(x), _pair_signs(y)
    agreeing = (a * b).sum(axis=-1, dtype=np.int64)
    untied = np.count_nonzero(a, axis=-1) * np.count_nonzero(b, axis=-1)
    return np.where(untied == 0, np.nan, agreeing / np.sqrt(np.maximum(untied, 1)))


def pairwise_accuracy(x: Floats, y: Floats, counts: NDArray[Any] | None = None) -> Floats:
    """The share of pairs that both rows put in the same order (Kocmi et al. 2021).

    A pair that is tied in both counts as agreeing. ``counts`` says how often each system was
    drawn, of the shape (..., systems); a system is never paired with its own copy.

    >>> float(pairwise_accuracy(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])).round(4))
    0.6667
    """
    x, y = _both(x, y)
    agrees = _pair_signs(x) == _pair_signs(y)
    if counts is None:
        pairs = agrees.shape[-1]
        return agrees.sum(axis=-1) / pairs if pairs else np.full(agrees.shape[:-1], np.nan)
    first, second = np.triu_indices(x.shape[-1], 1)
    weights = (counts[..., first] * counts[..., second]).astype(np.float64)
    total = weights.sum(axis=-1)
    found = (weights * agrees).sum(axis=-1)
    return np.where(total == 0, np.nan, found / np.where(total == 0, 1.0, total))


def why_undefined(ratings: Floats, scores: Floats, metric: str) -> str:
    """In words, why a correlation of two rows has no value; empty if it has one."""
    if len(ratings) < 3:
        return f"{counted(len(ratings), 'system')}, expected at least 3"
    if bool(_constant(ratings)):
        return "all ratings are tied"
    if bool(_constant(scores)):
        return f"{metric} gives every system the same score"
    return ""


def _both(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    x, y = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
    return x, y


def _constant(x: Floats) -> NDArray[np.bool_]:
    return np.asarray((x == x[..., :1]).all(axis=-1))


def _direction(x: Floats) -> Floats:
    """Deviations from the mean, of length 1."""
    # Numbers of any size: without this, tiny ones would vanish when they are squared.
    scale = np.abs(x).max(axis=-1, keepdims=True, initial=0.0)
    x = x / np.where(scale == 0, 1.0, scale)
    deviations = x - x.mean(axis=-1, keepdims=True) if x.shape[-1] else x
    length = np.linalg.norm(deviations, axis=-1, keepdims=True)
    return np.asarray(deviations / np.where(length == 0, 1.0, length))


def _pair_signs(x: Floats) -> NDArray[np.int8]:
    """Which of every pair is greater: −1, 0, 1."""
    first, second = np.triu_indices(x.shape[-1], 1)
    a, b = x[..., first], x[..., second]
    return (a > b).astype(np.int8) - (a < b).astype(np.int8)
