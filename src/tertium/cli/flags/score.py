"""The flags of ``tertium score``; they are sacreBLEU's wherever sacreBLEU has them."""

from argparse import ArgumentParser
from typing import Final

from tertium.cli.confidence import configure_confidence
from tertium.cli.flags.sacrebleu import configure_sacrebleu
from tertium.cli.flags.scores import configure_scores
from tertium.cli.flags.values import key_and_value, target_language, whole_number
from tertium.scored.choices import SLICINGS
from tertium.text.file_names import KNOWN_FORMATS

FORMATS: Final = ("table", "json", "text", "latex", "tsv")
INPUT_FORMATS: Final = ("auto", *KNOWN_FORMATS)

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
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags and the help."""
    parser.usage = "tertium score REF … [-i SYS …] [-m METRIC …] [flags]"
    parser.epilog = EXAMPLES
    configure_input(parser)
    _configure_metrics(parser)
    configure_confidence(parser)
    _configure_output(parser)
    configure_sacrebleu(parser)


def configure_input(parser: ArgumentParser, *, optional: bool = False) -> None:
    """Declare what every command that reads a corpus and its systems has in common.

    ``optional`` is for a command that can do without any text.
    """
    group = parser.add_argument_group("what is scored")
    add = group.add_argument
    add(
        "references",
        metavar="REF",
        nargs="*" if optional else "+",
        help="reference file, in front of all flags",
    )
    add(
        "-i",
        "--input",
        metavar="SYS",
        nargs="+",
        default=[],
        help="a file for each system (default: those in REF if it is a table, else stdin)",
    )
    add(
        "--names",
        metavar="NAME",
        nargs="+",
        help="names of the systems (default: from the files' names)",
    )
    add(
        "-nr",
        "--num-refs",
        metavar="N",
        type=whole_number(1),
        default=1,
        help="tab-separated references on each line of REF (default: 1)",
    )
    add("--source", metavar="FILE", help="the source text")
    add(
        "--documents",
        metavar="FILE",
        help="document and genre of every segment, for --by and for resampling by document",
    )
    add(
        "--input-format",
        "--format-in",
        metavar="FORMAT",
        choices=INPUT_FORMATS,
        default="auto",
        help=f"{', '.join(INPUT_FORMATS)} (default: auto, from the files' names)",
    )
    add(
        "--columns",
        metavar="ROLE=COLUMN",
        nargs="+",
        type=key_and_value,
        default=[],
        help="columns of a table to read, such as reference=ref hypothesis=mt",
    )


def _configure_metrics(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(
        "how it is scored",
        "-tok, -lc, -s and -l hold for every metric that knows the option and does not set it "
        "in brackets.",
    )
    add = group.add_argument
    add(
        "-m",
        "--metrics",
        metavar="METRIC",
        nargs="+",
        default=["bleu"],
        help="one or more of 'tertium metrics' (default: bleu)",
    )
    configure_scores(add)
    add("-tok", "--tokenize", metavar="TOKENIZER", help="none, 13a, intl, char, zh, flores200, …")
    add("-lc", "--lowercase", action="store_true", help="ignore case")
    add(
        "-s",
        "--smooth-method",
        metavar="METHOD",
        help="none, exp, floor, add-k or lin-och, for the BLEU family",
    )
    add("-sv", "--smooth-value", metavar="NUMBER", type=float, help="the value of floor or add-k")
    add(
        "-l",
        "--language-pair",
        metavar="XX-YY",
        type=target_language,
        dest="target",
        help="such as en-zh: Chinese, Japanese and Korean get their tokenizer",
    )
    add(
        "--threads",
        metavar="N",
        type=whole_number(1),
        help="threads to use (default: all, or TERTIUM_THREADS)",
    )


def _configure_output(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what is shown")
    add = group.add_argument
    add(
        "-f",
        "--format",
        metavar="FORMAT",
        choices=FORMATS,
        help=f"{', '.join(FORMATS)} (default: table)",
    )
    add("-sl", "--sentence-level", action="store_true", help="a score for every segment")
    add(
        "--by",
        metavar="LABEL",
        choices=SLICINGS,
        help="scores for every genre, document or band of reference lengths too",
    )
    add(
        "-w",
        "--width",
        metavar="N",
        type=whole_number(0),
        help="decimals (default: 1 in text, 2 in tables; json and tsv have all)",
    )
    add(
        "-b",
        "--score-only",
        action="store_true",
        help="numbers only: a line for each system, a tab between metrics",
    )
    add("-sh", "--short", action="store_true", help="short signatures, where people read them")
    add("-o", "--output", metavar="FILE", help="write there, and only if all went well")
    add("-q", "--quiet", action="store_true", help="no progress bar, no remarks")
