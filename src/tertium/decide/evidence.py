"""What a verdict rests on: differences with their tests, and slices where the order is reversed."""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from tertium.choices import Slicing
from tertium.inference.p_values import p_value_text
from tertium.meta.worth_curves import Worth
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.families import INDEPENDENT, Basis
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.results import Interval, Unit

Direction: TypeAlias = Literal["better", "worse", "level"]

NOUNS: Final[dict[Slicing, str]] = {
    "genre": "genre",
    "document": "document",
    "length": "length band",
}
"""What a slice of each slicing is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricEvidence:
    """One metric's difference between a system and the baseline.

    ``adjusted`` is the p-value that decides, corrected for all systems and metrics; there is none
    where units are too few to test, and no ``interval`` where there is a single one.
    ``basis`` is where the score comes from, and so what the difference can be evidence of.
    ``detectable`` is the smallest true difference detected with 80 % power, ``worth`` the share of
    WMT system pairs with such a difference on which raters agreed, where that is known.
    """

    metric: Metric
    title: str
    family: str
    baseline: float
    system: float
    basis: Basis = "overlap"
    interval: Interval | None = None
    p_value: float | None = None
    adjusted: float | None = None
    floor: float = 0.0
    adjusted_floor: float = 0.0
    significant: bool = False
    detectable: float | None = None
    worth: Worth | None = None

    @property
    def independent(self) -> bool:
        """Whether it can show that a system is better, not only that it scores higher."""
        return self.basis in INDEPENDENT

    @property
    def delta(self) -> float:
        """Score of the system minus score of the baseline."""
        return self.system - self.baseline

    @property
    def sign(self) -> int:
        """+1 where more is better, −1 for error rates."""
        return 1 if self.metric.higher_is_better else -1

    @property
    def gain(self) -> float:
        """By how much the system is better, in points of the metric."""
        return self.sign * self.delta

    @property
    def lean(self) -> Direction:
        """Which way the scores as people see them lie, whether that is chance or not."""
        if self.metric.shown(self.baseline) == self.metric.shown(self.system):
            return "level"
        return "better" if self.gain > 0 else "worse"

    @property
    def direction(self) -> Direction:
        """Which way the difference goes, if it is significant."""
        if not self.significant:
            return "level"
        return "better" if self.gain > 0 else "worse"

    @property
    def least_gain(self) -> float | None:
        """The lower end of the interval of the gain; nothing where there is no interval."""
        if self.interval is None:
            return None
        return self.interval.low if self.sign > 0 else -self.interval.high

    @property
    def p_text(self) -> str:
        """The corrected p-value as people read it."""
        if self.adjusted is None:
            return "not tested"
        return p_value_text(self.adjusted, self.adjusted_floor)

    @property
    def raw_p_text(self) -> str:
        """The p-value of this test alone as people read it."""
        if self.p_value is None:
            return "not tested"
        return p_value_text(self.p_value, self.floor)

    def to_dict(self, signature: str) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; what is not known is null."""
        return {
            **score_dict(self.metric, self.system, signature),
            "family": self.family,
            "basis": self.basis,
            "delta": self.delta,
            "delta_interval": None if self.interval is None else self.interval.to_dict(),
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted,
            "floor": self.floor,
            "significant": self.significant,
            "direction": self.direction,
            "detectable": self.detectable,
            "worth": None if self.worth is None else self.worth.to_dict(),
        }


def score_dict(metric: Metric, score: float, signature: str) -> dict[str, Any]:
    """What every JSON has of a score."""
    return {
        "metric": metric.spec,
        "score": score,
        "signature": signature,
        "higher_is_better": metric.higher_is_better,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class OpposingSlice(Plain):
    """One slice whose difference has another sign than that of all segments.

    ``adjusted`` is corrected for all slices, whichever way they go; there is no p-value where
    units are too few to test, or slices so many that none could be found significant.
    """

    PLAIN = "slice=label segments unit units delta p_value adjusted_p_value=adjusted significant"

    label: str
    segments: int
    unit: Unit
    units: int
    delta: float
    p_value: float | None = None
    adjusted: float | None = None
    significant: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpposingSlices(Plain):
    """The slices of one slicing with the reverse order under one metric, the largest first."""

    PLAIN = "metric=metric.spec by of slices"

    metric: Metric
    title: str
    by: Slicing
    of: int
    """How many slices there are."""
    slices: tuple[OpposingSlice, ...]

    @property
    def all(self) -> bool:
        """Whether the order is reversed in every slice."""
        return len(self.slices) == self.of

    @property
    def count(self) -> str:
        """How many of all slices they are."""
        if self.all:
            return f"every {NOUNS[self.by]}"
        return f"{len(self.slices)} of {counted(self.of, NOUNS[self.by])}"
