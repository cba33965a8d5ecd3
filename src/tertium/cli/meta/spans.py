"""``tertium meta spans``: errors that people marked, counted, weighed and compared."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from tertium.choices import SPAN_FORMATS
from tertium.cli.flags.common import (
    configure_documents,
    configure_former,
    configure_pair,
    configure_source,
)
from tertium.cli.flags.inputs import configure_tables, whole_of
from tertium.cli.flags.values import columns_by_role
from tertium.cli.meta.flags import configure_judges, configure_shown, forms_of
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import show
from tertium.errors import OptionError
from tertium.text.decimals import decimal

if TYPE_CHECKING:
    from tertium.meta.spans.span import Annotations

FORMS: Final = forms_of("spans", key="spans")

EXPLANATION: Final = """\
files, told apart by their names and first lines:
  mt-metrics-eval  PAIR.NAME.RATER.seg.rating: a system and JSON a line; or a folder of them
  standalone       JSON lines of mt-metrics-eval with source, hypothesis and errors
  mqm              mqm_*.tsv: a row for each error, marked <v>…</v> in the text
  wmt25            JSON lines of WMT25's human evaluation
  pearmut          what Pearmut records
  appraise         scores that Appraise exports, of MQM, ESA or plain assessment
  Offsets become code points and ends exclusive, whatever a tool counts: Appraise, Pearmut and
  WMT25 name the last marked unit of UTF-16.

examples:
  tertium meta spans zh-en.mqm.rater*.seg.rating
      errors by system, category and rater; scores; F1 of the raters' marks
  tertium meta spans human-scores -i system-outputs/zh-en/*.txt
      the same with the texts, which α beyond chance takes
  tertium meta spans mqm_newstest2021_ende.tsv --points major=10 minor/fluency/punctuation=1
      other weights than those of Freitag et al. (2021)
  tertium meta spans wmt25-genmt-humeval.jsonl --pair cs-de_DE -f json
      one language pair, for programs; with --list-errors every error in code points
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium meta spans FILE … [-i SYS …] [flags]"
    parser.epilog = EXPLANATION
    add = parser.add_argument_group("what was marked").add_argument
    add("files", metavar="FILE", nargs="+", help="files or folders of marked errors")
    add(
        "--spans-format",
        metavar="FORMAT",
        choices=("auto", *SPAN_FORMATS),
        default="auto",
        help=f"auto, {', '.join(SPAN_FORMATS)} (default: auto)",
    )
    configure_pair(add)
    judges = configure_judges(add)
    configure_former(add, "--raters", judges)
    add(
        "--points",
        metavar="RULE=POINTS",
        nargs="+",
        type=_weight,
        default=[],
        help="points of SEVERITY or SEVERITY/CATEGORY, * is any severity (default: major=5 "
        "minor=1 minor/fluency/punctuation=0.1 major/non-translation!=25 neutral=0)",
    )
    listed = add(
        "--list-errors",
        action="store_true",
        help="every error in JSON, too, one format for all files",
    )
    configure_former(add, "--list", listed)
    texts = parser.add_argument_group("the texts").add_argument
    texts(
        "-i",
        "--input",
        metavar="SYS",
        nargs="+",
        default=[],
        help="a file for each system, in which errors were marked",
    )
    configure_source(texts)
    configure_documents(texts, use="by which Appraise names segments")
    configure_tables(texts)
    configure_shown(parser, FORMS)


def _weight(text: str) -> tuple[str, float]:
    """A rule such as ``minor/style=0.5``.

    >>> _weight("minor/style=0.5")
    ('minor/style', 0.5)
    """
    rule, equals, points = text.rpartition("=")
    number = decimal(points)
    if not (rule and equals) or number is None:
        raise ArgumentTypeError(f"found '{text}', expected such as major=5 or minor/style=0.5")
    return rule, number


def run(arguments: Namespace) -> int:
    """Read what was marked, lay it on the texts if there are any, and print what it comes to."""
    check_output(arguments.output)
    from tertium.meta.spans.files import read_spans
    from tertium.meta.spans.ratings import Weights
    from tertium.meta.spans.summary import span_report

    weights = Weights(dict(arguments.points))
    annotations = read_spans(
        arguments.files,
        format=arguments.spans_format,
        pair=arguments.pair,
        raters=arguments.judges,
    )
    show(
        [
            span_report(text, weights=weights, listed=arguments.list_errors)
            for text in _with_texts(annotations, arguments)
        ],
        arguments,
        FORMS,
    )
    return 0


def _with_texts(
    annotations: "tuple[Annotations, ...]", arguments: Namespace
) -> "Iterable[Annotations]":
    if not arguments.input:
        for flag in ("source", "documents"):
            if getattr(arguments, flag):
                raise OptionError(f"--{flag}: found without -i, expected with it")
        return annotations
    if len(annotations) > 1:
        pairs = ", ".join(one.name for one in annotations)
        raise OptionError(f"-i: found errors of {pairs}, expected one of them by --pair")
    from tertium.meta.spans.segments import with_texts
    from tertium.text.input_files import open_inputs

    more: dict[str, Any] = {
        "source": arguments.source,
        "documents": arguments.documents,
        "format": arguments.input_format,
        "columns": columns_by_role(arguments.columns),
        "inline_codes": arguments.inline_codes,
        "quoting": arguments.quoting,
    }
    # There is no reference: any system's output says how many segments there are.
    whole = whole_of(open_inputs(arguments.input[:1], arguments.input, **more))
    return [with_texts(annotations[0], whole.corpus, whole.systems)]
