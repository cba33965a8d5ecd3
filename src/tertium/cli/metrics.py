"""``tertium metrics``: what can be asked of ``tertium score -m``."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import configure_shown
from tertium.cli.shell.output import check_output, write_output
from tertium.cli.shell.result import Forms, json_pieces, show, view_forms

if TYPE_CHECKING:
    from tertium.tables import Part

EXAMPLES: Final = """\
examples:
  tertium metrics
  tertium metrics bleu chrf
  tertium metrics -f json
  tertium metrics --degenerate

An option goes in brackets after the metric's name:
  tertium score reference.en -i system.en -m 'bleu[order=2,lowercase=yes]'
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "names", metavar="METRIC", nargs="*", help="show all of these (default: a line each)"
    )
    configure_shown(parser.add_argument, FORMS)
    parser.add_argument(
        "--degenerate",
        action="store_true",
        help="show what every metric gives for empty text, in Markdown",
    )


def run(arguments: Namespace) -> int:
    """List the metrics."""
    check_output(arguments.output)
    if arguments.degenerate:
        from tertium.report.metrics import degenerate_view
        from tertium.tables import markdown

        write_output(markdown(degenerate_view()), arguments.output)
        return 0
    show(arguments.names, arguments, FORMS)
    return 0


def _view(names: Sequence[str], _: Namespace) -> "Iterable[Part]":
    if not names:
        from tertium.report.metric_names import metric_names

        return metric_names()
    from tertium.report.metrics import metric_entries, metric_list

    return metric_list(metric_entries(names))


def _json(names: Sequence[str], _: Namespace) -> Iterable[str]:
    from tertium.report.metrics import metric_entries, metric_list_dict

    return json_pieces(metric_list_dict(metric_entries(names)))


FORMS: Final[Forms[Sequence[str]]] = {**view_forms(_view), "json": _json}
