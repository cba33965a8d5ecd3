"""Plots: pure functions from results or arrays to Plotly figures, and figures to files.

Plotly belongs to the extra ``plots`` and is imported when the first figure is made.
"""

from tertium.report.plots.base import DARK, LIGHT, NEUTRAL, Style, Theme, styles_of
from tertium.report.plots.curves import Line, curve
from tertium.report.plots.files import write_figure, write_figures
from tertium.report.plots.meta import (
    agreement_by_systems,
    heat_map,
    human_scatter,
    judged_scatter,
    prediction_error,
)

__all__ = [
    "DARK",
    "LIGHT",
    "NEUTRAL",
    "Line",
    "Style",
    "Theme",
    "agreement_by_systems",
    "curve",
    "heat_map",
    "human_scatter",
    "judged_scatter",
    "prediction_error",
    "styles_of",
    "write_figure",
    "write_figures",
]
