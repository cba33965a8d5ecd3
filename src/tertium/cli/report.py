"""``tertium report``: a comparison to look at, as one page that needs nothing else."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from tertium.choices import AUDIENCES
from tertium.cli.flags.common import configure_output
from tertium.cli.flags.studies import configure_ratings, configure_study, gathered, study_metrics
from tertium.cli.shell.output import check_output, write_output

EXAMPLES: Final = """\
examples:
  tertium report reference.en -i baseline.en better.en
      writes report.html: findings, scores, plots, and every segment to read
  tertium report reference.*.en -i systems/*.en -m bleu chrf ter meteor \\
      --source source.de --documents documents.tsv -o systems.html
      several references and metrics, with sources and slices by genre and document
  tertium report reference.en -i systems/*.en -m bleu chrf --ratings ratings.tsv
      how far the metrics agree with people, too
  tertium report reference.en -i systems/*.en --spans mqm_newstest2021_ende.tsv
      errors that people marked, shown in the text of each segment
  tertium report reference.en -i old.en new.en --audience everyone
      opens with a summary in plain words, for people who know no metrics
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium report REF … -i SYS … [-m METRIC …] [-o report.html] [flags]"
    parser.epilog = EXAMPLES
    configure_study(parser)
    configure_ratings(parser)
    add = parser.add_argument_group("what is shown").add_argument
    add(
        "--audience",
        choices=AUDIENCES,
        default="experts",
        help="whom the page opens for, with a switch to the other: everyone sees a summary in "
        "plain words (default: experts)",
    )
    add("--no-audit", action="store_true", help="leave the audits out, which takes less time")
    configure_output(add, "report.html")


def run(arguments: Namespace) -> int:
    """Study the systems, write the page and say where it is."""
    check_output(arguments.output)
    from tertium.report.html.page import page, require

    require()
    metrics = study_metrics(arguments)
    study = gathered(arguments, metrics, audit=not arguments.no_audit)
    write_output([page(study, audience=arguments.audience)], arguments.output)
    if arguments.output != "-":
        print(Path(arguments.output).resolve())
    return 0
