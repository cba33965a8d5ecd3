"""Every system beside every other, by the resamples that the intervals come from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium.compare.baseline_tests import ComparisonSettings
from tertium.inference.corrections import Family, corrected
from tertium.inference.intervals import bca_limits, left_out_scores, limits
from tertium.inference.joint_tests import JointTests, PairTest, all_system_pairs, pair_tests
from tertium.inference.rows import MetricRows
from tertium.metrics.contract.base import Scores
from tertium.plurals import counted
from tertium.results import Unit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTable:
    """Matrices whose row is the system that is compared with, and whose column the other.

    ``deltas`` are the other's score minus that of the row, ``low`` and ``high`` the interval of
    the delta. ``p_values`` are two-sided; ``adjusted``, which decide, are corrected for the
    ``family`` that `tertium.compare` has with the row as its baseline.
    """

    deltas: Scores = field(repr=False)
    low: Scores = field(repr=False)
    high: Scores = field(repr=False)
    p_values: Scores = field(repr=False)
    adjusted: Scores = field(repr=False)
    settings: ComparisonSettings
    family: Family
    test: PairTest
    exact: bool
    """Whether randomization tried every way to swap the units, so that nothing was drawn."""
    unit: Unit
    units: int

    @property
    def tested(self) -> bool:
        """False on units too few for any verdict, where every p-value is 1."""
        return self.settings.can_find(self.units)

    @property
    def hopeless(self) -> str:
        """Why no difference at all could be found, in words; nothing where it could."""
        if self.settings.can_find(self.units, self.family.tests):
            return ""
        tests = f" for {self.family.tests} tests at once" if self.tested else " for any test"
        verb = "is" if self.units == 1 else "are"
        return f"{counted(self.units, self.unit)} {verb} too few{tests}"

    @property
    def floor(self) -> float:
        """The smallest p-value that the trials can give; 0 where there is no such limit."""
        return 0.0 if self.exact else 1 / (1 + self.settings.trials)

    @property
    def adjusted_floor(self) -> float:
        """The smallest corrected p-value that the trials can give."""
        times = self.family.tests if self.family.correction == "holm" else 1
        return min(1.0, times * self.floor)

    def differ(self, first: int, second: int) -> bool:
        """Whether the difference is significant after the correction.

        Of a pair with the first system it is the family of the first, as the verdict has it.
        """
        row, column = (first, second) if second else (second, first)
        return bool(self.adjusted[row, column] <= self.settings.alpha)


def pair_tables(
    groups: Sequence[MetricRows],
    drawn: Sequence[Scores],
    settings: ComparisonSettings,
    joint: JointTests | None = None,
) -> list[PairTable]:
    """One table for each metric; ``drawn`` are the `resampled_scores` of the groups.

    ``joint`` are the tests of all pairs; they are made where there are none yet.
    """
    systems, units = groups[0].systems, groups[0].units
    test = settings.pair_test(units)
    shape = (len(groups), systems, systems)
    p_values, adjusted = np.ones(shape), np.ones(shape)
    if systems > 1 and settings.can_find(units):
        if joint is None:
            pairs = all_system_pairs(systems)
            joint = pair_tests(
                groups, pairs, test, trials=settings.trials, seed=settings.seed, drawn=drawn
            )
        for a in range(systems):
            others = [b for b in range(systems) if b != a]
            some = joint.of_pairs([(a, b) for b in others])
            raw = joint.p_values[some]
            p_values[:, a, others] = raw.reshape(len(groups), -1)
            fixed = (
                joint.adjusted(some, alpha=settings.alpha)
                if settings.correction == "max-t"
                else corrected(raw, settings.correction)
            )
            adjusted[:, a, others] = fixed.reshape(len(groups), -1)
    family = Family(
        correction=settings.correction_of(test),
        sides=(("system", systems - 1), ("metric", len(groups))),
    )
    tables = []
    for index, group in enumerate(groups):
        scores = np.array(group.observed)
        low, high = _intervals(group, drawn[index], settings)
        tables.append(
            PairTable(
                deltas=scores[np.newaxis, :] - scores[:, np.newaxis],
                low=low,
                high=high,
                p_values=p_values[index],
                adjusted=adjusted[index],
                settings=settings,
                family=family,
                test=test,
                exact=test == "t-test" or (joint is not None and joint.exact),
                unit=group.unit,
                units=group.units,
            )
        )
    return tables


def _intervals(
    group: MetricRows, drawn: Scores, settings: ComparisonSettings
) -> tuple[Scores, Scores]:
    """The lower and the upper end of the interval of every difference."""
    low, high = np.zeros((2, group.systems, group.systems))
    observed = np.array(group.observed)
    left_out = left_out_scores(group) if settings.interval == "bca" else None
    how: dict[str, Any] = {"level": settings.level, "unit": group.unit, "units": group.units}
    for a in range(group.systems - 1):
        others = slice(a + 1, None)
        differences = drawn[others] - drawn[a]
        if left_out is None:
            ends = limits(differences, **how)
        else:
            deltas, without = observed[others] - observed[a], left_out[others] - left_out[a]
            ends = bca_limits(differences, deltas, without, **how)
        low[a, others], high[a, others] = ends
        high[others, a], low[others, a] = -ends[0], -ends[1]
    return low, high
