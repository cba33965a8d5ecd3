"""Plots of agreement between metrics and people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium.errors import InputError
from tertium.inference.p_values import p_value_text
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.plurals import counted
from tertium.report.plots.curves import Line, curve
from tertium.report.plots.style import (
    HEIGHT,
    NEUTRAL,
    WIDTH,
    Drawing,
    Style,
    Theme,
    figure_of,
    layout_of,
    plain,
    plotly,
    style_in,
)

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


# Names beside points, placed so that they cover neither each other nor the points.

_LETTER: Final = 6.2
"""Width of a letter in pixels, about, at the size of labels."""
_LINE: Final = 13.0
_GAP: Final = 7.0

# Plotly's names of the places around a point: what share of the text lies left of it, and
# how many lines above or below.
_PLACES: Final = {
    "middle right": (0.0, 0.0),
    "middle left": (1.0, 0.0),
    "top center": (0.5, 1.0),
    "bottom center": (0.5, -1.0),
    "top right": (0.0, 1.0),
    "bottom right": (0.0, -1.0),
    "top left": (1.0, 1.0),
    "bottom left": (1.0, -1.0),
}


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    right: float
    bottom: float
    top: float

    def overlap(self, other: "Box") -> float:
        """The area shared by both."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(0.0, wide) * max(0.0, high)


def placed(
    names: Sequence[str],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    *,
    width: float,
    height: float,
) -> list[str]:
    """Where each name stands, as Plotly's ``textposition``; points fill width × height pixels."""
    across, up = _pixels(x, width), _pixels(y, height)
    marks = [Box(a - 5, a + 5, b - 5, b + 5) for a, b in zip(across, up, strict=True)]
    frame = Box(-0.08 * width, 1.08 * width, -0.08 * height, 1.08 * height)
    chosen: dict[int, str] = {}
    taken: list[Box] = []
    # From the top down: neighbours are decided one after the other.
    for number in sorted(range(len(names)), key=lambda i: (-up[i], across[i])):
        options = list(_boxes(len(names[number]), across[number], up[number]))
        costs = [
            sum(box.overlap(other) for other in taken)
            + sum(box.overlap(mark) for mark in marks)
            + 10 * ((box.right - box.left) * _LINE - box.overlap(frame))
            for _, box in options
        ]
        # Places that cost the same do so on every machine, whatever its last digits are.
        place, box = options[int(np.argmin(np.round(costs, 6)))]
        chosen[number] = place
        taken.append(box)
    return [chosen[number] for number in range(len(names))]


def _pixels(values: NDArray[np.float64], size: float) -> list[float]:
    spread = float(np.ptp(values)) if len(values) else 0.0
    if spread == 0:
        return [size / 2] * len(values)
    scaled: list[float] = ((values - values.min()) / spread * size).tolist()
    return scaled


def _boxes(letters: int, x: float, y: float) -> Iterator[tuple[str, Box]]:
    wide = letters * _LETTER
    for place, (share, line) in _PLACES.items():
        gap = _GAP * (1 - 2 * share)
        left = x - share * wide + gap
        middle = y + line * (_LINE / 2 + _GAP)
        yield place, Box(left, left + wide, middle - _LINE / 2, middle + _LINE / 2)


DIVERGING: Final = ((0.0, "#B2182B"), (0.5, "#F7F7F7"), (1.0, "#2166AC"))
"""Red for disagreement, blue for agreement, white for none (told apart by colour-blind readers)."""

MOST_LETTERS: Final = 60
"""Names of columns that still fit side by side."""
MOST_TEXTS: Final = 20
"""Metrics whose p-values can be read inside cells."""


def rated_points(
    names: Sequence[str],
    ratings: ArrayLike,
    scores: ArrayLike,
    *,
    metric: str,
    criterion: str,
    title: str = "",
    styles: Mapping[str, Style] | None = None,
    theme: Theme = NEUTRAL,
) -> Drawing:
    """Every system at (rating, score) with its name, and the least-squares line through them.

    Systems without a rating or a score (NaN) are left out, and the title says how many of each.
    """
    human, machine = np.asarray(ratings, dtype=float), np.asarray(scores, dtype=float)
    if not len(names) == len(human) == len(machine):
        raise InputError(
            f"scatter: found {counted(len(names), 'name')}, {counted(len(human), 'rating')} and "
            f"{counted(len(machine), 'score')}, "
            "expected as many of each"
        )
    known = np.flatnonzero(np.isfinite(human) & np.isfinite(machine))
    chosen = style_in(styles, names)
    shown = [names[i] for i in known.tolist()]
    x, y = human[known], machine[known]
    traces: list[dict[str, Any]] = []
    heading = title or f"{metric} against {criterion}"
    if len(known) > 2 and np.ptp(x) > 0 and np.ptp(y) > 0:
        slope, offset = np.polyfit(x, y, 1)
        ends = np.array([x.min(), x.max()])
        traces.append(
            {
                "type": "scatter",
                "x": ends.tolist(),
                "y": (slope * ends + offset).tolist(),
                "mode": "lines",
                "line": {"color": theme.text, "dash": "dot", "width": 1.5},
                "hoverinfo": "skip",
            }
        )
        heading += f" (r = {np.corrcoef(x, y)[0, 1]:.3f})"
    unrated, unscored = ~np.isfinite(human), np.isfinite(human) & ~np.isfinite(machine)
    for missing, word in ((unrated, "not rated"), (unscored, "without a score")):
        if missing.any():
            heading += f", {np.count_nonzero(missing)} {word}"
    styled = [chosen[name] for name in shown]
    traces.append(
        {
            "type": "scatter",
            "x": x.tolist(),
            "y": y.tolist(),
            "mode": "markers+text",
            "text": [plain(name) for name in shown],
            "textposition": placed(shown, x, y, width=0.8 * WIDTH, height=0.65 * HEIGHT),
            "textfont": {"size": 10, "color": theme.text},
            "marker": {
                "color": [one.colour for one in styled],
                "symbol": [one.symbol for one in styled],
                "size": 9,
            },
            "cliponaxis": False,
            "hovertemplate": "%{text}<br>%{x:.4g}, %{y:.4g}<extra></extra>",
        }
    )
    layout = layout_of(
        title=heading,
        x_title=f"rating: {criterion}",
        y_title=metric,
        theme=theme,
        x=_roomy(x),
        y=_roomy(y),
    )
    return Drawing(traces=tuple(traces), layout=layout)


def _roomy(values: NDArray[np.float64]) -> dict[str, Any]:
    """An axis with room for names beside the outermost points."""
    if len(values) < 2:
        return {}
    room = 0.1 * float(np.ptp(values))
    return {"range": [float(values.min()) - room, float(values.max()) + room]}


def judged_points(
    judgments: Judgments,
    scores: MetricScores,
    *,
    styles: Mapping[str, Style] | None = None,
    theme: Theme = NEUTRAL,
) -> Drawing:
    """`rated_points` of all systems that have a rating or a score."""
    ratings = dict(zip(judgments.systems, judgments.values.tolist(), strict=True))
    values = dict(zip(scores.systems, scores.values.tolist(), strict=True))
    names = tuple(dict.fromkeys((*judgments.systems, *scores.systems)))
    return rated_points(
        names,
        [ratings.get(name, np.nan) for name in names],
        [values.get(name, np.nan) for name in names],
        metric=scores.metric,
        criterion=judgments.criterion,
        title=f"{judgments.name}: {scores.metric} against {judgments.criterion}",
        styles=styles,
        theme=theme,
    )


def prediction_error(
    orders: Sequence[int],
    errors: Mapping[str, Sequence[float]],
    *,
    title: str = "Prediction error by n-gram order",
    styles: Mapping[str, Style] | None = None,
    theme: Theme = NEUTRAL,
) -> "Figure":
    """1 − R² in percent against n, a line per criterion (Papineni et al. 2002, figures 8 and 9)."""
    lines = [Line(name=name, x=orders, y=values) for name, values in errors.items()]
    figure = curve(
        lines,
        title=title,
        x_title="n",
        y_title="prediction error 1 − R² (%)",
        whole=True,
        styles=styles,
        theme=theme,
    )
    figure.update_yaxes(rangemode="tozero")
    return figure


def heat_map(
    metrics: Sequence[str],
    criteria: Sequence[str],
    values: ArrayLike,
    *,
    title: str = "Agreement by metric and criterion",
    theme: Theme = NEUTRAL,
) -> "Figure":
    """A cell for every metric (row) and criterion (column), from −1 to 1; NaN stays empty."""
    table = np.asarray(values, dtype=float)
    if table.shape != (len(metrics), len(criteria)):
        raise InputError(
            f"heat map: found values of shape {table.shape}, "
            f"expected {(len(metrics), len(criteria))} (metrics × criteria)"
        )
    filled = [[None if np.isnan(one) else one for one in row] for row in table.tolist()]
    texts = [["" if np.isnan(one) else _signed(one) for one in row] for row in table.tolist()]
    trace = plotly().Heatmap(
        z=filled,
        x=[plain(one) for one in criteria],
        y=[plain(one) for one in metrics],
        zmin=-1,
        zmax=1,
        colorscale=[list(stop) for stop in DIVERGING],
        text=texts,
        texttemplate="%{text}",
        xgap=2,
        ygap=2,
        colorbar={"thickness": 12, "outlinewidth": 0},
        hovertemplate="%{y}, %{x}: %{z:.3f}<extra></extra>",
    )
    height = max(260, 140 + 26 * len(metrics))
    figure = figure_of([trace], title=title, x_title="", y_title="", theme=theme, height=height)
    figure.update_xaxes(showgrid=False, showline=False, ticks="", type="category")
    if sum(map(len, criteria)) > MOST_LETTERS:  # else they would run into the colour bar
        figure.update_xaxes(tickangle=-40)
    figure.update_yaxes(
        showgrid=False, showline=False, ticks="", type="category", autorange="reversed"
    )
    return figure


P_VALUES: Final = (
    *((0.0, "#08519C"), (0.01, "#3182BD"), (0.05, "#9ECAE1")),
    *((0.0501, "#F0F0F0"), (0.5, "#FFFFFF"), (1.0, "#FFFFFF")),
)
"""Blue where the row is significantly better, darker the surer that is."""


def p_value_map(
    metrics: Sequence[str], p_values: ArrayLike, *, title: str, theme: Theme = NEUTRAL
) -> "Figure":
    """A cell for each pair of metrics, the best first: is the row better than the column?

    Only the upper half is shown, since the other is its complement.
    """
    table = np.asarray(p_values, dtype=float)
    size = len(metrics)
    if table.shape != (size, size):
        raise InputError(f"p-values: found shape {table.shape}, expected {(size, size)} (metrics)")
    shown = [
        [table[row, column] if column > row else None for column in range(size)]
        for row in range(size)
    ]
    texts = [["" if value is None else p_value_text(value) for value in row] for row in shown]
    names = [plain(one) for one in metrics]
    trace = plotly().Heatmap(
        z=shown,
        x=names,
        y=names,
        zmin=0,
        zmax=1,
        colorscale=[list(stop) for stop in P_VALUES],
        text=texts,
        texttemplate="%{text}" if size <= MOST_TEXTS else "",
        textfont={"size": 9},
        xgap=1,
        ygap=1,
        colorbar={"thickness": 12, "outlinewidth": 0, "title": {"text": "p"}},
        hovertemplate="%{y} over %{x}: p = %{z:.4f}<extra></extra>",
    )
    height = max(320, 180 + 24 * size)
    figure = figure_of([trace], title=title, x_title="", y_title="", theme=theme, height=height)
    figure.update_xaxes(showgrid=False, showline=False, ticks="", type="category", tickangle=-40)
    figure.update_yaxes(
        showgrid=False, showline=False, ticks="", type="category", autorange="reversed"
    )
    return figure


def agreement_by_systems(
    lines: Sequence[Line],
    *,
    statistic: str = "Pearson r",
    title: str = "Agreement by number of systems",
    styles: Mapping[str, Style] | None = None,
    theme: Theme = NEUTRAL,
) -> "Figure":
    """Agreement over random subsets of the systems: its mean and spread against their number."""
    return curve(
        lines,
        title=title,
        x_title="systems",
        y_title=statistic,
        whole=True,
        styles=styles,
        theme=theme,
    )


def _signed(value: float) -> str:
    """Two decimals, with a minus sign that is as wide as a plus.

    >>> _signed(-0.5)
    '−0.50'
    """
    return f"{value:.2f}".replace("-", "−")
