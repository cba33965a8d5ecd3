"""Ratings and scores of some segments or some systems only: domains, kinds of systems.

A slice is a set of ratings like any other, called after its label, so that every measure, test and
interval is there for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.inference.rows import MetricRows
from tertium.meta.agreement.overview import RatedSet
from tertium.meta.ratings.judgments import Exclusion, Floats, Judgments, MetricScores
from tertium.plurals import counted


def segment_slices(
    rated: RatedSet,
    labels: Sequence[str],
    *,
    published: Mapping[str, Sequence[MetricScores]] | None = None,
) -> tuple[RatedSet, ...]:
    """A set for each label of segments, such as a domain; ``labels`` has one for every segment.

    A system's rating is the mean of its segments in the slice. Its score is what a metric makes of
    the statistics of those segments, or was ``published`` for the label, else the mean of its
    segments' scores.
    """
    judgments = rated.judgments
    place = f"{judgments.name} {judgments.criterion}"
    if judgments.segments is None or not judgments.located:
        raise InputError(f"{place}: no ratings of segments, expected some to divide")
    if len(labels) != judgments.segments.shape[1]:
        raise InputError(
            f"{place}: found labels of {counted(len(labels), 'segment')}, "
            f"expected {judgments.segments.shape[1]}"
        )
    slices = []
    for label in dict.fromkeys(labels):
        chosen = np.array([one == label for one in labels])
        known = {score.metric: score for score in (published or {}).get(label, ())}
        slices.append(
            RatedSet(
                judgments=_rated(judgments, label, chosen),
                scores=tuple(
                    _scored(score, chosen, known.get(score.metric), rated.statistics)
                    for score in rated.scores
                    if score.segments is not None
                ),
                statistics={
                    name: replace(rows, rows=rows.rows[:, chosen])
                    for name, rows in rated.statistics.items()
                },
            )
        )
    return tuple(slices)


def _rated(judgments: Judgments, label: str, chosen: NDArray[np.bool_]) -> Judgments:
    assert judgments.segments is not None  # noqa: S101 - checked by the caller
    segments = judgments.segments[:, chosen]
    documents = judgments.documents
    return replace(
        judgments,
        name=f"{judgments.name} {label}".strip(),
        values=_means(segments),
        segments=segments,
        comparisons=None,
        documents=None if documents is None else tuple(compress(documents, chosen.tolist())),
    )


def _scored(
    score: MetricScores,
    chosen: NDArray[np.bool_],
    published: MetricScores | None,
    statistics: Mapping[str, MetricRows],
) -> MetricScores:
    assert score.segments is not None  # noqa: S101 - checked by the caller
    if score.segments.shape[1] != len(chosen):
        raise InputError(
            f"{score.metric}: found scores of {counted(score.segments.shape[1], 'segment')}, "
            f"expected {len(chosen)} (labels)"
        )
    segments = score.segments[:, chosen]
    values = _means(segments)
    if score.metric in statistics:
        rows = statistics[score.metric]
        values = np.asarray(rows.metric.score(rows.rows[:, chosen].sum(axis=1)))
    elif published is not None:
        own = dict(zip(published.systems, published.values.tolist(), strict=True))
        values = np.array([own.get(name, np.nan) for name in score.systems])
    return replace(score, values=values, segments=segments)


def _means(segments: Floats) -> Floats:
    """Of what is there in each row; NaN where nothing is."""
    known = ~np.isnan(segments)
    counts = known.sum(axis=1)
    sums = np.where(known, segments, 0.0).sum(axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def system_slices(rated: RatedSet, kinds: Mapping[str, str]) -> tuple[RatedSet, ...]:
    """A set for each kind of systems; systems without one are left out, and that is stated."""
    judgments = rated.judgments
    missing = [name for name in judgments.systems if name not in kinds]
    exclusions = judgments.exclusions
    if missing:
        exclusions += (
            Exclusion(reason="systems without a kind", count=len(missing), example=missing[0]),
        )
    slices = []
    for kind in dict.fromkeys(kinds[name] for name in judgments.systems if name in kinds):
        rows = [row for row, name in enumerate(judgments.systems) if kinds.get(name) == kind]
        if judgments.comparisons is not None:
            raise InputError(
                f"{judgments.name} {judgments.criterion}: found rankings, expected ratings, for "
                "those of some systems cannot be told from a ranking of all"
            )
        slices.append(
            replace(
                rated,
                judgments=replace(
                    judgments,
                    name=f"{judgments.name} {kind}".strip(),
                    systems=tuple(judgments.systems[row] for row in rows),
                    values=judgments.values[rows],
                    segments=None if judgments.segments is None else judgments.segments[rows],
                    omitted=(
                        *judgments.omitted,
                        *(name for name in judgments.systems if kinds.get(name) != kind),
                    ),
                    exclusions=exclusions,
                ),
            )
        )
    return tuple(slices)
