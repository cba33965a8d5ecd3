"""The value that comparison, audits, explanation and report share, so that none scores again."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows
from tertium.results import Evaluation, Score, SystemScores, remarks_on
from tertium.scoring import AnyMetric, as_metric
from tertium.text.corpus import Chunk, Corpus, System


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """Metrics, bound to the corpus, and the rows of each: (systems, segments, K)."""

    corpus: Corpus
    systems: tuple[System, ...]
    metrics: tuple[Metric, ...]
    rows: tuple[Rows, ...] = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems, the baseline first."""
        return tuple(one.name for one in self.systems)

    def rows_of(self, metric: Metric) -> Rows:
        """The rows of one of the metrics."""
        specs = [one.spec for one in self.metrics]
        if metric.spec not in specs:
            raise InputError(f"rows: found {', '.join(specs)}, expected {metric.spec} among them")
        return self.rows[specs.index(metric.spec)]

    def evaluation(self) -> Evaluation:
        """Corpus and segment scores of all systems, with their rows."""
        columns = [
            _scores(metric, rows, self.corpus.references.count)
            for metric, rows in zip(self.metrics, self.rows, strict=True)
        ]
        systems = tuple(
            SystemScores(system=name, scores=scores)
            for name, scores in zip(self.names, zip(*columns, strict=True), strict=True)
        )
        return Evaluation(
            systems=systems,
            segments=len(self.corpus),
            documents=self.corpus.documents,
            warnings=remarks_on(systems, len(self.corpus)),
        )


def scored(
    corpus: Corpus, systems: Sequence[System], metrics: Sequence[AnyMetric] = ("bleu",)
) -> Scored:
    """Compute the statistics of every system under every metric; references are prepared once."""
    if not len(corpus):
        raise InputError(f"{corpus.name}: 0 segments, expected at least one")
    if not systems or not metrics:
        raise InputError(
            f"{corpus.name}: found {len(systems)} systems and {len(metrics)} metrics, "
            "expected at least one of each"
        )
    whole = Chunk(corpus=corpus, systems=tuple(systems))  # checks that all are of one length
    bound = tuple(as_metric(metric).bind(corpus) for metric in metrics)
    return Scored(
        corpus=corpus,
        systems=whole.systems,
        metrics=bound,
        rows=tuple(_rows(metric, whole) for metric in bound),
    )


def _rows(metric: Metric, whole: Chunk) -> Rows:
    rows = [metric.rows_of(one, whole.corpus) for one in whole.systems]
    # What belongs to a segment lies together, as resampling wants it.
    return np.stack(rows, axis=1).swapaxes(0, 1)


def _scores(metric: Metric, rows: Rows, references: str) -> list[Score]:
    alone = metric.for_segments()
    return [
        Score(
            metric=metric,
            value=float(metric.score(one.sum(axis=0))),
            statistics=one.sum(axis=0),
            references=references,
            segments=alone.score(one),
            rows=one,
        )
        for one in rows
    ]
