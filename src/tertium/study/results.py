"""A study: everything that a report shows of some systems, as one frozen value."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium.audit.findings import AuditReport
from tertium.choices import Slicing
from tertium.compare.comparison import Comparison
from tertium.compare.differences import GramDifferences
from tertium.compare.score_results import ComparedScore
from tertium.decide.decision import Decision
from tertium.explanation import Explanation
from tertium.meta.agreement.agreement_table import AgreementTable
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.spans.span import Annotations
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.plurals import counted
from tertium.results import Evaluation, Score, headings
from tertium.scored.slices import Slices
from tertium.study.pairs import PairTable
from tertium.tables import html_table
from tertium.text.corpus import Corpus, System
from tertium.version import __version__

# Which annotated names the systems have, for the segments where they are annotated.


@dataclass(frozen=True, slots=True)
class SegmentName:
    """A name in a segment; ``found`` tells of each system whether it has the name wholly."""

    label: str
    text: str
    found: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entities:
    """The names of every segment; ``unit`` is where a name is looked for."""

    unit: str
    of_segment: tuple[tuple[SegmentName, ...], ...]


def entities(
    corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric]
) -> Entities | None:
    """What NEE finds, a name being looked for in the whole unit, as the metric does.

    None where NEE is not among the metrics.
    """
    metric = next(
        (candidate for candidate in metrics if isinstance(candidate, NamedEntityEvaluator)), None
    )
    if metric is None:
        return None
    units = metric.units(corpus.references)
    listed = [
        {
            name.tokens: ("+".join(name.labels), name.text)
            for names in unit.lists
            for name in names
            if segment in name.segments
        }
        for segment, unit in sorted((segment, unit) for unit in units for segment in unit.segments)
    ]
    spotted = [_found(corpus, metric, system) for system in systems]
    return Entities(
        unit=metric.unit,
        of_segment=tuple(
            tuple(
                SegmentName(label, text, tuple((segment, tokens) in names for names in spotted))
                for tokens, (label, text) in names.items()
            )
            for segment, names in enumerate(listed)
        ),
    )


def _found(
    corpus: Corpus, metric: NamedEntityEvaluator, system: System
) -> frozenset[tuple[int, tuple[str, ...]]]:
    """The places and tokens of all names that one system has wholly."""
    texts = [text or "" for text in system.hypotheses.to_list()]
    return frozenset(
        (segment, name.tokens)
        for search in metric.searches(texts, metric.units(corpus.references))
        for names, earned in zip(search.unit.lists, search.earned, strict=True)
        for name, credit in zip(names, earned, strict=True)
        if credit == 1
        for segment in name.segments
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SliceScores:
    """The scores of every system on slices of the corpus; ``scores`` are by metric spec."""

    by: Slicing
    slices: Slices
    scores: dict[str, Scores] = field(repr=False)
    """Spec → (systems, slices)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DeletionCurve:
    """How a score moves as a system leaves out segments, the most favourable ones first.

    ``shares`` are of the system's words, ``free`` is the share that goes without any drop,
    ``tolerated`` the share before the score is significantly lower.
    """

    system: str
    shares: Scores
    scores: Scores
    free: float
    tolerated: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study:
    """Systems on a corpus: scores, doubts, differences, and the text behind them."""

    corpus: Corpus
    systems: tuple[System, ...]
    evaluation: Evaluation
    comparison: Comparison | None = None
    """None for a single system, which has nothing to be compared with."""
    pairs: dict[str, PairTable] = field(default_factory=dict, repr=False)
    """Spec → every system beside every other."""
    audit: AuditReport | None = None
    decision: Decision | None = None
    """The verdict on each system beside the first; none for a single one."""
    slices: tuple[SliceScores, ...] = ()
    resamples: dict[str, Scores] = field(default_factory=dict, repr=False)
    """Scores on bootstrap resamples, an array of systems by trials for the spec of each metric."""
    words: GramDifferences | None = None
    """Words that only the rival, or only the baseline, has right."""
    phrases: GramDifferences | None = None
    deletions: dict[str, tuple[DeletionCurve, ...]] = field(default_factory=dict, repr=False)
    explanations: tuple[Explanation, ...] = field(default=(), repr=False)
    entities: Entities | None = field(default=None, repr=False)
    """Annotated names, where NEE is among the metrics."""
    judgments: tuple[Judgments, ...] = ()
    """Ratings by people, under the systems' names of the study."""
    agreement: AgreementTable | None = None
    spans: tuple[Annotations, ...] = field(default=(), repr=False)
    """Errors that people marked in these systems' outputs."""
    command: str = ""
    seed: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems, the baseline first."""
        return tuple(system.name for system in self.systems)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order asked for."""
        return self.evaluation.metrics

    def scores_of(self, metric: Metric) -> Scores:
        """The corpus score of every system."""
        place = self._place(metric)
        return np.array([system.scores[place].value for system in self.evaluation.systems])

    def ranking(self, metric: Metric) -> list[int]:
        """The places of the systems, the best first: the order of tables and plots."""
        sign = -1 if metric.higher_is_better else 1
        return [int(i) for i in np.argsort(sign * self.scores_of(metric), kind="stable")]

    def segments_of(self, metric: Metric) -> Scores:
        """The score of every segment, (systems, segments)."""
        place = self._place(metric)
        values = [system.scores[place].segments for system in self.evaluation.systems]
        return np.stack([scores for scores in values if scores is not None])

    def metric_scores(self, metric: Metric) -> MetricScores:
        """The metric's scores as they are compared with ratings."""
        return MetricScores(
            metric=metric.spec,
            systems=self.names,
            values=self.scores_of(metric),
            segments=self.segments_of(metric),
            higher_is_better=metric.higher_is_better,
        )

    def ratings_of(self, judgments: Judgments) -> Scores:
        """People's rating of every system; NaN where there is none."""
        known = dict(zip(judgments.systems, judgments.values.tolist(), strict=True))
        return np.array([known.get(name, np.nan) for name in self.names])

    @property
    def rival(self) -> int:
        """The place of the best system beside the baseline, by the first metric."""
        return next((i for i in self.ranking(self.metrics[0]) if i), 0)

    def rows_of(self, metric: Metric) -> Rows:
        """The statistics of every segment, (systems, segments, K)."""
        place = self._place(metric)
        matrices = [system.scores[place].rows for system in self.evaluation.systems]
        return np.stack([rows for rows in matrices if rows is not None])

    def compared(self, system: int) -> tuple[ComparedScore | None, ...]:
        """One system's scores beside the baseline's, by metric; None where nothing is compared."""
        if self.comparison is None or self.comparison.scores is None:
            return (None,) * len(self.metrics)
        return self.comparison.scores.slices[0].scores[system]

    def _place(self, metric: Metric) -> int:
        return [shown.spec for shown in self.metrics].index(metric.spec)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; texts of segments are left out."""
        result: dict[str, Any] = {
            "version": __version__,
            "command": self.command,
            "seed": self.seed,
            "evaluation": self.evaluation.to_dict(),
        }
        if self.audit is not None:
            result["audit"] = self.audit.to_dict()
        if self.agreement is not None:
            result["agreement"] = self.agreement.to_dict()
        if self.comparison is not None:
            result["comparison"] = self.comparison.to_dict()
        return result

    def __repr__(self) -> str:
        specs = ", ".join(metric.spec for metric in self.metrics)
        return (
            f"<Study of {len(self.systems)} systems, {counted(len(self.corpus), 'segment')}: "
            f"{specs}>"
        )

    def _repr_html_(self) -> str:
        """Scores with intervals and rank clusters, findings, and the agreement with people."""
        rows = [
            [system.system, *map(_cell, system.scores, self.compared(number))]
            for number, system in enumerate(self.evaluation.systems)
        ]
        parts = [html_table(["system", *headings(self.metrics)], rows)]
        parts += [part._repr_html_() for part in (self.audit, self.agreement) if part is not None]
        return "".join(parts)


def _cell(score: Score, compared: ComparedScore | None) -> str:
    half = f" {score.interval.text(2 + score.metric.finer)}" if score.interval else ""
    cluster = f" #{compared.cluster}" if compared and compared.cluster else ""
    ranks = f" rank {compared.ranks_text}" if compared and compared.ranks else ""
    return f"{score.text}{half}{cluster}{ranks}"
