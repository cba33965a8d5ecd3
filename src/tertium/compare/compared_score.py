"""One system's score beside the baseline's: its difference, how sure it is, and its runs."""

from dataclasses import dataclass
from typing import Any

from tertium.compare.baseline_tests import RunTest, TestName
from tertium.inference.runs import deviation
from tertium.metrics.contract.base import Metric
from tertium.results import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One test of a system against the baseline.

    ``p_value`` is raw; ``adjusted``, corrected for all tests of the table, is the one that
    decides. ``asked`` is the test that was asked for: few units are tested by randomization where
    it was the bootstrap, and fewer than six by Student's t. ``floor`` is the smallest raw p-value
    that so many trials can give, ``adjusted_floor`` the smallest corrected one, or 0.
    """

    test: RunTest
    asked: TestName
    p_value: float
    adjusted: float
    significant: bool
    floor: float
    adjusted_floor: float = 0.0

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

    ``cluster`` counts from 1, and there is none where the tests could not tell any pair apart;
    ``ranks`` are the best and the worst rank that the tests of all pairs leave possible. On a
    single unit there is no interval and no test. Of a system with several ``runs`` these are
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
    ranks: tuple[int, int] | None = None
    runs: tuple[float, ...] = ()
    runs_p_value: float | None = None

    @property
    def ranks_text(self) -> str:
        """The range of ranks as tables show it: "2–4", or "1" where there is but one."""
        if self.ranks is None:
            return ""
        first, last = self.ranks
        return str(first) if first == last else f"{first}–{last}"

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
        if self.ranks is not None:
            result["ranks"] = list(self.ranks)
        if self.runs:
            result["runs"] = {"scores": list(self.runs), "deviation": self.deviation}
            if self.runs_p_value is not None:
                result["runs"]["p_value"] = self.runs_p_value
        return result
