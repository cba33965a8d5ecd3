"""Plots of a study: intervals, distributions, slices, resamples, deletions, lengths."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.judgments import Judgments
from tertium.metrics.base import Metric, Scores
from tertium.report.evidence import drawn_text
from tertium.report.plots.base import LIGHT, Style, Theme, figure_of, plain, plotly, styles_of
from tertium.report.plots.meta import judged_scatter
from tertium.report.study import SliceKind, Study

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_BINS: Final = 60
_BOX: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles of a box: its whiskers hold nine tenths of the segments."""


def intervals_plot(study: Study, metric: Metric, *, theme: Theme = LIGHT) -> "Figure":
    """The score of every system with its confidence interval, the best on top."""
    go = plotly()
    place = [one.spec for one in study.metrics].index(metric.spec)
    scores = [one.scores[place] for one in study.evaluation.systems]
    sign = 1 if metric.higher_is_better else -1
    order = sorted(range(len(scores)), key=lambda i: sign * scores[i].value)
    styles = styles_of(study.names)
    traces = []
    for i in order:
        interval, value = scores[i].interval, scores[i].value
        low, high = (interval.low, interval.high) if interval else (value, value)
        style = styles[study.names[i]]
        traces.append(
            go.Scatter(
                x=[value],
                y=[plain(study.names[i])],
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": [max(0.0, high - value)],
                    "arrayminus": [max(0.0, value - low)],
                    "color": style.colour,
                },
                mode="markers",
                marker={"color": style.colour, "symbol": style.symbol, "size": 9},
                name=plain(study.names[i]),
            )
        )
    return figure_of(
        traces,
        title=f"{metric.title} with 95 % intervals{_drawn(study)}",
        x_title=_titled(metric),
        y_title="",
        theme=theme,
        height=140 + 24 * len(order),
    )


def distribution_plot(study: Study, metric: Metric, *, theme: Theme = LIGHT) -> "Figure":
    """How the segments of each system score: a box of quartiles, whiskers to 5 and 95 %."""
    go = plotly()
    segments = study.segments_of(metric)
    styles = styles_of(study.names)
    traces = []
    for name, scores in zip(study.names, segments, strict=True):
        low, first, middle, third, high = np.quantile(scores, _BOX).tolist()
        traces.append(
            go.Box(
                x0=plain(name),
                q1=[first],
                median=[middle],
                q3=[third],
                lowerfence=[low],
                upperfence=[high],
                mean=[float(scores.mean())],
                name=plain(name),
                marker={"color": styles[name].colour},
                line={"color": styles[name].colour},
            )
        )
    return figure_of(
        traces,
        title=f"{metric.title} of single segments",
        x_title="",
        y_title=_titled(metric),
        theme=theme,
    )


def scatter_plot(
    study: Study, metric: Metric, first: str, second: str, *, theme: Theme = LIGHT
) -> "Figure":
    """One point a segment: its score under one system against that under another."""
    go = plotly()
    scores = study.segments_of(metric)
    x, y = (scores[_system(study, name)] for name in (first, second))
    low, high = float(min(x.min(), y.min())), float(max(x.max(), y.max()))
    traces = [
        go.Scatter(
            x=x.tolist(),
            y=y.tolist(),
            mode="markers",
            marker={"color": styles_of(study.names)[second].colour, "size": 5, "opacity": 0.55},
            hovertemplate="segment %{customdata}: %{x:.1f} → %{y:.1f}<extra></extra>",
            customdata=list(range(1, len(x) + 1)),
            name="segments",
        ),
        go.Scatter(
            x=[low, high],
            y=[low, high],
            mode="lines",
            line={"color": theme.text, "dash": "dot", "width": 1},
            hoverinfo="skip",
            name="equal",
        ),
    ]
    return figure_of(
        traces,
        title=f"{metric.title}, segment by segment",
        x_title=first,
        y_title=second,
        theme=theme,
        height=520,
    )


def slices_plot(
    study: Study, metric: Metric, by: SliceKind | None = None, *, theme: Theme = LIGHT
) -> "Figure":
    """Scores by genre, document or length; where lines cross, the winner changes."""
    kinds = {one.by: one for one in study.slices}
    if not kinds or (by is not None and by not in kinds):
        found = ", ".join(kinds) or "no labels"
        raise InputError(f"{study.corpus.name}: found {found}, expected slices by {by or 'any'}")
    chosen = kinds[by] if by is not None else study.slices[0]
    labels = [
        plain(f"{label} ({count})")
        for label, count in zip(chosen.labels, chosen.counts, strict=True)
    ]
    lines = {
        name: (labels, scores.tolist())
        for name, scores in zip(study.names, chosen.scores[metric.spec], strict=True)
    }
    return _lines_of(
        study,
        lines,
        title=f"{metric.title} by {chosen.by}",
        x_title="",
        y_title=_titled(metric),
        theme=theme,
    )


def resamples_plot(study: Study, metric: Metric, *, theme: Theme = LIGHT) -> "Figure":
    """Scores on bootstrap resamples: where hills overlap, the order might be luck."""
    drawn = study.resamples[metric.spec]
    edges = np.linspace(float(drawn.min()), float(drawn.max()) + 1e-9, _BINS + 1)
    centres = ((edges[1:] + edges[:-1]) / 2).tolist()
    lines = {
        name: (centres, _hill(np.histogram(scores, edges)[0] / drawn.shape[1]))
        for name, scores in zip(study.names, drawn, strict=True)
    }
    return _lines_of(
        study,
        lines,
        title=f"{metric.title} on {drawn.shape[1]} resamples{_drawn(study)}",
        x_title=_titled(metric),
        y_title="share of resamples",
        theme=theme,
        points=False,
    )


def _drawn(study: Study) -> str:
    """What was resampled, in words that end a title."""
    interval = study.evaluation.systems[0].scores[0].interval
    return "" if interval is None else drawn_text(interval)


def _hill(shares: Scores) -> list[float | None]:
    """The shares from one foot of the hill to the other; beyond them no line is drawn."""
    inside = np.flatnonzero(shares)
    low, high = max(0, inside[0] - 1), inside[-1] + 1
    return [value if low <= place <= high else None for place, value in enumerate(shares.tolist())]


def deletions_plot(study: Study, metric: Metric, *, theme: Theme = LIGHT) -> "Figure":
    """The score while a system leaves out its words, the most favourable segments first."""
    if metric.spec not in study.deletions:
        raise InputError(f"{metric.title}: reads {metric.segment_form}, expected plain text")
    lines = {
        one.system: ((100 * one.shares).tolist(), one.scores.tolist())
        for one in study.deletions[metric.spec]
    }
    return _lines_of(
        study,
        lines,
        title=f"{metric.title} while segments are left out",
        x_title="% of words left out",
        y_title=_titled(metric),
        theme=theme,
        points=False,
    )


def lengths_plot(study: Study, _: Metric, *, theme: Theme = LIGHT) -> "Figure":
    """How long outputs are beside their references: the share of segments in each band."""
    if study.comparison is None or study.comparison.lengths is None:
        raise InputError("length ratios: found one system, expected at least two")
    table = study.comparison.lengths
    labels = list(table.ratios.labels)
    lines = {
        one.system: (labels, (100 * np.array(one.counts) / max(1, sum(one.counts))).tolist())
        for one in table.profiles
    }
    return _lines_of(
        study,
        lines,
        title="Length beside the reference",
        x_title="words / words",
        y_title="% of segments",
        theme=theme,
    )


def people_plot(
    study: Study, metric: Metric, judgments: Judgments, *, theme: Theme = LIGHT
) -> "Figure":
    """Every system by its rating and its score, with the line that fits best."""
    styles = styles_of(study.names)
    return judged_scatter(judgments, study.metric_scores(metric), styles=styles, theme=theme)


PLOTS: Final[Mapping[str, Callable[..., Any]]] = {
    "scores": intervals_plot,
    "segments": distribution_plot,
    "slices": slices_plot,
    "resamples": resamples_plot,
    "deletions": deletions_plot,
    "lengths": lengths_plot,
}
"""Name → plot of a study under one metric. ``scatter_plot`` needs two systems besides."""


def _lines_of(
    study: Study,
    lines: Mapping[str, tuple[list[Any], Sequence[float | None]]],
    *,
    title: str,
    x_title: str,
    y_title: str,
    theme: Theme,
    points: bool = True,
) -> "Figure":
    go = plotly()
    styles: dict[str, Style] = styles_of(study.names)
    traces = [
        go.Scatter(
            x=x,
            y=list(y),
            mode="lines+markers" if points else "lines",
            line={"color": styles[name].colour, "dash": styles[name].dash, "width": 2},
            marker={"symbol": styles[name].symbol, "size": 7},
            name=plain(name),
        )
        for name, (x, y) in lines.items()
    ]
    figure = figure_of(
        traces, title=title, x_title=x_title, y_title=y_title, theme=theme, legend=True
    )
    # Beside the lines, where no slanted label of a document can run into it.
    figure.update_layout(legend={"orientation": "v", "x": 1.02, "y": 1}, margin={"b": 60})
    return figure


def _system(study: Study, name: str) -> int:
    if name not in study.names:
        raise OptionError(f"system: found '{name}', expected one of {', '.join(study.names)}")
    return study.names.index(name)


def _titled(metric: Metric) -> str:
    return metric.title if metric.higher_is_better else f"{metric.title} (less is better)"
