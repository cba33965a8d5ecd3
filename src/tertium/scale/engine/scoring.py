"""What a worker does with a partition: rows of statistics, and what they add up to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tertium._native import Texts, concatenate, set_worker_count
from tertium.errors import InputError, TertiumError
from tertium.metrics.contract.base import Metric, Rows
from tertium.scale.engine.partitions import Partition, PartitionReading
from tertium.scored.choices import Slicing
from tertium.scored.slices import slices_of
from tertium.scored.statistics_file import StatisticsWriter
from tertium.scored.tally import Tally, Total
from tertium.text.corpus import Chunk
from tertium.text.inputs import Inputs
from tertium.text.references import References

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
                [{name: getattr(one, name) for name in Summed.__slots__} for one in some]
                for some in self.sums
            ],
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any], place: str) -> "Part":
        """What `to_dict` gave."""
        try:
            return cls(
                **{
                    **told,
                    "systems": tuple(told["systems"]),
                    "sums": tuple(
                        tuple(
                            Summed(
                                row=tuple(one["row"]),
                                slices={key: tuple(row) for key, row in one["slices"].items()},
                            )
                            for one in some
                        )
                        for some in told["sums"]
                    ),
                }
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{place}: found a part without sense ({error!r}), expected what an earlier run "
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
    found = []
    for s, system in enumerate(chunk.systems):
        found.append([metric.rows_of(system, corpus) for metric in tally.metrics])
        for m, rows in enumerate(found[-1]):
            tally.add(s, m, rows, slices)
    return found


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
        fitting.reading.opened(one, systems=False, labels=False).load().corpus.references.columns
        for one in fitting.seen
    ]
    width = max(map(len, parts))
    columns = [
        concatenate([part[i] if i < len(part) else Texts([None] * len(part[0])) for part in parts])
        for i in range(width)
    ]
    references = References(columns)
    return tuple(one.fit(references) if one.needs_fit else one for one in fitting.metrics)
