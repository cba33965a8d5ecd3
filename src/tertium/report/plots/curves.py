"""Lines with marks: oracle scores against the size of an n-best list, and the like."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.report.plots.style import (
    NEUTRAL,
    Style,
    Theme,
    figure_of,
    plain,
    plotly,
    style_in,
)

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A named row of points; ``low`` and ``high`` are the borders of a band around it."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None

    def __post_init__(self) -> None:
        for kind in ("y", "low", "high"):
            values: Sequence[float] | None = getattr(self, kind)
            if values is not None and len(values) != len(self.x):
                raise InputError(
                    f"line '{self.name}': found {counted(len(values), 'value')} of {kind}, "
                    f"expected {len(self.x)} (values of x)"
                )
        if (self.low is None) != (self.high is None):
            raise InputError(f"line '{self.name}': found half a band, expected low and high")


def curve(
    lines: Sequence[Line],
    *,
    title: str,
    x_title: str,
    y_title: str,
    logarithmic: bool = False,
    whole: bool = False,
    styles: Mapping[str, Style] | None = None,
    theme: Theme = NEUTRAL,
) -> "Figure":
    """One line per entry; ``logarithmic`` for x over decades, ``whole`` where x counts things."""
    chosen = style_in(styles, [line.name for line in lines])
    # Bands lie below all lines, or they would tint the lines of others.
    traces = [_band(line, chosen[line.name]) for line in lines if line.low is not None]
    traces += [_drawn(line, chosen[line.name]) for line in lines]
    figure = figure_of(
        traces,
        title=title,
        x_title=x_title,
        y_title=y_title,
        theme=theme,
        legend=len(lines) > 1,
    )
    ticks = sorted({float(value) for line in lines for value in line.x})
    if logarithmic:
        figure.update_xaxes(type="log", dtick=1)
    if (logarithmic or whole) and len(ticks) <= 20:
        texts = [f"{tick:g}" for tick in ticks]
        figure.update_xaxes(tickmode="array", tickvals=ticks, ticktext=texts)
    return figure


def _drawn(line: Line, style: Style) -> Any:
    return plotly().Scatter(
        x=list(line.x),
        y=list(line.y),
        name=plain(line.name),
        mode="lines+markers",
        line={"color": style.colour, "dash": style.dash, "width": 2},
        marker={"color": style.colour, "symbol": style.symbol, "size": 7},
        hovertemplate="%{x:g}: %{y:.4g}",
    )


def _band(line: Line, style: Style) -> Any:
    return plotly().Scatter(
        x=[*line.x, *reversed(line.x)],
        y=[*(line.high or ()), *reversed(line.low or ())],
        mode="lines",
        fill="toself",
        fillcolor=style.colour,
        opacity=0.18,
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
    )
