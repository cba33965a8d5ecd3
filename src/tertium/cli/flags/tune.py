"""The flags of ``tertium tune``."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Final

from tertium.cli.flags.common import (
    configure_documents,
    configure_former,
    configure_metrics,
    configure_seed,
    configure_shown,
    configure_source,
    configure_text,
    configure_weights,
)
from tertium.cli.flags.formats import FORMAT_HELP, configure_formats
from tertium.cli.flags.values import whole_number

ITERATIONS: Final = 15
"""How often a decoder runs at most."""

EXAMPLES: Final = """\
examples:
  tertium tune reference.en -i run1.nbest.gz run2.nbest.gz --weights weights.txt
      merge the lists of two runs and tune for BLEU
  tertium tune reference.en -i dev.nbest -m bleu bleu-sbp --also ter grr --hold-out 2
      for each of two metrics; every second segment is held out
  tertium tune reference.en -i lattices/*.fst.gz --boundary 1 2 --costs --weights p.txt -f moses
      on lattices; print nothing but the weights
  tertium tune reference.en -i dev.nbest --algorithm mira --hold-out 2
      train many sparse features
  tertium tune reference.en -i dev.nbest --documents documents.tsv --for-each genre
      tune on each genre and on all, and score each result on each
  tertium tune --moses-statistics FEATSTAT.txt SCORESTAT.txt --weights weights.txt
      on what Moses' extractor wrote
  tertium tune reference.en --decoder './decode.sh {weights} {nbest}' --weights w.txt --state run
      run the decoder, tune, and again; after a kill the same line goes on where it was
"""


def configure_tune(parser: ArgumentParser, forms: Mapping[str, object]) -> None:
    """Declare the flags; ``forms`` are those that a result can be shown in."""
    parser.usage = "tertium tune REF … -i LIST … [-m METRIC …] [--weights FILE] [flags]"
    parser.epilog = FORMAT_HELP + "\n" + EXAMPLES
    _configure_input(parser)
    _configure_metrics(parser)
    _configure_search(parser)
    _configure_decoder(parser)
    configure_formats(parser)
    configure_shown(
        parser.add_argument_group("what is shown").add_argument,
        forms,
        width=2,
        purposes={"moses": "weights for Moses"},
    )


def _configure_input(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is tuned on").add_argument
    add(
        "references",
        metavar="REF",
        nargs="*",
        help="reference file, in any format; it comes before all flags",
    )
    add(
        "-i",
        "--input",
        metavar="LIST",
        nargs="+",
        default=[],
        help="n-best lists of one run or several; or lattices or forests, one for each segment",
    )
    statistics = add(
        "--moses-statistics",
        dest="statistics",
        metavar="FILE",
        nargs=2,
        help="instead: Moses' features and its BLEU statistics, FEATSTAT SCORESTAT",
    )
    configure_former(add, "--statistics", statistics)
    configure_source(add)
    configure_weights(add, default="those of the input, else 1; what tuning begins with")
    add(
        "--costs",
        action="store_true",
        help="features are costs, and weights are for them: the lowest sum is best",
    )
    add(
        "--hold-out",
        metavar="N",
        type=whole_number(2),
        help="do not tune on every N-th segment, but report its scores",
    )
    configure_documents(add, use="to tune on each genre and on all")
    by = add(
        "--for-each",
        dest="by",
        choices=("genre", "document"),
        help="with --documents: tune on each genre or each document (default: genre)",
    )
    configure_former(add, "--by", by)
    add(
        "--held-out-references",
        metavar="REF",
        nargs="+",
        default=[],
        help="references of other segments, to test the result on",
    )
    add("--held-out-input", metavar="LIST", nargs="+", default=[], help="lists of those segments")
    add(
        "--held-out-source",
        metavar="FILE",
        help="sources of those segments (default: those of the lists)",
    )


def _configure_metrics(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is tuned for").add_argument
    configure_metrics(add, ("bleu",), what="each by itself, side by side")
    also = add(
        "--also",
        metavar="METRIC",
        nargs="+",
        default=[],
        help="scores of the outcome beside it (default: none)",
    )
    configure_former(add, "--report", also)
    configure_text(add, tokenizer="none: decoders write tokens")


def _configure_search(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("how it is searched").add_argument
    add(
        "--algorithm",
        choices=("mert", "mira", "perceptron", "pro"),
        default="mert",
        help="line searches for some dozens of features (mert), or training by updates, for "
        "thousands too (default: mert)",
    )
    add(
        "--restarts",
        metavar="N",
        type=whole_number(0),
        help="mert: searches from other random weights (default: 20)",
    )
    add(
        "--directions",
        metavar="N",
        type=whole_number(0),
        help="mert: random directions a round, beside each single weight (default: as many as "
        "features)",
    )
    add(
        "--patience",
        metavar="N",
        type=whole_number(1),
        help="mert: rounds without a gain before a search ends (default: 5)",
    )
    add(
        "--epochs",
        metavar="N",
        type=whole_number(1),
        help="mira, perceptron, pro: passes over the segments; the best one counts (default: 20)",
    )
    add(
        "--step",
        metavar="C",
        type=float,
        help="mira: the longest step; a smaller one changes weights less (default: 0.01)",
    )
    add(
        "--l2",
        metavar="X",
        type=float,
        help="pro: what the squares of the weights cost (default: 0.01)",
    )
    add(
        "--pairs",
        metavar="N",
        type=whole_number(1),
        help="pro: pairs drawn for each segment, of which the 50 that differ most count "
        "(default: 5000)",
    )
    add(
        "--paths",
        metavar="N",
        type=whole_number(1),
        help="mira, perceptron, pro: best paths of a lattice or forest to choose from, "
        "beside its best by WRR or GRR (default: 50)",
    )
    add(
        "--no-average",
        action="store_true",
        help="mira, perceptron: take the last weights of an epoch, not the mean of all",
    )
    add("--fixed", metavar="FEATURE", nargs="+", default=[], help="keep these weights")
    configure_seed(add)


def _configure_decoder(parser: ArgumentParser) -> None:
    add = parser.add_argument_group(
        "with the decoder in the loop",
        "{weights}, {weights_json}, {nbest} and {iteration} in the command stand for files and "
        "a number.",
    ).add_argument
    add("--decoder", metavar="COMMAND", help="reads {weights}, writes n-best lists to {nbest}")
    add("--shell", action="store_true", help="let a shell run the command")
    add(
        "--decoder-timeout",
        metavar="SECONDS",
        type=float,
        help="end a run that takes longer, and the tuning with it (default: wait)",
    )
    add(
        "--state",
        metavar="FOLDER",
        help="folder that keeps everything; the same command goes on from there",
    )
    add(
        "--iterations",
        metavar="N",
        type=whole_number(1),
        help=f"most rounds of decoding and tuning (default: {ITERATIONS})",
    )
