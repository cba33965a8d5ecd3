"""All plots of metrics and people's ratings, by what they show."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from tertium.choices import (
    DEFAULT_SEED,
    PAPER_PLOTS,
    STUDY_PLOTS,
    AgreementPlot,
    RankingPlot,
    StudyPlot,
)
from tertium.meta.agreement.measures import MEASURES
from tertium.meta.agreement.overview import AgreementReport, RatedSet
from tertium.meta.agreement.prediction_error import PredictionErrors
from tertium.meta.agreement.ranking import MetricRanking
from tertium.meta.agreement.system_curve import SystemCurve, system_curve
from tertium.report.html.wording import without_folders
from tertium.report.meta.ranking import column_title
from tertium.report.plots.curves import Line
from tertium.report.plots.meta import (
    agreement_by_systems,
    heat_map,
    judged_points,
    p_value_map,
    prediction_error,
)
from tertium.report.plots.paper import COLUMN, PAGE, differences_figure, forest_figure, ranks_figure
from tertium.report.plots.study import PLOTS, scatter_plot, slices_plot
from tertium.results import USUAL_LEVEL
from tertium.study.results import Study

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PIXELS: Final = 96
"""Per inch."""

# All plots of a study that there is data for, by the names of their files.


def study_figures(
    study: Study, only: Sequence[StudyPlot] = (), *, pair: Sequence[str] | None = None
) -> "dict[str, Figure]":
    """Those that Plotly draws, of every metric, or ``only`` some; no picture comes twice.

    ``pair`` are the systems of the scatter plot.
    """
    wanted = [kind for kind in only or STUDY_PLOTS if kind not in PAPER_PLOTS]
    figures = {}
    for metric, spec in zip(study.metrics, plain_names(study), strict=True):
        for kind in wanted:
            name = f"{kind}-{spec}"
            if kind == "slices":
                for some in study.slices:
                    figures[f"{name}-{some.by}"] = slices_plot(study, metric, some.by)
            elif kind == "scatter":
                if pair or len(study.names) > 1:
                    first, second = pair or study.names[:2]
                    figures[name] = scatter_plot(study, metric, first, second)
            elif kind == "lengths":
                if "lengths" not in figures and (only or study.comparison is not None):
                    figures["lengths"] = PLOTS[kind](study, metric)  # the same for all metrics
            elif only or kind != "deletions" or metric.spec in study.deletions:
                figures[name] = PLOTS[kind](study, metric)
    return figures


def paper_figures(
    study: Study,
    only: Sequence[StudyPlot] = (),
    *,
    pair: Sequence[str] | None = None,
    inches: float = PAGE,
    title: bool = False,
) -> dict[str, str]:
    """Those that are drawn as reports draw them, as SVG; what there is no data for is left out."""
    wanted = [kind for kind in only or STUDY_PLOTS if kind in PAPER_PLOTS]
    found = {}
    if "forest" in wanted and (only or pair or len(study.names) == 2):
        found["forest"] = forest_figure(study, pair, inches=inches, title=title)
    if "ranks" in wanted and (only or len(study.names) > 2):
        found["ranks"] = ranks_figure(study, inches=inches, title=title)
    if "differences" in wanted and (only or pair or len(study.names) == 2):
        for metric, spec in zip(study.metrics, plain_names(study), strict=True):
            found[f"differences-{spec}"] = differences_figure(
                study, metric, pair, inches=inches, title=title
            )
    return found


def fitted(figure: "Figure", inches: float, *, title: bool = False) -> "Figure":
    """A figure as wide as a paper wants it, with a title only where one is asked for."""
    width = round(PIXELS * inches)
    size = 11 if inches > COLUMN + 1 else 9
    figure.update_layout(width=width, font_size=size)
    if inches <= COLUMN + 1:
        figure.update_layout(height=min(figure.layout.height or width, width), margin_r=12)
    if not title:
        figure.update_layout(title_text="", margin_t=12)
    return figure


def plain_names(study: Study) -> list[str]:
    """A part of a file's name for every metric: letters, digits and hyphens, no two alike."""
    names: list[str] = []
    for metric in study.metrics:
        spec = without_folders(metric.spec).lower()
        base = name = re.sub(r"[^a-z0-9]+", "-", spec).strip("-") or "metric"
        number = 1
        while name in names:
            number += 1
            name = f"{base}-{number}"
        names.append(name)
    return names


Figures: TypeAlias = "dict[tuple[str, ...], Figure]"
"""Plots by what tells each from the others: ratings, criterion, metric."""


def agreement_figures(
    sets: Sequence[RatedSet],
    report: AgreementReport,
    kind: AgreementPlot = "scatter",
    *,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = USUAL_LEVEL,
) -> Figures:
    """Scores against ratings, agreement by metric and ratings, or by the number of systems.

    The last draws systems at random, ``trials`` times for each number of them.
    """
    if kind == "scatter":
        return {
            (one.judgments.name, one.judgments.criterion, scores.metric): judged_points(
                one.judgments, scores
            ).figure()
            for one in sets
            for scores in one.scores
        }
    if kind == "heat-map":
        return {(): _heat_map(report)}
    figures: Figures = {}
    for one in sets:
        place = (one.judgments.name, one.judgments.criterion)
        curves = (
            system_curve(one.judgments, scores, trials=trials, seed=seed, level=level)
            for scores in one.scores
        )
        figures[place] = agreement_by_systems(
            [_line(each) for each in curves],
            title=f"{' '.join(place)}: agreement by number of systems",
        )
    return figures


def ranking_figures(
    sets: Sequence[RatedSet], ranking: MetricRanking, kind: RankingPlot = "p-values"
) -> Figures:
    """Who is better than whom, by the mean and each column; or scores against ratings."""
    if kind == "scatter":
        return {
            (one.judgments.name, one.judgments.criterion, scores.metric): judged_points(
                one.judgments, scores
            ).figure()
            for one in sets
            for scores in one.scores
        }
    return {
        tuple(filter(None, (column.name, column.criterion, column.measure))): p_value_map(
            column.metrics,
            column.p_values,
            title=f"{column_title(column)}: p-value of row over column",
        )
        for column in (ranking.overall, *ranking.columns)
    }


def _heat_map(report: AgreementReport) -> "Figure":
    """The first measure of every metric and set of ratings."""
    table = report.table
    places = list(dict.fromkeys((one.name, one.criterion) for one in table))
    measure = table.measures[0]
    values = [
        [
            next(
                (one[measure].value for one in table.of(metric, *place) if measure in one),
                float("nan"),
            )
            for place in places
        ]
        for metric in table.metrics
    ]
    columns = [" ".join(place) for place in places]
    title = f"{MEASURES[measure].title} by metric and ratings"
    return heat_map(table.metrics, columns, values, title=title)


def _line(one: SystemCurve) -> Line:
    return Line(
        name=one.metric,
        x=one.counts,
        y=[interval.mean for interval in one.intervals],
        low=[interval.low for interval in one.intervals],
        high=[interval.high for interval in one.intervals],
    )


def error_figures(curves: Sequence[PredictionErrors]) -> Figures:
    """For each metric, how badly it foretells ratings by the length of its n-grams."""
    return {
        (one.metric,): prediction_error(
            one.orders,
            dict(zip(one.criteria, one.errors.tolist(), strict=True)),
            title=f"{one.names[0]}: prediction error of {one.metric}",
        )
        for one in curves
    }
