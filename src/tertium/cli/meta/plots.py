"""The plots of ``tertium meta agree``."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tertium.cli.shell.output import check_output
from tertium.errors import OptionError
from tertium.report.plots.files import SUFFIXES

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from tertium.meta.agreement.overview import AgreementReport, RatedSet

KINDS: Final = ("scatter", "heat-map", "systems")


def configure_plots(parser: ArgumentParser) -> None:
    """Declare the flags."""
    group = parser.add_argument_group("what is drawn")
    configure_plot_file(group)
    group.add_argument(
        "--plot-kind",
        metavar="KIND",
        choices=KINDS,
        default="scatter",
        help="scatter (scores against ratings), heat-map (metrics by ratings) or systems "
        "(agreement against the number of systems) (default: scatter)",
    )


def configure_plot_file(group: Any) -> None:
    """Declare where a plot is written."""
    group.add_argument(
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


def write_plots(
    arguments: Namespace, sets: "Sequence[RatedSet]", report: "AgreementReport"
) -> None:
    """Draw what was asked for, if anything was."""
    if arguments.plot is None:
        return
    from tertium.report.plots import write_figures

    if arguments.plot_kind == "scatter":
        named = _scatter(sets)
    elif arguments.plot_kind == "heat-map":
        named = _heat_map(report)
    else:
        named = _systems(sets, arguments)
    place = Path(arguments.plot)
    figures: dict[str | Path, Figure] = {
        plot_path(place, parts if len(named) > 1 else ()): figure for parts, figure in named.items()
    }
    write_figures(figures)


def _scatter(sets: "Sequence[RatedSet]") -> "dict[tuple[str, ...], Figure]":
    from tertium.report.plots import judged_scatter

    return {
        (one.judgments.name, one.judgments.criterion, scores.metric): judged_scatter(
            one.judgments, scores
        )
        for one in sets
        for scores in one.scores
    }


def _heat_map(report: "AgreementReport") -> "dict[tuple[str, ...], Figure]":
    """The first measure of every metric and set of ratings."""
    from tertium.meta.agreement.measures import MEASURES
    from tertium.report.plots import heat_map

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
    return {(): heat_map(table.metrics, columns, values, title=title)}


def _systems(sets: "Sequence[RatedSet]", arguments: Namespace) -> "dict[tuple[str, ...], Figure]":
    from tertium.meta.agreement.system_curve import system_curve
    from tertium.report.plots import Line, agreement_by_systems

    figures: dict[tuple[str, ...], Figure] = {}
    for one in sets:
        curves = [
            system_curve(
                one.judgments,
                scores,
                trials=arguments.trials,
                seed=arguments.seed,
                level=arguments.level,
            )
            for scores in one.scores
        ]
        lines = [
            Line(
                name=each.metric,
                x=each.counts,
                y=[interval.mean for interval in each.intervals],
                low=[interval.low for interval in each.intervals],
                high=[interval.high for interval in each.intervals],
            )
            for each in curves
        ]
        place = (one.judgments.name, one.judgments.criterion)
        figures[place] = agreement_by_systems(
            lines, title=f"{' '.join(place)}: agreement by number of systems"
        )
    return figures


def plot_path(path: Path, parts: tuple[str, ...]) -> Path:
    """The file of one plot among several.

    >>> plot_path(Path("plots/agree.svg"), ("es-en", "rank", "bleu")).name
    'agree-es-en-rank-bleu.svg'
    """
    safe = ("".join(c if c.isalnum() or c in "-.=" else "_" for c in part) for part in parts)
    return path.with_name("-".join([path.stem, *safe]) + path.suffix)
