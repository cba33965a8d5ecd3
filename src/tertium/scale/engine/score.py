"""A corpus in partitions, scored by a cluster: one evaluation, or all rows for what needs them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from tertium._native import Texts, concatenate, set_worker_count
from tertium.choices import Slicing
from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.results import Evaluation
from tertium.scale.engine.cluster import Cluster
from tertium.scale.engine.partitions import Partition, PartitionedCorpus, PartitionReading
from tertium.scale.engine.work import (
    PartFolder,
    PartMapping,
    finish,
    kept_parts,
    refuse,
    warnings_of,
)
from tertium.scale.merge import merge
from tertium.scored.scored import Scored
from tertium.scored.slices import slices_of
from tertium.scored.statistics_file import StatisticsWriter
from tertium.scored.tally import Tally, Total
from tertium.text.corpus import Chunk
from tertium.text.inputs import Inputs
from tertium.text.references import References
from tertium.version import __version__

# What a worker does with a partition: rows of statistics, and what they add up to.

# What is known of a partition that was scored: sums, from which scores are made.


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed:
    """One system's rows under one metric: their sum, also by slice."""

    row: tuple[float, ...]
    slices: dict[str, tuple[float, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, total: Total) -> "Summed":
        """What was added up."""
        slices = {label: tuple(row.tolist()) for label, row in total.slices.items()}
        return cls(row=tuple(total.sum.tolist()), slices=slices)

    def add_to(self, total: Total) -> None:
        """Put it to others."""
        slices = {label: np.array(row) for label, row in self.slices.items()}
        total.add_sums(np.array(self.row), slices)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What is known of a partition that was scored, or why it could not be (``fault``).

    Sums that are ``exact`` have no fraction in any row: their order is no matter. Of others there
    is a file of rows.
    """

    number: int
    place: str
    systems: tuple[str, ...] = ()
    segments: int = 0
    references: str = "1"
    exact: bool = True
    sums: tuple[tuple[Summed, ...], ...] = ()
    fault: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has every digit of a number."""
        return {
            **{name: getattr(self, name) for name in Part.__slots__},
            "sums": [
                [{name: getattr(summed, name) for name in Summed.__slots__} for summed in some]
                for some in self.sums
            ],
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any], location: str) -> "Part":
        """What `to_dict` gave."""
        try:
            return cls(
                **{
                    **told,
                    "systems": tuple(told["systems"]),
                    "sums": tuple(
                        tuple(
                            Summed(
                                row=tuple(values["row"]),
                                slices={key: tuple(row) for key, row in values["slices"].items()},
                            )
                            for values in some
                        )
                        for some in told["sums"]
                    ),
                }
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{location}: found a part without sense ({error!r}), expected what an earlier run "
                "wrote"
            ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """The task of every worker; ``rows`` asks for all rows, else they come where they are needed.

    Metrics that must see all references first see those of the partitions ``seen`` first.
    """

    reading: PartitionReading
    metrics: tuple[Metric, ...]
    by: Slicing | None = None
    rows: bool = False
    threads: int = 1
    seen: tuple[Partition, ...] = ()

    def __call__(self, partition: Partition) -> tuple[Part, bytes | None]:
        """The part, and its rows as a file of statistics; what is wrong with the data is told."""
        set_worker_count(self.threads)
        try:
            return self._scored(partition)
        except TertiumError as error:
            return Part(number=partition.number, place=partition.name, fault=str(error)), None

    def _scored(self, partition: Partition) -> tuple[Part, bytes | None]:
        metrics = Fitting(metrics=self.metrics, reading=self.reading, seen=self.seen).fitted()
        if not self.rows:
            inputs = self.reading.opened(partition, labels=self.by is not None)
            tally = Tally(metrics, by=self.by)
            exact = np.ones((len(inputs.system_names), len(metrics)), np.bool_)
            for chunk in inputs.chunks():
                rows = _add(tally, chunk, self.by)
                exact &= [[_is_whole(some) for some in each] for each in rows]
                if not exact.all():
                    break
            else:
                return _part(partition, inputs, tally, exact=True), None
        # Sums of fractions depend on their order, so that all rows must be seen in one place.
        return self._with_rows(partition, self.reading.opened(partition), metrics)

    def _with_rows(
        self, partition: Partition, inputs: Inputs, metrics: tuple[Metric, ...]
    ) -> tuple[Part, bytes]:
        tally = Tally(metrics, by=self.by)
        with TemporaryDirectory(prefix="tertium-") as folder:
            path = Path(folder) / "part.parquet"
            with StatisticsWriter(path, metrics, inputs.system_names, first_segment=1) as keep:
                for chunk in inputs.chunks():
                    keep.add(chunk, _add(tally, chunk, self.by))
            return _part(partition, inputs, tally, exact=False), path.read_bytes()


def _add(tally: Tally, chunk: Chunk, by: Slicing | None) -> list[list[Rows]]:
    """Rows of a chunk, of each system by each metric, added up."""
    corpus = chunk.corpus
    slices = None if by is None else slices_of(corpus, by)
    tally.begin(len(corpus), corpus.references.count, None)
    rows_of_systems = []
    for s, system in enumerate(chunk.systems):
        rows_of_systems.append([metric.rows_of(system, corpus) for metric in tally.metrics])
        for m, rows in enumerate(rows_of_systems[-1]):
            tally.add(s, m, rows, slices)
    return rows_of_systems


def _is_whole(rows: Rows) -> bool:
    """Whether no number has a fraction; what is no number has one."""
    return bool(np.equal(rows, np.rint(rows)).all())


def _part(partition: Partition, inputs: Inputs, tally: Tally, *, exact: bool) -> Part:
    systems, metrics = range(len(inputs.system_names)), range(len(tally.metrics))
    return Part(
        number=partition.number,
        place=partition.name,
        systems=inputs.system_names,
        segments=tally.segments,
        references=tally.references,
        exact=exact,
        sums=tuple(tuple(Summed.of(tally.total(s, m)) for m in metrics) for s in systems),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Checking:
    """A look at all texts of a partition, for metrics that see all references before any row."""

    reading: PartitionReading

    def __call__(self, partition: Partition) -> str:
        """What is wrong with it."""
        try:
            for _ in self.reading.opened(partition, labels=False).chunks():
                pass
        except TertiumError as error:
            return str(error)
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Metrics, and the partitions whose references some of them must see first."""

    metrics: tuple[Metric, ...]
    reading: PartitionReading
    seen: tuple[Partition, ...]

    def fitted(self) -> tuple[Metric, ...]:
        """The metrics, bound; a worker does it once for all partitions that it is given."""
        return _fitted(self) if self.seen else self.metrics


@lru_cache(maxsize=1)
def _fitted(fitting: Fitting) -> tuple[Metric, ...]:
    parts = [
        fitting.reading.opened(counts, systems=False, labels=False).load().corpus.references.columns
        for counts in fitting.seen
    ]
    width = max(map(len, parts))
    columns = [
        concatenate([part[i] if i < len(part) else Texts([None] * len(part[0])) for part in parts])
        for i in range(width)
    ]
    references = References(columns)
    return tuple(
        metric.fit(references) if metric.needs_fit else metric for metric in fitting.metrics
    )


# From partitions to finished parts: what is done already is not done again.

EXACT: Final = 2.0**53
"""Whole numbers up to here are added without any rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The partitions that could be scored, in order, and warnings of those that could not.

    Either the sums of all parts are exact, or there are files of the rows of all.
    """

    parts: tuple[Part, ...]
    files: tuple[Path, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRun:
    """What is to be scored, by what and where."""

    corpus: PartitionedCorpus
    metrics: tuple[Metric, ...]
    cluster: Cluster
    by: Slicing | None = None
    skip_bad: bool = False
    progress: Callable[[int], None] | None = None

    @contextmanager
    def finished(self, resume: str | PathLike[str] | None, *, rows: bool) -> Iterator[Done]:
        """All of it; files of rows that are in no folder of the user's are soon gone."""
        _check_metrics(self.metrics)
        partitions = self.corpus.partitions()
        with TemporaryDirectory(prefix="tertium-") as passing:
            if resume is None:
                folder = PartFolder(passing, {})
            else:
                folder = PartFolder(resume, self._identity(partitions))
            parts = self._parts(folder, partitions, rows=rows)
            good = [part for part in parts if not part.fault]
            exact = all(part.exact for part in good)
            yield Done(
                parts=tuple(good),
                files=() if exact else tuple(folder.data(part.number) for part in good),
                warnings=warnings_of(parts),
            )

    def _identity(self, partitions: Sequence[Partition]) -> dict[str, Any]:
        return {
            "tertium": __version__,
            "work": "score",
            "metrics": [metric.spec for metric in self.metrics],
            "signatures": [metric.signature() for metric in self.metrics],
            "slices": self.by,
            "reading": asdict(self.corpus.reading()),
            "inputs": [list(partition.files) for partition in partitions],
        }

    def _parts(
        self, folder: PartFolder, partitions: Sequence[Partition], *, rows: bool
    ) -> list[Part]:
        known = kept_parts(folder, partitions, Part.from_dict)
        if self.progress is not None:
            self.progress(len(known))
        if missing := _missing(partitions, known, rows=rows):
            with self.cluster.opened(len(missing)) as client:
                scoring = Scoring(
                    reading=self.corpus.reading(),
                    metrics=self.metrics,
                    by=self.by,
                    rows=rows,
                    threads=self.cluster.threads_each(len(missing)),
                    seen=self._seen(client, partitions),
                )
                done = partial(
                    finish, client, folder=folder, skip_bad=self.skip_bad, progress=self.progress
                )
                known |= done(scoring, missing)
                # Some may have had no need of rows by themselves.
                more = _missing(partitions, known, rows=_need_rows(_good(known)))
                known |= done(replace(scoring, rows=True), more)
        _good(known)
        return [known[partition.number] for partition in partitions]

    def _seen(self, client: Any, partitions: Sequence[Partition]) -> tuple[Partition, ...]:
        """The partitions whose references a metric must see before the first row is made."""
        if not any(metric.waits_for_fit for metric in self.metrics):
            return ()
        task = Checking(reading=self.corpus.reading())
        mapping = PartMapping(client=client, task=task, told=lambda partition: partition.name)
        faults = {partition.number: fault for partition, fault in mapping.results(partitions)}
        for one in partitions:
            refuse(faults[one.number], skip_bad=self.skip_bad)
        return tuple(partition for partition in partitions if not faults[partition.number])


def _missing(
    partitions: Sequence[Partition], known: dict[int, Part], *, rows: bool
) -> list[Partition]:
    """Those that are not done, or not with all rows."""
    done = {number for number, part in known.items() if part.fault or not (rows and part.exact)}
    return [partition for partition in partitions if partition.number not in done]


def _good(known: dict[int, Part]) -> list[Part]:
    """The parts without a fault, at least one, and of the same systems."""
    parts = [known[number] for number in sorted(known)]
    good = [part for part in parts if not part.fault]
    if not good:
        raise InputError(parts[0].fault)
    first = good[0]
    for part in good:
        if part.systems != first.systems:
            raise InputError(
                f"{part.place}: found systems {', '.join(part.systems)}, "
                f"expected {', '.join(first.systems)} (as {first.place})"
            )
    return good


def _need_rows(parts: Sequence[Part]) -> bool:
    """Whether sums alone would not tell the scores of all parts."""
    if not all(part.exact for part in parts):
        return True
    sums = [np.concatenate([summed.row for some in part.sums for summed in some]) for part in parts]
    return bool((np.abs(sums).sum(axis=0) >= EXACT).any())


def _check_metrics(metrics: Sequence[Metric]) -> None:
    """Refuse metrics that know segments by their numbers in the whole corpus."""
    if not metrics:
        raise OptionError("metrics: found none, expected at least one")
    for metric in metrics:
        if metric.needs_fit and type(metric).bind is not Metric.bind:
            raise OptionError(
                f"{metric.spec}: found with an engine, expected without, as it must know the whole "
                "corpus: score it in one run"
            )


def score_partitions(
    corpus: PartitionedCorpus,
    metrics: Sequence[AnyMetric] = DEFAULT_METRICS,
    *,
    cluster: Cluster | None = None,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
    statistics: str | PathLike[str] | None = None,
    resume: str | PathLike[str] | None = None,
    skip_bad: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score partitions on the workers of a cluster, by default one of this machine.

    The result is that of `tertium.evaluate_inputs` over all texts, to the last bit. ``by``,
    ``segments``, ``rows`` and ``statistics`` are its, too; ``progress`` is told how many
    partitions have just been done. What is finished is kept in the folder ``resume``, from which
    the same call goes on after it was interrupted. A partition that cannot be read is an error;
    with ``skip_bad`` it is left out, and a warning of the result says why.
    """
    chosen = tuple(as_metric(metric) for metric in metrics)
    run = ClusterRun(
        corpus=corpus,
        metrics=chosen,
        cluster=cluster or Cluster(),
        by=by,
        skip_bad=skip_bad,
        progress=progress,
    )
    with run.finished(resume, rows=rows or segments or statistics is not None) as done:
        if not done.files:
            evaluation = _summed(done.parts, chosen, by, corpus.references[0])
        else:
            evaluation = merge(
                done.files,
                metrics=chosen,
                by=by,
                segments=segments,
                rows=rows,
                in_order=True,
                vary_references=True,
                fitted=True,
                statistics=statistics,
            )
    return replace(evaluation, warnings=(*evaluation.warnings, *done.warnings))


def scored_partitions(
    corpus: PartitionedCorpus,
    metrics: Sequence[AnyMetric] = DEFAULT_METRICS,
    *,
    cluster: Cluster | None = None,
    resume: str | PathLike[str] | None = None,
    skip_bad: bool = False,
    progress: Callable[[int], None] | None = None,
) -> tuple[Scored, tuple[str, ...]]:
    """The rows of every system under every metric, for tests and comparison, and warnings.

    The options are those of `score_partitions`. Rows and labels are there, and no texts.
    """
    chosen = tuple(as_metric(metric) for metric in metrics)
    run = ClusterRun(
        corpus=corpus,
        metrics=chosen,
        cluster=cluster or Cluster(),
        skip_bad=skip_bad,
        progress=progress,
    )
    with run.finished(resume, rows=True) as done:
        return Scored.load_parts(done.files, chosen), done.warnings


def _summed(
    parts: Sequence[Part], metrics: Sequence[Metric], by: Slicing | None, location: str
) -> Evaluation:
    """Scores of sums that no order of adding could change."""
    tally = Tally(metrics, by=by)
    for part in parts:
        if part.segments or len(parts) == 1:
            tally.begin(part.segments, part.references, None)
            for s, some in enumerate(part.sums):
                for m, rows in enumerate(some):
                    rows.add_to(tally.total(s, m))
    return tally.evaluation(parts[0].systems, location)
