"""How differences are tested: which tests, how often resampled, how corrected."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final, Literal, TypeAlias, get_args

from tertium.errors import OptionError
from tertium.inference.bootstrap import PairedBootstrap
from tertium.inference.corrections import benjamini_hochberg, holm
from tertium.inference.many import Correction, PairTest
from tertium.inference.randomization import randomizations
from tertium.inference.rows import DEFAULT_SEED, MetricRows, check_level, check_trials
from tertium.inference.sign_test import SignTest, substitution_sign_test

TestName: TypeAlias = Literal["bootstrap", "randomization", "sign"]
TESTS: Final[tuple[TestName, ...]] = get_args(TestName)
CORRECTIONS: Final[tuple[Correction, ...]] = get_args(Correction)

PValueTable: TypeAlias = tuple[tuple[float, ...], ...]
"""[metric][system − 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What decides a verdict besides the scores; recorded with every result.

    Intervals always come from the bootstrap. Its p-value is the two-sided one of resamples
    moved to where there is no difference.
    """

    tests: tuple[TestName, ...] = ("bootstrap",)
    trials: int = 10_000
    seed: int = DEFAULT_SEED
    level: float = 0.95
    correction: Correction = "holm"

    def __post_init__(self) -> None:
        check_level(self.level)
        check_trials(self.trials, self.seed)
        for test in self.tests:
            if test not in TESTS:
                raise OptionError(f"test: found '{test}', expected {', '.join(TESTS)} or all")
        if self.correction not in CORRECTIONS:
            raise OptionError(
                f"correction: found '{self.correction}', expected {', '.join(CORRECTIONS)}"
            )

    @property
    def alpha(self) -> float:
        """The largest p-value that is significant."""
        return 1 - self.level

    @property
    def pair_test(self) -> PairTest:
        """The test behind the rank clusters."""
        return "randomization" if "randomization" in self.tests else "bootstrap"

    def adjusted(self, p_values: Sequence[float]) -> list[float]:
        """The p-values of all systems against the baseline, corrected for being many."""
        if self.correction == "none":
            return list(p_values)
        correct = holm if self.correction == "holm" else benjamini_hochberg
        return [float(one) for one in correct(p_values)]

    def trials_for(self, pairs: int) -> int:
        """The fewest trials with which Holm can find any of so many pairs significant."""
        return ceil(round(pairs / self.alpha, 6)) - 1 if self.correction == "holm" else 1

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "tests": list(self.tests),
            "trials": self.trials,
            "seed": self.seed,
            "level": self.level,
            "correction": self.correction,
            "cluster_test": self.pair_test,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineTests:
    """Every system against the first: p-values of each test, and the sign tests in full."""

    p_values: tuple[tuple[TestName, PValueTable], ...]
    signs: tuple[tuple[SignTest, ...], ...] = ()


def baseline_tests(
    groups: Sequence[MetricRows],
    resampled: Sequence[Sequence[PairedBootstrap]],
    settings: Settings,
) -> BaselineTests:
    """Run the tests asked for; the bootstrap's resamples are there already."""
    tables: list[tuple[TestName, PValueTable]] = []
    signs: tuple[tuple[SignTest, ...], ...] = ()
    for test in settings.tests:
        if test == "bootstrap":
            some = tuple(tuple(one.p_value for one in tests) for tests in resampled)
        elif test == "randomization":
            swapped = randomizations(groups, trials=settings.trials, seed=settings.seed)
            some = tuple(tuple(one.p_value for one in tests) for tests in swapped)
        else:
            signs = tuple(_sign_tests(group, settings.level) for group in groups)
            some = tuple(tuple(one.p_value for one in tests) for tests in signs)
        tables.append((test, some))
    return BaselineTests(p_values=tuple(tables), signs=signs)


def _sign_tests(group: MetricRows, level: float) -> tuple[SignTest, ...]:
    baseline, *others = group.rows
    return tuple(
        substitution_sign_test(group.metric, baseline, rows, level=level) for rows in others
    )
