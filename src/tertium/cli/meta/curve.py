"""``tertium meta curve``: which length of n-grams foretells people's ratings best."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Final

from tertium.cli.flags.common import configure_metrics, configure_text
from tertium.cli.flags.inputs import configure_input
from tertium.cli.meta.flags import (
    RATINGS_HELP,
    check_plot_file,
    configure_names,
    configure_plot_file,
    configure_ratings,
    configure_shown,
    forms_of,
    rated_inputs,
    write_plots,
)
from tertium.cli.shell.output import check_output
from tertium.cli.shell.progress import progress_bar
from tertium.cli.shell.result import show

FORMS: Final = forms_of("curve", key="curves")
ORDERS: Final = range(1, 17)
"""As far as Papineni et al. went."""

EXPLANATION: Final = f"""\
{RATINGS_HELP}
examples:
  tertium meta curve reference.en -i systems/*.en --ratings ratings.tsv
      1 − R² of BLEU for n = 1 to 16 under every criterion, as figures 8 and 9 of Papineni et al.
      (HLT 2002): short n-grams are said to predict adequacy, long ones fluency
  tertium meta curve reference.en -i systems/*.en -m bleu nist --orders 1:5 --ratings ratings.tsv \\
      --plot curve.svg
      two metrics, as tables and as drawings
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium meta curve REF … -i SYS … --ratings FILE … [flags]"
    parser.epilog = EXPLANATION
    configure_input(parser)
    add = parser.add_argument_group("how it is scored").add_argument
    configure_metrics(add, ("bleu",), what="metrics of n-grams, such as bleu, nist")
    configure_text(add)
    add(
        "--orders",
        metavar="LOW:HIGH",
        type=_orders,
        default=ORDERS,
        help="lengths of the longest n-gram (default: 1:16)",
    )
    configure_ratings(parser)
    configure_names(parser)
    configure_shown(parser, FORMS, width=1)
    configure_plot_file(parser.add_argument_group("what is drawn").add_argument)


def _orders(text: str) -> range:
    """A range such as ``1:16``.

    >>> _orders("2:4")
    range(2, 5)
    """
    low, _, high = text.partition(":")
    try:
        lengths = range(int(low), int(high or low) + 1)
    except ValueError:
        lengths = range(0)
    if not lengths or lengths[0] < 1:
        raise ArgumentTypeError(f"found '{text}', expected such as 1:16")
    return lengths


def run(arguments: Namespace) -> int:
    """Score the systems with every length of n-grams, and print what people's ratings say of it."""
    check_output(arguments.output)
    check_plot_file(arguments)
    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.meta.agreement.prediction_error import check_order, prediction_errors

    metrics = chosen_metrics(arguments.metrics, text_flags(arguments))
    for metric in metrics:
        check_order(metric)
    corpus, systems, judgments = rated_inputs(arguments)
    with progress_bar(lambda: len(metrics)) as progress:
        curves = []
        for metric in metrics:
            curves.append(
                prediction_errors(metric, corpus, systems, judgments, orders=arguments.orders)
            )
            progress(1)
    if arguments.plot is not None:
        from tertium.report.plots.figures import error_figures

        write_plots(arguments, error_figures(curves))
    show(curves, arguments, FORMS)
    return 0
