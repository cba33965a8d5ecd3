"""The value that comparison, audits, explanation and report share, so that none scores again."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TypeAlias

import numpy as np

from tertium.build_cache import BuildCache, Built
from tertium.choices import SLICINGS, Slicing
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tertium.metrics.contract.costs import warn_of_costs
from tertium.metrics.contract.table import AnyMetric, AnyMetrics, as_metric, several_metrics
from tertium.plurals import counted
from tertium.results import Evaluation, SystemScores, remarks_on, summed
from tertium.scored.slices import Lengths, Numbers, Slices, lengths_of, slices_of
from tertium.scored.tally import Total
from tertium.text.corpus import AnyTexts, Chunk, Corpus, System, corpus_and_systems


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """Metrics, bound to the corpus, and the rows of each: (systems, segments, K).

    The rows may be in memory or mapped from a file; nothing writes into them.
    """

    corpus: Corpus
    systems: tuple[System, ...]
    metrics: tuple[Metric, ...]
    rows: tuple[Rows, ...] = field(repr=False)
    _kept: BuildCache = field(default_factory=BuildCache, init=False, repr=False)

    def __post_init__(self) -> None:
        Chunk(corpus=self.corpus, systems=self.systems)  # checks that all are of one length
        for metric, rows in zip(self.metrics, self.rows, strict=True):
            expected = (len(self.systems), len(self.corpus), len(metric.columns))
            if rows.shape != expected:
                raise InputError(f"{metric.spec} rows: found {rows.shape}, expected {expected}")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems, the baseline first."""
        return tuple(system.name for system in self.systems)

    def bound(self, metric: Metric) -> Metric:
        """One of the metrics as it is bound to the corpus."""
        return self.metrics[self._place(metric)]

    def rows_of(self, metric: Metric) -> Rows:
        """The rows of one of the metrics."""
        return self.rows[self._place(metric)]

    def scores_of(self, metric: Metric) -> Scores:
        """The corpus score of every system."""
        return metric.score(self.rows_of(metric).sum(axis=1))

    def segments_of(self, metric: Metric) -> Scores:
        """The score of every segment as single ones are scored, (systems, segments)."""
        build = lambda: metric.for_segments().score(self.rows_of(metric))  # noqa: E731
        return self.kept(("segments", metric.spec), build)

    @property
    def lengths(self) -> Lengths:
        """Words of systems and references."""
        known = tuple(zip(self.metrics, self.rows, strict=True))
        return self.kept("lengths", lambda: lengths_of(self.corpus, self.systems, known))

    @property
    def reference_lengths(self) -> Numbers:
        """Words in the references of each segment, the mean where there are several."""
        return self.kept("reference lengths", lambda: self.lengths.references)

    def slices(self, by: Slicing) -> Slices:
        """The segments by genre, document or length; an error where there are no such labels."""
        lengths = self.reference_lengths if by == "length" else None
        return self.kept(("slices", by), lambda: slices_of(self.corpus, by, lengths=lengths))

    @property
    def slicings(self) -> dict[Slicing, Slices]:
        """All that make more than one slice of the corpus."""
        labelled = {"genre": self.corpus.genres, "document": self.corpus.documents}
        known = [by for by in SLICINGS if labelled.get(by, ()) is not None]
        sliced = {by: self.slices(by) for by in known}
        return {by: slices for by, slices in sliced.items() if len(slices) > 1}

    def kept(
        self,
        key: Hashable,
        build: Callable[[], Built],
        *,
        enough: Callable[[Built], bool] = lambda _: True,
    ) -> Built:
        """``build()``, made on first use: what is costly is shared by all that take these rows.

        The key must tell all that ``build`` depends on besides these systems and metrics; of
        what there can be more or less of, ``enough`` says whether what is kept will do.
        """
        return self._kept(key, build, enough=enough)

    def evaluation(self) -> Evaluation:
        """Corpus and segment scores of all systems, with their rows."""
        references = self.corpus.references.count
        systems = []
        for index, name in enumerate(self.names):
            totals = [Total(metric, segments=True, rows=True) for metric in self.metrics]
            for total, rows in zip(totals, self.rows, strict=True):
                total.add(rows[index])
            scores = tuple(total.result(references) for total in totals)
            systems.append(SystemScores(system=name, scores=scores))
        return Evaluation(
            systems=tuple(systems),
            segments=len(self.corpus),
            documents=self.corpus.documents,
            warnings=(
                *self.corpus.notes,
                *remarks_on(self.names, summed(systems), len(self.corpus)),
            ),
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write all rows into a Parquet file, with all that is needed to know them again.

        The file is complete or not there at all; texts are not in it.
        """
        from tertium.scored.statistics_file import StatisticsWriter

        places = range(len(self.systems))
        parts = [rows[index] for index in places for rows in self.rows]
        with StatisticsWriter(path, self.metrics, self.names) as writer:
            writer.write(self.corpus, self.reference_lengths, np.concatenate(parts, axis=1))

    @classmethod
    def load(cls, path: str | PathLike[str], metrics: Sequence[AnyMetric] = ()) -> "Scored":
        """What `save` or ``tertium score --statistics`` wrote.

        Intervals, tests, slices and scores need no more than rows; what needs texts says so in
        an error. ``metrics`` are those that no text describes, such as objects of your own.
        """
        return cls.load_parts([path], metrics)

    @classmethod
    def load_parts(
        cls, paths: Sequence[str | PathLike[str]], metrics: Sequence[AnyMetric] = ()
    ) -> "Scored":
        """The same of several files that follow each other, whose headers are known to fit."""
        from tertium.scored.statistics_file import StatisticsFile, joined
        from tertium.scored.textless import textless

        blocks, counts = [], set()
        for path in paths:
            with StatisticsFile(path) as file:
                header, name = file.header, file.name
                built = header.built(name, metrics)
                if len(file) or path == paths[-1]:
                    blocks += list(file.blocks())
                    counts.add(header.references)
        whole = joined(blocks)
        if not len(whole):
            raise InputError(f"{name}: 0 segments, expected at least one")
        corpus, systems = textless(
            name,
            header.corpus,
            systems=header.systems,
            segments=len(whole),
            references=header.references if len(counts) == 1 else "var",
            labels=whole.labels,
        )
        rows: list[list[Rows]] = [[] for _ in built]
        for _, m, some in whole.rows(header):
            rows[m].append(some)
        loaded = cls(corpus=corpus, systems=systems, metrics=built, rows=tuple(map(together, rows)))
        loaded.kept("reference lengths", lambda: whole.lengths)
        return loaded

    def _place(self, metric: Metric) -> int:
        specs = [metric.spec for metric in self.metrics]
        if metric.spec not in specs:
            raise InputError(f"rows: found {', '.join(specs)}, expected {metric.spec} among them")
        return specs.index(metric.spec)


AnyScored: TypeAlias = AnyTexts | Scored
"""Texts, of which the others and metrics are told beside it, or all of them scored already."""


def scored(
    corpus: AnyTexts,
    systems: AnyTexts | None = None,
    metrics: AnyMetrics = DEFAULT_METRICS,
    *,
    progress: Callable[[int], None] | None = None,
) -> Scored:
    """Compute the statistics of every system under every metric; references are prepared once.

    ``progress`` is told of every metric done.
    """
    corpus, systems = corpus_and_systems(corpus, systems)
    metrics = several_metrics(metrics)
    if not len(corpus):
        raise InputError(f"{corpus.name}: 0 segments, expected at least one")
    if not systems or not metrics:
        raise InputError(
            f"{corpus.name}: found {counted(len(systems), 'system')} and "
            f"{counted(len(metrics), 'metric')}, "
            "expected at least one of each"
        )
    Chunk(corpus=corpus, systems=systems)  # before any work is done
    bound, rows = [], []
    for given in metrics:
        metric = as_metric(given).bind(corpus)
        for system in systems:
            warn_of_costs(metric, system, corpus)
        some = [metric.rows_of(system, corpus) for system in systems]
        bound.append(metric)
        rows.append(together(some))
        if progress is not None:
            progress(1)
    return Scored(corpus=corpus, systems=systems, metrics=tuple(bound), rows=tuple(rows))


def together(systems: Sequence[Rows]) -> Rows:
    """The rows of all systems; what belongs to a segment lies together, for resampling."""
    return np.stack(systems, axis=1).swapaxes(0, 1)


def as_scored(given: AnyScored, systems: AnyTexts | None, metrics: AnyMetrics | None) -> Scored:
    """What is scored already as it is; else a corpus with its systems, by the usual metrics."""
    if not isinstance(given, Scored):
        return scored(given, systems, DEFAULT_METRICS if metrics is None else metrics)
    if systems is not None or metrics is not None:
        found = "systems" if systems is not None else "metrics"
        raise OptionError(f"scored: found {found} beside it, expected none, as it has its own")
    return given
