"""Why a system has its score: the parts of it, and what happened in single segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError
from tertium.metrics.base import Metric, Rows
from tertium.metrics.components import Component
from tertium.metrics.pictures import Picture
from tertium.scoring import AnyMetric, as_metric
from tertium.text.corpus import Corpus, System
from tertium.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemParts:
    """The parts of one system's corpus score."""

    system: str
    value: float
    components: tuple[Component, ...]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        parts = [one.to_dict() for one in self.components]
        return {"system": self.system, "score": self.value, "components": parts}


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentParts:
    """The parts of one segment's score, and a trace of how they came about."""

    system: str
    number: int
    value: float
    hypothesis: str
    references: tuple[str, ...]
    components: tuple[Component, ...]
    trace: tuple[str, ...]
    pictures: tuple[Picture, ...] = ()
    """How the metric aligns the segment with each reference; none if it aligns nothing."""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "system": self.system,
            "segment": self.number,
            "score": self.value,
            "hypothesis": self.hypothesis,
            "references": list(self.references),
            "components": [one.to_dict() for one in self.components],
            "trace": list(self.trace),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One metric taken apart, for some systems and segments."""

    metric: Metric
    references: str
    systems: tuple[SystemParts, ...]
    segments: tuple[SegmentParts, ...]

    @property
    def signature(self) -> str:
        """The complete identity of the metric."""
        return self.metric.signature(self.references)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "version": __version__,
            "metric": self.metric.spec,
            "signature": self.signature,
            "systems": [one.to_dict() for one in self.systems],
            "segments": [one.to_dict() for one in self.segments],
        }


def explain(
    corpus: Corpus,
    systems: Sequence[System],
    metric: AnyMetric = "bleu",
    *,
    segments: Sequence[int] = (),
    rows: Rows | None = None,
) -> Explanation:
    """Take a metric's scores apart; ``segments`` are numbers from 1, as editors count lines.

    ``rows`` are the statistics of the systems, (systems, segments, K), where they are known
    already; the metric must be bound to the corpus then.
    """
    bound = as_metric(metric) if rows is not None else as_metric(metric).bind(corpus)
    for number in segments:
        if not 1 <= number <= len(corpus):
            raise InputError(f"segment {number}: not there, expected 1 to {len(corpus)}")
    wholes, singles = [], []
    for place, system in enumerate(systems):
        known = None if rows is None else rows[place]
        own = bound.statistics(system.hypotheses, corpus.references) if known is None else known
        total = own.sum(axis=0)
        wholes.append(
            SystemParts(
                system=system.name,
                value=float(bound.score(total)),
                components=bound.components(total),
            )
        )
        alone = bound.for_segments()
        values = alone.score(own)
        for number in segments:
            hypothesis = system.hypotheses[number - 1] or ""
            references = tuple(corpus.references.of_segment(number - 1))
            row = own[number - 1]
            singles.append(
                SegmentParts(
                    system=system.name,
                    number=number,
                    value=float(values[number - 1]),
                    hypothesis=hypothesis,
                    references=references,
                    components=alone.components(row),
                    trace=tuple(alone.trace(hypothesis, references)),
                    pictures=alone.pictures(hypothesis, references),
                )
            )
    return Explanation(
        metric=bound,
        references=corpus.references.count,
        systems=tuple(wholes),
        segments=tuple(singles),
    )
