"""Plots of a study by name, and those of slices, deletions, lengths and people."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.judgments import Judgments
from tertium.metrics.contract.base import Metric
from tertium.report.plots.meta import judged_points
from tertium.report.plots.scores import distribution, intervals, resampled, scatter
from tertium.report.plots.style import LIGHT, Drawing, Theme, shortened, styles_of
from tertium.report.plots.systems import axis_title, category_axis, drawn_systems
from tertium.scored.choices import Slicing
from tertium.scored.slices import Slices
from tertium.study.results import Study
from tertium.suggestions import did_you_mean

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


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


def people(study: Study, metric: Metric, judgments: Judgments, *, theme: Theme = LIGHT) -> Drawing:
    """Every system by its rating and its score, with the line that fits best."""
    scores = replace(study.metric_scores(metric), metric=metric.title)
    return judged_points(judgments, scores, styles=styles_of(study.names), theme=theme)


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
