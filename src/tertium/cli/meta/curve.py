"""``tertium meta curve``: which length of n-grams foretells people's ratings best."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.score import configure_input
from tertium.cli.meta.flags import (
    RATINGS_HELP,
    configure_names,
    configure_output,
    configure_ratings,
    parsed_metrics,
    rated_texts,
    show,
)
from tertium.cli.meta.plots import check_plot_file, configure_plot_file, plot_path
from tertium.cli.shell.output import check_output
from tertium.cli.shell.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plotly.graph_objects import Figure

    from tertium.meta.agreement.prediction_error import PredictionErrors

ORDERS: Final = range(1, 17)
"""As far as Papineni et al. went."""

EXPLANATION: Final = f"""\
{RATINGS_HELP}
examples:
  tertium meta curve reference.en -i systems/*.en --ratings ratings.tsv
      1 − R² of BLEU for n = 1 to 16 under every criterion, as figures 8 and 9 of Papineni et al.
      (HLT 2002): short n-grams are said to foretell adequacy, long ones fluency
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
    add(
        "-m",
        "--metrics",
        metavar="METRIC",
        nargs="+",
        default=["bleu"],
        help="metrics of n-grams, such as bleu, nist (default: bleu)",
    )
    add(
        "--orders",
        metavar="LOW:HIGH",
        type=_orders,
        default=ORDERS,
        help="lengths of the longest n-gram (default: 1:16)",
    )
    configure_ratings(parser)
    configure_names(parser)
    configure_output(parser)
    configure_plot_file(parser.add_argument_group("what is drawn"))


def _orders(text: str) -> range:
    """A range such as ``1:16``.

    >>> _orders("2:4")
    range(2, 5)
    """
    low, _, high = text.partition(":")
    try:
        found = range(int(low), int(high or low) + 1)
    except ValueError:
        found = range(0)
    if not found or found[0] < 1:
        raise ArgumentTypeError(f"found '{text}', expected such as 1:16")
    return found


def run(arguments: Namespace) -> int:
    """Score the systems with every length of n-grams, and print what people's ratings say of it."""
    check_output(arguments.output)
    check_plot_file(arguments)
    metrics = parsed_metrics(arguments.metrics)
    from tertium.meta.agreement.prediction_error import check_order, prediction_errors
    from tertium.report.meta.view import curve_latex, curve_view

    for metric in metrics:
        check_order(metric)
    corpus, systems, judgments = rated_texts(arguments)
    with progress_bar(lambda: len(metrics)) as progress:
        curves = []
        for metric in metrics:
            curves.append(
                prediction_errors(metric, corpus, systems, judgments, orders=arguments.orders)
            )
            progress(1)
    _draw(arguments, curves)
    show(
        arguments,
        value=lambda: {"curves": [one.to_dict() for one in curves]},
        view=lambda width: curve_view(curves, terminal=width),
        latex=lambda: curve_latex(curves),
    )
    return 0


def _draw(arguments: Namespace, curves: "Sequence[PredictionErrors]") -> None:
    if arguments.plot is None:
        return
    from tertium.report.plots import prediction_error, write_figures

    place = Path(arguments.plot)
    figures: dict[str | Path, Figure] = {
        plot_path(place, (one.metric,) if len(curves) > 1 else ()): prediction_error(
            one.orders,
            dict(zip(one.criteria, one.errors.tolist(), strict=True)),
            title=f"{one.names[0]}: prediction error of {one.metric}",
        )
        for one in curves
    }
    write_figures(figures)
