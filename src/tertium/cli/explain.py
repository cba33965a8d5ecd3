"""``tertium explain``: what a score is made of, and what happened in a segment."""

import sys
from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.flags.inputs import loaded
from tertium.cli.flags.score import configure_input
from tertium.cli.flags.scores import configure_scores, score_metrics
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output, write_output

EXAMPLES: Final = """\
examples:
  tertium explain reference.en -i system.en -m bleu
      precisions and brevity penalty
  tertium explain reference.en -i baseline.en better.en -m amber
      every precision, recall and penalty of both systems side by side
  tertium explain reference.en -i system.en -m grr --segment 12 40
      the automaton's best path through the segments 12 and 40
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium explain REF … [-i SYS …] [-m METRIC …] [--segment N …] [flags]"
    parser.epilog = EXAMPLES
    configure_input(parser)
    group = parser.add_argument_group("what is shown")
    add = group.add_argument
    add("-m", "--metrics", metavar="METRIC", nargs="+", default=["bleu"], help="default: bleu")
    configure_scores(add)
    add(
        "--segment",
        metavar="N",
        nargs="+",
        type=whole_number(1),
        default=[],
        help="also these segments, counted from 1, with a trace of the matching",
    )
    add(
        "-f",
        "--format",
        choices=("table", "json"),
        default="table",
        help="for people or for programs (default: table)",
    )
    add("-o", "--output", metavar="FILE", help="write there, at once when complete")


def run(arguments: Namespace) -> int:
    """Explain every metric asked for."""
    from tertium.explanation import explain, explanations_dict

    check_output(arguments.output)
    metrics = [*arguments.metrics, *score_metrics(arguments)]
    whole = loaded(arguments)
    explanations = [
        explain(whole.corpus, whole.systems, metric, segments=arguments.segment)
        for metric in metrics
    ]
    if arguments.format == "json":
        from tertium.report.json_text import json_text

        shown = json_text(explanations_dict(explanations))
    else:
        from tertium.report.console import console_text
        from tertium.report.explanation import explanation_view

        screen = None if arguments.output else sys.stdout
        shown = "\n".join(console_text(explanation_view(one), screen) for one in explanations)
    write_output([shown], arguments.output)
    return 0
