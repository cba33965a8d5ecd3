"""From text to scores: one call for the common case, one for many systems and metrics."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.metrics.contract.table import parse_metric
from tertium.results import Evaluation, Score, SystemScores, remarks_on
from tertium.text.corpus import Chunk, Corpus, System
from tertium.text.references import AnyReferences, Hypotheses, References

AnyMetric: TypeAlias = Metric | str
Slicing: TypeAlias = Literal["genre", "document"]


def score(
    hypotheses: Hypotheses,
    references: AnyReferences,
    metric: AnyMetric = "bleu",
    *,
    segments: bool = False,
) -> Score:
    """Score one system with one metric.

    ``references`` holds one string per segment, or a list of strings where a segment has
    several. ``metric`` is a metric or its text form, such as ``"bleu[tokenizer=intl]"``.
    With ``segments`` the result carries a score for every segment too.

    >>> result = score(["the cat sat down"], ["the cat sat down"])
    >>> result.value
    100.0
    """
    shared = References.of(references)
    if not len(shared):
        raise InputError("references: 0 segments, expected at least one")
    chosen = as_metric(metric).fit(shared)
    rows = chosen.statistics(hypotheses, shared)
    total = rows.sum(axis=0)
    return Score(
        metric=chosen,
        value=float(chosen.score(total)),
        statistics=total,
        references=shared.count,
        segments=chosen.for_segments().score(rows) if segments else None,
    )


def as_metric(metric: AnyMetric) -> Metric:
    """A metric as it is, or the one that a text describes."""
    return metric if isinstance(metric, Metric) else parse_metric(metric)


def evaluate(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[AnyMetric] = ("bleu",),
    *,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
) -> Evaluation:
    """Score many systems with many metrics on one corpus; references are prepared once.

    With ``segments`` every score carries those of the segments too, with ``rows`` the segments'
    statistics, from which `tertium.inference` makes intervals and tests.
    """
    chosen = [as_metric(metric).bind(corpus) for metric in metrics]
    whole = Chunk(corpus=corpus, systems=tuple(systems))
    return evaluate_chunks([whole], chosen, by=by, segments=segments, rows=rows)


def evaluate_chunks(
    chunks: Iterable[Chunk],
    metrics: Sequence[Metric],
    *,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score a corpus that arrives in pieces; only sums and asked-for scores are kept.

    The metrics are fitted already where they need it. ``progress`` is told the number of
    (segment, system, metric) rows done with each step.
    """
    totals: dict[tuple[int, int], _Total] = {}
    names: tuple[str, ...] = ()
    corpus = ""
    counts: set[str] = set()
    documents: list[str] = []
    seen = 0
    for chunk in chunks:
        names = tuple(system.name for system in chunk.systems)
        corpus = chunk.corpus.name
        counts.add(chunk.corpus.references.count)
        labels = chunk.corpus.labels(by) if by else None
        seen += len(chunk.corpus)
        if rows:
            documents += chunk.corpus.documents or ()
        for s, system in enumerate(chunk.systems):
            for m, metric in enumerate(metrics):
                part = metric.rows_of(system, chunk.corpus)
                total = totals.setdefault((s, m), _Total(metric, segments=segments, rows=rows))
                total.add(part, labels)
                if progress is not None:
                    progress(len(part))
    if not names:
        raise InputError("systems: found none, expected at least one")
    if not seen:
        raise InputError(f"{corpus}: 0 segments, expected at least one")
    references = counts.pop() if len(counts) == 1 else "var"
    systems = tuple(
        SystemScores(
            system=name,
            scores=tuple(totals[s, m].result(references) for m in range(len(metrics))),
        )
        for s, name in enumerate(names)
    )
    return Evaluation(
        systems=systems,
        segments=seen,
        by=by,
        documents=tuple(documents) or None,
        warnings=remarks_on(systems, seen),
    )


class _Total:
    """Sums of one system's rows under one metric, over all chunks so far."""

    def __init__(self, metric: Metric, *, segments: bool, rows: bool) -> None:
        self.metric = metric
        self.sum: Rows = np.zeros(len(metric.columns))
        self.slices: dict[str, Rows] = {}
        self.segments: list[Scores] | None = [] if segments else None
        self.rows: list[Rows] | None = [] if rows else None

    def add(self, rows: Rows, labels: Sequence[str] | None) -> None:
        self.sum = self.sum + rows.sum(axis=0)
        if self.rows is not None:
            self.rows.append(rows)
        if self.segments is not None:
            self.segments.append(self.metric.for_segments().score(rows))
        if labels is not None:
            values, places = np.unique(np.asarray(labels), return_inverse=True)
            for k, label in enumerate(values.tolist()):
                part = rows[places == k].sum(axis=0)
                self.slices[label] = self.slices.get(label, 0.0) + part

    def result(self, references: str) -> Score:
        return Score(
            metric=self.metric,
            value=float(self.metric.score(self.sum)),
            statistics=self.sum,
            references=references,
            segments=None if self.segments is None else _joined(self.segments),
            slices={label: self._slice(row, references) for label, row in self.slices.items()},
            rows=None if self.rows is None else _joined(self.rows),
        )

    def _slice(self, row: Rows, references: str) -> Score:
        value = float(self.metric.score(row))
        return Score(metric=self.metric, value=value, statistics=row, references=references)


def _joined(parts: Sequence[Rows]) -> Rows:
    """One array of all parts; a single one is not copied."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
