"""Pairs of rated outputs: how many a metric puts in the same order as people do.

All variants of Kendall's τ and the accuracy of Deutsch et al. (2023) are made of the same five
numbers. Pairs are formed within groups: the outputs for one segment ("item"), those of one
system ("system"), or all that were rated ("none"), as in mt-metrics-eval.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.judgments import Floats
from tertium.suggestions import did_you_mean

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
        _sorted_counts(rating[one], score[one])
        for rating, score, one in zip(ratings, scores, known, strict=True)
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
        for name, found in kinds.items():
            totals[name] += np.count_nonzero(found & both, axis=1)
    return PairCounts(**totals)


def _sorted_counts(ratings: Floats, scores: Floats) -> dict[str, int]:
    """The same for one long group, without looking at every pair: O(n log n) (Knight 1966)."""
    _, rating = np.unique(ratings, return_inverse=True)
    _, score = np.unique(scores, return_inverse=True)
    joint = rating.astype(np.int64) * (len(score) + 1) + score
    ties = {name: _tied(one) for name, one in (("r", rating), ("s", score), ("b", joint))}
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
