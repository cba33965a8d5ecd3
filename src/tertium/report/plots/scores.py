"""Plots of scores: with intervals, of single segments, of one system against another."""

from typing import Final

import numpy as np

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric, Scores
from tertium.report.evaluation.confidence import drawn_text
from tertium.report.plots.style import (
    LIGHT,
    Drawing,
    Theme,
    layout_of,
    plain,
    shortened,
    styles_of,
)
from tertium.report.plots.systems import axis_title, drawn_systems, list_axis
from tertium.study.results import Study

_BINS: Final = 60
_BOX: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles of a box: its whiskers hold nine tenths of the segments."""
_LINE: Final = 24
"""Pixels that a line of a list of systems takes."""
_AROUND: Final = 140


def intervals(study: Study, metric: Metric, *, theme: Theme = LIGHT) -> Drawing:
    """The score of every system with its confidence interval, in the order of the table."""
    place = [one.spec for one in study.metrics].index(metric.spec)
    scores = [one.scores[place] for one in study.evaluation.systems]
    styles, short = styles_of(study.names), shortened(study.names)
    order, digits = study.ranking(metric), f".{2 + metric.finer}f"
    traces = []
    for line, i in enumerate(order):  # lines are numbers: names might be equal
        interval, value = scores[i].interval, scores[i].value
        low, high = (interval.low, interval.high) if interval else (value, value)
        style = styles[study.names[i]]
        traces.append(
            {
                "type": "scatter",
                "x": [value],
                "y": [line],
                "error_x": {
                    "type": "data",
                    "symmetric": False,
                    "array": [max(0.0, high - value)],
                    "arrayminus": [max(0.0, value - low)],
                    "color": style.colour,
                },
                "mode": "markers",
                "marker": {"color": style.colour, "symbol": style.symbol, "size": 9},
                "name": plain(study.names[i]),
                "hovertemplate": f"{plain(study.names[i])}: %{{x:{digits}}}<extra></extra>",
            }
        )
    ticks = [plain(short[i]) for i in order]
    return Drawing(
        traces=tuple(traces),
        layout=layout_of(
            title=f"{metric.title} with 95 % intervals{_resampling(study)}",
            x_title=axis_title(metric),
            y_title="system",
            theme=theme,
            height=_AROUND + _LINE * len(order),
            y=list_axis(ticks),
        ),
    )


def distribution(study: Study, metric: Metric, *, theme: Theme = LIGHT) -> Drawing:
    """How the segments of each system score: a box of quartiles, whiskers to 5 and 95 %."""
    segments = study.segments_of(metric)
    styles, short = styles_of(study.names), shortened(study.names)
    order = study.ranking(metric)
    traces = []
    for line, i in enumerate(order):
        name, scores = study.names[i], segments[i][~np.isnan(segments[i])]
        if not len(scores):
            continue
        low, first, middle, third, high = np.quantile(scores, _BOX).tolist()
        traces.append(
            {
                "type": "box",
                "orientation": "h",
                "y": [line],
                "q1": [first],
                "median": [middle],
                "q3": [third],
                "lowerfence": [low],
                "upperfence": [high],
                "mean": [float(scores.mean())],
                "name": plain(name),
                "marker": {"color": styles[name].colour},
                "line": {"color": styles[name].colour},
            }
        )
    ticks = [plain(short[i]) for i in order]
    return Drawing(
        traces=tuple(traces),
        layout=layout_of(
            title=f"{metric.title} of single segments",
            x_title=f"{axis_title(metric)} of a segment",
            y_title="system",
            theme=theme,
            height=_AROUND + _LINE * len(order),
            y=list_axis(ticks),
        ),
    )


def scatter(
    study: Study, metric: Metric, first: str, second: str, *, theme: Theme = LIGHT
) -> Drawing:
    """One point a segment: its score under one system against that under another."""
    scores = study.segments_of(metric)
    x, y = (scores[_system(study, name)] for name in (first, second))
    both = ~(np.isnan(x) | np.isnan(y))
    numbers = (1 + np.flatnonzero(both)).tolist()
    x, y = x[both], y[both]
    ends = np.concatenate([x, y, [0.0]] if not len(x) else [x, y])
    low, high = float(ends.min()), float(ends.max())
    digits = f".{1 + metric.finer}f"
    points = {
        "type": "scatter",
        "x": x.tolist(),
        "y": y.tolist(),
        "mode": "markers",
        "marker": {"color": styles_of(study.names)[second].colour, "size": 5, "opacity": 0.55},
        "hovertemplate": (
            f"segment %{{customdata}}: %{{x:{digits}}} → %{{y:{digits}}}<extra></extra>"
        ),
        "customdata": numbers,
        "name": "segments",
    }
    equal = {
        "type": "scatter",
        "x": [low, high],
        "y": [low, high],
        "mode": "lines",
        "line": {"color": theme.text, "dash": "dot", "width": 1},
        "hoverinfo": "skip",
        "name": "equal",
    }
    return Drawing(
        traces=(points, equal),
        layout=layout_of(
            title=f"{metric.title}, segment by segment",
            x_title=f"{axis_title(metric)} of {first}",
            y_title=f"{axis_title(metric)} of {second}",
            theme=theme,
            height=520,
        ),
    )


def resampled(study: Study, metric: Metric, *, theme: Theme = LIGHT) -> Drawing:
    """Scores on bootstrap resamples: where hills overlap, the order might be luck."""
    drawn = study.resamples[metric.spec]
    edges = np.linspace(float(drawn.min()), float(drawn.max()) + 1e-9, _BINS + 1)
    centres = ((edges[1:] + edges[:-1]) / 2).tolist()
    lines = {
        name: (centres, _hill(np.histogram(scores, edges)[0] / drawn.shape[1]))
        for name, scores in zip(study.names, drawn, strict=True)
    }
    return drawn_systems(
        study,
        metric,
        lines,
        title=f"{metric.title} on {drawn.shape[1]} resamples{_resampling(study)}",
        x_title=axis_title(metric),
        y_title="share of resamples",
        theme=theme,
    )


def _resampling(study: Study) -> str:
    """What was resampled, in words that end a title."""
    interval = study.evaluation.systems[0].scores[0].interval
    return "" if interval is None else drawn_text(interval)


def _hill(shares: Scores) -> list[float | None]:
    """The shares from one foot of the hill to the other; beyond them no line is drawn."""
    inside = np.flatnonzero(shares)
    low, high = max(0, inside[0] - 1), inside[-1] + 1
    return [value if low <= place <= high else None for place, value in enumerate(shares.tolist())]


def _system(study: Study, name: str) -> int:
    if name not in study.names:
        raise OptionError(f"system: found '{name}', expected one of {', '.join(study.names)}")
    return study.names.index(name)
