"""All plots of a study that there is data for, by the names of their files."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.errors import OptionError
from tertium.report.plots.choices import STUDY_PLOTS, StudyPlot
from tertium.report.plots.study import PLOTS, scatter_plot, slices_plot
from tertium.study.results import Study

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def study_figures(
    study: Study, only: Sequence[StudyPlot] = (), *, pair: Sequence[str] | None = None
) -> "dict[str, Figure]":
    """The plots of every metric, or ``only`` some; ``pair`` are the systems of the scatter plot."""
    wanted = only or STUDY_PLOTS
    figures = {}
    for metric in study.metrics:
        for kind in wanted:
            name = f"{kind}-{metric.spec}".replace("/", "_")
            if kind == "slices":
                for some in study.slices:
                    figures[f"{name}-{some.by}"] = slices_plot(study, metric, some.by)
            elif kind == "scatter":
                if pair or len(study.names) > 1:
                    first, second = pair or study.names[:2]
                    figures[name] = scatter_plot(study, metric, first, second)
            elif only or _there_is(study, kind, metric.spec):
                figures[name] = PLOTS[kind](study, metric)
    if not figures:
        raise OptionError(f"--only {' '.join(wanted)}: found no data, expected labels or systems")
    return figures


def _there_is(study: Study, kind: StudyPlot, spec: str) -> bool:
    if kind == "deletions":
        return spec in study.deletions
    return kind != "lengths" or study.comparison is not None
