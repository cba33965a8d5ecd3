"""``tertium meta rank``: one ranking of metrics over language pairs and measures, with tests."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tertium.choices import RANK_EXCHANGES, RANKING_PLOTS, TASKS
from tertium.cli.flags.common import (
    configure_alpha,
    configure_documents,
    configure_seed,
    configure_trials,
)
from tertium.cli.meta.agree import domain_scores, published_sets
from tertium.cli.meta.flags import (
    check_plot_file,
    check_slices,
    configure_names,
    configure_plot_file,
    configure_ratings,
    configure_shown,
    configure_slices,
    forms_of,
    sliced_sets,
    write_plots,
)
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import show
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.meta.agreement.ranking import MetricRanking


def _tsv(ranking: "MetricRanking", _: Namespace) -> Iterable[str]:
    """A line for each metric and column, with its rank."""
    from tertium.tables import record_tsv

    return record_tsv(ranking.records())


FORMS: Final = {**forms_of("ranking"), "tsv": _tsv}

EXPLANATION: Final = """\
tasks:
  wmt24, wmt25     soft pairwise accuracy of systems, acc_eq of segments, for every language pair
  wmt23            pairwise accuracy over all pairs; Pearson of systems and of segments, acc_eq

examples:
  tertium meta rank wmt23 --criterion mqm
      a folder of mt-metrics-eval: human-scores and metric-scores of every pair
  tertium meta rank wmt23 --criterion mqm --task wmt23 -f latex
      as the metrics task of that year ranked them, for a paper
  tertium meta rank --ratings human-scores --scores metric-scores --measures kendall acc-eq-item
      other measures, which count alike
  tertium meta rank wmt23 --criterion mqm --plot ranking.svg --plot-kind p-values
      a heat map of who is better than whom, with names
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium meta rank FOLDER | --ratings FILE … --scores FILE … [flags]"
    parser.epilog = EXPLANATION
    add = parser.add_argument_group("what is ranked").add_argument
    add(
        "folder",
        metavar="FOLDER",
        nargs="?",
        help="ratings and scores in one folder, as mt-metrics-eval has them",
    )
    add("--scores", metavar="FILE", nargs="+", default=[], help="files or folders of scores")
    add(
        "-m",
        "--metrics",
        metavar="METRIC",
        nargs="+",
        default=[],
        help="those to rank (default: all)",
    )
    add(
        "--lower-is-better",
        metavar="METRIC",
        nargs="+",
        default=[],
        help="metrics of --scores that are errors (TER, WER and the like are known)",
    )
    add(
        "--task",
        metavar="NAME",
        choices=tuple(TASKS),
        default="wmt24",
        help=f"whose measures count: {', '.join(TASKS)} (default: wmt24)",
    )
    add(
        "--measures",
        metavar="MEASURE",
        nargs="+",
        help="other measures, such as pearson acc-eq-item, in the place of a task's",
    )
    configure_ratings(parser, required=False)
    configure_documents(
        parser.add_argument_group("what is known of segments").add_argument,
        use="of the ratings (default: those that the folder names)",
    )
    configure_names(parser)
    configure_slices(parser)
    add = parser.add_argument_group("how sure it is").add_argument
    add(
        "--permute",
        metavar="WHAT",
        choices=RANK_EXCHANGES,
        default="official",
        help="official (as mt-metrics-eval: every score for itself, and under acc_eq every "
        "comparison of two outputs) or items (documents, or segments where no documents are known, "
        "for measures of segments) (default: official)",
    )
    configure_trials(add, 1000, what="exchanges of scores")
    configure_alpha(add)
    configure_seed(add)
    configure_shown(parser, FORMS)
    add = parser.add_argument_group("what is drawn").add_argument
    configure_plot_file(add)
    add(
        "--plot-kind",
        metavar="KIND",
        choices=RANKING_PLOTS,
        default="p-values",
        help="p-values (a heat map of every metric over every other, for each column and the "
        "mean) or scatter (scores against ratings, for each pair and metric) (default: p-values)",
    )


def run(arguments: Namespace) -> int:
    """Read ratings and scores, rank, and print when everything has been done."""
    check_output(arguments.output)
    check_slices(arguments)
    check_plot_file(arguments)
    if arguments.folder is not None:
        if not Path(arguments.folder).is_dir():
            raise OptionError(f"{arguments.folder}: found no such folder, expected one with scores")
        arguments.ratings = arguments.ratings or [arguments.folder]
        arguments.scores = arguments.scores or [arguments.folder]
    for flag in ("ratings", "scores"):
        if not getattr(arguments, flag):
            raise OptionError(f"tertium meta rank: found neither FOLDER nor --{flag}, expected one")
    from tertium.meta.agreement.ranking import rank_metrics

    sets, unused = published_sets(arguments)
    sets = sliced_sets(arguments, sets, partial(domain_scores, arguments))
    ranking = rank_metrics(
        sets,
        task=arguments.task,
        measures=arguments.measures,
        trials=arguments.trials,
        seed=arguments.seed,
        alpha=arguments.alpha,
        exchange=arguments.permute,
        unused=unused,
    )
    if arguments.plot is not None:
        from tertium.report.plots.figures import ranking_figures

        write_plots(arguments, ranking_figures(sets, ranking, arguments.plot_kind))
    show(ranking, arguments, FORMS)
    return 0
