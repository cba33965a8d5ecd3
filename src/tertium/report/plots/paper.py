"""Figures for papers as SVG with real text: forest plot, possible ranks, distribution.

They are drawn from the same geometry as the pages of reports (`tertium.report.html.charts`), at
the width of one or two columns of a paper, in points, so that text keeps its size when the
figure is included without scaling. No plotting library is needed; Chromium makes PDF and PNG of
them. Colors are the light ones of the tokens, and every color is repeated by a shape.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, TypeAlias

from tertium.choices import FIT_INCHES
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.plurals import counted
from tertium.report.html.charts import (
    SHAPES,
    ForestPlot,
    Lean,
    RankPlot,
    Whisker,
    distribution,
    middle_cut,
)
from tertium.report.html.verdict import ranks_of_study, study_forest
from tertium.report.html.wording import without_folders
from tertium.results import titles
from tertium.study.results import Study

COLUMN: Final = FIT_INCHES["column"]
PAGE: Final = FIT_INCHES["page"]
POINTS: Final = 72
_FONT: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_GLYPH: Final = 0.52
"""Width of a letter in sizes of the font, on the average; names leave room for more."""


Strip: TypeAlias = tuple[float, float]
"""Where a picture begins, from the left, and its width."""


@dataclass(slots=True)
class PaperDrawing:
    """A figure while it is drawn: size in points, and its elements from the back to the front."""

    width: float
    size: float
    height: float = 0.0
    parts: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: str = "start",
        color: str = "ink",
        bold: bool = False,
        small: bool = False,
    ) -> None:
        """Words on a base line."""
        size = f' font-size="{self.size - 1:g}"' if small else ""
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(
            f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}" fill="{token(color)}"'
            f"{size}{weight}>{escape(words)}</text>"
        )

    def line(  # noqa: PLR0917
        self, x1: float, y1: float, x2: float, y2: float, color: str, width: float = 0.5
    ) -> None:
        """A straight line."""
        self.parts.append(
            f'<line x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}" '
            f'stroke="{token(color)}" stroke-width="{width:g}"/>'
        )

    def box(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """A filled rectangle."""
        self.parts.append(
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" '
            f'fill="{token(color)}"/>'
        )

    def path(self, x: float, y: float, shape: str, color: str, scale: float = 0.55) -> None:
        """A mark around a point."""
        self.parts.append(
            f'<path transform="translate({x:.2f} {y:.2f}) scale({scale:g})" d="{_PATHS[shape]}" '
            f'fill="{token(color)}"/>'
        )

    def svg(self) -> str:
        """The figure as a file of its own."""
        inside = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:g}pt" '
            f'height="{self.height:g}pt" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'font-family="{_FONT}" font-size="{self.size:g}">\n{inside}\n</svg>\n'
        )


_PATHS: Final = {
    "circle": "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z",
    "square": "M-4.2-4.2H4.2V4.2H-4.2Z",
    "diamond": "M0-5.6 5.6 0 0 5.6-5.6 0Z",
    "triangle": "M0-5.4 5 4-5 4Z",
    "wedge": "M0 5.4 5-4-5-4Z",
    "cross": "M-1.8-5.4h3.6v3.6h3.6v3.6h-3.6v3.6h-3.6v-3.6h-3.6v-3.6h3.6Z",
    "saltire": "M0-2.5 3.3-5.8 5.8-3.3 2.5 0 5.8 3.3 3.3 5.8 0 2.5-3.3 5.8-5.8 3.3-2.5 0-5.8-3.3"
    "-3.3-5.8Z",
    "ahead": "M-4-5.4 6 0-4 5.4Z",
    "behind": "M4-5.4-6 0 4 5.4Z",
}
_SHORT: Final = 10
"""Letters of a name that has room above the plot."""
_GAP: Final = 12.0
"""Points between two columns."""
_COLORS: Final[dict[Lean, str]] = {
    "ahead": "ahead-mark",
    "behind": "behind-mark",
    "unsure": "unsure-mark",
    "ink": "ink",
}


@cache
def _tokens() -> dict[str, str]:
    css = (Path(__file__).parents[1] / "html" / "assets" / "tokens.css").read_text(encoding="utf-8")
    return dict(re.findall(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}),", css))


def token(name: str) -> str:
    """A color of the tokens on white.

    >>> token("ahead-mark")
    '#00866a'
    """
    return _tokens()[name]


def forest_figure(
    study: Study, pair: Sequence[str] | None = None, *, inches: float = PAGE, title: bool = False
) -> str:
    """How far the second of two systems is ahead, in units of the smallest detectable difference.

    ``pair`` are the baseline and the system, by default the first two.
    """
    baseline, system = _pair(study, pair)
    plot = study_forest(study, baseline, system)
    return _forest(plot, inches, f"{plot.system} beside {plot.baseline}" if title else "")


def _forest(plot: ForestPlot, inches: float, title: str) -> str:
    wide, size = inches > (COLUMN + PAGE) / 2, _size(inches)
    made = PaperDrawing(width=inches * POINTS, size=size)
    names = [row.effect.title for row in plot.rows]
    left = _room(names, size, made.width * 0.3)
    # From the right: how far raters agreed, where there is room, the interval, the difference.
    agreed = made.width if wide else made.width + _GAP
    ends = agreed - (_GAP + _text_width("people agree", size - 1) if wide else _GAP)
    intervals = [row.effect.interval_text for row in plot.rows]
    delta = ends - _GAP - max(_text_width(one, size - 1) for one in ["95 % interval", *intervals])
    widest = max((_text_width(row.effect.delta_text, size) for row in plot.rows), default=0.0)
    start, width = left + 6, delta - widest - _GAP - left - 6
    y = _titled(made, title) + size + 2
    system = f"{plot.system} " if len(plot.system) <= _SHORT else ""
    made.text(start, y, f"◂ {system}behind", color="ink-3", small=True)
    made.text(start + width / 2, y, "0", anchor="middle", color="ink-3", small=True)
    made.text(start + width, y, "ahead ▸", anchor="end", color="ink-3", small=True)
    for x, words in ((delta, "Δ"), (ends, "95 % interval"), (agreed, "people agree")):
        if x <= made.width:
            made.text(x, y, words, anchor="end", color="ink-3", small=True)
    top, step = y + 4, size * 1.9
    band_start, band_width = plot.band
    made.box(
        start + width * band_start / 100,
        top,
        width * band_width / 100,
        step * len(plot.rows),
        "unsure-soft",
    )
    middle = start + width / 2
    made.line(middle, top, middle, top + step * len(plot.rows), "ink-3")
    for number, row in enumerate(plot.rows):
        effect, center = row.effect, top + step * (number + 0.5)
        made.line(0, top + step * number, made.width, top + step * number, "line", 0.4)
        base = center + size * 0.35
        label = f"{effect.title} ↓" if effect.lower_is_better else effect.title
        made.text(0, base, _cut(label, size, left), bold=effect.people)
        if row.whisker is None:
            made.text(start, base, effect.words, color="ink-3", small=True)
        else:
            _whisker(made, row.whisker, (start, width), center)
        made.text(
            delta,
            base,
            effect.delta_text,
            anchor="end",
            color={"ahead": "ahead", "behind": "behind"}.get(effect.lean, "ink"),
            bold=effect.lean in {"ahead", "behind"},
        )
        made.text(ends, base, effect.interval_text, anchor="end", color="ink-2", small=True)
        if wide:
            agree = effect.agree_text if effect.agree is None else f"{100 * effect.agree:.0f} %"
            made.text(agreed, base, agree, anchor="end", color="ink-2", small=True)
    made.height = round(top + step * len(plot.rows) + 2, 2)
    return made.svg()


def ranks_figure(study: Study, *, inches: float = PAGE, title: bool = False) -> str:
    """Which ranks each system may have by each metric, and by people where they rated."""
    if len(study.names) < 3:
        raise OptionError(
            f"ranks: found {counted(len(study.names), 'system')}, expected three or more "
            "(forest shows two)"
        )
    return _ranks(ranks_of_study(study), inches, "Possible ranks" if title else "")


def _ranks(plot: RankPlot, inches: float, title: str) -> str:
    made = PaperDrawing(width=inches * POINTS, size=_size(inches))
    size = made.size
    left = _room([row.name for row in plot.rows], size, made.width * 0.28) + 14
    room, x = made.width - 4 - left - _GAP * len(plot.panels), left + _GAP
    strips: list[Strip] = []
    for share in plot.widths:
        strips.append((x, room * share / 100))
        x += room * share / 100 + _GAP
    top = _rank_heads(made, plot, strips, _titled(made, title) + size + 2)
    lanes = max(len(panel.lanes) for panel in plot.panels)
    step = max(size * (1.2 if plot.tight else 1.6), 3.4 * lanes)
    for number, row in enumerate(plot.rows):
        upper = top + step * number
        if row.tier % 2 == 0:
            made.box(0, upper, made.width, step, "bg")
        for start, width in strips:
            for _, place in plot.ticks:
                spot = start + width * place / 100
                made.line(spot, upper, spot, upper + step, "hair", 0.4)
        base = upper + step / 2 + size * 0.35
        if row.starts_tier or number == 0:
            made.line(0, upper, made.width, upper, "ink-3", 0.5)
            made.text(0, base, str(row.tier), color="ink-3", small=True)
        made.text(14, base, _cut(row.name, size, left - 14))
        for strip, cells in zip(strips, row.cells, strict=True):
            for lane, cell in enumerate(cells):
                if cell is not None:
                    y = upper + step * (lane + 0.5) / len(cells)
                    _whisker(made, cell, strip, y, 0.42 if len(cells) > 1 else 0.55)
    made.height = round(top + step * len(plot.rows) + 2, 2)
    return made.svg()


def _rank_heads(made: PaperDrawing, plot: RankPlot, strips: Sequence[Strip], y: float) -> float:
    """The title of each panel, its metrics and ticks; where the rows begin."""
    line = made.size + 1
    for (x, width), panel in zip(strips, plot.panels, strict=True):
        made.text(x, y, _cut(panel.title, made.size, width), bold=True)
        for number, lane in enumerate(panel.lanes):
            base = y + (number + 1) * line
            agreed = "" if lane.agreement is None else f" {100 * lane.agreement:.0f} %"
            indent = 0 if panel.people else 9
            if not panel.people:
                shape = SHAPES[number % len(SHAPES)]
                made.path(x + 3, base - made.size * 0.3, shape, "unsure-mark", 0.5)
            label = _cut(f"{lane.title}{agreed}", made.size, width - indent)
            made.text(x + indent, base, label, color="ink-2", small=True)
    y += (max(len(panel.lanes) for panel in plot.panels) + 1) * line
    for start, width in strips:
        for tick, place in plot.ticks:
            x = start + width * place / 100
            made.text(x, y, str(tick), anchor="middle", color="ink-3", small=True)
    return y + 3


def differences_figure(
    study: Study,
    metric: Metric,
    pair: Sequence[str] | None = None,
    *,
    inches: float = PAGE,
    title: bool = False,
) -> str:
    """By how much the second of two systems is ahead, segment by segment."""
    baseline, system = _pair(study, pair)
    scores = study.segments_of(metric)
    sign = 1 if metric.higher_is_better else -1
    found = distribution((sign * (scores[system] - scores[baseline])).tolist())
    name = without_folders(titles(study.metrics)[study.metrics.index(metric)])
    size = _size(inches)
    made = PaperDrawing(width=inches * POINTS, size=size)
    heading = f"{name}: {study.names[system]} beside {study.names[baseline]}" if title else ""
    y = _titled(made, heading) + size + 2
    made.text(0, y, f"◂ worse {100 * found.worse:.0f} %", color="behind")
    made.text(
        made.width / 2, y, f"equal {100 * found.equal:.0f} %", anchor="middle", color="unsure"
    )
    made.text(made.width, y, f"better {100 * found.better:.0f} % ▸", anchor="end", color="ahead")
    top, tall = y + 5, 0.28 * made.width if inches <= (COLUMN + PAGE) / 2 else 0.2 * made.width
    for bar in found.bars:
        height = tall * bar.height / 100
        made.box(
            made.width * bar.x / 100,
            top + tall - height,
            made.width * bar.width / 100,
            height,
            _COLORS[bar.lean],
        )
    made.line(0, top + tall, made.width, top + tall, "ink-3")
    spot = made.width * found.median / 100
    made.line(spot, top + tall - 5, spot, top + tall, "ink", 1.2)
    base = top + tall + size + 2
    decimals = 1 + metric.finer
    made.text(0, base, f"−{found.limit:.{decimals}f} or less", color="ink-3", small=True)
    made.text(
        made.width / 2, base, f"Δ {name} of a segment", anchor="middle", color="ink-3", small=True
    )
    made.text(
        made.width,
        base,
        f"+{found.limit:.{decimals}f} or more",
        anchor="end",
        color="ink-3",
        small=True,
    )
    made.height = round(base + 3, 2)
    return made.svg()


def _pair(study: Study, pair: Sequence[str] | None) -> tuple[int, int]:
    if len(study.names) < 2:
        raise OptionError(f"found the system {study.names[0]} alone, expected two to compare")
    for name in pair or ():
        if name not in study.names:
            raise OptionError(f"system: found '{name}', expected one of {', '.join(study.names)}")
    first, second = pair or study.names[:2]
    return study.names.index(first), study.names.index(second)


def _titled(made: PaperDrawing, title: str) -> float:
    if not title:
        return 0.0
    made.text(0, made.size + 2, title, bold=True)
    return made.size + 6


def _room(names: Sequence[str], size: float, most: float) -> float:
    longest = max((len(name) for name in names), default=0)
    return min(most, _GLYPH * size * longest + 8)


def _text_width(words: str, size: float) -> float:
    return 0.56 * size * len(words)


def _cut(name: str, size: float, width: float) -> str:
    return middle_cut(name, max(6, int(width / (_GLYPH * size))))


def _whisker(made: PaperDrawing, one: Whisker, strip: Strip, y: float, scale: float = 0.55) -> None:
    color, (start, width) = _COLORS[one.lean], strip
    first, last = start + width * one.start / 100, start + width * one.end / 100
    if first != last:
        made.line(first, y, last, y, color, 1.1)
    for there, x, way in ((one.open_start, first, 1), (one.open_end, last, -1)):
        if there:
            made.line(x + 3 * way, y - 3, x, y, color, 1.0)
            made.line(x, y, x + 3 * way, y + 3, color, 1.0)
    made.path(start + width * one.mark / 100, y, one.shape, color, scale)


def _size(inches: float) -> float:
    """Points of the letters."""
    return 8.0 if inches > (COLUMN + PAGE) / 2 else 7.0
