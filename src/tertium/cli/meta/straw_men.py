"""``tertium meta straw-men``: absurd systems among rated ones, to see who falls for them."""

from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.flags.common import (
    configure_former,
    configure_metrics,
    configure_seed,
    configure_text,
)
from tertium.cli.flags.inputs import configure_input
from tertium.cli.flags.values import whole_number
from tertium.cli.meta.flags import (
    RATINGS_HELP,
    configure_names,
    configure_ratings,
    configure_shown,
    forms_of,
    rated_inputs,
)
from tertium.cli.shell.output import check_output
from tertium.cli.shell.progress import progress_bar
from tertium.cli.shell.result import show

FORMS: Final = forms_of("straw_men", key="ratings")

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
    add = parser.add_argument_group("how it is scored").add_argument
    configure_metrics(add)
    configure_text(add)
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
    segments = add(
        "--max-segments",
        metavar="N",
        type=whole_number(1),
        default=400,
        help="use at most so many segments, evenly spaced (default: 400)",
    )
    configure_former(add, "--segments", segments)
    configure_seed(add)
    configure_ratings(parser)
    configure_names(parser)
    configure_shown(parser, FORMS)


def run(arguments: Namespace) -> int:
    """Add straw men to the systems, and print where each metric puts them."""
    check_output(arguments.output)
    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.meta.straw_man_ranks import straw_men
    from tertium.scored.scored import scored

    metrics = chosen_metrics(arguments.metrics, text_flags(arguments))
    corpus, systems, judgments = rated_inputs(arguments)
    with progress_bar(lambda: len(metrics) * (1 + len(judgments))) as progress:
        whole = scored(corpus, systems, metrics, progress=progress)
        reports = [
            straw_men(
                judgment,
                whole,
                measure=arguments.measure,
                below=arguments.below,
                segments=arguments.max_segments,
                seed=arguments.seed,
                progress=progress,
            )
            for judgment in judgments
        ]
    show(reports, arguments, FORMS)
    return 0
