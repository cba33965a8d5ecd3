"""``tertium explain``: what a score is made of, and what happened in a segment."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import (
    configure_metrics,
    configure_scores,
    configure_shown,
    configure_text,
    score_metrics,
)
from tertium.cli.flags.inputs import configure_input, loaded, say_notes
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, json_pieces, show, view_forms

if TYPE_CHECKING:
    from tertium.explanation import Explanation
    from tertium.tables import Part

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
    configure_metrics(add)
    configure_scores(add)
    configure_text(add)
    add(
        "--segment",
        metavar="N",
        nargs="+",
        type=whole_number(1),
        default=[],
        help="also these segments, counted from 1, with a trace of the matching",
    )
    configure_shown(add, FORMS)


def run(arguments: Namespace) -> int:
    """Explain every metric asked for."""
    check_output(arguments.output)

    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.explanation import explain

    metrics = chosen_metrics(
        arguments.metrics, text_flags(arguments), more=score_metrics(arguments)
    )
    whole = loaded(arguments, metrics)
    say_notes(whole)
    explanations = [
        explain(whole.corpus, whole.systems, metric, segments=arguments.segment)
        for metric in metrics
    ]
    show(explanations, arguments, FORMS)
    return 0


def _view(explanations: "Sequence[Explanation]", _: Namespace) -> "Iterable[Part]":
    from tertium.report.explanation import explanation_view

    return (part for explanation in explanations for part in explanation_view(explanation))


def _json(explanations: "Sequence[Explanation]", _: Namespace) -> Iterable[str]:
    from tertium.explanation import explanations_dict

    return json_pieces(explanations_dict(explanations))


FORMS: Final[Forms["Sequence[Explanation]"]] = {**view_forms(_view), "json": _json}
