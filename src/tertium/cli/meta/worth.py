"""``tertium meta worth``: how often people agree with a difference of a metric."""

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import (
    configure_alpha,
    configure_metrics,
    configure_seed,
    configure_trials,
)
from tertium.cli.flags.inputs import configure_input
from tertium.cli.flags.values import confidence_of
from tertium.cli.meta.agree import published_sets, text_sets
from tertium.cli.meta.flags import (
    RATINGS_HELP,
    configure_names,
    configure_ratings,
    configure_shown,
    forms_of,
)
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import show
from tertium.errors import OptionError
from tertium.suggestions import did_you_mean

if TYPE_CHECKING:
    from tertium.meta.worth_curves import WorthTable

FORMS: Final = forms_of("worth")

EXPLANATION: Final = f"""\
{RATINGS_HELP}
examples:
  tertium meta worth
      the curves that come with tertium, from WMT12, 17, 23 and 24, by kind of pair
  tertium meta worth -m bleu --delta 1.2
      two systems 1.2 BLEU apart: in how many such pairs did people agree with the sign?
  tertium meta worth reference.en -i systems/*.en -m bleu chrf --ratings ratings.tsv
      curves of your own systems and ratings (at least 20 pairs of systems)
  tertium meta worth --ratings wmt23 --scores wmt23 --criterion mqm
      of published scores, over all language pairs there are
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = (
        "tertium meta worth [-m METRIC …] [--delta X …]\n"
        "       tertium meta worth [REF … -i SYS …] --ratings FILE … [--scores FILE …] [flags]"
    )
    parser.epilog = EXPLANATION
    configure_input(parser, optional=True)
    add = parser.add_argument_group("which difference").add_argument
    configure_metrics(add, what="these metrics", set_default=False, told="all that have a curve")
    add(
        "--delta",
        metavar="X",
        nargs="+",
        type=float,
        default=[],
        help="differences to look up (default: what 60 to 90 %% of agreement take)",
    )
    add("--scores", metavar="FILE", nargs="+", default=[], help="published scores")
    add("--lower-is-better", metavar="METRIC", nargs="+", default=[], help="metrics of --scores")
    configure_ratings(parser, required=False)
    configure_names(parser)
    sure = parser.add_argument_group("how sure it is").add_argument
    configure_trials(sure, 500, what="resamples")
    configure_alpha(sure)
    configure_seed(sure)
    configure_shown(parser, FORMS)


def run(arguments: Namespace) -> int:
    """Look differences up, or fit curves of one's own first."""
    check_output(arguments.output)
    arguments.measures = None
    show(_fitted(arguments) if arguments.ratings else _shipped(arguments), arguments, FORMS)
    return 0


def _shipped(arguments: Namespace) -> "WorthTable":
    if arguments.references or arguments.scores:
        raise OptionError("tertium meta worth: found texts or scores, expected --ratings with them")
    from tertium.meta.worth_curves import shipped_table

    table = shipped_table(arguments.delta)
    known = dict.fromkeys(curve.metric for curve in table.curves)
    for name in arguments.metrics or ():
        if name not in known:
            raise OptionError(did_you_mean("curve of metric", name, known))
    wanted = arguments.metrics or known
    mine = [curve for name in wanted for curve in table.curves if curve.metric == name]
    return replace(table, curves=tuple(mine))


def _fitted(arguments: Namespace) -> "WorthTable":
    from tertium.meta.worth_curves import WorthTable, worth_curves

    if not arguments.references and not arguments.scores:
        raise OptionError("--ratings: found neither REF nor --scores, expected one with it")
    sets, _ = (text_sets if arguments.references else published_sets)(arguments)
    curves = worth_curves(
        sets, trials=arguments.trials, seed=arguments.seed, level=confidence_of(arguments.alpha)
    )
    names = dict.fromkeys(name for curve in curves for name in curve.sets)
    return WorthTable(
        curves=curves,
        provenance=f"fitted to {', '.join(names)}",
        deltas=tuple(arguments.delta),
    )
