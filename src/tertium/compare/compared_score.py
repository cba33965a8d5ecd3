"""One system's score beside the baseline's: its difference, how sure it is, and its runs."""

from dataclasses import dataclass
from typing import Any

from tertium.compare.baseline_tests import TestName
from tertium.inference.runs import deviation
from tertium.metrics.contract.base import Metric
from tertium.results import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One test of a system against the baseline; ``adjusted`` is the p-value that decides.

    ``asked`` is the test that was asked for: few units are tested by randomization where it was
    the bootstrap. ``floor`` is the smallest p-value that so many trials can give, or 0.
    """

    test: TestName
    asked: TestName
    p_value: float
    adjusted: float
    significant: bool
    floor: float

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted,
            "significant": self.significant,
            "floor": self.floor,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedScore:
    """One system under one metric; the baseline itself has no delta and no tests.

    ``cluster`` counts from 1. On a single unit there is no interval, and where units are so few
    that none could be significant there are no tests. Of a system with several ``runs`` these are
    their scores, whose mean is ``value``; ``runs_p_value`` says whether training alone could make
    the difference, and no test is significant where it could.
    """

    metric: Metric
    value: float
    interval: Interval | None = None
    delta: float | None = None
    delta_interval: Interval | None = None
    tests: tuple[TestResult, ...] = ()
    cluster: int | None = None
    runs: tuple[float, ...] = ()
    runs_p_value: float | None = None

    @property
    def deviation(self) -> float | None:
        """The standard deviation over runs, where there are several."""
        return deviation(self.runs) if self.runs else None

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        result: dict[str, Any] = {
            "metric": self.metric.spec,
            "higher_is_better": self.metric.higher_is_better,
            "score": self.value,
        }
        if self.interval is not None:
            result["interval"] = self.interval.to_dict()
        if self.delta is not None:
            result["delta"] = self.delta
        if self.delta_interval is not None:
            result["delta_interval"] = self.delta_interval.to_dict()
        if self.tests:
            result["tests"] = {one.test: one.to_dict() for one in self.tests}
        if self.cluster is not None:
            result["cluster"] = self.cluster
        if self.runs:
            result["runs"] = {"scores": list(self.runs), "deviation": self.deviation}
            if self.runs_p_value is not None:
                result["runs"]["p_value"] = self.runs_p_value
        return result
