"""``tertium plot``: the plots of a report as files for a paper."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.studies import configure_study, gathered, study_metrics
from tertium.errors import OptionError

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from tertium.study.results import Study

KINDS: Final = ("scores", "segments", "scatter", "slices", "resamples", "deletions", "lengths")
FORMATS: Final = ("svg", "png", "pdf", "html")

EXPLANATION: Final = """\
plots:
  scores     each system with its confidence interval
  segments   how the scores of single segments are spread
  scatter    segment scores of two systems, one against the other (--pair)
  slices     scores by genre, document and length
  resamples  scores on bootstrap resamples
  deletions  scores while segments are left out
  lengths    how long outputs are beside their references

examples:
  tertium plot reference.en -i *.en -m bleu -o figures
      every plot there is data for, as figures/scores-bleu.svg and so on
  tertium plot reference.en -i a.en b.en --only scatter --pair a b -f pdf -o figures
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium plot REF … -i SYS … [-m METRIC …] [--only PLOT …] -o FOLDER [flags]"
    parser.epilog = EXPLANATION
    configure_study(parser)
    add = parser.add_argument_group("what is shown").add_argument
    add("--only", metavar="PLOT", nargs="+", choices=KINDS, help="these plots (default: all)")
    add("--pair", metavar="SYS", nargs=2, help="systems of the scatter plot (default: the first)")
    add(
        "-f",
        "--format",
        metavar="FORMAT",
        choices=FORMATS,
        default="svg",
        help=f"{', '.join(FORMATS)} (default: svg)",
    )
    add("-o", "--output", metavar="FOLDER", default="plots", help="(default: plots)")


def run(arguments: Namespace) -> int:
    """Draw, write and list the files."""
    folder = Path(arguments.output)
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder}: found a file, expected a folder to write plots to")
    from tertium.report.plots.files import check_image_tools, write_figures
    from tertium.report.plots.style import plotly

    plotly()  # complain before anything is computed
    if arguments.format != "html":
        check_image_tools(folder / f"*.{arguments.format}")
    metrics = study_metrics(arguments)
    study = gathered(arguments, metrics, audit=False, most_explained=0)
    figures: dict[str | Path, Figure] = {
        folder / f"{name}.{arguments.format}": figure
        for name, figure in _figures(study, arguments).items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_figures(figures)
    for path in figures:
        print(path)
    return 0


def _figures(study: "Study", arguments: Namespace) -> "dict[str, Figure]":
    from tertium.report.plots.study import PLOTS, scatter_plot, slices_plot

    wanted = arguments.only or KINDS
    figures = {}
    for metric in study.metrics:
        for kind in wanted:
            name = f"{kind}-{metric.spec}".replace("/", "_")
            if kind == "slices":
                for some in study.slices:
                    figures[f"{name}-{some.by}"] = slices_plot(study, metric, some.by)
            elif kind == "scatter":
                if arguments.pair or len(study.names) > 1:
                    first, second = arguments.pair or study.names[:2]
                    figures[name] = scatter_plot(study, metric, first, second)
            elif arguments.only or _there_is(study, kind, metric.spec):
                figures[name] = PLOTS[kind](study, metric)
    if not figures:
        raise OptionError(f"--only {' '.join(wanted)}: found no data, expected labels or systems")
    return figures


def _there_is(study: "Study", kind: str, spec: str) -> bool:
    if kind == "deletions":
        return spec in study.deletions
    return kind != "lengths" or study.comparison is not None
