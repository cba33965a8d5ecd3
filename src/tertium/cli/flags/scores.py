"""``--scores``: metrics whose scores lie in files."""

from argparse import Namespace
from typing import TYPE_CHECKING

from tertium.cli.flags.common import Add

if TYPE_CHECKING:
    from tertium.metrics.contract.base import Metric


def configure_scores(add: Add) -> None:
    """Declare the flag, among those that say how text is scored."""
    add(
        "--scores",
        metavar="FILE",
        nargs="+",
        default=[],
        help="also every column of scores in these files or folders: mt-metrics-eval, COMET, "
        "MetricX, WMT25, tables; {system} in a name stands for each system",
    )


def score_metrics(arguments: Namespace) -> "list[Metric]":
    """The metrics of the files that the flag names."""
    if not arguments.scores:
        return []
    from tertium.metrics.foreign.file_scores import metrics_of_files
    from tertium.text.formats.table import system_name

    pair = getattr(arguments, "pair", None) or ""
    systems = arguments.names or [system_name(path) for path in arguments.input]
    return [*metrics_of_files(arguments.scores, pair=pair, systems=systems)]
