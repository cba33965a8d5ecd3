"""Why a system has its score: the parts of it, and what happened in single segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import InputError
from tertium.metrics.contract.base import Component, Metric, Scores
from tertium.metrics.contract.pictures import Picture
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plain import Plain
from tertium.scored.scored import AnyScored, Scored, as_scored
from tertium.tables import dataframe, html_table
from tertium.text.corpus import AnyTexts
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
class SegmentParts(Plain):
    """The parts of one segment's score, and a trace of how they came about."""

    PLAIN = "segment=number score=value rank hypothesis references components trace"

    system: str
    number: int
    value: float
    rank: int | None
    """How many segments of the system score better, and one; none if it has no score."""
    hypothesis: str
    references: tuple[str, ...]
    components: tuple[Component, ...]
    trace: tuple[str, ...]
    pictures: tuple[Picture, ...] = ()
    """How the metric aligns the segment with each reference; none if it aligns nothing."""


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
        system = self.systems[number]
        return {
            "metric": self.metric.spec,
            "score": system.value,
            "signature": self.signature,
            "higher_is_better": self.metric.higher_is_better,
            "components": [part.to_dict() for part in system.components],
            "traces": [part.to_dict() for part in self.segments if part.system == system.system],
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per system and part of its score; needs pandas."""
        return dataframe(
            {
                "metric": self.metric.spec,
                "system": system.system,
                "score": system.value,
                "group": part.group,
                "part": part.name,
                "value": part.value,
                "note": part.note,
            }
            for system in self.systems
            for part in system.components
        )

    def __repr__(self) -> str:
        shown = self.metric.shown
        scores = ", ".join(f"{system.system} {shown(system.value)}" for system in self.systems)
        return f"<Explanation of {self.metric.spec}: {scores}>"

    def _repr_html_(self) -> str:
        """The parts of every system's score side by side, then the segments asked for."""
        heads = [self.metric.title, *(system.system for system in self.systems)]
        shown = self.metric.shown
        rows = [["score", *(shown(system.value) for system in self.systems)]]
        rows += [
            [f"{parts[0].group} {parts[0].name}".strip(), *(f"{part.value:.4g}" for part in parts)]
            for parts in zip(*(system.components for system in self.systems), strict=True)
        ]
        tables = [html_table(heads, rows)]
        for segment in self.segments:
            head = [f"segment {segment.number}, {segment.system}", shown(segment.value)]
            lines = [
                ("hypothesis", segment.hypothesis),
                *(("reference", it) for it in segment.references),
            ]
            tables.append(html_table(head, [*lines, *(("", line) for line in segment.trace)]))
        return "".join(tables)


def explanations_dict(explanations: Sequence[Explanation]) -> dict[str, Any]:
    """Explanations of the same systems by several metrics, ready for JSON."""
    first = explanations[0]
    return {
        "version": __version__,
        "segments": first.corpus_segments,
        "systems": [
            {"system": system.system, "scores": [each.score_dict(number) for each in explanations]}
            for number, system in enumerate(first.systems)
        ],
    }


def explain(
    corpus: AnyScored,
    systems: AnyTexts | None = None,
    metric: AnyMetric | None = None,
    *,
    segments: Sequence[int] = (),
) -> Explanation:
    """Take a metric's scores apart; ``segments`` are numbers from 1, as editors count lines.

    The metric is BLEU by default. In the place of a corpus and systems there may be what
    `tertium.scored` made of them; the metric is then one of its own, by default the first.
    """
    if isinstance(corpus, Scored):
        whole = as_scored(corpus, systems, None)
        chosen = whole.metrics[0] if metric is None else as_metric(metric)
    else:
        whole = as_scored(corpus, systems, None if metric is None else [metric])
        chosen = whole.metrics[0]
    return _explained(whole, whole.bound(chosen), segments)


def _explained(whole: Scored, bound: Metric, segments: Sequence[int]) -> Explanation:
    references = whole.corpus.references
    for number in segments:
        if not 1 <= number <= len(whole.corpus):
            raise InputError(f"segment {number}: not there, expected 1 to {len(whole.corpus)}")
    alone = bound.for_segments()
    texts = {number: tuple(references.of_segment(number - 1)) for number in segments}
    wholes, singles = [], []
    for system, rows in zip(whole.systems, whole.rows_of(bound), strict=True):
        total = rows.sum(axis=0)
        wholes.append(
            SystemParts(
                system=system.name,
                value=float(bound.score(total)),
                components=bound.components(total),
            )
        )
        values = alone.score(rows)
        ranks = _ranks(values, higher_is_better=bound.higher_is_better)
        for number in segments:
            hypothesis = system.hypotheses[number - 1] or ""
            trace, pictures = alone.trace_and_pictures(hypothesis, texts[number])
            singles.append(
                SegmentParts(
                    system=system.name,
                    number=number,
                    value=float(values[number - 1]),
                    rank=ranks[number - 1],
                    hypothesis=hypothesis,
                    references=texts[number],
                    components=alone.components(rows[number - 1]),
                    trace=tuple(trace),
                    pictures=pictures,
                )
            )
    return Explanation(
        metric=bound,
        references=references.count,
        systems=tuple(wholes),
        segments=tuple(singles),
        corpus_segments=len(whole.corpus),
    )


def _ranks(values: Scores, *, higher_is_better: bool) -> list[int | None]:
    """The place of every segment among all, from 1 for the best; equals share it."""
    sign = -1.0 if higher_is_better else 1.0
    known = ~np.isnan(values)
    ordered = np.sort(sign * values[known])
    ahead = np.searchsorted(ordered, sign * values, side="left")
    pairs = zip(known.tolist(), ahead.tolist(), strict=True)
    return [1 + number if is_known else None for is_known, number in pairs]
