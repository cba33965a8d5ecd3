"""What plots of systems have in common: a line or marks for each, axes of names and labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from tertium.metrics.contract.base import Metric
from tertium.report.plots.style import Drawing, Theme, layout_of, plain, shortened, styles_of
from tertium.study.results import Study


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
