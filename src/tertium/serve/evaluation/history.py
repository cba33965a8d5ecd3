"""A system over time: the scores of all its outputs, and the plot of them."""

import math
from dataclasses import dataclass
from datetime import datetime

from tertium.results import titles
from tertium.serve.evaluation.corpora import Board, finite
from tertium.serve.evaluation.leaderboard import study_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The score of one output."""

    output: int
    number: int
    at: datetime
    value: float | None
    text: str
    low: float | None
    high: float | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One metric of one system over time."""

    spec: str
    title: str
    higher_is_better: bool
    points: tuple[Point, ...]


def history(board: Board) -> tuple[History, ...]:
    """The scores of all outputs of a board, metric by metric, in their order."""
    if board.scored is None:
        return ()
    study = study_of(board.scored)
    found = []
    for number, (metric, title) in enumerate(
        zip(study.metrics, titles(study.metrics), strict=True)
    ):
        points = []
        for output, system in zip(board.outputs, study.evaluation.systems, strict=True):
            score = system.scores[number]
            points.append(
                Point(
                    output=output.id,
                    number=output.number,
                    at=output.uploaded_at,
                    value=finite(score.value),
                    text=score.text,
                    low=None if score.interval is None else finite(score.interval.low),
                    high=None if score.interval is None else finite(score.interval.high),
                    note=output.note,
                )
            )
        found.append(
            History(
                spec=metric.spec,
                title=title,
                higher_is_better=metric.higher_is_better,
                points=tuple(points),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A point of a plot and its whisker, in the plot's own units."""

    x: float
    y: float
    top: float
    bottom: float
    point: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A history as a picture: a page draws it without any script."""

    width: int
    height: int
    marks: tuple[Mark, ...]
    line: str
    ticks: tuple[tuple[float, str], ...]
    """Heights and what stands beside them."""


def history_plot(one: History, *, width: int = 640, height: int = 240) -> Plot | None:
    """The picture of a history; none where there is nothing to see."""
    known = [point for point in one.points if point.value is not None]
    if not known:
        return None
    lows = [_end(point, point.low) for point in known]
    highs = [_end(point, point.high) for point in known]
    least, most = min(lows), max(highs)
    margin = (most - least) * 0.08 or 1.0
    least, most = least - margin, most + margin
    step = (width - _LEFT - _RIGHT) / max(1, len(known) - 1)

    def y(value: float) -> float:
        return round(_TOP + (most - value) / (most - least) * (height - _TOP - _BOTTOM), 1)

    marks = tuple(
        Mark(
            x=round(_LEFT + place * step, 1),
            y=y(_end(point, point.value)),
            top=y(high),
            bottom=y(low),
            point=point,
        )
        for place, (point, low, high) in enumerate(zip(known, lows, highs, strict=True))
    )
    return Plot(
        width=width,
        height=height,
        marks=marks,
        line=" ".join(f"{mark.x},{mark.y}" for mark in marks),
        ticks=tuple((y(value), f"{value:.{digits}f}") for value, digits in _ticks(least, most)),
    )


_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 20, 12, 28


def _end(point: Point, end: float | None) -> float:
    return end if end is not None else point.value or 0.0


def _ticks(least: float, most: float) -> list[tuple[float, int]]:
    """Round numbers between two, four or so, with the digits that they need."""
    size = 10.0 ** math.floor(math.log10((most - least) / 3))
    step = next(size * some for some in (1, 2, 5, 10) if (most - least) / (size * some) <= 5)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    first = math.ceil(least / step)
    return [(number * step, digits) for number in range(first, math.floor(most / step) + 1)]
