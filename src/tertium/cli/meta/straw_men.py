"""``tertium meta straw-men``: absurd systems among rated ones, to see who falls for them."""

from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.flags.score import configure_input
from tertium.cli.flags.values import whole_number
from tertium.cli.meta.flags import (
    RATINGS_HELP,
    configure_names,
    configure_output,
    configure_ratings,
    configure_seed,
    parsed_metrics,
    rated_texts,
    show,
)
from tertium.cli.shell.output import check_output
from tertium.cli.shell.progress import progress_bar

EXPLANATION: Final = f"""\
{RATINGS_HELP}
examples:
  tertium meta straw-men reference.en -i systems/*.en --ratings ratings.tsv \\
      -m bleu grr 'grr[alpha=-0.9,beta=1]'
      the remark that closes section 5 of Chiang et al. (2008), tried out
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium meta straw-men REF … -i SYS … -m METRIC … --ratings FILE … [flags]"
    parser.epilog = EXPLANATION
    configure_input(parser)
    group = parser.add_argument_group("how it is scored")
    add = group.add_argument
    add("-m", "--metrics", metavar="METRIC", nargs="+", default=["bleu"], help="default: bleu")
    add(
        "--measure",
        metavar="MEASURE",
        choices=("pearson", "spearman", "kendall", "accuracy"),
        default="pearson",
        help="pearson, spearman, kendall or accuracy (default: pearson)",
    )
    add(
        "--below",
        metavar="X",
        type=float,
        default=0.0,
        help="rate straw men lower than the worst system by X times the spread (default: 0)",
    )
    add(
        "--segments",
        metavar="N",
        type=whole_number(1),
        default=400,
        help="at most so many, evenly spaced (default: 400)",
    )
    configure_seed(group)
    configure_ratings(parser)
    configure_names(parser)
    configure_output(parser)


def run(arguments: Namespace) -> int:
    """Add straw men to the systems, and print where each metric puts them."""
    check_output(arguments.output)
    metrics = parsed_metrics(arguments.metrics)
    from tertium.meta.straw_men.ranks import straw_men
    from tertium.report.meta.view import straw_men_latex, straw_men_view
    from tertium.scored.scored import scored

    corpus, systems, judgments = rated_texts(arguments)
    with progress_bar(lambda: len(metrics) * (1 + len(judgments))) as progress:
        whole = scored(corpus, systems, metrics, progress=progress)
        reports = [
            straw_men(
                one,
                whole,
                measure=arguments.measure,
                below=arguments.below,
                segments=arguments.segments,
                seed=arguments.seed,
                progress=progress,
            )
            for one in judgments
        ]
    decimals = arguments.width
    show(
        arguments,
        value=lambda: {"ratings": [one.to_dict() for one in reports]},
        view=lambda width: straw_men_view(reports, decimals=decimals, terminal=width),
        latex=lambda: straw_men_latex(reports, decimals=decimals),
    )
    return 0
