"""Many tests at once: adjusted p-values that may be compared with the level as before."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, prod
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from tertium.plurals import counted

PValues: TypeAlias = NDArray[np.float64]
Correction: TypeAlias = Literal["max-t", "holm", "benjamini-hochberg", "none"]
CORRECTIONS: Final[tuple[Correction, ...]] = get_args(Correction)

_NAMES: Final = {"max-t": "max-T", "holm": "Holm", "benjamini-hochberg": "Benjamini-Hochberg"}


def holm(p_values: Sequence[float] | PValues) -> PValues:
    """Holm (1979): the chance of even one false finding stays below the level.

    The k-th smallest of m p-values counts (m − k + 1)-fold, and never less than the one before.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    weighted = given[order] * np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(weighted))
    return adjusted


def benjamini_hochberg(p_values: Sequence[float] | PValues) -> PValues:
    """Benjamini & Hochberg (1995): the expected share of false findings stays below the level.

    The k-th smallest of m p-values counts m/k-fold, and never more than the one after.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    # The factor first: it is never below 1, so rounding cannot make a p-value smaller.
    weighted = given[order] * (len(given) / np.arange(1, len(given) + 1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(weighted[::-1])[::-1])
    return adjusted


def step_down_max_t(
    statistics: PValues,
    null: Sequence[PValues] | PValues,
    ties: PValues | None = None,
    *,
    exact: bool,
) -> PValues:
    """Westfall & Young (1993): the chance of even one false finding, by common trials.

    ``statistics`` are (tests,), the larger the less likely by chance, and on one scale; ``null``
    are those of the same trials, (tests, trials). Test k gets the share of trials in which the
    largest statistic of k and all smaller tests is as large, and never less than a larger test.
    ``ties`` is how far below a statistic a trial counts as equal; an ``exact`` null distribution
    holds the observed values among the trials.

    >>> null = np.array([[2.0, 1.0, 0.5, 0.1], [1.5, 0.2, 1.0, 0.1]])
    >>> step_down_max_t(np.array([2.0, 1.0]), null, exact=True).tolist()
    [0.25, 0.5]
    """
    result = np.ones(len(statistics))
    if not len(statistics):
        return result
    trials = len(null[0])
    margins = np.zeros(len(statistics)) if ties is None else ties
    order = np.argsort(statistics, kind="stable")
    largest = np.zeros(trials)
    for test in order.tolist():
        np.maximum(largest, null[test], out=largest)
        reached = int(np.count_nonzero(largest >= statistics[test] - margins[test]))
        result[test] = reached / trials if exact else (1 + reached) / (1 + trials)
    downward = order[::-1]
    result[downward] = np.maximum.accumulate(result[downward])
    return result


def corrected(p_values: Sequence[float] | PValues, correction: Correction) -> PValues:
    """The p-values, adjusted for being many.

    Max-T needs the trials that they come from (`tertium.inference.joint_tests`); of p-values
    alone, such as those of the sign test, Holm's correction takes its place.
    """
    if correction == "none":
        return np.asarray(p_values, dtype=np.float64)
    return (benjamini_hochberg if correction == "benjamini-hochberg" else holm)(p_values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The tests that one correction covers: so many of each kind of thing, crossed.

    >>> str(Family(correction="holm", sides=(("system", 2), ("metric", 3), ("slice", 1))))
    'Holm over 6 tests: 2 systems × 3 metrics'
    """

    correction: Correction
    sides: tuple[tuple[str, int], ...]

    @property
    def tests(self) -> int:
        """How many tests there are."""
        return prod(count for _, count in self.sides)

    @property
    def crossed(self) -> str:
        """What the tests are crossed from; nothing where it is a single test."""
        return " × ".join(counted(count, noun) for noun, count in self.sides if count != 1)

    def fewest_trials(self, alpha: float) -> int:
        """The fewest trials with which Holm can find any of the tests significant."""
        return ceil(round(self.tests / alpha, 6)) - 1 if self.correction == "holm" else 1

    def __str__(self) -> str:
        if self.tests == 1:
            return "a single test"
        size = f"{self.tests} tests: {self.crossed}"
        slices = dict(self.sides).get("slice", 1)
        if self.correction == "max-t" and slices > 1:
            within = Family(
                correction="max-t", sides=tuple(side for side in self.sides if side[0] != "slice")
            )
            if within.tests == 1:
                return f"Bonferroni over {counted(slices, 'slice')}"
            return f"{within}, and Bonferroni over {counted(slices, 'slice')}"
        if self.correction == "none":
            return f"not corrected for {size}"
        return f"{_NAMES[self.correction]} over {size}"

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {"correction": self.correction, "tests": self.tests, "text": str(self)}
