"""``tertium metrics``: what can be asked of ``tertium score -m``."""

import sys
from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.shell.output import write_output

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
    parser.add_argument(
        "-f",
        "--format",
        choices=("table", "json"),
        default="table",
        help="for people or for programs (default: table)",
    )
    parser.add_argument(
        "--degenerate",
        action="store_true",
        help="instead, what every metric gives for empty text, in Markdown",
    )


def run(arguments: Namespace) -> int:
    """List the metrics."""
    if arguments.degenerate:
        from tertium.report.degenerate import degenerate_tables

        write_output(f"{line}\n" for line in degenerate_tables())
        return 0
    from tertium.report.metric_list import (
        metric_entries,
        metric_list,
        metric_list_dict,
        metric_names,
    )

    entries = metric_entries(arguments.names)
    if arguments.format == "json":
        from tertium.report.json_text import json_text

        write_output([json_text(metric_list_dict(entries))])
        return 0
    from tertium.report.console import console_text

    shown = metric_list(entries) if arguments.names else metric_names(entries)
    write_output([console_text(shown, sys.stdout)])
    return 0
