"""Results for people and programs: pure functions from frozen results to text and figures."""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.report.html.page import page as page
    from tertium.report.plots.study import plot as plot
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "page": "tertium.report.html.page",
            "plot": "tertium.report.plots.study",
        },
    )
