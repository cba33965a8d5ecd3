"""The flags of ``tertium score``; they are sacreBLEU's wherever sacreBLEU has them.

First those that ask how sure a score is, then those that only sacreBLEU's users need, then all.
"""

import codecs
import os
from argparse import SUPPRESS, Action, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from tertium.choices import SLICINGS
from tertium.cli.flags.common import (
    Add,
    configure_alpha,
    configure_format,
    configure_interval,
    configure_metrics,
    configure_output,
    configure_quiet,
    configure_resampling,
    configure_scores,
    configure_seed,
    configure_text,
    configure_width,
)
from tertium.cli.flags.engine import configure_engine
from tertium.cli.flags.inputs import configure_input
from tertium.cli.flags.values import confidence_of, positive_number, whole_number
from tertium.errors import OptionError
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tertium.version import __version__

if TYPE_CHECKING:
    from tertium.choices import IntervalMethod, Resampling
    from tertium.cli.flags.chosen_metrics import Flag
    from tertium.results import Evaluation


def configure_confidence(parser: ArgumentParser) -> None:
    """Declare the flags."""
    group = parser.add_argument_group(
        "how sure it is",
        "The paired tests compare every system with the first one. p-values are two-sided;\n"
        "a star means that the corrected one, by max-T over all of them, is significant.",
    )
    group.add_argument(
        "-ci", "--confidence", action="store_true", help="a bootstrap interval for every score"
    )
    group.add_argument(
        "-cin",
        "--confidence-n",
        "--trials",
        metavar="N",
        type=whole_number(1),
        help="resamples of --confidence (default: 1000)",
    )
    configure_alpha(
        group.add_argument, what="intervals have the confidence 1 - P", set_default=False
    )
    kinds = group.add_mutually_exclusive_group()
    kinds.add_argument(
        "-pbs",
        "--paired-bs",
        action="store_true",
        help="paired bootstrap test, with intervals (Koehn 2004)",
    )
    kinds.add_argument(
        "-par",
        "--paired-ar",
        action="store_true",
        help="approximate randomization test (Riezler & Maxwell 2005)",
    )
    group.add_argument(
        "-pbsn",
        "--paired-bs-n",
        metavar="N",
        type=whole_number(1),
        help="resamples of --paired-bs (default: 10000)",
    )
    group.add_argument(
        "-parn",
        "--paired-ar-n",
        metavar="N",
        type=whole_number(1),
        help="trials of --paired-ar (default: 10000)",
    )
    group.add_argument(
        "--one-sided",
        action="store_true",
        help="with --paired-bs: the one-sided p-value that sacreBLEU and Moses print instead, "
        "not corrected",
    )
    configure_interval(group.add_argument, set_default=False)
    configure_resampling(group.add_argument, set_default=False)
    configure_seed(group.add_argument, set_default=False)


def asks_for_confidence(arguments: Namespace) -> bool:
    """Whether anything is to be resampled, for which all statistics must be kept."""
    return bool(arguments.confidence or arguments.paired_bs or arguments.paired_ar)


def check_confidence(arguments: Namespace) -> None:
    """Refuse flags that contradict each other, or that nothing would use."""
    intervals = {
        "--confidence": arguments.confidence,
        "--paired-bs": arguments.paired_bs,
    }
    every = {**intervals, "--paired-ar": arguments.paired_ar}
    needs = {
        "confidence_n": {"--confidence": arguments.confidence},
        "alpha": intervals,
        "interval": intervals,
        "paired_bs_n": {"--paired-bs": arguments.paired_bs},
        "paired_ar_n": {"--paired-ar": arguments.paired_ar},
        "one_sided": {"--paired-bs": arguments.paired_bs},
        "resample": every,
        "seed": every,
    }
    for name, users in needs.items():
        if getattr(arguments, name) not in {None, False} and not any(users.values()):
            flag = f"--{name.replace('_', '-')}"
            raise OptionError(f"{flag}: found alone, expected with {' or '.join(users)}")
    asked = [flag for flag, given in every.items() if given]
    if arguments.confidence and arguments.paired_bs:
        raise OptionError("--confidence: found with --paired-bs, which has intervals of its own")
    if asked and arguments.sentence_level:
        raise OptionError(f"{asked[0]}: found with --sentence-level, expected one of them")
    if asked and arguments.by:
        raise OptionError(f"{asked[0]}: found with --by, expected one of them")


def with_confidence(evaluation: "Evaluation", arguments: Namespace) -> "Evaluation":
    """The evaluation with the intervals and tests that the flags ask for."""
    if not asks_for_confidence(arguments):
        return evaluation
    from tertium.choices import DEFAULT_SEED, TEST_TRIALS
    from tertium.inference import with_intervals, with_paired_bootstrap, with_randomization
    from tertium.results import USUAL_LEVEL

    seed = DEFAULT_SEED if arguments.seed is None else arguments.seed
    level = confidence_of(arguments.alpha) if arguments.alpha else USUAL_LEVEL
    resample: Resampling = arguments.resample or "auto"
    interval: IntervalMethod = arguments.interval or "percentile"
    if arguments.paired_bs:
        evaluation = with_paired_bootstrap(
            evaluation,
            resample=resample,
            trials=arguments.paired_bs_n or TEST_TRIALS,
            seed=seed,
            level=level,
            kind="sacrebleu" if arguments.one_sided else "two-sided",
            interval=interval,
        )
    if arguments.confidence:
        trials = arguments.confidence_n or 1000
        evaluation = with_intervals(
            evaluation,
            resample=resample,
            trials=trials,
            seed=seed,
            level=level,
            interval=interval,
        )
    if arguments.paired_ar:
        trials = arguments.paired_ar_n or TEST_TRIALS
        evaluation = with_randomization(evaluation, resample=resample, trials=trials, seed=seed)
    return evaluation


_TEST_SETS: Final = (
    "tertium downloads no test sets, expected files: tertium score REF -i SYS "
    "('sacrebleu -t SET -l XX-YY --echo ref' writes a reference)"
)
_PARTS: Final = (
    "tertium downloads no test sets and their parts, expected the parts of yours in "
    "--documents FILE, with --by genre or --by document"
)
_REFUSED: Final[tuple[tuple[tuple[str, ...], int | str | None, str], ...]] = (
    (("-t", "--test-set"), None, _TEST_SETS),
    (("--list",), 0, _TEST_SETS),
    (("--download",), None, _TEST_SETS),
    (("--echo",), "+", _TEST_SETS),
    (("--citation", "--cite"), 0, _TEST_SETS),
    (("-ol", "--origlang"), None, _PARTS),
    (("--subset",), None, _PARTS),
    (("-d", "--detail"), 0, _PARTS),
)

# flag → metric, option, and the option's text where the flag takes no value.
_METRIC_FLAGS: Final = {
    "--chrf-char-order": ("chrf", "character_order", None),
    "--chrf-word-order": ("chrf", "word_order", None),
    "--chrf-beta": ("chrf", "beta", None),
    "--chrf-whitespace": ("chrf", "whitespace", "yes"),
    "--chrf-lowercase": ("chrf", "lowercase", "yes"),
    "--chrf-eps-smoothing": ("chrf", "effective_order", "no"),
    "--ter-case-sensitive": ("ter", "case_sensitive", "yes"),
    "--ter-asian-support": ("ter", "asian_support", "yes"),
    "--ter-no-punct": ("ter", "punctuation", "no"),
    "--ter-normalized": ("ter", "normalized", "yes"),
}
_SHORT: Final = {"--chrf-char-order": "-cc", "--chrf-word-order": "-cw"}


class _Refuse(Action):
    """Answers a flag with its sentence, before anything is missed that would go with it."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        raise OptionError(f"{option_string}: {self.const}")


def configure_sacrebleu(parser: ArgumentParser) -> None:
    """Declare the flags."""
    group = parser.add_argument_group(
        "as in sacreBLEU", "Options of chrF and TER, which may also stand in brackets: -m chrf[…]."
    )
    for flag, (metric, name, text) in _METRIC_FLAGS.items():
        names = [_SHORT[flag], flag] if flag in _SHORT else [flag]
        line = f"{metric}[{name}={text or 'VALUE'}]"
        if text is None:
            group.add_argument(*names, metavar="VALUE", help=line)
        else:
            group.add_argument(*names, action="store_true", help=line)
    add = group.add_argument
    add("-nc", "--no-color", action="store_true", help="no colours, as with NO_COLOR=1")
    add(
        "-j",
        "--paired-jobs",
        metavar="N",
        type=whole_number(0),
        help="the same as --threads; 0 uses all",
    )
    add(
        "-e", "--encoding", metavar="NAME", type=_encoding, help="encoding of the files: utf-8 only"
    )
    add(
        "--force",
        action="store_true",
        help="accepted and ignored; sacreBLEU asks for it if text looks tokenized",
    )
    add("-V", "--version", action="version", version=f"tertium {__version__}")
    for refused, values, sentence in _REFUSED:
        parser.add_argument(*refused, nargs=values, const=sentence, action=_Refuse, help=SUPPRESS)


def apply_sacrebleu(arguments: Namespace) -> None:
    """What the flags set outside of metrics."""
    if arguments.no_color:
        os.environ["NO_COLOR"] = "1"
    if arguments.paired_jobs and arguments.threads is None:
        arguments.threads = arguments.paired_jobs


def metric_flags(arguments: Namespace) -> "list[Flag]":
    """What ``--chrf-…`` and ``--ter-…`` set."""
    from tertium.cli.flags.chosen_metrics import Flag

    flags = []
    for flag, (metric, name, text) in _METRIC_FLAGS.items():
        value = getattr(arguments, flag.removeprefix("--").replace("-", "_"))
        if value not in {None, False}:
            flags.append(Flag(flag=flag, option=name, text=text or value, metric=metric))
    return flags


def _encoding(text: str) -> str:
    try:
        name = codecs.lookup(text).name
    except LookupError:
        name = ""
    if name != "utf-8":
        raise ArgumentTypeError(
            f"found '{text}', expected utf-8: 'iconv -f {text} -t utf-8 FILE' converts a file"
        )
    return name


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
    add(
        "--track",
        metavar="PROGRAM:NAME",
        help="also send scores of --follow to wandb:PROJECT, mlflow:EXPERIMENT or "
        "tensorboard:FOLDER; the step is the last number in the file's name",
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
