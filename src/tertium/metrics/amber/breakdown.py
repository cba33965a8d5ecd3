"""What an AMBER score is made of, as plain numbers for people and programs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from tertium.metrics.amber.layout import Strategy
from tertium.metrics.amber.quality import Mask, Quality, Weighting
from tertium.metrics.amber.types import TEXT_TYPES
from tertium.metrics.contract.base import Scores, ratio
from tertium.metrics.contract.components import Component


class TypeBreakdown(NamedTuple):
    """One text type, with or without tf-idf; arrays over the rows that were scored."""

    text_type: int
    weighting: Weighting
    quality: Quality
    penalties: Mapping[str, Scores]
    penalty: Scores
    value: Scores
    seen: Mask
    """Whether either side has a word of this type."""


def mean_of(runs: Sequence[TypeBreakdown]) -> Scores:
    """The mean of the runs that see a word; 1 where none does, since nothing is wrong then."""
    values = np.stack([run.value for run in runs])
    seen = np.stack([run.seen for run in runs])
    return ratio((values * seen).sum(axis=0), seen.sum(axis=0), empty=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyPrecisions:
    """Precision of each order under one matching strategy."""

    strategy: Strategy
    precisions: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """One penalty: its value, its weight, and value ** weight, which multiplies the score."""

    name: str
    value: float
    weight: float
    weighted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBreakdown:
    """One run in numbers; ``value`` = ``score`` × ``penalty``."""

    text_type: int
    title: str
    weighting: Weighting
    strategies: tuple[StrategyPrecisions, ...]
    precisions: tuple[float, ...]
    recalls: tuple[float, ...]
    average_precision: float
    f_mean: float
    average_f: float
    score: float
    penalties: tuple[Penalty, ...]
    penalty: float
    value: float

    @property
    def label(self) -> str:
        """The run in a few words."""
        return f"type {self.text_type}" + ("" if self.weighting == "none" else ", tf-idf")

    def components(self) -> tuple[Component, ...]:
        """The parts in the order in which the paper puts them together; shares are ×100."""
        parts = [
            Component(
                f"{n}-gram precision",
                100 * precision,
                ", ".join(
                    f"{one.strategy} {100 * one.precisions[n - 1]:.1f}" for one in self.strategies
                ),
            )
            for n, precision in enumerate(self.precisions, 1)
        ]
        parts += [Component(f"{n}-gram recall", 100 * r) for n, r in enumerate(self.recalls, 1)]
        parts += [
            Component("AvgP", 100 * self.average_precision, "geometric mean of precisions"),
            Component("Fmean", 100 * self.f_mean, "F of mean precision and recall"),
            Component("AvgF", 100 * self.average_f, "mean of F of each order"),
            Component("score part", 100 * self.score, "mixed by θ1, θ2"),
        ]
        parts += [
            Component(one.name.upper(), one.value, f"^{one.weight:g} = {one.weighted:.4f}")
            for one in self.penalties
        ]
        parts += [
            Component("penalty", self.penalty, "product of the penalties"),
            Component("score × penalty", 100 * self.value, self.title),
        ]
        return tuple(one._replace(group=self.label) for one in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """The runs of AMBER; ``value`` is the mean of those that see a word.

    All numbers are fractions, not ×100.
    """

    runs: tuple[RunBreakdown, ...]
    value: float

    @classmethod
    def of(cls, runs: Sequence[TypeBreakdown], weights: Mapping[str, float]) -> "Breakdown":
        """The runs of a single row."""
        return cls(
            runs=tuple(_in_numbers(run, weights) for run in runs),
            value=float(mean_of(runs)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return asdict(self)


def _in_numbers(run: TypeBreakdown, weights: Mapping[str, float]) -> RunBreakdown:
    parts = run.quality
    return RunBreakdown(
        text_type=run.text_type,
        title=TEXT_TYPES[run.text_type],
        weighting=run.weighting,
        strategies=tuple(
            StrategyPrecisions(strategy=strategy, precisions=tuple(values.tolist()))
            for strategy, values in parts.by_strategy.items()
        ),
        precisions=tuple(parts.precisions.tolist()),
        recalls=tuple(parts.recalls.tolist()),
        average_precision=float(parts.average_precision),
        f_mean=float(parts.f_mean),
        average_f=float(parts.average_f),
        score=float(parts.score),
        penalties=tuple(
            Penalty(
                name=name,
                value=float(value),
                weight=weights[name],
                weighted=float(value ** weights[name]),
            )
            for name, value in run.penalties.items()
        ),
        penalty=float(run.penalty),
        value=float(run.value),
    )
