"""How differences are tested: which tests, of what, how often resampled, how corrected."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from tertium.choices import (
    DEFAULT_SEED,
    RESAMPLINGS,
    TEST_TRIALS,
    IntervalMethod,
    Resampling,
)
from tertium.errors import OptionError
from tertium.inference.corrections import CORRECTIONS, Correction
from tertium.inference.intervals import check_interval
from tertium.inference.joint_tests import (
    JointTests,
    PairTest,
    pair_tests,
    swap_tests,
    usual_test,
)
from tertium.inference.rows import MetricRows, check_level, check_trials
from tertium.inference.sign_test import SignTest, substitution_sign_test
from tertium.inference.units import FEWEST_UNITS
from tertium.metrics.contract.base import Scores
from tertium.plain import Plain

TestName: TypeAlias = Literal["randomization", "bootstrap", "sign", "stratified"]
TESTS: Final[tuple[TestName, ...]] = get_args(TestName)
RunTest: TypeAlias = Literal["randomization", "bootstrap", "t-test", "sign", "stratified"]
RUN_TESTS: Final[tuple[RunTest, ...]] = get_args(RunTest)
"""Tests that are run: of few units Student's t takes the place of those that resample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonSettings(Plain):
    """What decides a verdict besides the scores; recorded with every result.

    The test is randomization by documents, where they are known, with step-down max-T over all
    tests (`tertium.inference.joint_tests`), and Student's t (CR2) on fewer than six of them.
    Intervals always come from the bootstrap. As a test it is the two-sided one of resamples moved
    to where there is no difference; on fewer than ten units randomization takes its place. Of
    systems with several runs a unit is drawn, or swapped, in all runs at once; the stratified test
    swaps it in each run on its own (Clark et al. 2011).
    """

    tests: tuple[TestName, ...] = ("randomization",)
    trials: int = TEST_TRIALS
    seed: int = DEFAULT_SEED
    level: float = 0.95
    correction: Correction = "max-t"
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
        """Whether a difference in all units alike would be significant.

        Of several ``tests`` that a correction covers, one: Holm asks most of the smallest p-value,
        max-T of all tests no more than of one.
        """
        if usual_test(units, self.alpha) == "t-test":
            return True
        covered = tests if self.correction == "holm" else 1
        return covered * 2.0 ** (1 - units) <= self.alpha

    def pair_test(self, units: int) -> PairTest:
        """The test behind the rank clusters."""
        if usual_test(units, self.alpha) == "t-test":
            return "t-test"
        enough = units >= FEWEST_UNITS and "randomization" not in self.tests
        return "bootstrap" if enough and "bootstrap" in self.tests else "randomization"

    def correction_of(self, test: RunTest) -> Correction:
        """That of a test: those without common trials have no max-T, and Holm's instead."""
        without = self.correction == "max-t" and test in {"t-test", "sign"}
        return "holm" if without else self.correction

    def tests_of(self, units: int) -> dict[TestName, RunTest]:
        """The tests asked for, and what is run for each; nothing is run twice."""
        run: dict[TestName, RunTest] = {}
        for asked in self.tests:
            test: RunTest = asked
            if asked in {"randomization", "bootstrap"}:
                if usual_test(units, self.alpha) == "t-test":
                    test = "t-test"
                elif units < FEWEST_UNITS:
                    test = "randomization"
            if test not in run.values():
                run[asked] = test
        return run


@dataclass(frozen=True, slots=True, kw_only=True)
class PValue:
    """What a test found: the raw p-value, and that of max-T over the systems and metrics.

    ``asked`` is the test that was asked for, ``test`` the one that was run. ``floor`` is the
    smallest raw p-value that the trials can give, 0 where there is no such limit. The sign test
    has no trials, and no max-T.
    """

    asked: TestName
    test: RunTest
    p_value: float
    floor: float
    max_t: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineTests:
    """Every system against the first: [metric][system − 1], and the sign tests in full."""

    p_values: tuple[tuple[tuple[PValue, ...], ...], ...]
    signs: tuple[tuple[SignTest, ...], ...] = ()


def baseline_tests(
    groups: Sequence[MetricRows],
    settings: ComparisonSettings,
    *,
    drawn: Sequence[Scores],
    joint: JointTests | None = None,
) -> BaselineTests:
    """Run the tests asked for.

    ``drawn`` are the scores on resamples; ``joint`` are tests of all pairs that were made before.
    """
    metrics, others = len(groups), groups[0].systems - 1
    cells: list[list[list[PValue]]] = [[[] for _ in range(others)] for _ in range(metrics)]
    signs: tuple[tuple[SignTest, ...], ...] = ()
    tested: Iterator[PValue]
    pairs = [(0, other) for other in range(1, others + 1)]
    for asked, test in settings.tests_of(groups[0].units).items():
        if test == "sign":
            signs = tuple(_sign_tests(group, settings.level) for group in groups)
            tested = iter(
                PValue(asked=asked, test=test, p_value=sign.p_value, floor=0.0)
                for tests in signs
                for sign in tests
            )
        elif test == "stratified":
            stratified = swap_tests(
                groups, pairs, trials=settings.trials, seed=settings.seed, stratified=True
            )
            tested = _p_values(asked, test, stratified, pairs, settings)
        else:
            made = joint
            if made is None or made.test != test:
                made = pair_tests(
                    groups,
                    pairs,
                    test,
                    trials=settings.trials,
                    seed=settings.seed,
                    drawn=drawn,
                )
            tested = _p_values(asked, test, made, pairs, settings)
        for column in cells:
            for cell in column:
                cell.append(next(tested))
    return BaselineTests(p_values=tuple(tuple(map(tuple, column)) for column in cells), signs=signs)


def _p_values(
    asked: TestName,
    test: RunTest,
    joint: JointTests,
    pairs: Sequence[tuple[int, int]],
    settings: ComparisonSettings,
) -> Iterator[PValue]:
    """The tests against the baseline, metric by metric, as a family of their own."""
    some = joint.of_pairs(pairs)
    adjusted = joint.adjusted(some, alpha=settings.alpha)
    for number, max_t in zip(some.tolist(), adjusted.tolist(), strict=True):
        yield PValue(
            asked=asked,
            test=test,
            p_value=float(joint.p_values[number]),
            floor=joint.floor,
            max_t=max_t,
        )


def _sign_tests(group: MetricRows, level: float) -> tuple[SignTest, ...]:
    baseline, *others = group.rows
    return tuple(
        substitution_sign_test(group.metric, baseline, rows, level=level) for rows in others
    )
