"""What tests by random numbers have in common: what was drawn, and two systems set against it."""

from dataclasses import dataclass

from tertium.inference.p_values import tie_width
from tertium.metrics.contract.base import Metric
from tertium.results import Unit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """Numbers that a metric gave for units drawn at random."""

    metric: Metric
    seed: int
    unit: Unit
    units: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedSystems(Drawn):
    """A system and the baseline on the same segments."""

    baseline: float
    system: float

    @property
    def delta(self) -> float:
        """Score of the system minus score of the baseline, means over runs."""
        return self.system - self.baseline

    @property
    def tie(self) -> float:
        """Differences so small are rounding."""
        return tie_width(self.baseline, self.system)
