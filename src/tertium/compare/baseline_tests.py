"""How differences are tested: which tests, of what, how often resampled, how corrected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from tertium.errors import OptionError
from tertium.inference.bootstrap import PairedBootstrap
from tertium.inference.choices import (
    DEFAULT_SEED,
    RESAMPLINGS,
    TEST_TRIALS,
    IntervalMethod,
    Resampling,
)
from tertium.inference.corrections import CORRECTIONS, Correction
from tertium.inference.intervals import check_interval
from tertium.inference.many import PairTest
from tertium.inference.randomization import randomizations
from tertium.inference.rows import MetricRows, check_level, check_trials
from tertium.inference.sign_test import SignTest, substitution_sign_test
from tertium.inference.units import FEWEST_UNITS

TestName: TypeAlias = Literal["bootstrap", "randomization", "sign", "stratified"]
TESTS: Final[tuple[TestName, ...]] = get_args(TestName)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What decides a verdict besides the scores; recorded with every result.

    Intervals always come from the bootstrap. Its p-value is the two-sided one of resamples
    moved to where there is no difference; where units are few, randomization takes its place.
    Of systems with several runs a segment is drawn, or swapped, in all runs at once; the
    stratified test swaps it in each run on its own (Clark et al. 2011).
    """

    tests: tuple[TestName, ...] = ("bootstrap",)
    trials: int = TEST_TRIALS
    seed: int = DEFAULT_SEED
    level: float = 0.95
    correction: Correction = "holm"
    resample: Resampling = "auto"
    interval: IntervalMethod = "percentile"

    def __post_init__(self) -> None:
        check_level(self.level)
        check_interval(self.interval)
        check_trials(self.trials, self.seed)
        for test in self.tests:
            if test not in TESTS:
                raise OptionError(f"test: found '{test}', expected {', '.join(TESTS)} or all")
        if self.correction not in CORRECTIONS:
            raise OptionError(
                f"correction: found '{self.correction}', expected {', '.join(CORRECTIONS)}"
            )
        if self.resample not in RESAMPLINGS:
            raise OptionError(
                f"resample: found '{self.resample}', expected {', '.join(RESAMPLINGS)}"
            )

    @property
    def alpha(self) -> float:
        """The largest p-value that is significant."""
        return 1 - self.level

    def can_find(self, units: int, tests: int = 1) -> bool:
        """Whether a difference in all units alike would be significant by exact randomization.

        Of several ``tests`` that a correction covers, one: Holm asks most of the smallest p-value.
        """
        covered = tests if self.correction == "holm" else 1
        return covered * 2.0 ** (1 - units) <= self.alpha

    def pair_test(self, units: int) -> PairTest:
        """The test behind the rank clusters."""
        few = units < FEWEST_UNITS
        return "randomization" if few or "randomization" in self.tests else "bootstrap"

    def tests_of(self, units: int) -> dict[TestName, TestName]:
        """The tests asked for, and what is run for each; nothing is run twice."""
        if units >= FEWEST_UNITS or "bootstrap" not in self.tests:
            return {one: one for one in self.tests}
        others: dict[TestName, TestName] = {one: one for one in self.tests if one != "bootstrap"}
        return others if "randomization" in others else {"bootstrap": "randomization", **others}

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "tests": list(self.tests),
            "trials": self.trials,
            "seed": self.seed,
            "level": self.level,
            "correction": self.correction,
            "resample": self.resample,
            "interval": self.interval,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PValue:
    """What a test found before any correction.

    ``asked`` is the test that was asked for, ``test`` the one that was run. ``floor`` is the
    smallest p-value that the trials can give, 0 where there is no such limit.
    """

    asked: TestName
    test: TestName
    p_value: float
    floor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineTests:
    """Every system against the first: [metric][system − 1], and the sign tests in full."""

    p_values: tuple[tuple[tuple[PValue, ...], ...], ...]
    signs: tuple[tuple[SignTest, ...], ...] = ()


def baseline_tests(
    groups: Sequence[MetricRows],
    resampled: Sequence[Sequence[PairedBootstrap]],
    settings: Settings,
) -> BaselineTests:
    """Run the tests asked for; the bootstrap's resamples are there already."""
    cells: list[list[list[PValue]]] = [[[] for _ in tests] for tests in resampled]
    signs: tuple[tuple[SignTest, ...], ...] = ()
    for asked, test in settings.tests_of(groups[0].units).items():
        if test == "bootstrap":
            floor = 1 / (1 + settings.trials)
            some = [[(one.p_value, floor) for one in tests] for tests in resampled]
        elif test in {"randomization", "stratified"}:
            swapped = randomizations(
                groups,
                trials=settings.trials,
                seed=settings.seed,
                stratified=test == "stratified",
            )
            some = [
                [(one.p_value, 0.0 if one.exact else 1 / (1 + one.trials)) for one in tests]
                for tests in swapped
            ]
        else:
            signs = tuple(_sign_tests(group, settings.level) for group in groups)
            some = [[(one.p_value, 0.0) for one in tests] for tests in signs]
        for column, found in zip(cells, some, strict=True):
            for cell, (p_value, floor) in zip(column, found, strict=True):
                cell.append(PValue(asked=asked, test=test, p_value=p_value, floor=floor))
    return BaselineTests(p_values=tuple(tuple(map(tuple, column)) for column in cells), signs=signs)


def _sign_tests(group: MetricRows, level: float) -> tuple[SignTest, ...]:
    baseline, *others = group.rows
    return tuple(
        substitution_sign_test(group.metric, baseline, rows, level=level) for rows in others
    )
