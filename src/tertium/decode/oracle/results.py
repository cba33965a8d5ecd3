"""What an oracle finds: the best that was there, and what it scores."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tertium.decode.formats.segments import lines_of
from tertium.decode.mbr.before_after import BeforeAfter
from tertium.decode.structures.arrays import Floats
from tertium.metrics.contract.base import Metric
from tertium.plurals import counted
from tertium.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OracleHypothesis:
    """A hypothesis that a structure holds.

    ``score`` is the metric's, of this segment alone. ``edges`` are the arcs from start to end,
    the hyperedges from the goal down, or the place in an n-best list.
    """

    words: tuple[str, ...]
    text: str
    score: float
    model_score: float
    features: Floats = field(repr=False)
    edges: tuple[int, ...] = field(repr=False)

    def to_dict(self, feature_names: tuple[str, ...]) -> dict[str, Any]:
        """For JSON."""
        return {
            "text": self.text,
            "score": self.score,
            "model_score": self.model_score,
            "features": dict(zip(feature_names, self.features.tolist(), strict=True)),
            "edges": list(self.edges),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SegmentOracle:
    """The best hypotheses of one segment, and the one that the model would have chosen.

    ``complete`` is false if fewer were found than asked for although there may be more: a
    forest that says the same in too many ways.
    """

    segment: int
    name: str
    feature_names: tuple[str, ...] = field(repr=False)
    hypotheses: tuple[OracleHypothesis, ...]
    first: OracleHypothesis = field(repr=False)
    complete: bool = True

    @property
    def best(self) -> OracleHypothesis:
        """The oracle."""
        return self.hypotheses[0]

    @property
    def text(self) -> str:
        """What the oracle says."""
        return self.best.text

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.first.score:.2f} → {self.best.score:.2f}"]
        lines += (f"  {one.score:.2f}  {one.text}" for one in self.hypotheses[:5])
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "segment": self.segment,
            "name": self.name,
            "first": self.first.to_dict(self.feature_names),
            "hypotheses": [one.to_dict(self.feature_names) for one in self.hypotheses],
            "complete": self.complete,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Oracles:
    """The oracles of a corpus, and what metrics say of them.

    ``scores`` compare the model's choices (before) with the oracles (after), first by the metric
    that was maximised. ``approximation`` is empty if nothing in the structures scores better.
    ``in_all`` counts the segments that there is nothing for, too.
    """

    metric: Metric
    segments: tuple[SegmentOracle, ...] = field(repr=False)
    scores: tuple[BeforeAfter, ...]
    in_all: int
    approximation: str = ""
    bound: float | None = None
    """A score that no choice exceeds, where an exact one was looked for in vain."""

    @property
    def score(self) -> float:
        """The corpus score of the oracles by the metric that was maximised."""
        return self.scores[0].after

    @property
    def texts(self) -> tuple[str, ...]:
        """What the oracles say, segment by segment."""
        return tuple(one.text for one in self.segments)

    def lines(self, missing: str = "") -> Iterator[str]:
        """A line for each segment, ``missing`` for those without a text."""
        return lines_of({one.segment: one.text for one in self.segments}, self.in_all, missing)

    def __str__(self) -> str:
        kind = f"approximate: {self.approximation}" if self.approximation else "exact"
        lines = [f"oracle of {counted(len(self.segments), 'segment')}, {kind}"]
        lines += (f"  {one.title}: {one.before:.2f} → {one.after:.2f}" for one in self.scores)
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "version": __version__,
            "metric": self.metric.spec,
            "exact": not self.approximation,
            "approximation": self.approximation or None,
            "bound": self.bound,
            "scores": [one.to_dict() for one in self.scores],
            "segments": [one.to_dict() for one in self.segments],
        }
