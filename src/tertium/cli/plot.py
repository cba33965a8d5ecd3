"""``tertium plot``: the plots of a report as files for a paper."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from tertium.choices import FIT_INCHES, PAPER_PLOTS, STUDY_PLOTS
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
  forest     how far apart two systems are by every metric, in detectable differences
  ranks      possible ranks of three and more systems by every metric
  differences  segments in which one of two systems is ahead, and by how much
  scores     each system with its confidence interval
  segments   how the scores of single segments are spread
  scatter    segment scores of two systems, one against the other (--scatter)
  slices     scores by genre, document and length
  resamples  scores on bootstrap resamples
  deletions  scores while segments are left out
  lengths    how long outputs are beside their references

examples:
  tertium plot reference.en -i *.en -m bleu -o figures
      every plot there is data for, as figures/scores-bleu.svg and so on
  tertium plot reference.en -i old.en new.en --only forest differences --fit column -f pdf
      for one column of a paper: 3.3 inches wide, with real text
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
    add(
        "--scatter",
        metavar="SYS",
        nargs=2,
        help="the two systems of forest, differences and scatter (default: the first)",
    )
    add(
        "--fit",
        choices=tuple(FIT_INCHES),
        default="page",
        help="how wide: one column of a paper, 3.3 inches, or its page, 6.9 (default: page)",
    )
    add("--title", action="store_true", help="write a title above each plot")
    configure_format(add, FORMATS, purposes=FORMATS)
    add("-o", "--output", metavar="FOLDER", default="plots", help="(default: plots)")


def run(arguments: Namespace) -> int:
    """Draw, write and list the files."""
    folder = Path(arguments.output)
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder}: found a file, expected a folder to write plots to")
    from tertium.report.plots.figures import fitted, paper_figures, study_figures
    from tertium.report.plots.files import (
        browser_path,
        check_image_tools,
        write_drawings,
        write_figures,
    )
    from tertium.report.plots.style import plotly

    suffix, only = arguments.format, arguments.only
    if set(only or STUDY_PLOTS) - set(PAPER_PLOTS):
        plotly()  # complain before anything is computed
        if suffix != "html":
            check_image_tools(folder / f"*.{suffix}")
    elif suffix in {"pdf", "png"}:
        browser_path(folder / f"*.{suffix}")
    metrics = study_metrics(arguments)
    study = gathered(arguments, metrics, audit=False, most_explained=0)
    inches, pair = FIT_INCHES[arguments.fit], arguments.scatter
    drawn = paper_figures(study, only, pair=pair, inches=inches, title=arguments.title)
    named = study_figures(study, only, pair=pair)
    if not drawn and not named:
        raise OptionError(f"--only {' '.join(only)}: found no data, expected labels or systems")
    folder.mkdir(parents=True, exist_ok=True)
    drawings = {folder / f"{name}.{suffix}": svg for name, svg in drawn.items()}
    figures = {
        folder / f"{name}.{suffix}": fitted(one, inches, title=arguments.title)
        for name, one in named.items()
    }
    write_drawings(drawings)
    if figures:
        write_figures(figures)
    for path in (*drawings, *figures):
        print(path)
    return 0
