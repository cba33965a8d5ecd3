"""Plots: pure functions from results or arrays to Plotly figures, and figures to files.

Plotly belongs to the extra ``plots`` and is imported when the first figure is made.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.report.plots.curves import Line as Line
    from tertium.report.plots.curves import curve as curve
    from tertium.report.plots.figures import agreement_figures as agreement_figures
    from tertium.report.plots.figures import error_figures as error_figures
    from tertium.report.plots.figures import study_figures as study_figures
    from tertium.report.plots.files import write_figure as write_figure
    from tertium.report.plots.files import write_figures as write_figures
    from tertium.report.plots.meta import agreement_by_systems as agreement_by_systems
    from tertium.report.plots.meta import heat_map as heat_map
    from tertium.report.plots.meta import judged_points as judged_points
    from tertium.report.plots.meta import prediction_error as prediction_error
    from tertium.report.plots.meta import rated_points as rated_points
    from tertium.report.plots.style import LIGHT as LIGHT
    from tertium.report.plots.style import NEUTRAL as NEUTRAL
    from tertium.report.plots.style import Style as Style
    from tertium.report.plots.style import Theme as Theme
    from tertium.report.plots.style import styles_of as styles_of
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "Line": "tertium.report.plots.curves",
            "curve": "tertium.report.plots.curves",
            "agreement_figures": "tertium.report.plots.figures",
            "error_figures": "tertium.report.plots.figures",
            "study_figures": "tertium.report.plots.figures",
            "write_figure": "tertium.report.plots.files",
            "write_figures": "tertium.report.plots.files",
            "agreement_by_systems": "tertium.report.plots.meta",
            "heat_map": "tertium.report.plots.meta",
            "judged_points": "tertium.report.plots.meta",
            "prediction_error": "tertium.report.plots.meta",
            "rated_points": "tertium.report.plots.meta",
            "LIGHT": "tertium.report.plots.style",
            "NEUTRAL": "tertium.report.plots.style",
            "Style": "tertium.report.plots.style",
            "Theme": "tertium.report.plots.style",
            "styles_of": "tertium.report.plots.style",
        },
    )
