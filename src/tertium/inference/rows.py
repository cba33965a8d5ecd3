"""Statistics of several systems on the same segments: what every test starts from."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.inference.units import Units, units_of
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.results import Unit
from tertium.scored.runs import Runs
from tertium.scored.scored import Scored


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricRows:
    """One metric's statistics of several systems; the first system is the baseline.

    ``rows`` has the shape (systems, units, K), or (systems, runs, units, K) where every
    system was trained several times. A unit is a segment, or a document (`by`).
    """

    metric: Metric
    rows: Rows = field(repr=False)
    unit: Unit = "segment"

    def __post_init__(self) -> None:
        rows = np.asarray(self.rows, dtype=np.float64)
        columns = len(self.metric.columns)
        if rows.ndim not in {3, 4} or rows.shape[-1] != columns or 0 in rows.shape:
            raise InputError(
                f"{self.metric.name} rows: found shape {rows.shape}, "
                f"expected (systems, segments, {columns}) or (systems, runs, segments, {columns})"
            )
        if not np.isfinite(rows).all():
            raise InputError(f"{self.metric.name} rows: found a number that is not finite")
        object.__setattr__(self, "rows", rows)

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return len(self.rows)

    @property
    def units(self) -> int:
        """How many segments, or documents, there are."""
        return int(self.rows.shape[-2])

    @property
    def runs(self) -> int:
        """How many times each system was trained."""
        return 1 if self.rows.ndim == 3 else self.rows.shape[1]

    @property
    def observed(self) -> list[float]:
        """The corpus score of every system, the mean over its runs."""
        return [float(some.mean()) for some in self.of_runs]

    @property
    def sums(self) -> Rows:
        """The summed rows of all outputs, one for each system and run."""
        totals: Rows = self.rows.sum(axis=-2)
        return totals.reshape(-1, self.rows.shape[-1])

    @property
    def of_runs(self) -> Scores:
        """The corpus score of every run, (systems, runs)."""
        return self.metric.score(self.sums).reshape(self.systems, self.runs)

    def by(self, units: Units) -> "MetricRows":
        """One row for each unit instead of one for each segment."""
        return replace(self, rows=units.sums(self.rows), unit=units.unit)

    def of_run(self, run: int) -> Rows:
        """The rows of one run, shape (systems, units, K)."""
        return self.rows if self.rows.ndim == 3 else self.rows[:, run]


def pair(
    metric: Metric,
    baseline_rows: Rows,
    system_rows: Rows,
    documents: Sequence[Hashable] | None = None,
) -> MetricRows:
    """Baseline and system together, by document if labels are given; an error has both shapes."""
    if np.shape(baseline_rows) != np.shape(system_rows):
        raise InputError(
            f"system rows: found shape {np.shape(system_rows)}, "
            f"expected {np.shape(baseline_rows)} (baseline)"
        )
    return grouped(metric, np.stack([baseline_rows, system_rows]), documents)


def grouped(metric: Metric, rows: Rows, documents: Sequence[Hashable] | None = None) -> MetricRows:
    """Rows of segments, (systems, segments, K), by document if the labels of these are given."""
    group = MetricRows(metric=metric, rows=rows)
    if documents is None:
        return group
    return group.by(units_of(group.units, documents, "documents"))


def metric_rows(scored: Scored, runs: Runs | None = None) -> tuple[MetricRows, ...]:
    """The rows of systems that are scored, or of their ``runs``, one value for each metric."""
    pairs = zip(scored.metrics, scored.rows, strict=True)
    return tuple(
        MetricRows(metric=metric, rows=rows if runs is None else runs.rows(rows))
        for metric, rows in pairs
    )


def check_same_units(groups: Sequence[MetricRows]) -> None:
    """All metrics must be of the same systems, runs and units."""
    if not groups:
        raise InputError("rows: found no metric, expected at least one")
    for group in groups:
        if group.rows.shape[:-1] != groups[0].rows.shape[:-1] or group.unit != groups[0].unit:
            raise InputError(
                f"{group.metric.name} rows: found shape {group.rows.shape[:-1]} before the "
                f"statistics, by {group.unit}, expected {groups[0].rows.shape[:-1]}, "
                f"by {groups[0].unit} ({groups[0].metric.name})"
            )


def check_trials(trials: int, seed: int) -> None:
    """Refuse numbers that the random generator cannot take."""
    if trials < 1:
        raise OptionError(f"trials: found {trials}, expected at least 1")
    if not 0 <= seed < 1 << 64:
        raise OptionError(f"seed: found {seed}, expected a whole number from 0 to 2^64 - 1")


def check_level(level: float) -> None:
    """Refuse a confidence level outside of (0, 1)."""
    if not 0 < level < 1:
        raise OptionError(f"level: found {level}, expected a number between 0 and 1, such as 0.95")
