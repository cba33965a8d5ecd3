"""Agreement of two rows of numbers, one number per system: correlations and pairwise accuracy.

All functions work along the last axis, so that thousands of resamples are one call. Where a
number is not defined, because one side is constant or there are too few systems, it is NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import PackedRows
from tertium.errors import InputError, OptionError
from tertium.inference.rows import check_trials
from tertium.inference.units import Units
from tertium.meta.ratings.judgments import Floats
from tertium.metrics.contract.base import Rows, Scores
from tertium.plurals import counted
from tertium.suggestions import did_you_mean

# Pairs of rated outputs: how many a metric puts in the same order as people do.
#
# All variants of Kendall's τ and the accuracy of Deutsch et al. (2023) are made of the same five
# numbers. Pairs are formed within groups: the outputs for one segment ("item"), those of one
# system ("system"), or all that were rated ("none"), as in mt-metrics-eval.

Grouping: TypeAlias = Literal["none", "item", "system"]
GROUPINGS: Final[tuple[Grouping, ...]] = ("none", "item", "system")
Counts: TypeAlias = NDArray[np.int64]

MATRIX_MEMBERS: Final = 64
"""Larger groups are sorted, one at a time; smaller ones are compared all at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairCounts:
    """The pairs of each group by what people and the metric say of them, shape (groups,)."""

    concordant: Counts = field(repr=False)
    discordant: Counts = field(repr=False)
    tied_ratings: Counts = field(repr=False)
    tied_scores: Counts = field(repr=False)
    tied_both: Counts = field(repr=False)

    @property
    def pairs(self) -> Counts:
        """All pairs of each group."""
        ties = self.tied_ratings + self.tied_scores + self.tied_both
        return self.concordant + self.discordant + ties

    @property
    def tau_b(self) -> Floats:
        """Kendall's τ-b of each group, NaN where all ratings or all scores are tied."""
        untied = self.concordant + self.discordant
        product = (untied + self.tied_scores) * (untied + self.tied_ratings)
        difference = self.concordant - self.discordant
        return np.where(product == 0, np.nan, difference / np.sqrt(np.maximum(product, 1)))

    @property
    def accuracy(self) -> Floats:
        """(C + ties in both) / all pairs of each group; NaN where there is no pair.

        acc_eq of Deutsch et al. (2023).
        """
        agreeing = self.concordant + self.tied_both
        return np.where(self.pairs == 0, np.nan, agreeing / np.maximum(self.pairs, 1))


def grouped(ratings: Floats, scores: Floats, grouping: str) -> tuple[Floats, Floats]:
    """Both (systems, segments) matrices as (groups, members), NaN where either is missing."""
    if grouping not in GROUPINGS:
        raise OptionError(did_you_mean("grouping", grouping, GROUPINGS))
    if ratings.shape != scores.shape:
        raise InputError(
            f"scores of segments: found shape {scores.shape}, expected {ratings.shape} (ratings)"
        )
    missing = np.isnan(ratings) | np.isnan(scores)
    if grouping == "none":
        return ratings[~missing][np.newaxis], scores[~missing][np.newaxis]
    ratings, scores = np.where(missing, np.nan, ratings), np.where(missing, np.nan, scores)
    return (ratings, scores) if grouping == "system" else (ratings.T, scores.T)


def count_pairs(ratings: Floats, scores: Floats, *, epsilon: float = 0.0) -> PairCounts:
    """Count the pairs of groups, shape (groups, members).

    Scores that lie no further apart than ``epsilon`` are tied.
    """
    if epsilon < 0:
        raise OptionError(f"epsilon: found {epsilon}, expected 0 or more")
    if epsilon > 0 or ratings.shape[1] <= MATRIX_MEMBERS:
        return _compared(ratings, scores, epsilon)
    known = ~np.isnan(ratings)
    rows = [
        _sorted_counts(rating[present], score[present])
        for rating, score, present in zip(ratings, scores, known, strict=True)
    ]
    return PairCounts(**{name: np.array([row[name] for row in rows]) for name in _NAMES})


_NAMES: Final = ("concordant", "discordant", "tied_ratings", "tied_scores", "tied_both")


def _compared(ratings: Floats, scores: Floats, epsilon: float) -> PairCounts:
    """Every member with all that follow, for all groups at once."""
    totals = {name: np.zeros(len(ratings), dtype=np.int64) for name in _NAMES}
    known = ~np.isnan(ratings)
    for i in range(ratings.shape[1] - 1):
        both = known[:, i : i + 1] & known[:, i + 1 :]
        rating = ratings[:, i + 1 :] - ratings[:, i : i + 1]
        score = scores[:, i + 1 :] - scores[:, i : i + 1]
        tied_rating, tied_score = rating == 0, np.abs(score) <= epsilon
        same = (rating > 0) == (score > 0)
        kinds = {
            "concordant": ~tied_rating & ~tied_score & same,
            "discordant": ~tied_rating & ~tied_score & ~same,
            "tied_ratings": tied_rating & ~tied_score,
            "tied_scores": ~tied_rating & tied_score,
            "tied_both": tied_rating & tied_score,
        }
        for name, kind in kinds.items():
            totals[name] += np.count_nonzero(kind & both, axis=1)
    return PairCounts(**totals)


def _sorted_counts(ratings: Floats, scores: Floats) -> dict[str, int]:
    """The same for one long group, without looking at every pair: O(n log n) (Knight 1966)."""
    _, rating = np.unique(ratings, return_inverse=True)
    _, score = np.unique(scores, return_inverse=True)
    joint = rating.astype(np.int64) * (len(score) + 1) + score
    ties = {name: _tied(values) for name, values in (("r", rating), ("s", score), ("b", joint))}
    # Sorted by rating, then score: whatever comes too late by score is a discordant pair.
    discordant = _inversions(score[np.lexsort((score, rating))])
    pairs = len(score) * (len(score) - 1) // 2
    return {
        "concordant": pairs - ties["r"] - ties["s"] + ties["b"] - discordant,
        "discordant": discordant,
        "tied_ratings": ties["r"] - ties["b"],
        "tied_scores": ties["s"] - ties["b"],
        "tied_both": ties["b"],
    }


def _tied(ranks: NDArray[np.int64]) -> int:
    _, counts = np.unique(ranks, return_counts=True)
    return int((counts * (counts - 1) // 2).sum())


def _inversions(ranks: NDArray[np.int64]) -> int:
    """Pairs i < j with ranks[i] > ranks[j], one binary digit at a time.

    Two ranks are first told apart by one digit; in front of it they have the same digits. So
    among ranks with the same front, every 1 that comes before a 0 is an inversion.

    >>> _inversions(np.array([2, 0, 1, 1]))
    3
    """
    total = 0
    top = int(ranks.max(initial=0))
    for digit in range(top.bit_length()):
        order = np.argsort(ranks >> (digit + 1), kind="stable")
        front = ranks[order] >> (digit + 1)
        ones = (ranks[order] >> digit) & 1
        before = np.cumsum(ones) - ones
        starts = np.flatnonzero(np.r_[True, front[1:] != front[:-1]])
        lengths = np.diff(np.r_[starts, len(front)])
        total += int((before - np.repeat(before[starts], lengths))[ones == 0].sum())
    return total


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


# Agreement that is made of sums over segments, so that resampling them is a matrix product.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Additive:
    """Statistics of every segment, (segments, K), and what a sum of them is worth.

    The idea of `tertium.metrics` once more: ``score`` maps (..., K) to (...).
    """

    rows: Rows = field(repr=False)
    score: Callable[[Rows], Scores] = field(repr=False)

    @property
    def value(self) -> float:
        """What all segments together are worth."""
        return float(self.score(self.rows.sum(axis=0)))

    def resampled(self, *, trials: int, seed: int, units: Units | None = None) -> Scores:
        """The same for bootstrap resamples of the segments, or of whole ``units`` of them."""
        check_trials(trials, seed)
        if not len(self.rows):
            raise InputError("segments: found none, expected at least one")
        rows = self.rows if units is None else units.sums(self.rows)
        packed = PackedRows(np.ascontiguousarray(rows))
        sums = packed.resampled_sums(seed=seed, stream=0, first=0, trials=trials)
        return self.score(sums.T)


def share(rows: Rows) -> Scores:
    """The first sum over the second; NaN where that is 0."""
    total = rows[..., 1]
    return np.where(total == 0, np.nan, rows[..., 0] / np.where(total == 0, 1.0, total))


def mean_of(values: Scores) -> Additive:
    """The mean of the segments' own values, those that are NaN left out."""
    known = ~np.isnan(values)
    rows = np.stack([np.where(known, values, 0.0), known], axis=-1)
    return Additive(rows=rows, score=share)
