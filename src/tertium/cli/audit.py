"""``tertium audit``: reasons not to trust a score, looked for before others find them."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tertium.audit.table import AUDITS
from tertium.choices import SLICINGS
from tertium.cli.flags.common import (
    configure_alpha,
    configure_former,
    configure_metrics,
    configure_resampling,
    configure_scores,
    configure_seed,
    configure_shown,
    configure_text,
    score_metrics,
)
from tertium.cli.flags.inputs import configure_input, loaded
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, show, view_forms

if TYPE_CHECKING:
    from tertium.audit.findings import AuditReport
    from tertium.tables import Part

EXPLANATION: Final = """\
audits:
{audits}

examples:
  tertium audit reference.en -i baseline.en better.en -m bleu bleu-sbp grr
      is BLEU's verdict to be trusted, and that of two others?
  tertium audit reference.en -i *.en --documents documents.tsv --slices genre --only reversal
      systems that win every genre and lose the whole
  tertium audit reference.en -i *.en -m bleu -f json
      all findings with their numbers, for programs
""".format(
    audits="\n".join(f"  {name:11}  {row.summary}".rstrip() for name, row in AUDITS.rows.items())
)


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium audit REF … [-i SYS …] [-m METRIC …] [flags]"
    parser.epilog = EXPLANATION
    configure_input(parser)
    group = parser.add_argument_group("what is looked for")
    add = group.add_argument
    configure_metrics(add)
    configure_scores(add)
    configure_text(add)
    add(
        "--only",
        metavar="AUDIT",
        nargs="+",
        default=[],
        help="ask only these audits (default: all)",
    )
    add("--skip", metavar="AUDIT", nargs="+", default=[], help="all audits but these")
    slices = add(
        "--slices",
        dest="by",
        metavar="LABEL",
        nargs="+",
        choices=SLICINGS,
        default=[],
        help="slices for reversals: genre, document, length (default: all there are)",
    )
    configure_former(add, "--by", slices)
    configure_alpha(add)
    configure_resampling(add)
    configure_seed(add)
    configure_shown(parser.add_argument_group("what is shown").add_argument, FORMS)


def run(arguments: Namespace) -> int:
    """Audit, and print only when everything has been done."""
    check_output(arguments.output)

    from tertium.audit.audit import audit, chosen_audits
    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags

    chosen_audits(arguments.only, arguments.skip)  # complain before files are read
    metrics = chosen_metrics(
        arguments.metrics, text_flags(arguments), more=score_metrics(arguments)
    )
    whole = loaded(arguments, metrics)
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
    show(report, arguments, FORMS)
    return 0


def _view(report: "AuditReport", _: Namespace) -> "Iterable[Part]":
    from tertium.report.findings import findings_view

    return findings_view(report)


def _tsv(report: "AuditReport", _: Namespace) -> Iterable[str]:
    from tertium.tables import record_tsv

    return record_tsv(report.records)


FORMS: Final[Forms["AuditReport"]] = {**view_forms(_view, "text"), "tsv": _tsv}
