"""``tertium rerank``: n-best lists under other weights, with metrics as features."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.formats import (
    FORMAT_HELP,
    configure_formats,
    configure_missing,
    format_options,
    found_file,
    missing_text,
    tell_damages,
    tell_missing,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output, write_output
from tertium.decode.formats.kinds import WRITTEN
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.decode.formats.table import Format
    from tertium.decode.rerank import Reranking
    from tertium.decode.structures.nbest import NBest
    from tertium.metrics.contract.base import Metric
    from tertium.text.files import TextFile

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
        help="what the metric compares a hypothesis with (default: list)",
    )
    add("--scale", metavar="X", type=float, help="of the lists' scores (default: 1)")
    add("-r", "--references", metavar="REF", nargs="+", default=[], help="one line a segment")
    add = parser.add_argument_group("what is shown").add_argument
    add(
        "-f",
        "--format",
        choices=("nbest", "lines", "text", "json"),
        default="nbest",
        help="all lists, the best of each, or what changed, for people or programs",
    )
    add(
        "--to",
        metavar="FORMAT",
        choices=WRITTEN,
        help="of the lists (default: moses, or samples for JSON and fairseq)",
    )
    add("--lossy", action="store_true", help="leave out what that format cannot say")
    configure_missing(add)
    add("--top", metavar="N", type=whole_number(1), help="the first N of each list")
    add(
        "-m",
        "--metrics",
        metavar="METRIC",
        nargs="+",
        help=f"scores before and after (default: {' '.join(METRICS)})",
    )
    add("-w", "--width", metavar="N", type=whole_number(0), default=2, help="decimals (default: 2)")
    add("-q", "--quiet", action="store_true", help="no progress")
    add("-o", "--output", metavar="FILE", help="write there, at once when complete")


def run(arguments: Namespace) -> int:
    """Rerank list by list; lists are written as they come."""
    check_output(arguments.output)
    _check(arguments)
    missing = missing_text(arguments)

    from tertium.cli.flags.chosen_metrics import chosen_metrics
    from tertium.cli.shell.progress import progress_bar
    from tertium.decode.formats.numbered_lines import Damages
    from tertium.decode.formats.segments import Segments, lines_of
    from tertium.decode.rerank import MetricFeature, Reranking
    from tertium.decode.structures.nbest import NBest
    from tertium.decode.weights import check_names, read_weights
    from tertium.text.reference_files import read_references

    added = [
        MetricFeature.parse(text, arguments.against or "list", _scale(arguments))
        for text in arguments.add_metric
    ]
    weights = read_weights(arguments.weights) if arguments.weights else None
    references = read_references(arguments.references) if arguments.references else None
    reranking = Reranking(weights, added, references=references)
    damages = Damages(skip=arguments.skip_bad)
    files, target = _files(arguments)
    lists = Segments(
        files,
        format=arguments.from_format,
        options=format_options(arguments),
        damages=damages,
    )
    with progress_bar(lambda: None, quiet=arguments.quiet) as step:
        nbest = (one for _, one in lists if isinstance(one, NBest))  # they all are
        done = reranking.run(nbest, top=arguments.top, step=step)
        if arguments.format == "nbest":
            write_output(_written(arguments, done, target), arguments.output)
        else:
            for _ in done:
                pass
    if weights is not None:
        names = [*lists.feature_names, *(one.name for one in added)]
        check_names(weights, names, arguments.weights)
    tell_damages(damages.messages)
    segments = max(lists.count, len(references or ()))
    tell_missing(reranking.segments, segments)
    if arguments.format == "lines":
        texts = dict(zip(reranking.segments, reranking.chosen, strict=True))
        write_output(lines_of(texts, segments, missing), arguments.output)
    elif arguments.format != "nbest":
        metrics = chosen_metrics(arguments.metrics or METRICS, [])
        write_output(_report(arguments, reranking, metrics), arguments.output)
    return 0


def _check(arguments: Namespace) -> None:
    """Refuse flags that would do nothing, before anything is read."""
    if not arguments.weights and not arguments.add_metric:
        raise OptionError("rerank: found neither --weights nor --add-metric, expected one at least")
    scored = arguments.format in {"text", "json"}
    idle = {
        "--against": (arguments.against and not arguments.add_metric, "no --add-metric"),
        "--scale": (
            arguments.scale is not None
            and (not arguments.add_metric or arguments.against == "references"),
            "no metric against the lists",
        ),
        "--to": (arguments.to and arguments.format != "nbest", f"-f {arguments.format}"),
        "--lossy": (arguments.lossy and arguments.format != "nbest", f"-f {arguments.format}"),
        "--top": (arguments.top and arguments.format != "nbest", f"-f {arguments.format}"),
        "-m": (arguments.metrics is not None and not scored, f"-f {arguments.format}"),
        "-r": (
            arguments.references and not scored and arguments.against != "references",
            f"-f {arguments.format} and no --against references",
        ),
    }
    for flag, (is_idle, found) in idle.items():
        if is_idle:
            raise OptionError(f"{flag}: found {found}, expected something for it to do")


def _scale(arguments: Namespace) -> float:
    return 1.0 if arguments.scale is None else float(arguments.scale)


def _files(arguments: Namespace) -> "tuple[list[TextFile], Format]":
    """The files, all of n-best lists, and the format to write them in."""
    from tertium.decode.formats.input import check_kind, found_format
    from tertium.decode.formats.table import format_named
    from tertium.decode.structures.nbest import NBest

    options = format_options(arguments)
    files = [found_file(path) for path in arguments.input]
    formats = [found_format(file, arguments.from_format, options) for file in files]
    for file, found in zip(files, formats, strict=True):
        check_kind(file, found, NBest)
    as_text = formats[0].name in {"moses", "marian", "travatar", "flat"}
    target = format_named(arguments.to or ("moses" if as_text else "samples"))
    if target.holds is not NBest:
        raise OptionError(f"--to: found {target.name}, expected a format of n-best lists")
    return files, target


def _written(arguments: Namespace, lists: "Iterator[NBest]", target: "Format") -> Iterator[str]:
    """All lists in a format; what the format cannot say is an error."""
    from tertium.decode.formats.conversion import convert

    return convert(lists, target, lossy=arguments.lossy)


def _report(arguments: Namespace, reranking: "Reranking", metrics: "list[Metric]") -> list[str]:
    outcome = reranking.outcome(metrics)
    if arguments.format == "json":
        from tertium.report.json_text import json_text

        return [json_text(outcome.to_dict())]
    from tertium.report.console import console_text
    from tertium.report.decoding.mbr import rerank_view

    screen = None if arguments.output else sys.stdout
    return [console_text(rerank_view(outcome, decimals=arguments.width), screen)]
