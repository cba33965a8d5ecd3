"""Plots of a study by name: scores, segments, slices, resamples, deletions and lengths."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tertium.choices import Slicing
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Scores
from tertium.report.evaluation import drawn_text
from tertium.report.plots.style import LIGHT, Drawing, Theme, layout_of, plain, shortened, styles_of
from tertium.scored.slices import Slices
from tertium.study.results import Study
from tertium.suggestions import did_you_mean

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


# What plots of systems have in common: a line or marks for each, axes of names and labels.


def drawn_systems(
    study: Study,
    metric: Metric,
    points: Mapping[str, tuple[list[Any], Sequence[float | None]]],
    *,
    title: str,
    x_title: str,
    y_title: str,
    theme: Theme,
    mode: str = "lines",
    x: Mapping[str, Any] | None = None,
) -> Drawing:
    """A line or a row of marks for every system, in the order of the table."""
    styles, short = styles_of(study.names), shortened(study.names)
    traces = []
    for i in study.ranking(metric):
        name = study.names[i]
        across, up = points[name]
        traces.append(
            {
                "type": "scatter",
                "x": across,
                "y": list(up),
                "mode": mode,
                "line": {"color": styles[name].colour, "dash": styles[name].dash, "width": 2},
                "marker": {"color": styles[name].colour, "symbol": styles[name].symbol, "size": 8},
                "name": plain(short[i]),
                "meta": i,
                "hovertemplate": f"{plain(name)}: %{{y:.4g}}<extra></extra>",
            }
        )
    layout = layout_of(title=title, x_title=x_title, y_title=y_title, theme=theme, legend=True, x=x)
    # Beside the lines, where no slanted label of a document can run into it.
    layout["legend"] = {"orientation": "v", "x": 1.02, "y": 1}
    layout["margin"]["b"] = 60
    return Drawing(traces=tuple(traces), layout=layout)


def list_axis(texts: Sequence[str]) -> dict[str, Any]:
    """An axis that lists the systems, the first on top."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(texts))),
        "ticktext": list(texts),
        "range": [len(texts) - 0.5, -0.5],
    }


def category_axis(labels: Sequence[str]) -> dict[str, Any]:
    """An axis of categories."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": [plain(label) for label in labels],
        "range": [-0.5, len(labels) - 0.5],
    }


def axis_title(metric: Metric) -> str:
    """The name of a metric's axis, which says which end is good."""
    return metric.title if metric.higher_is_better else f"{metric.title} (less is better)"


# Plots of scores: with intervals, of single segments, of one system against another.

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


def slices(
    study: Study, metric: Metric, by: Slicing | None = None, *, theme: Theme = LIGHT
) -> Drawing:
    """Scores by genre, document or length: who is ahead where."""
    kinds = {one.by: one for one in study.slices}
    if not kinds or (by is not None and by not in kinds):
        found = ", ".join(kinds) or "no labels"
        raise InputError(f"{study.corpus.name}: found {found}, expected slices by {by or 'any'}")
    chosen = kinds[by] if by is not None else study.slices[0]
    points = {
        name: (list(range(len(chosen.slices))), scores.tolist())
        for name, scores in zip(study.names, chosen.scores[metric.spec], strict=True)
    }
    return drawn_systems(
        study,
        metric,
        points,
        title=f"{metric.title} by {_SLICES[chosen.by][0]}",
        x_title=f"{_SLICES[chosen.by][1]} (segments)",
        y_title=axis_title(metric),
        theme=theme,
        mode="markers",
        x=category_axis(_slice_labels(chosen.slices)),
    )


_SLICES: Final[Mapping[Slicing, tuple[str, str]]] = {
    "genre": ("genre", "genre"),
    "document": ("document", "document"),
    "length": ("length", "words of the reference"),
}


def _slice_labels(some: Slices) -> list[str]:
    short = shortened(some.labels)
    return [f"{label} ({count})" for label, count in zip(short, some.counts, strict=True)]


def deleted(study: Study, metric: Metric, *, theme: Theme = LIGHT) -> Drawing:
    """The score while a system leaves out its words, the most favourable segments first."""
    if metric.spec not in study.deletions:
        raise InputError(f"{metric.refusal or metric.title}, expected a metric of any text")
    lines = {
        one.system: ((100 * one.shares).tolist(), one.scores.tolist())
        for one in study.deletions[metric.spec]
    }
    return drawn_systems(
        study,
        metric,
        lines,
        title=f"{metric.title} while segments are left out",
        x_title="share of its words that a system leaves out (%)",
        y_title=axis_title(metric),
        theme=theme,
    )


def lengths(study: Study, metric: Metric, *, theme: Theme = LIGHT) -> Drawing:
    """How long outputs are beside their references: the share of segments in each band."""
    if study.comparison is None or study.comparison.lengths is None:
        raise InputError("length ratios: found one system, expected at least two")
    table = study.comparison.lengths
    labels = list(table.ratios.labels)
    points = {
        one.system: (
            list(range(len(labels))),
            (100 * np.array(one.counts) / max(1, sum(one.counts))).tolist(),
        )
        for one in table.profiles
    }
    return drawn_systems(
        study,
        metric,
        points,
        title="Length beside the reference",
        x_title="words of the output per word of the reference",
        y_title="share of segments (%)",
        theme=theme,
        mode="markers",
        x=category_axis(labels),
    )


DRAWINGS: Final[Mapping[str, Callable[..., Drawing]]] = {
    "scores": intervals,
    "segments": distribution,
    "slices": slices,
    "resamples": resampled,
    "deletions": deleted,
    "lengths": lengths,
}
"""Name → drawing of a study under one metric. ``scatter`` needs two systems besides."""


def _figure(drawing: Callable[..., Drawing], *arguments: Any, **options: Any) -> "Figure":
    return drawing(*arguments, **options).figure()


PLOTS: Final[Mapping[str, Callable[..., Any]]] = {
    name: partial(_figure, drawing) for name, drawing in DRAWINGS.items()
}
"""The same as Plotly figures."""


def scatter_plot(
    study: Study, metric: Metric, first: str, second: str, *, theme: Theme = LIGHT
) -> "Figure":
    """`scatter` as a Plotly figure."""
    return scatter(study, metric, first, second, theme=theme).figure()


def slices_plot(
    study: Study, metric: Metric, by: Slicing | None = None, *, theme: Theme = LIGHT
) -> "Figure":
    """`slices` as a Plotly figure."""
    return slices(study, metric, by, theme=theme).figure()


def plot(study: Study, kind: str, metric: str | None = None) -> "Figure":
    """One of `PLOTS`, which notebooks show at once.

    ``metric`` is the spec of one of the study's metrics, by default the first.
    """
    if kind not in PLOTS:
        raise OptionError(did_you_mean("plot", kind, PLOTS))
    specs = {one.spec: one for one in study.metrics}
    if metric is not None and metric not in specs:
        raise OptionError(did_you_mean("metric", metric, specs))
    found: Figure = PLOTS[kind](study, specs[metric] if metric else study.metrics[0])
    return found
