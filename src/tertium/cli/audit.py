"""``tertium audit``: reasons not to trust a score, looked for before others find them."""

import sys
from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.flags.inputs import loaded
from tertium.cli.flags.resampling import configure_resampling
from tertium.cli.flags.score import configure_input
from tertium.cli.flags.scores import configure_scores, score_metrics
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output, write_output
from tertium.errors import OptionError
from tertium.scored.choices import SLICINGS

EXPLANATION: Final = """\
audits:
  sign-test    each system "significantly better" than the other, or against the scores
  reversal     better on every slice, worse on the whole
  licence      words too many in some segments that pay for words missing in others
  deletion     segments that could be left out before the score drops
  context      segments judged by the company they are in
  permutation  word orders that score no less
  straw-men    empty, noisy or endless output that beats a system
  fragile      leads that rest on few segments, a document, case, punctuation or tokenizer

examples:
  tertium audit reference.en -i baseline.en better.en -m bleu bleu-sbp grr
      is BLEU's verdict to be trusted, and that of two others?
  tertium audit reference.en -i *.en --documents documents.tsv --by genre --only reversal
      systems that win every genre and lose the whole
  tertium audit reference.en -i *.en -m bleu -f json
      all findings with their numbers, for programs
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium audit REF … [-i SYS …] [-m METRIC …] [flags]"
    parser.epilog = EXPLANATION
    configure_input(parser)
    group = parser.add_argument_group("what is looked for")
    add = group.add_argument
    add("-m", "--metrics", metavar="METRIC", nargs="+", default=["bleu"], help="default: bleu")
    configure_scores(add)
    add("--only", metavar="AUDIT", nargs="+", default=[], help="these audits (default: all)")
    add("--skip", metavar="AUDIT", nargs="+", default=[], help="all audits but these")
    add(
        "--by",
        metavar="LABEL",
        nargs="+",
        choices=SLICINGS,
        default=[],
        help="slices for reversals: genre, document, length (default: all there are)",
    )
    add(
        "--alpha",
        metavar="P",
        type=float,
        default=0.05,
        help="significance level of the tests (default: 0.05)",
    )
    configure_resampling(add)
    add("--seed", metavar="N", type=whole_number(0), default=12345, help="default: 12345")
    shown = parser.add_argument_group("what is shown")
    shown.add_argument(
        "-f",
        "--format",
        choices=("text", "json"),
        default="text",
        help="for people or for programs (default: text)",
    )
    shown.add_argument("-o", "--output", metavar="FILE", help="write there, at once when complete")


def run(arguments: Namespace) -> int:
    """Audit, and print only when everything has been done."""
    check_output(arguments.output)
    if not 0 < arguments.alpha <= 0.5:
        raise OptionError(
            f"--alpha: found {arguments.alpha:g}, expected a significance level such as 0.05"
        )

    from tertium.audit.audit import audit, chosen_audits
    from tertium.cli.flags.chosen_metrics import chosen_metrics

    chosen_audits(arguments.only, arguments.skip)  # complain before files are read
    metrics = chosen_metrics(arguments.metrics, [], more=score_metrics(arguments))
    whole = loaded(arguments)
    report = audit(
        whole.corpus,
        whole.systems,
        metrics,
        only=arguments.only,
        skip=arguments.skip,
        by=arguments.by,
        resample=arguments.resample,
        alpha=arguments.alpha,
        seed=arguments.seed,
    )
    if arguments.format == "json":
        from tertium.report.json_text import json_text

        shown = json_text(report.to_dict())
    else:
        from tertium.report.console import console_text
        from tertium.report.findings import findings_view

        screen = None if arguments.output else sys.stdout
        shown = console_text(findings_view(report), screen)
    write_output([shown], arguments.output)
    return 0
