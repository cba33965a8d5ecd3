"""``tertium plot``: the plots of a report as files for a paper."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from tertium.choices import STUDY_PLOTS
from tertium.cli.flags.common import configure_format
from tertium.cli.flags.studies import configure_study, gathered, study_metrics
from tertium.errors import OptionError

FORMATS: Final = {
    "svg": "for papers",
    "png": "for slides",
    "pdf": "for LaTeX",
    "html": "for the browser",
}

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
  tertium plot reference.en -i a.en b.en --only scatter --scatter a b -f pdf -o figures
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium plot REF … -i SYS … [-m METRIC …] [--only PLOT …] -o FOLDER [flags]"
    parser.epilog = EXPLANATION
    configure_study(parser)
    add = parser.add_argument_group("what is shown").add_argument
    add(
        "--only",
        metavar="PLOT",
        nargs="+",
        choices=STUDY_PLOTS,
        default=[],
        help="draw only these plots (default: all)",
    )
    add("--scatter", metavar="SYS", nargs=2, help="systems of that plot (default: the first)")
    configure_format(add, FORMATS, purposes=FORMATS)
    add("-o", "--output", metavar="FOLDER", default="plots", help="(default: plots)")


def run(arguments: Namespace) -> int:
    """Draw, write and list the files."""
    folder = Path(arguments.output)
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder}: found a file, expected a folder to write plots to")
    from tertium.report.plots.figures import study_figures
    from tertium.report.plots.files import check_image_tools, write_figures
    from tertium.report.plots.style import plotly

    plotly()  # complain before anything is computed
    if arguments.format != "html":
        check_image_tools(folder / f"*.{arguments.format}")
    metrics = study_metrics(arguments)
    study = gathered(arguments, metrics, audit=False, most_explained=0)
    named = study_figures(study, arguments.only, pair=arguments.scatter)
    figures = {folder / f"{name}.{arguments.format}": figure for name, figure in named.items()}
    folder.mkdir(parents=True, exist_ok=True)
    write_figures(figures)
    for path in figures:
        print(path)
    return 0
