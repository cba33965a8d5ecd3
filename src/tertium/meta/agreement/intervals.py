"""Confidence intervals of agreement: other systems, or other documents, might have been drawn.

Segments of a document are not independent, neither in people's ratings nor in metrics' scores, so
whole documents are drawn where they are known; segments only where they are not, or if asked for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from tertium.choices import RESAMPLES, Resampling
from tertium.errors import InputError, OptionError
from tertium.inference.intervals import percentiles
from tertium.inference.resampling import resampled_scores
from tertium.inference.rows import MetricRows, check_level, check_trials
from tertium.inference.units import Units, units_of
from tertium.meta.agreement.correlation import pairwise_accuracy, share, system_agreement
from tertium.meta.agreement.measures import MEASURES, Measured
from tertium.meta.agreement.prediction_error import prediction_error
from tertium.meta.agreement.shared_systems import Aligned
from tertium.meta.ratings.judgments import Floats
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.plurals import counted
from tertium.suggestions import did_you_mean
from tertium.text.references import AnyReferences, Hypotheses

NEAR: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanOfSegments(Metric):
    """What a system gets where it is the mean of its segments; ratings are added up like scores."""

    name: ClassVar[str] = "mean"
    title: ClassVar[str] = "mean"
    summary: ClassVar[str] = "the mean of segments"
    citation: ClassVar[str] = "–"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("sum", "count")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        raise InputError("mean: has no texts, expected rows of ratings")

    def score(self, rows: Rows) -> Scores:
        return share(np.asarray(rows, dtype=np.float64))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draws:
    """Ratings and scores of resamples, (trials, systems), and how often each system is in one.

    ``systems`` are the places that were drawn, ``None`` where all are there once; ``units`` are the
    segments or documents that were drawn, ``None`` where only systems were.
    """

    ratings: Floats
    scores: Floats
    systems: NDArray[np.intp] | None
    units: Units | None = None
    notes: tuple[str, ...] = ()

    def agreement(self, measure: str) -> Floats:
        """One of the system-level measures of every resample, NaN where it is not defined."""
        ratings, scores = self.ratings, self.scores
        if self.systems is not None and measure == "accuracy":
            size = ratings.shape[-1]
            counts = np.stack([np.bincount(system, minlength=size) for system in self.systems])
            values = pairwise_accuracy(ratings, scores, counts)
        else:
            if self.systems is not None:
                ratings, scores = (
                    np.take_along_axis(points, self.systems, axis=1) for points in (ratings, scores)
                )
            if measure == "prediction-error":
                values = prediction_error(ratings, scores)
            else:
                values = system_agreement(measure, ratings, scores)
        missing = np.isnan(self.ratings).any(axis=1) | np.isnan(self.scores).any(axis=1)
        return np.where(missing, np.nan, values)


def with_interval(
    measured: Measured, draws: Draws, *, resample: str, trials: int, seed: int, level: float
) -> Measured:
    """A measured agreement with its percentile interval, or a note why there is none."""
    check_level(level)
    if np.isnan(measured.value):
        return measured
    if MEASURES[measured.measure].needs == "systems":
        values = draws.agreement(measured.measure)
    elif resample == "systems":
        return _noted(measured, "no interval: segments were not resampled")
    elif measured.additive is None:
        return _noted(measured, "no interval: it is not made of sums over segments")
    else:
        values = measured.additive.resampled(trials=trials, seed=seed, units=draws.units)
    known = values[~np.isnan(values)]
    if not len(known):
        return _noted(measured, "no interval: not defined on any resample")
    drawn = draws.units if draws.systems is None else None  # else systems are the fewer
    interval = percentiles(
        known,
        level=level,
        seed=seed,
        unit=None if drawn is None else drawn.unit,
        units=None if drawn is None else drawn.count,
    )
    # Few documents make an interval wider than its resamples; no measure is beyond its range.
    lowest, highest = (0.0, 100.0) if measured.measure == "prediction-error" else (-1.0, 1.0)
    within = interval._replace(low=max(interval.low, lowest), high=min(interval.high, highest))
    result = replace(measured, interval=within)
    if len(known) < len(values):
        return _noted(result, f"not defined on {len(values) - len(known)} resamples")
    return result


def draw(
    aligned: Aligned,
    *,
    resample: str,
    trials: int,
    seed: int,
    statistics: MetricRows | None = None,
) -> Draws:
    """Resample systems, segments or documents, or both (BOOT-SYS, -INPUTS, -BOTH of Deutsch 2021).

    ``statistics`` are those of the metric, for the systems of its scores in their order; without
    them a system's score on a resample is the mean of its segments' scores.
    """
    if resample not in RESAMPLES:
        raise OptionError(did_you_mean("resample", resample, RESAMPLES))
    check_trials(trials, seed)
    size = len(aligned.systems)
    drawn = None
    if resample in {"systems", "both"}:
        drawn = np.random.default_rng(seed).integers(0, size, (trials, size), dtype=np.intp)
    if resample == "systems":
        shape = (trials, size)
        ratings = np.broadcast_to(aligned.ratings, shape)
        return Draws(ratings=ratings, scores=np.broadcast_to(aligned.scores, shape), systems=drawn)
    people = _rating_rows(aligned)
    metric, sign = _score_rows(aligned, statistics)
    units = _units(aligned, people.units, resample)
    ratings, scores = resampled_scores(
        [people.by(units), metric.by(units)], trials=trials, seed=seed
    )
    notes = [
        f"on resamples the {what} of a system is {made}, up to {distance:.3g} from the one given"
        for what, made, found, given in (
            ("rating", "the mean of its segments", people.observed, aligned.ratings),
            (
                "score",
                f"the {metric.metric.title} of its segments",
                metric.observed,
                aligned.scores,
            ),
        )
        for distance in [_distance(found, given, sign if what == "score" else 1.0)]
        if distance > NEAR
    ]
    return Draws(
        ratings=ratings.T,
        scores=sign * scores.T,
        systems=drawn,
        units=units,
        notes=(*_unit_notes(aligned, units, resample), *notes),
    )


def _units(aligned: Aligned, segments: int, resample: str) -> Units:
    """What is drawn beside systems: documents if they are asked for, or known and not declined."""
    documents = aligned.judgments.documents
    if documents is not None and len(documents) != segments:
        raise InputError(
            f"{aligned.place}: found documents of {len(documents)} segments, expected {segments}"
        )
    asked: Resampling = "auto"
    if resample == "segments":
        asked = "segments"
    elif resample == "documents":
        asked = "documents"
    return units_of(segments, documents, asked)


def _unit_notes(aligned: Aligned, units: Units, resample: str) -> Iterator[str]:
    if units.unit == "document":
        yield f"whole documents were resampled, {units.count} of them"
    elif aligned.judgments.documents is not None and resample == "segments":
        known = counted(len(set(aligned.judgments.documents)), "document")
        yield f"segments count as independent, though {known} are known (--resample documents)"
    else:
        yield "segments count as independent, for no documents are known (--documents)"


def _rating_rows(aligned: Aligned) -> MetricRows:
    """Ratings as sums over segments: of ratings, or of comparisons won among those decided."""
    if aligned.segment_ratings is not None:
        return _mean_rows(aligned.segment_ratings)
    if aligned.preferences is None or aligned.segment_scores is None:
        raise InputError(f"{aligned.place}: no ratings of segments, expected some to resample them")
    size = aligned.segment_scores.shape
    won, lost = np.zeros(size), np.zeros(size)
    np.add.at(won, (aligned.preferences.better, aligned.preferences.segment), 1.0)
    np.add.at(lost, (aligned.preferences.worse, aligned.preferences.segment), 1.0)
    return MetricRows(metric=MeanOfSegments(), rows=np.stack([won, won + lost], axis=-1))


def _score_rows(aligned: Aligned, statistics: MetricRows | None) -> tuple[MetricRows, float]:
    if statistics is not None:
        rows = statistics.rows[list(aligned.places)]
        sign = 1.0 if statistics.metric.higher_is_better else -1.0
        return MetricRows(metric=statistics.metric, rows=rows), sign
    if aligned.segment_scores is None:
        raise InputError(
            f"{aligned.place}: no scores of segments, expected some, or statistics, to resample"
        )
    return _mean_rows(aligned.segment_scores), 1.0


def _mean_rows(values: Floats) -> MetricRows:
    known = ~np.isnan(values)
    rows = np.stack([np.where(known, values, 0.0), known], axis=-1)
    return MetricRows(metric=MeanOfSegments(), rows=rows)


def _distance(found: Sequence[float], given: Floats, sign: float) -> float:
    """The greatest difference, as a share of the spread of what was given."""
    spread = float(np.ptp(given)) or 1.0
    return float(np.abs(sign * np.asarray(found) - given).max()) / spread


def _noted(measured: Measured, note: str) -> Measured:
    changes: dict[str, Any] = {"note": f"{measured.note}; {note}" if measured.note else note}
    return replace(measured, **changes)
