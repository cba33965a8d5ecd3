"""The flags of ``tertium score``; they are sacreBLEU's wherever sacreBLEU has them."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Final

from tertium.choices import SLICINGS
from tertium.cli.flags.common import (
    Add,
    configure_format,
    configure_metrics,
    configure_output,
    configure_quiet,
    configure_text,
    configure_width,
)
from tertium.cli.flags.confidence import configure_confidence
from tertium.cli.flags.engine import configure_engine
from tertium.cli.flags.inputs import configure_input
from tertium.cli.flags.sacrebleu import configure_sacrebleu
from tertium.cli.flags.scores import configure_scores
from tertium.cli.flags.values import positive_number, whole_number
from tertium.metrics.contract.summaries import DEFAULT_METRICS

EXAMPLES: Final = """\
examples:
  tertium score reference.en -i system.en
      one system, BLEU
  tertium score reference.1.en reference.2.en -i baseline.en better.en -m bleu bleu-sbp wer
      two references, two systems, three metrics; the first system is the baseline
  tertium score reference.en -i system.en -m bleu 'bleu[reference_length=average]'
      options of one metric go in brackets ('tertium metrics' lists them)
  tertium score reference.en -i *.en --documents documents.tsv --by genre -f json
      a score for each genre, for programs
  tertium score reference.en -i system.en -sl -f tsv
      a score for each segment
  tertium score reference.en -i baseline.en better.en --paired-bs
      is the difference more than chance?
  tertium score reference.en -i baseline.en better.en --documents documents.tsv --paired-bs
      the same with whole documents drawn, whose segments are not independent
  cat system.en | tertium score reference.en -b
      hypotheses from standard input, nothing but the number printed
  tertium score 'references/*.en' -i 'outputs/*.en' --by document
      many small files read as one (in quotes, or the shell makes several references of them); each
      file is a document, compared with the one that is called alike
  tertium score dev.en --follow checkpoints/ -m bleu chrf -o scores.tsv
      while a model is trained: a line as each checkpoint's output is complete
  tertium score ref.7 -i sys.7 --names mine --statistics part7.parquet --first-segment 600001
      one part of a corpus; 'tertium merge part*.parquet' makes one score of all parts
  tertium score pairs/ --columns reference=en hypothesis=mt --engine dask --workers 8 --resume done
      a folder of Parquet files by eight processes; interrupted, the same command goes on
  tertium score 'ref.*' -i 'sys.*' --engine dask --scheduler tcp://head:8786 --skip-bad
      many files on a cluster; those that are no UTF-8 are left out and named
"""


def configure_score(parser: ArgumentParser, forms: Mapping[str, object]) -> None:
    """Declare the flags and the help; ``forms`` are those that a score can be shown in."""
    parser.usage = "tertium score REF … [-i SYS …] [-m METRIC …] [flags]"
    parser.epilog = EXAMPLES
    configure_input(parser)
    _configure_metrics(parser)
    configure_confidence(parser)
    configure_score_output(parser, forms)
    _configure_statistics(parser)
    _configure_follow(parser)
    configure_engine(parser)
    configure_sacrebleu(parser)


def _configure_metrics(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(
        "how it is scored",
        "-tok, -lc, -s and -l hold for every metric that knows the option and does not set it "
        "in brackets.",
    )
    add = group.add_argument
    configure_metrics(
        add,
        set_default=False,
        told=f"{' '.join(DEFAULT_METRICS)}; bleu alone for -b and -f text, as sacreBLEU",
    )
    configure_scores(add)
    configure_text(add)
    add(
        "-s",
        "--smooth-method",
        metavar="METHOD",
        help="none, exp, floor, add-k or lin-och, for the BLEU family",
    )
    add(
        "-sv",
        "--smooth-value",
        metavar="NUMBER",
        type=float,
        help="the number that floor or add-k uses",
    )
    add(
        "--threads",
        metavar="N",
        type=whole_number(1),
        help="threads to use (default: all, or TERTIUM_THREADS)",
    )


def _configure_follow(parser: ArgumentParser) -> None:
    add = parser.add_argument_group(
        "training runs", "Files are scored when they are complete, until Ctrl-C."
    ).add_argument
    add(
        "--follow",
        metavar="FOLDER",
        help="a line of scores as each output appears there; a pattern in quotes will do. With -o "
        "lines are added, and files that have one are not scored again",
    )
    add(
        "--every",
        metavar="SECONDS",
        type=positive_number,
        default=5.0,
        help="how often to look for new files (default: 5)",
    )


def _configure_statistics(parser: ArgumentParser) -> None:
    add = parser.add_argument_group(
        "what is kept", "The numbers behind the score of every segment; 'tertium merge' reads them."
    ).add_argument
    configure_statistics(add)
    add(
        "--first-segment",
        metavar="N",
        type=whole_number(1),
        help="the files are a part of a corpus, and begin with its segment N",
    )


def configure_statistics(add: Add) -> None:
    """A file for the rows of all segments."""
    add(
        "--statistics",
        metavar="FILE",
        help="also write every segment's statistics to FILE.parquet, all of it or nothing",
    )


def configure_score_output(parser: ArgumentParser, forms: Mapping[str, object]) -> None:
    """Declare how scores are shown."""
    group = parser.add_argument_group("what is shown")
    add = group.add_argument
    configure_format(
        add,
        forms,
        purposes={"text": "as sacreBLEU prints it", "multi-bleu": "as multi-bleu.perl does"},
        set_default=False,
    )
    add("-sl", "--sentence-level", action="store_true", help="a score for every segment")
    add(
        "--by",
        metavar="LABEL",
        choices=SLICINGS,
        help="scores for every genre, document or band of reference lengths too",
    )
    configure_width(add, None, told="1 in text, 2 in tables")
    add(
        "-b",
        "--score-only",
        action="store_true",
        help="numbers only: a line for each system, a tab between metrics",
    )
    add("-sh", "--short", action="store_true", help="short signatures, where people read them")
    configure_output(add)
    configure_quiet(add)
