"""The plots of ``tertium meta agree``."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.cli.flags.common import Add
from tertium.cli.shell.output import check_output
from tertium.errors import OptionError
from tertium.report.plots.choices import AGREEMENT_PLOTS
from tertium.report.plots.files import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plotly.graph_objects import Figure


def configure_plots(parser: ArgumentParser) -> None:
    """Declare the flags."""
    add = parser.add_argument_group("what is drawn").add_argument
    configure_plot_file(add)
    add(
        "--plot-kind",
        metavar="KIND",
        choices=AGREEMENT_PLOTS,
        default="scatter",
        help="scatter (scores against ratings), heat-map (metrics by ratings) or systems "
        "(agreement against the number of systems) (default: scatter)",
    )


def configure_plot_file(add: Add) -> None:
    """Declare where a plot is written."""
    add(
        "--plot",
        metavar="FILE",
        help=f"{', '.join(SUFFIXES)}; where there are several plots, what they show is added "
        "to the name",
    )


def check_plot_file(arguments: Namespace) -> None:
    """Refuse a file that could not be written, before any work is done."""
    if arguments.plot is not None and Path(arguments.plot).suffix.lower() not in SUFFIXES:
        raise OptionError(
            f"--plot: found '{arguments.plot}', expected a name that ends in {', '.join(SUFFIXES)}"
        )
    check_output(arguments.plot)
    if arguments.plot is not None:
        from tertium.report.plots.style import plotly

        plotly()


def write_plots(arguments: Namespace, named: "Mapping[tuple[str, ...], Figure]") -> None:
    """Write the figures to the file asked for, or, where there are several, beside it."""
    from tertium.report.plots.files import named_files, write_figures

    write_figures(named_files(Path(arguments.plot), named))
