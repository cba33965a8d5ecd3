"""What all plots have in common: colours that mean the same everywhere, axes, escaping."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from tertium.errors import MissingExtraError
from tertium.installation import install_hint
from tertium.plain import Plain

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

WIDTH: Final = 720
HEIGHT: Final = 460

PALETTE: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
"""Okabe and Ito (2008), told apart by colour-blind readers; without yellow and black, of which
one vanishes on a light page and the other on a dark one."""
SYMBOLS: Final = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "x")
DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The colours that are not data. Backgrounds are left to the page."""

    text: str
    grid: str
    font: str = "system-ui, 'Helvetica Neue', Arial, sans-serif"


LIGHT: Final = Theme(text="#1F2328", grid="#D8DEE4")
NEUTRAL: Final = Theme(text="#767B82", grid="rgba(128,132,138,0.3)")
"""Readable on a light and on a dark page, for images that cannot know where they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How one system, metric or criterion looks; never by colour alone."""

    colour: str
    symbol: str
    dash: str


def styles_of(names: Sequence[str]) -> dict[str, Style]:
    """A style for every name, by its place in the list.

    Make it once from all the names of a report and hand it to every plot: whoever is shown
    in several plots then looks the same in all of them.

    >>> styles_of(["online-A", "online-B"])["online-B"].colour
    '#D55E00'
    """
    # Symbols move on by one more each time the colours are used up: 49 pairs before a repeat.
    return {
        name: Style(
            colour=PALETTE[place % len(PALETTE)],
            symbol=SYMBOLS[(place + place // len(PALETTE)) % len(SYMBOLS)],
            dash=DASHES[(place + place // len(PALETTE)) % len(DASHES)],
        )
        for place, name in enumerate(dict.fromkeys(names))
    }


def style_in(styles: Mapping[str, Style] | None, names: Sequence[str]) -> dict[str, Style]:
    """The styles given; names that have none get one of their own."""
    return {**styles_of(names), **(styles or {})}


def plain(text: str) -> str:
    """Text that Plotly shows as it is: it would take ``<b>`` in a system's name for markup.

    >>> plain("<b>R&D")
    '&lt;b&gt;R&amp;D'
    """
    return escape(text, quote=False)


def plotly() -> ModuleType:
    """The module that makes figures, or an error that says how to get it."""
    try:
        import plotly.graph_objects as module
    except ImportError:
        raise MissingExtraError(
            f"plot: package 'plotly' is not installed; {install_hint('plots')}"
        ) from None
    return module  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing(Plain):
    """A plot as plain dictionaries, which a page can take as they are.

    Plotly's own objects check every entry, which takes longer than to compute what is drawn.
    """

    PLAIN = "data=traces layout"

    traces: tuple[dict[str, Any], ...]
    layout: dict[str, Any]

    def figure(self) -> "Figure":
        """A Plotly figure; ids count up, so output is the same each time."""
        made = plotly().Figure(
            data=[{**trace, "uid": f"trace{k}"} for k, trace in enumerate(self.traces)],
            layout=self.layout,
        )
        made.layout.template = None
        return made


def layout_of(
    *,
    title: str,
    x_title: str,
    y_title: str,
    theme: Theme,
    legend: bool = False,
    height: int = HEIGHT,
    x: Mapping[str, Any] | None = None,
    y: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The house style; ``x`` and ``y`` are what is special about the axes."""
    axis = {
        "gridcolor": theme.grid,
        "linecolor": theme.grid,
        "zeroline": False,
        "showline": True,
        "automargin": True,
    }
    return {
        "title": {"text": plain(title), "font": {"size": 15}, "x": 0.02, "xanchor": "left"},
        "font": {"family": theme.font, "size": 12, "color": theme.text},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "width": WIDTH,
        "height": height,
        "margin": {"l": 70, "r": 30, "t": 50, "b": 90 if legend else 60},
        "showlegend": legend,
        "legend": {"orientation": "h", "y": -0.2, "x": 0, "yanchor": "top"},
        "hoverlabel": {"font": {"family": theme.font}},
        "xaxis": {**axis, "title": {"text": plain(x_title)}, **(x or {})},
        "yaxis": {**axis, "title": {"text": plain(y_title), "standoff": 12}, **(y or {})},
    }


def figure_of(
    traces: Sequence[Any],
    *,
    title: str,
    x_title: str,
    y_title: str,
    theme: Theme,
    legend: bool = False,
    height: int = HEIGHT,
) -> "Figure":
    """The traces in a figure of the house style."""
    for number, trace in enumerate(traces):
        trace.uid = f"trace{number}"
    layout = layout_of(
        title=title, x_title=x_title, y_title=y_title, theme=theme, legend=legend, height=height
    )
    figure = plotly().Figure(data=list(traces), layout=layout)
    figure.layout.template = None
    return figure


SHOWN_NAME: Final = 22
"""Letters of a system's name that stand beside a plot; the whole name is a touch away."""


def shortened(names: Sequence[str], most: int = SHOWN_NAME) -> list[str]:
    """Names that leave room for a plot: the middle of a long one is left out, none become equal.

    >>> shortened(["online-B", "transformer-big-averaged-epoch-12", "transformer-big-epoch-12"])
    ['online-B', 'transformer…d-epoch-12', 'transformer…g-epoch-12']
    """
    short = [_shortened(name, most) for name in names]
    longest = max(map(len, names), default=0)
    distinct = len(set(short)) == len(set(names))
    return short if distinct or most >= longest else shortened(names, most + 4)


def _shortened(name: str, most: int) -> str:
    half = most // 2
    return name if len(name) <= most else f"{name[:half]}…{name[-(most - half - 1) :]}"
