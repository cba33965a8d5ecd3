"""One system's rows under one metric, added up as they come."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.metrics.contract.base import Metric, Rows, Scores, sum_of
from tertium.results import Score

if TYPE_CHECKING:
    from tertium.scored.slices import Slices


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
