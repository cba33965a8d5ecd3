"""``tertium rerank``: n-best lists under other weights, with metrics as features."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import (
    configure_also,
    configure_language,
    configure_references,
    configure_scale,
    configure_shown,
    configure_source,
    configure_weights,
)
from tertium.cli.flags.formats import (
    FORMAT_HELP,
    as_lines,
    check_missing,
    configure_formats,
    configure_missing,
    format_options,
    found_file,
    found_references,
    found_sources,
    found_structures,
    tell_damages,
    tell_missing,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output, write_output
from tertium.cli.shell.result import Forms, as_json, on_screen, show
from tertium.decode.formats.kinds import WRITTEN
from tertium.errors import OptionError
from tertium.metrics.contract.catalog import DEFAULT_METRICS

if TYPE_CHECKING:
    from tertium.decode.formats.table import Format
    from tertium.decode.rerank import RerankOutcome
    from tertium.decode.structures.nbest import NBest
    from tertium.text.files import TextFile

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
    configure_formats(parser, limited=True)
    add = parser.add_argument_group("how").add_argument
    configure_source(add)
    configure_weights(add, default="the scores of the lists")
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
    configure_scale(add)
    configure_references(add, what="for --against references, and for the scores")
    add = parser.add_argument_group("what is shown").add_argument
    configure_shown(add, FORMATS, width=2, quiet=True, purposes=FORMATS)
    add(
        "--to",
        metavar="FORMAT",
        choices=WRITTEN,
        help="format of the lists (default: moses, or samples for JSON and fairseq)",
    )
    add("--lossy", action="store_true", help="leave out what that format cannot say")
    configure_missing(add)
    add("--top", metavar="N", type=whole_number(1), help="write only the first N of each list")
    configure_also(add, former=["-m", "--metrics"])
    configure_language(add)


def run(arguments: Namespace) -> int:
    """Rerank list by list; lists are written as they come."""
    check_output(arguments.output)
    _check(arguments)

    from tertium.cli.flags.chosen_metrics import chosen_metrics, language_tokenizer
    from tertium.cli.shell.progress import progress_bar
    from tertium.decode.rerank import MetricFeature, Reranking
    from tertium.decode.weights import check_names, read_weights

    tokenizer = language_tokenizer(arguments)
    added = [
        MetricFeature.parse(
            text, arguments.against or "list", _scale(arguments), tokenizer=tokenizer
        )
        for text in arguments.add_metric
    ]
    metrics = chosen_metrics(arguments.also or DEFAULT_METRICS, tokenizer=tokenizer)
    weights = read_weights(arguments.weights) if arguments.weights else None
    reranking = Reranking(
        weights,
        added,
        references=found_references(arguments.references),
        sources=found_sources(arguments.source),
    )
    files, target = _files(arguments)
    lists = found_structures(arguments, files)
    with progress_bar(lambda: None, quiet=arguments.quiet) as step:
        done = reranking.run(lists, top=arguments.top, step=step)
        if arguments.format == "nbest":
            write_output(_written(arguments, done, target), arguments.output)
        else:
            for _ in done:
                pass
    if weights is not None:
        names = [*lists.feature_names, *(metric.name for metric in added)]
        check_names(weights, names, arguments.weights)
    tell_damages(lists.damages.messages)
    tell_missing(reranking.segments, reranking.in_all)
    if arguments.format == "lines":
        write_output(as_lines(reranking, arguments), arguments.output)
    elif arguments.format != "nbest":
        show(reranking.outcome(metrics), arguments, FORMS)
    return 0


def _check(arguments: Namespace) -> None:
    """Refuse flags that would do nothing, before anything is read."""
    check_missing(arguments)
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
        "--also": (arguments.also is not None and not scored, f"-f {arguments.format}"),
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
    from tertium.decode.formats.segments import check_kind, found_format
    from tertium.decode.formats.table import format_named
    from tertium.decode.structures.nbest import NBest

    options = format_options(arguments)
    files = [found_file(path) for path in arguments.input]
    formats = [found_format(file, arguments.from_format, options) for file in files]
    for file, format_name in zip(files, formats, strict=True):
        check_kind(file, format_name, NBest)
    as_text = formats[0].name in {"moses", "marian", "travatar", "flat"}
    target = format_named(arguments.to or ("moses" if as_text else "samples"))
    if target.holds is not NBest:
        raise OptionError(f"--to: found {target.name}, expected a format of n-best lists")
    return files, target


def _written(arguments: Namespace, lists: "Iterator[NBest]", target: "Format") -> Iterator[str]:
    """All lists in a format; what the format cannot say is an error."""
    from tertium.decode.formats.conversion import convert

    return convert(lists, target, lossy=arguments.lossy)


def _text(outcome: "RerankOutcome", arguments: Namespace) -> Iterable[str]:
    from tertium.report.decoding.mbr import rerank_view

    return on_screen(arguments, rerank_view(outcome, decimals=arguments.width))


FORMS: Final[Forms["RerankOutcome"]] = {"text": _text, "json": as_json}
FORMATS: Final = {
    "nbest": "all lists",
    "lines": "the best of each",
    "text": "what changed",
    "json": "the same for programs",
}
