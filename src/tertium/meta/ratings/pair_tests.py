"""Do people rate two systems differently? Tests over documents, and over raters as a second level.

Segments of one document share its topic, its difficulty and, mostly, its rater. A test that takes
them for independent finds differences that are not there: with the documents of two real systems
of WMT23 zh-en exchanged at random it draws a line in 22 to 34 % of the cases instead of 5 %
(``python -m experiments.evidence.placebo``). So every test here starts from one number for each
document, the sum of the differences of its segments (`ClusteredMean`):

- With six or more documents, whole documents are exchanged, and a step-down max-T covers all pairs
  of systems, as `tertium.inference.joint_tests` has it for metrics: common exchanges for all pairs,
  studentized where one document makes up much of a difference.
- With four or five documents, exchanges cannot reach a level of 5 %, and Student's t is taken with
  the variance of `tertium.inference.cluster_t`. With fewer nothing is significant.
- Where two systems share fewer than two documents, Welch's t compares all that each has.

Segments take the place of documents where no documents are known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.inference.cluster_t import cluster_t_test, degrees_of_freedom
from tertium.inference.corrections import holm, step_down_max_t
from tertium.inference.joint_tests import DOMINANT, studentized_sums, usual_test
from tertium.inference.p_values import two_sided
from tertium.inference.resampling import swapped_sums
from tertium.inference.units import Units
from tertium.installation import scipy_for
from tertium.meta.ratings.judgments import Floats
from tertium.meta.ratings.rating_sets import Ratings

_TIE: Final = 1e-9
"""Equal statistics of other orders differ in their last digits."""


def _sums(groups: NDArray[np.int64], values: Floats, size: int) -> Floats:
    return np.bincount(groups, weights=values, minlength=size).astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusteredMean:
    """A mean of values of segments, and how sure it is if whole units had been drawn.

    ``sums`` and ``counts`` are of the values in each unit, 0 where a unit has none; ``squares`` is
    the sum of all squared values.
    """

    sums: Floats = field(repr=False)
    counts: Floats = field(repr=False)
    squares: float

    @classmethod
    def of(cls, values: Floats, units: Units) -> "ClusteredMean":
        """The mean of the values that are not NaN, one for each segment."""
        known = np.isfinite(values)
        of_segment = units.of_segment[known]
        return cls(
            sums=_sums(of_segment, values[known], units.count),
            counts=np.bincount(of_segment, minlength=units.count).astype(np.float64),
            squares=float((values[known] ** 2).sum()),
        )

    @property
    def units(self) -> int:
        """How many units have values."""
        return int((self.counts > 0).sum())

    @property
    def segments(self) -> int:
        """How many segments have values."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """The mean over segments."""
        return float(self.sums.sum() / self.counts.sum())

    @property
    def shares(self) -> Floats:
        """Each unit's share of the segments."""
        shares: Floats = self.counts / self.counts.sum()
        return shares

    @property
    def variance(self) -> float:
        """The variance of the mean over units, bias-reduced (CR2); NaN of a single unit.

        With units of one size it is that of the units' means over their number.
        """
        if self.units < 2:
            return float("nan")
        residuals = (self.sums - self.mean * self.counts) / self.counts.sum()
        return float((residuals**2 / (1 - self.shares)).sum())

    @property
    def freedom(self) -> float:
        """Satterthwaite's degrees of freedom of `variance`: units − 1 where all have one size."""
        return degrees_of_freedom(self.shares[self.counts > 0])

    @property
    def exchangeable(self) -> bool:
        """Whether exchanges of the units are the test: there are enough, or too few for others."""
        return self.units > 1 and usual_test(self.units) == "randomization"

    @property
    def segment_variance(self) -> float:
        """The variance of the mean if segments were independent."""
        size = self.segments
        if size < 2:
            return float("nan")
        return max(0.0, self.squares - size * self.mean**2) / (size * (size - 1))

    @property
    def design_effect(self) -> float:
        """How many times larger the variance is than that of as many independent segments."""
        alone = self.segment_variance
        return self.variance / alone if alone > 0 else float("nan")


def t_p_value(mean: float, variance: float, freedom: float) -> float:
    """Two-sided p-value of Student's t; 1 where nothing is known of the variance."""
    with scipy_for("tests of ratings"):
        from scipy.special import stdtr

    if not mean or not variance >= 0 or not freedom > 0:
        return 1.0
    if not variance:
        return 0.0
    return float(2 * stdtr(freedom, -abs(mean) / variance**0.5))


def welch_p_value(first: ClusteredMean, second: ClusteredMean) -> float:
    """Welch's t-test of two means over units of their own: the two-sided p-value."""
    if min(first.units, second.units) < 2:
        return 1.0
    variances = first.variance, second.variance
    total = sum(variances)
    if not total:
        return 1.0
    freedom = total**2 / (variances[0] ** 2 / first.freedom + variances[1] ** 2 / second.freedom)
    return t_p_value(first.mean - second.mean, total, freedom)


def adjusted_p_values(
    table: Floats,
    units: Units,
    pairs: Sequence[tuple[int, int]],
    *,
    trials: int,
    seed: int,
) -> tuple[Floats, tuple[ClusteredMean, ...]]:
    """p-values of all pairs of systems, corrected for being many, and the differences.

    ``table`` is (systems, segments), NaN where nobody rated.
    """
    differences = tuple(ClusteredMean.of(table[a] - table[b], units) for a, b in pairs)
    if differences and all(difference.exchangeable for difference in differences):
        return step_down_p_values(differences, trials=trials, seed=seed), differences
    each = [
        _p_value(difference, (table[a], table[b]), units, trials=trials, seed=seed)
        for (a, b), difference in zip(pairs, differences, strict=True)
    ]
    return holm(each), differences


def _p_value(
    difference: ClusteredMean,
    sides: tuple[Floats, Floats],
    units: Units,
    *,
    trials: int,
    seed: int,
) -> float:
    if difference.exchangeable:
        return float(step_down_p_values([difference], trials=trials, seed=seed)[0])
    if difference.units > 1:
        known = difference.counts > 0
        effects = difference.sums[known] / difference.segments
        tie = _TIE * float(np.abs(effects).sum())
        return cluster_t_test(difference.mean, effects, difference.shares[known], tie=tie)
    first, second = (ClusteredMean.of(side, units) for side in sides)
    return welch_p_value(first, second)


def step_down_p_values(differences: Sequence[ClusteredMean], *, trials: int, seed: int) -> Floats:
    """p-values of a family of paired differences: step-down max-T over common exchanges.

    Of a single difference that is the p-value of the randomization test.
    """
    sizes = np.array([[difference.segments] for difference in differences])
    effects = np.stack([difference.sums for difference in differences]) / sizes
    shares = np.stack([difference.counts for difference in differences]) / sizes
    used = (effects != 0).any(axis=0)
    if not used.any():
        return np.ones(len(differences))
    effects, shares = effects[:, used], shares[:, used]
    units = effects.shape[1]
    exact = units < trials.bit_length()  # 2^units exchanges are no more than the trials
    draws = range(1 << units if exact else trials)
    totals = effects.sum(axis=1)
    sums = swapped_sums(effects.T, trials=draws, seed=seed, every=exact)
    squares = (effects**2).sum(axis=1)
    raw = np.array(
        [
            two_sided(null, total, _TIE * abs(total), exact=exact)
            for null, total in zip(sums, totals.tolist(), strict=True)
        ]
    )
    if len(differences) == 1:
        return raw
    if (effects**2 > DOMINANT * squares[:, np.newaxis]).any():
        weighted = swapped_sums((effects * shares).T, trials=draws, seed=seed, every=exact)
        null = studentized_sums(effects, shares, sums, weighted)
        statistics = studentized_sums(effects, shares, totals, (effects * shares).sum(axis=1))
    else:
        scale = np.sqrt(np.where(squares > 0, squares, 1.0))
        null, statistics = np.abs(sums) / scale[:, np.newaxis], np.abs(totals) / scale
    adjusted = step_down_max_t(statistics, null, _TIE * statistics, exact=exact)
    result: Floats = np.maximum(adjusted, raw)
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterVariance:
    """How sure a difference is if other raters had been drawn, beside other units.

    ``variance`` is clustered by units and by raters (Cameron, Gelbach & Miller 2011), and at least
    that of units alone; ``freedom`` is the smaller number of the two minus 1.
    """

    variance: float
    freedom: int


def rater_variance(
    ratings: Ratings, units: Units, pair: tuple[int, int], difference: ClusteredMean
) -> RaterVariance | None:
    """The variance of a difference over units and raters; None where raters add no level.

    Raters add one where two or more rated, and one of them several units. ``ratings`` are of
    the segments that ``units`` are of.
    """
    chosen = np.isin(ratings.system, pair) & (ratings.segment >= 0)
    system, segment = ratings.system[chosen], ratings.segment[chosen]
    width = len(units.of_segment)
    counts = np.stack([np.bincount(segment[system == number], minlength=width) for number in pair])
    kept = counts.min(axis=0)[segment] > 0
    system, segment = system[kept], segment[kept]
    value, judge = ratings.value[chosen][kept], ratings.judge[chosen][kept].astype(np.int64)
    first = system == pair[0]
    cells = units.of_segment[segment].astype(np.int64) * len(ratings.judges) + judge
    known, places = np.unique(cells, return_inverse=True)
    raters = np.unique(judge)
    if len(raters) < 2 or difference.units < 2 or len(known) == len(raters):
        return None
    means = [
        _sums(segment[own], value[own], width) / np.maximum(count, 1)
        for own, count in zip((first, ~first), counts, strict=True)
    ]
    middle = (means[0] + means[1]) / 2
    # Each rating's part in its segment's difference; the parts of a segment add up to it.
    sign = np.where(first, 1.0, -1.0)
    part = sign * (value - middle[segment]) - difference.mean / 2
    part /= np.where(first, counts[0][segment], counts[1][segment]) * difference.segments

    def variance(groups: NDArray[np.int64]) -> float:
        sums = np.bincount(groups, weights=part)
        size = len(np.unique(groups))
        return float((sums**2).sum() * size / (size - 1))

    twofold = difference.variance + variance(judge) - variance(places)
    return RaterVariance(
        variance=max(twofold, difference.variance),
        freedom=min(difference.units, len(raters)) - 1,
    )
