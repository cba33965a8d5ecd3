"""What lies below the scores, as rows of a table with a picture each: no script draws them.

- `segment_boxes`: how the segments of each system score, a box of quartiles
- `slice_rows`: who is ahead in which genre, document or length
- `length_rows`: how long outputs are beside their references
- `deletion_rows`: how much a system could leave out before its score falls

Marks lie in percent of the width, as everywhere (`charts`); the better end is at the right.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tertium.choices import Slicing
from tertium.metrics.contract.base import Metric
from tertium.report.html.charts import SHAPES, Axis, common_axis
from tertium.study.results import SliceScores, Study

DISTINCT: Final = 7
"""So many systems have a color each; of more, the two that the reader chose stand out."""
_BOX: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles of a box: its whiskers hold nine tenths of the segments."""

SLICINGS: Final[dict[Slicing, str]] = {
    "genre": "Genres",
    "document": "Documents",
    "length": "Length of the reference, in words",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentBox:
    """The segments of one system: where 5, 25, 50, 75 and 95 % of them lie."""

    system: int
    name: str
    places: tuple[float, ...]
    text: str
    middle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMark:
    """One system's score on a slice; ``color`` is 1 to 7, or 0 where systems are too many."""

    system: int
    place: float
    shape: str
    color: int
    tip: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRow:
    """All systems on one slice, and who scores best there."""

    label: str
    segments: int
    marks: tuple[SystemMark, ...]
    leader: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthRow:
    """One system's segments by the ratio of lengths: (place, width, height, tip) of each band."""

    system: int
    name: str
    bars: tuple[tuple[float, float, float, str], ...]
    ratio: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionRow:
    """The share of its words that a system could leave out: without loss, and unnoticed."""

    system: int
    name: str
    free: float
    tolerated: float
    free_text: str
    tolerated_text: str


def color_of(study: Study, system: int) -> int:
    """The number of a system's color, from 1 on; 0 where there are too many."""
    return system + 1 if len(study.systems) <= DISTINCT else 0


def shape_of(study: Study, system: int) -> str:
    """A system's shape, the same in every picture."""
    return SHAPES[system] if len(study.systems) <= DISTINCT else "circle"


def segment_boxes(study: Study, metric: Metric) -> tuple[tuple[SegmentBox, ...], tuple[str, str]]:
    """The systems as the metric ranks them, and the ends of the axis.

    A system without any score of a segment is left out.
    """
    found: list[tuple[int, list[float]]] = []
    segments = study.segments_of(metric)
    for system in study.ranking(metric):
        known = segments[system][np.isfinite(segments[system])]
        if len(known):
            found.append((system, np.quantile(known, _BOX).tolist()))
    ends = [value for _, values in found for value in values]
    axis = _axis(metric, ends)
    boxes = tuple(
        SegmentBox(
            system=system,
            name=study.names[system],
            places=tuple(axis.at(value) for value in values),
            text=metric.shown(values[2]),
            middle=f"{metric.shown(values[1])} … {metric.shown(values[3])}",
        )
        for system, values in found
    )
    return boxes, _ends(metric, ends)


def slice_rows(study: Study, metric: Metric, some: SliceScores) -> tuple[SliceRow, ...]:
    """One row for each slice, in the order of the corpus."""
    scores = some.scores[metric.spec]
    axis = _axis(metric, scores.ravel().tolist())
    order = study.ranking(metric)
    rows = []
    for index, label in enumerate(some.slices.labels):
        column = scores[:, index]
        known = [system for system in order if np.isfinite(column[system])]
        sign = 1 if metric.higher_is_better else -1
        best = max(known, key=lambda system: sign * column[system], default=None)
        rows.append(
            SliceRow(
                label=label,
                segments=int(some.slices.counts[index]),
                # The best are drawn last, over the others.
                marks=tuple(
                    SystemMark(
                        system=system,
                        place=axis.at(float(column[system])),
                        shape=shape_of(study, system),
                        color=color_of(study, system),
                        tip=f"{study.names[system]}: {metric.shown(float(column[system]))}",
                    )
                    for system in reversed(known)
                ),
                leader="" if best is None else study.names[best],
                text="–" if best is None else metric.shown(float(column[best])),
            )
        )
    return tuple(rows)


def length_rows(study: Study) -> tuple[tuple[str, ...], tuple[LengthRow, ...]]:
    """The labels of the bands, and a row for each system in the order given."""
    if study.comparison is None or study.comparison.lengths is None:
        return (), ()
    table = study.comparison.lengths
    labels = tuple(table.ratios.labels)
    width = 100 / max(1, len(labels))
    shares = [np.array(one.counts) / max(1, sum(one.counts)) for one in table.profiles]
    most = max((float(each.max()) for each in shares), default=1.0) or 1.0
    rows = [
        LengthRow(
            system=study.names.index(one.system),
            name=one.system,
            bars=tuple(
                (
                    round(place * width + 0.4, 2),
                    round(width - 0.8, 2),
                    round(100 * value / most, 2),
                    f"{label}: {value:.0%} of the segments",
                )
                for place, (label, value) in enumerate(zip(labels, each.tolist(), strict=True))
            ),
            ratio=f"{one.ratio:.2f}",
        )
        for one, each in zip(table.profiles, shares, strict=True)
    ]
    return labels, tuple(rows)


def deletion_rows(study: Study, metric: Metric) -> tuple[DeletionRow, ...]:
    """One row for each system; none where nothing may be left out under the metric."""
    curves = {one.system: one for one in study.deletions.get(metric.spec, ())}
    most = max((one.tolerated for one in curves.values()), default=0.0) or 1.0
    axis = Axis(0, most)
    return tuple(
        DeletionRow(
            system=system,
            name=study.names[system],
            free=axis.at(curves[study.names[system]].free),
            tolerated=axis.at(curves[study.names[system]].tolerated),
            free_text=f"{curves[study.names[system]].free:.1%}",
            tolerated_text=f"{curves[study.names[system]].tolerated:.1%}",
        )
        for system in study.ranking(metric)
        if study.names[system] in curves
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicedScores:
    """The rows of one slicing, and what stands at the ends of their axis."""

    by: Slicing
    title: str
    rows: tuple[SliceRow, ...]
    ends: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricBlock:
    """All rows of one metric."""

    title: str
    higher: bool
    boxes: tuple[SegmentBox, ...]
    box_ends: tuple[str, str]
    slices: tuple[SlicedScores, ...]
    deletions: tuple[DeletionRow, ...]


def metric_block(study: Study, metric: Metric, title: str) -> MetricBlock:
    """What the page shows of a metric below its scores."""
    boxes, box_ends = segment_boxes(study, metric)
    return MetricBlock(
        title=title,
        higher=metric.higher_is_better,
        boxes=boxes,
        box_ends=box_ends,
        slices=tuple(
            SlicedScores(
                by=some.by,
                title=SLICINGS[some.by],
                rows=slice_rows(study, metric, some),
                ends=_ends(metric, some.scores[metric.spec].ravel().tolist()),
            )
            for some in study.slices
        ),
        deletions=deletion_rows(study, metric),
    )


def _ends(metric: Metric, values: Sequence[float]) -> tuple[str, str]:
    """What stands at the left and the right end of an axis."""
    axis = _axis(metric, values)
    return metric.shown(axis.low), metric.shown(axis.high)


def _axis(metric: Metric, values: Sequence[float]) -> Axis:
    return common_axis(values, higher_is_better=metric.higher_is_better, margin=0.02)
