"""What a comparison of scores gives back: slices × systems × metrics."""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from tertium.compare.testing import Settings, TestName
from tertium.metrics.base import Metric
from tertium.results import Interval, html_table

WHOLE: Final = "all"
"""The slice that holds every segment."""

FEWEST_SEGMENTS: Final = 10
"""Fewer cannot be resampled: one segment, drawn again and again, is always the same."""

By: TypeAlias = Literal["genre", "document", "length"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One test of a system against the baseline; ``adjusted`` is the p-value that decides."""

    test: TestName
    p_value: float
    adjusted: float
    significant: bool

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted,
            "significant": self.significant,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedScore:
    """One system under one metric; the baseline itself has no delta and no tests.

    ``cluster`` counts from 1: systems of one cluster cannot be told apart. On fewer segments
    than `FEWEST_SEGMENTS` there are neither intervals nor tests.
    """

    metric: Metric
    value: float
    interval: Interval | None = None
    delta: float | None = None
    delta_interval: Interval | None = None
    tests: tuple[Verdict, ...] = ()
    cluster: int | None = None

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
            result["tests"] = {one.test: one.to_dict() for one in self.tests}
        if self.cluster is not None:
            result["cluster"] = self.cluster
        return result


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSlice:
    """Some of the segments; ``scores`` are [system][metric]."""

    label: str
    segments: int
    scores: tuple[tuple[ComparedScore, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """Slices × systems × metrics; the first slice holds every segment.

    ``findings`` say where a test contradicts itself or the scores.
    """

    systems: tuple[str, ...]
    signatures: tuple[str, ...]
    settings: Settings
    by: By | None
    slices: tuple[ScoreSlice, ...]
    findings: tuple[str, ...]

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order asked for."""
        return tuple(one.metric for one in self.slices[0].scores[0])

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        specs = (metric.spec for metric in self.metrics)
        return {
            **self.settings.to_dict(),
            "signatures": dict(zip(specs, self.signatures, strict=True)),
            "by": self.by,
            "slices": [
                {
                    "slice": one.label,
                    "segments": one.segments,
                    "systems": [
                        {"system": name, "scores": [score.to_dict() for score in scores]}
                        for name, scores in zip(self.systems, one.scores, strict=True)
                    ],
                }
                for one in self.slices
            ],
            "findings": list(self.findings),
        }

    def _repr_html_(self) -> str:
        """The scores of each slice; a star marks what a test finds significant."""
        heads = [
            heading
            for metric in self.metrics
            for heading in (
                metric.spec if metric.higher_is_better else f"{metric.spec} ↓",
                f"Δ {self.systems[0]}",
                "cluster",
            )
        ]
        rows = [
            [
                *([one.label] if self.by else []),
                name,
                *(cell for score in row for cell in _cells(score)),
            ]
            for one in self.slices
            for name, row in zip(self.systems, one.scores, strict=True)
        ]
        return html_table([*([self.by] if self.by else []), "system", *heads], rows)


def _cells(score: ComparedScore) -> list[str]:
    half = f" ± {score.interval.half_width:.2f}" if score.interval else ""
    stars = "*" if any(one.significant for one in score.tests) else ""
    return [
        f"{score.value:.2f}{half}",
        "" if score.delta is None else f"{score.delta:+.2f}{stars}",
        "" if score.cluster is None else str(score.cluster),
    ]
