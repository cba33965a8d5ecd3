"""The geometry of charts, without any drawing: where marks lie, in percent of a row's width.

A chart row is a row of a table, and its picture an SVG without a viewBox whose x are percentages;
so it is as wide as its cell, whatever the screen. The macros in ``templates/components`` draw
what is computed here. In every picture left is behind and right is ahead.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, TypeAlias

import numpy as np

from tertium.decide.strength import STRENGTHS, Strength

Lean: TypeAlias = Literal["ahead", "behind", "unsure", "ink"]
"""What a mark says: significantly ahead or behind, neither, or nothing of the kind."""

SHAPES: Final = ("circle", "square", "diamond", "triangle", "cross", "wedge", "saltire")
"""One for each of the seven colors of systems, and for the metrics of a panel."""
MOST_UNITS: Final = 5.5
"""Detectable differences that a forest plot shows; what lies further out has an open end."""
_LEAST_UNITS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from one edge of a chart to the other; ``low`` is at the left, though it may be more.

    >>> Axis(0, 10).at(2.5), Axis(10, 0).at(2.5), Axis(0, 10).at(12), Axis(3, 3).at(3)
    (25.0, 75.0, 100.0, 50.0)
    """

    low: float
    high: float

    def at(self, value: float) -> float:
        """Where a value lies, in percent; what is off the axis lies at its end."""
        if self.low == self.high:
            return 50.0
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)

    def beyond(self, value: float) -> int:
        """−1 where a value lies left of the axis, 1 where it lies right of it, else 0."""
        if min(self.low, self.high) <= value <= max(self.low, self.high):
            return 0
        return 1 if (value > self.high) == (self.high >= self.low) else -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Whisker:
    """An interval with a mark in it, in percent; an end that is off the axis is open."""

    start: float
    end: float
    mark: float
    lean: Lean = "unsure"
    shape: str = "circle"
    open_start: bool = False
    open_end: bool = False
    title: str = ""


def whisker(
    axis: Axis,
    value: float,
    interval: tuple[float, float] | None = None,
    *,
    lean: Lean = "unsure",
    shape: str = "circle",
    title: str = "",
) -> Whisker:
    """A value and the interval around it on an axis; without one the mark stands alone.

    >>> whisker(Axis(0, 10), 5, (4, 12)).open_end
    True
    """
    ends = interval or (value, value)
    first, last = sorted(ends, reverse=axis.low > axis.high)
    return Whisker(
        start=axis.at(first),
        end=axis.at(last),
        mark=axis.at(value),
        lean=lean,
        shape=shape,
        open_start=axis.beyond(first) < 0,
        open_end=axis.beyond(last) > 0,
        title=title,
    )


def common_axis(
    values: Sequence[float], *, higher_is_better: bool = True, margin: float = 0.04
) -> Axis:
    """One axis for all intervals of a column, the better end at the right.

    >>> common_axis([10, 20], margin=0)
    Axis(low=10.0, high=20.0)
    >>> common_axis([10, 20], higher_is_better=False, margin=0)
    Axis(low=20.0, high=10.0)
    """
    finite = [float(value) for value in values if np.isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    room = margin * (high - low)
    low, high = low - room, high + room
    return Axis(low, high) if higher_is_better else Axis(high, low)


# Forest plot: rows of metrics in one unit, the smallest difference that the test set detects.


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One row of a forest plot before it is drawn.

    ``gain`` and its ends are ahead where positive, whatever the metric's own sign is;
    ``delta_text`` and ``interval_text`` have that sign. ``detectable`` is the unit, or None where
    nothing is known of it; then ``words`` stand in the place of the picture. ``agree`` is the
    share of comparable pairs on which raters agreed with such a difference.
    """

    title: str
    gain: float
    ends: tuple[float, float] | None
    delta_text: str
    interval_text: str = ""
    lean: Lean = "unsure"
    detectable: float | None = None
    agree: float | None = None
    agree_text: str = ""
    lower_is_better: bool = False
    people: bool = False
    group: str = ""
    words: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """An effect and where it is drawn; ``agree_width`` is from chance (0) to always (100)."""

    effect: Effect
    whisker: Whisker | None
    agree_width: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestPlot:
    """A forest plot of one system beside another; ``band`` is the start and width of ±1 unit."""

    system: str
    baseline: str
    rows: tuple[ForestRow, ...]
    band: tuple[float, float]

    @property
    def agreement(self) -> bool:
        """Whether raters' agreement with any such difference is known."""
        return any(row.agree_width is not None for row in self.rows)


_MARKS: Final[dict[Lean, str]] = {
    "ahead": "ahead",
    "behind": "behind",
    "unsure": "circle",
    "ink": "circle",
}


def forest(system: str, baseline: str, effects: Sequence[Effect]) -> ForestPlot:
    """Rows on one axis, as wide as they need and never wider than `MOST_UNITS`.

    People's ratings come first, then the largest effects, unless the effects have groups.
    """
    scaled = [_in_units(effect) for effect in effects]
    reach = [abs(value) for row in scaled if row for value in row]
    half = min(MOST_UNITS, max(_LEAST_UNITS, 1.08 * max(reach, default=0.0)))
    axis = Axis(-half, half)
    rows = [
        ForestRow(
            effect=effect,
            whisker=None
            if row is None
            else whisker(
                axis, row[0], (row[1], row[2]), lean=effect.lean, shape=_MARKS[effect.lean]
            ),
            agree_width=None
            if effect.agree is None
            else round(100 * max(0.0, min(1.0, 2 * effect.agree - 1)), 1),
        )
        for effect, row in zip(effects, scaled, strict=True)
    ]
    if not any(effect.group for effect in effects):
        rows.sort(key=_forest_order)
    start = axis.at(-1)
    return ForestPlot(
        system=system,
        baseline=baseline,
        rows=tuple(rows),
        band=(start, round(axis.at(1) - start, 2)),
    )


def _in_units(effect: Effect) -> tuple[float, float, float] | None:
    if not effect.detectable or not np.isfinite(effect.detectable):
        return None
    low, high = effect.ends or (effect.gain, effect.gain)
    return effect.gain / effect.detectable, low / effect.detectable, high / effect.detectable


def _forest_order(row: ForestRow) -> tuple[bool, float]:
    effect = row.effect
    size = effect.gain / effect.detectable if effect.detectable else 0.0
    return not effect.people, -size


# Rank plot: which ranks the tests leave open, one panel for each family of metrics.


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One metric of a panel: ranks by score, and the best and worst rank that tests leave open.

    ``agreement`` is the share of pairs that it orders as people do, where they rated. A system
    without a score has no rank (0).
    """

    title: str
    ranks: tuple[float, ...]
    ranges: tuple[tuple[float, float], ...]
    agreement: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The metrics of one family; of ``people`` there is one panel at most, and it comes first."""

    title: str
    lanes: tuple[Lane, ...]
    people: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """A system: its place in the list given, its tier, and in each panel a whisker per lane."""

    index: int
    name: str
    tier: int
    starts_tier: bool
    cells: tuple[tuple[Whisker | None, ...], ...]
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPlot:
    """Rows from the best to the worst; ``ticks`` are ranks and where they lie."""

    panels: tuple[Panel, ...]
    rows: tuple[RankRow, ...]
    ticks: tuple[tuple[int, float], ...]
    widths: tuple[float, ...]
    tight: bool


TIGHT_FROM: Final = 20
"""So many systems and more have rows of half the height."""


def rank_plot(
    names: Sequence[str],
    panels: Sequence[Panel],
    *,
    order: Sequence[int],
    tiers: Sequence[int],
    remarks: Sequence[str] = (),
) -> RankPlot:
    """Whiskers of every system in ``order``; colored where a metric contradicts people's range."""
    axis = Axis(1, max(2, len(names)))
    people = next((panel.lanes[0] for panel in panels if panel.people), None)
    weights = [max(1.0, 1 + 0.5 * (len(panel.lanes) - 1)) for panel in panels]
    rows = []
    before = None
    for index in order:
        rows.append(
            RankRow(
                index=index,
                name=names[index],
                tier=tiers[index],
                starts_tier=before is not None and tiers[index] != before,
                cells=tuple(_rank_cells(axis, panel, people, index) for panel in panels),
                remark=remarks[index] if remarks else "",
            )
        )
        before = tiers[index]
    return RankPlot(
        panels=tuple(panels),
        rows=tuple(rows),
        ticks=tuple((tick, axis.at(tick)) for tick in rank_ticks(len(names))),
        widths=tuple(round(100 * weight / sum(weights), 2) for weight in weights),
        tight=len(names) >= TIGHT_FROM,
    )


def _rank_cells(
    axis: Axis, panel: Panel, people: Lane | None, index: int
) -> tuple[Whisker | None, ...]:
    cells: list[Whisker | None] = []
    for number, lane in enumerate(panel.lanes):
        if not lane.ranks[index]:
            cells.append(None)
            continue
        first, last = lane.ranges[index]
        lean: Lean = "ink" if panel.people else "unsure"
        if people is not None and not panel.people and people.ranks[index]:
            best, worst = people.ranges[index]
            lean = "behind" if first > worst else "ahead" if last < best else "unsure"
        rank = f"{lane.ranks[index]:g}"
        title = f"{lane.title}: rank {rank}, possible {first:g}–{last:g}"
        shape = SHAPES[number % len(SHAPES)]
        mark = whisker(axis, lane.ranks[index], (first, last), lean=lean, shape=shape, title=title)
        cells.append(mark)
    return tuple(cells)


FEW_RANKS: Final = 6
"""So many ranks all have a tick."""


def rank_ticks(count: int) -> list[int]:
    """The first and last rank, and round ones between them that leave each other room.

    >>> rank_ticks(15), rank_ticks(3), rank_ticks(50)
    ([1, 5, 10, 15], [1, 2, 3], [1, 20, 40, 50])
    """
    if count <= FEW_RANKS:
        return list(range(1, count + 1))
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if count / step <= 3.5)
    between = [tick for tick in range(step, count, step) if tick > 1 and count - tick >= step / 2]
    return [1, *between, count] if count > 1 else [1]


# Distribution of segment differences, and scores over time.


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramBar:
    """A bar in percent of the width and of the height, and the differences that it counts."""

    x: float
    width: float
    height: float
    lean: Lean
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """Segments that are worse, equal and better, as shares and as a histogram of gains.

    The bars at both ends count all that lies further out, beyond ``limit``.
    """

    worse: float
    equal: float
    better: float
    bars: tuple[HistogramBar, ...]
    median: float
    limit: float
    segments: int


_BARS: Final = 21


def distribution(gains: Sequence[float], *, bars: int = _BARS, limit: float = 0.0) -> Distribution:
    """The histogram of gains, an odd number of bars, the middle one around zero.

    Unless a ``limit`` is given the ends are where the outermost hundredth begins.

    >>> found = distribution([-1, 0, 0, 2], bars=3, limit=3)
    >>> found.better, [bar.count for bar in found.bars]
    (0.25, [0, 3, 1])
    """
    values = np.asarray(gains, dtype=np.float64)
    values = values[np.isfinite(values)]
    if not len(values):
        return Distribution(
            worse=0.0, equal=0.0, better=0.0, bars=(), median=50.0, limit=1.0, segments=0
        )
    if not limit:
        limit = float(np.quantile(np.abs(values), 0.98)) or float(np.abs(values).max()) or 1.0
    edges = np.linspace(-limit, limit, bars + 1)
    counts = np.histogram(np.clip(values, -limit, limit), edges)[0]
    most = max(1, int(counts.max()))
    axis = Axis(-limit, limit)
    made = []
    for (low, high), count in zip(pairwise(edges.tolist()), counts.tolist(), strict=True):
        lean: Lean = "unsure" if low < 0 < high else "ahead" if low >= 0 else "behind"
        made.append(
            HistogramBar(
                x=axis.at(low),
                width=round(100 / bars - 0.6, 2),
                height=round(100 * count / most, 2),
                lean=lean,
                low=low,
                high=high,
                count=count,
            )
        )
    return Distribution(
        worse=float((values < 0).mean()),
        equal=float((values == 0).mean()),
        better=float((values > 0).mean()),
        bars=tuple(made),
        median=axis.at(float(np.median(values))),
        limit=limit,
        segments=len(values),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """Points of a line and of the ribbon around it, for an SVG of fixed size."""

    width: float
    height: float
    line: str
    ribbon: str
    last: tuple[float, float]


def trend(
    values: Sequence[float],
    ends: Sequence[tuple[float, float]] = (),
    *,
    higher_is_better: bool = True,
    width: float = 96,
    height: float = 40,
) -> Trend:
    """Scores over time from left to right, the better ones above."""
    axis = common_axis([*values, *(end for pair in ends for end in pair)], margin=0.1)
    up: Callable[[float], float] = axis.at if not higher_is_better else lambda y: 100 - axis.at(y)
    step = width / max(1, len(values) - 1)

    def points(heights: Sequence[float]) -> list[tuple[float, float]]:
        return [
            (round(k * step if len(values) > 1 else width, 1), round(up(y) * height / 100, 1))
            for k, y in enumerate(heights)
        ]

    def text(some: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{x:g},{y:g}" for x, y in some)

    line = points(values)
    outline = [
        *points([high for _, high in ends]),
        *reversed(points([low for low, _ in ends])),
    ]
    return Trend(
        width=width,
        height=height,
        line=text(line),
        ribbon=text(outline),
        last=line[-1] if line else (0.0, 0.0),
    )


# Evidence, chips and scores as components take them.


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """The strength of evidence: a word, as many boxes, and what it is about."""

    strength: Strength
    label: str = ""
    note: str = ""

    @property
    def boxes(self) -> int:
        """How many of the three boxes are full."""
        return STRENGTHS.index(self.strength)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A finding in a few words, a link unless ``href`` is None."""

    weight: Literal["serious", "warn", "info", "ok"]
    text: str
    href: str | None = ""
    tip: str = ""

    @property
    def sign(self) -> str:
        """The weight as a sign, for those who see no colors."""
        return {"serious": "!", "warn": "!", "info": "i", "ok": "✓"}[self.weight]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCell:
    """A score with its interval on the axis of its column; or why there is none."""

    text: str
    whisker: Whisker | None = None
    value: float | None = None
    best: bool = False
    missing: str = ""
    tip: str = ""


def middle_cut(name: str, most: int = 24) -> str:
    """A name that leaves its middle out where it is long, as ends tell names apart.

    >>> middle_cut("Samsung_Research_Philippines", 16)
    'Samsung_…ippines'
    """
    half = most // 2
    return name if len(name) <= most else f"{name[:half]}…{name[-(most - half - 1) :]}"
