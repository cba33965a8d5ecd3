"""Rows of chunks, of whatever origin, on their way to an evaluation."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.choices import Slicing
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows, Scores, sum_of
from tertium.results import Evaluation, Score, SystemScores, remarks_on, summed

if TYPE_CHECKING:
    from tertium.scored.slices import Slices


# One system's rows under one metric, added up as they come.


class Total:
    """Sums of rows, over all segments and by slice; scores of segments and rows if asked for."""

    def __init__(self, metric: Metric, *, segments: bool, rows: bool) -> None:
        self.metric = metric
        self.sum: Rows = np.zeros(len(metric.columns))
        self.slices: dict[str, Rows] = {}
        self.segments: list[Scores] | None = [] if segments else None
        self.rows: list[Rows] | None = [] if rows else None

    def add(self, rows: Rows, slices: "Slices | None" = None) -> None:
        """Some more segments."""
        self.sum = self.sum + sum_of(rows)
        if self.rows is not None:
            self.rows.append(rows)
        if self.segments is not None:
            self.segments.append(self.metric.for_segments().score(rows))
        if slices is not None:
            for label, part in zip(slices.labels, slices.sums(rows), strict=True):
                self.slices[label] = self.slices.get(label, 0.0) + part

    def add_sums(self, row: Rows, slices: Mapping[str, Rows]) -> None:
        """Segments that were added up elsewhere, over all of them and by slice."""
        self.sum = self.sum + row
        for label, part in slices.items():
            self.slices[label] = self.slices.get(label, 0.0) + part

    def result(self, references: str) -> Score:
        """The score of all that was added."""
        slices = sorted(self.slices.items())  # chunks may bring labels in any order
        return Score(
            metric=self.metric,
            value=float(self.metric.score(self.sum)),
            statistics=self.sum,
            references=references,
            segments=None if self.segments is None else _joined(self.segments),
            slices={label: self._slice(row, references) for label, row in slices},
            rows=None if self.rows is None else _joined(self.rows),
        )

    def _slice(self, row: Rows, references: str) -> Score:
        value = float(self.metric.score(row))
        return Score(metric=self.metric, value=value, statistics=row, references=references)


def _joined(parts: Sequence[Rows]) -> Rows:
    """One array of all parts; a single one is not copied."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


class Tally:
    """Sums over chunks that come in the order of their segments, and what they are sums of.

    The same chunks give the same bits, whether their rows were computed or read.
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        *,
        by: Slicing | None = None,
        segments: bool = False,
        rows: bool = False,
    ) -> None:
        self.metrics = tuple(metrics)
        self.by = by
        self.segments = 0
        self._keeps = {"segments": segments, "rows": rows}
        self._documents: list[str] = []
        self._counts: set[str] = set()
        self._totals: dict[tuple[int, int], Total] = {}

    def begin(self, segments: int, references: str, documents: Iterable[str] | None) -> None:
        """Another chunk: its size, how many references a segment has, and its documents."""
        self.segments += segments
        self._counts.add(references)
        if self._keeps["rows"]:
            self._documents += documents or ()

    def add(self, system: int, metric: int, rows: Rows, slices: "Slices | None") -> None:
        """One system's rows of the chunk under one of the metrics."""
        self.total(system, metric).add(rows, slices)

    def total(self, system: int, metric: int) -> Total:
        """What one system's rows under one of the metrics add up to so far."""
        total = self._totals.get((system, metric))
        if total is None:
            total = self._totals[system, metric] = Total(self.metrics[metric], **self._keeps)
        return total

    @property
    def references(self) -> str:
        """How many references every segment has, ``var`` if that differs."""
        return next(iter(self._counts)) if len(self._counts) == 1 else "var"

    def evaluation(
        self, names: Sequence[str], corpus: str, *, may_be_empty: bool = False
    ) -> Evaluation:
        """The scores of all that was added."""
        if not names:
            raise InputError("systems: found none, expected at least one")
        if not self.segments and not may_be_empty:
            raise InputError(f"{corpus}: 0 segments, expected at least one")
        places = range(len(self.metrics))
        systems = tuple(
            SystemScores(
                system=name,
                scores=tuple(self._totals[s, m].result(self.references) for m in places),
            )
            for s, name in enumerate(names)
        )
        return Evaluation(
            systems=systems,
            segments=self.segments,
            by=self.by,
            documents=tuple(self._documents) or None,
            warnings=remarks_on(names, summed(systems), self.segments),
        )
