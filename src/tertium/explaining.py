"""Why a system has its score: the parts of it, and what happened in single segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.contract.components import Component
from tertium.metrics.contract.pictures import Picture
from tertium.results import dataframe, html_table
from tertium.scoring import AnyMetric, as_metric
from tertium.text.corpus import Corpus, System
from tertium.version import __version__

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemParts:
    """The parts of one system's corpus score."""

    system: str
    value: float
    components: tuple[Component, ...]


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
            "segment": self.number,
            "score": self.value,
            "hypothesis": self.hypothesis,
            "references": list(self.references),
            "components": [one.to_dict() for one in self.components],
            "trace": list(self.trace),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One metric taken apart, for some systems and segments of so many that the corpus has."""

    metric: Metric
    references: str
    systems: tuple[SystemParts, ...]
    segments: tuple[SegmentParts, ...]
    corpus_segments: int

    @property
    def signature(self) -> str:
        """The complete identity of the metric."""
        return self.metric.signature(self.references)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return explanations_dict([self])

    def score_dict(self, number: int) -> dict[str, Any]:
        """One system's score with its parts, and those of its segments that were asked for."""
        one = self.systems[number]
        return {
            "metric": self.metric.spec,
            "score": one.value,
            "signature": self.signature,
            "higher_is_better": self.metric.higher_is_better,
            "components": [part.to_dict() for part in one.components],
            "traces": [part.to_dict() for part in self.segments if part.system == one.system],
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per system and part of its score; needs pandas."""
        return dataframe(
            {
                "metric": self.metric.spec,
                "system": one.system,
                "score": one.value,
                "group": part.group,
                "part": part.name,
                "value": part.value,
                "note": part.note,
            }
            for one in self.systems
            for part in one.components
        )

    def __repr__(self) -> str:
        scores = ", ".join(f"{one.system} {one.value:.2f}" for one in self.systems)
        return f"<Explanation of {self.metric.spec}: {scores}>"

    def _repr_html_(self) -> str:
        """The parts of every system's score side by side, then the segments asked for."""
        heads = [self.metric.title, *(one.system for one in self.systems)]
        rows = [["score", *(f"{one.value:.2f}" for one in self.systems)]]
        rows += [
            [f"{parts[0].group} {parts[0].name}".strip(), *(f"{part.value:.4g}" for part in parts)]
            for parts in zip(*(one.components for one in self.systems), strict=True)
        ]
        tables = [html_table(heads, rows)]
        for one in self.segments:
            head = [f"segment {one.number}, {one.system}", f"{one.value:.2f}"]
            lines = [("hypothesis", one.hypothesis), *(("reference", it) for it in one.references)]
            tables.append(html_table(head, [*lines, *(("", line) for line in one.trace)]))
        return "".join(tables)


def explanations_dict(explanations: Sequence[Explanation]) -> dict[str, Any]:
    """Explanations of the same systems by several metrics, ready for JSON."""
    first = explanations[0]
    return {
        "version": __version__,
        "segments": first.corpus_segments,
        "systems": [
            {"system": one.system, "scores": [each.score_dict(number) for each in explanations]}
            for number, one in enumerate(first.systems)
        ],
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
        own = bound.rows_of(system, corpus) if known is None else known
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
        corpus_segments=len(corpus),
    )
