"""``tertium rerank``: n-best lists under other weights, with metrics as features."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tertium.cli.format_flags import (
    FORMAT_HELP,
    configure_formats,
    format_options,
    found_file,
    tell_damages,
)
from tertium.cli.output import check_output, write_output
from tertium.cli.values import whole_number
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.decode.formats.lines import Damages
    from tertium.decode.nbest import NBest
    from tertium.decode.rerank import Reranking
    from tertium.metrics.base import Metric

METRICS: Final = ("bleu", "chrf", "ter")

EXPLANATION: Final = """\
The new score of a hypothesis is the sum of weight · feature; without --weights it is the score it
has, plus what the added metrics give. A metric is a feature against the list itself (its expected
score, which needs no reference: minimum Bayes risk as one feature among others) or, with
--against references, against references.

examples:
  tertium rerank dev.nbest --weights weights.txt > reranked.nbest
      the lists in their new order, with their new scores
  tertium rerank dev.nbest --weights weights.txt -f lines > best.en
      only the best of each list
  tertium rerank dev.nbest --weights weights.txt --add-metric 0.2*chrf -f text -r reference.en
      with the expected chrF as one more feature; how did other metrics take it?
  tertium rerank dev.nbest --add-metric '100*grr[tokenizer=none]' --against references -r ref.en
      the oracle order
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium rerank NBEST … [--weights FILE] [--add-metric METRIC …] [flags]"
    parser.epilog = f"{FORMAT_HELP}\n{EXPLANATION}"
    add = parser.add_argument_group("what is reranked").add_argument
    add("input", metavar="NBEST", nargs="+", help="n-best lists")
    configure_formats(parser)
    add = parser.add_argument_group("how").add_argument
    add("--weights", metavar="FILE", help="weights of the features (default: the lists' scores)")
    add(
        "--add-metric",
        metavar="METRIC",
        nargs="+",
        default=[],
        help="METRIC or WEIGHT*METRIC; the weights file may say the weight of Metric_…",
    )
    add(
        "--against",
        choices=("list", "references"),
        default="list",
        help="what the metric compares a hypothesis with (default: list)",
    )
    add("--scale", metavar="X", type=float, default=1.0, help="of the lists' scores (default: 1)")
    add("-r", "--references", metavar="REF", nargs="+", default=[], help="one line a segment")
    add = parser.add_argument_group("what is shown").add_argument
    add(
        "-f",
        "--format",
        choices=("nbest", "lines", "text", "json"),
        default="nbest",
        help="all lists, the best of each, or what changed, for people or programs",
    )
    add("--to", metavar="FORMAT", help="of the lists (default: moses, or samples for JSONL)")
    add("--top", metavar="N", type=whole_number(1), help="the first N of each list")
    add(
        "-m",
        "--metrics",
        metavar="METRIC",
        nargs="+",
        default=list(METRICS),
        help=f"scores before and after (default: {' '.join(METRICS)})",
    )
    add("-w", "--width", metavar="N", type=whole_number(0), default=2, help="decimals (default: 2)")
    add("-q", "--quiet", action="store_true", help="no progress")
    add("-o", "--output", metavar="FILE", help="write there, at once when complete")


def run(arguments: Namespace) -> int:
    """Rerank list by list; lists are written as they come."""
    check_output(arguments.output)
    if not arguments.weights and not arguments.add_metric:
        raise OptionError("rerank: found neither --weights nor --add-metric, expected one at least")

    from tertium.cli.chosen_metrics import chosen_metrics
    from tertium.cli.mbr import read_references
    from tertium.cli.progress import progress_bar
    from tertium.decode.formats.lines import Damages
    from tertium.decode.rerank import MetricFeature, Reranking
    from tertium.decode.weights import read_weights

    added = [
        MetricFeature.parse(text, arguments.against, arguments.scale)
        for text in arguments.add_metric
    ]
    reranking = Reranking(
        read_weights(arguments.weights) if arguments.weights else None,
        added,
        references=read_references(arguments.references),
    )
    damages = Damages(skip=arguments.skip_bad)
    lists, to = _lists(arguments, damages)
    with progress_bar(lambda: None, quiet=arguments.quiet) as step:
        done = reranking.run(lists, top=arguments.top, step=step)
        if arguments.format in {"text", "json"}:
            for _ in done:
                pass
            metrics = chosen_metrics(arguments.metrics, [])
            write_output(_report(arguments, reranking, metrics), arguments.output)
        else:
            format_ = to if arguments.format == "nbest" else None
            write_output(_written(done, format_), arguments.output)
    tell_damages(damages.count, damages.first)
    return 0


def _lists(arguments: Namespace, damages: "Damages") -> "tuple[Iterator[NBest], str]":
    """The lists of all files, and the format to write them in."""
    from tertium.decode.reading import found_format, read_nbest

    options = format_options(arguments)
    files = [found_file(path) for path in arguments.input]
    own = found_format(files[0], arguments.from_format, options).name
    lists = (
        nbest
        for file in files
        for nbest in read_nbest(
            file, format=arguments.from_format, options=options, damages=damages
        )
    )
    return lists, arguments.to or ("samples" if own == "samples" else "moses")


def _written(lists: "Iterator[NBest]", to: str | None) -> Iterator[str]:
    """All lists in a format, or the first line of each."""
    if to is None:
        from tertium.report.mbr import one_line

        return (f"{one_line(nbest.hypotheses[0])}\n" for nbest in lists)
    from tertium.decode.formats.table import format_named

    return format_named(to).write(lists)


def _report(arguments: Namespace, reranking: "Reranking", metrics: "list[Metric]") -> list[str]:
    outcome = reranking.outcome(metrics)
    if arguments.format == "json":
        from tertium.report.lines import json_text

        return [json_text(outcome.to_dict())]
    from tertium.report.mbr import rerank_view
    from tertium.report.tables import console_text

    screen = None if arguments.output else sys.stdout
    return [console_text(rerank_view(outcome, decimals=arguments.width), screen)]
