"""Flags that several commands have: each is declared here, with one meaning and one help."""

import sys
from argparse import SUPPRESS, Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tertium.choices import DEFAULT_SEED, INTERVALS, RESAMPLINGS, TEST_TRIALS
from tertium.cli.flags.values import (
    named_runs,
    share,
    significance,
    significance_of_confidence,
    target_language,
    whole_number,
)
from tertium.metrics.contract.catalog import DEFAULT_METRICS

if TYPE_CHECKING:
    from tertium.metrics.contract.base import Metric

Add: TypeAlias = Callable[..., Action]
"""``add_argument`` of a parser or of one of its groups."""

PURPOSES: Final = {
    "table": "for people",
    "text": "for people",
    "json": "for programs",
    "latex": "for papers",
    "tsv": "for spreadsheets",
    "markdown": "for issues and READMEs",
    "html": "for pages",
    "lines": "the texts alone",
}
"""What formats are for, where a command does not say more."""


class FormerSpelling(Action):
    """A spelling of earlier versions: does what its successor does, and names it."""

    def __init__(self, *, successor: str, **options: Any) -> None:
        super().__init__(default=SUPPRESS, help=SUPPRESS, **options)
        self.successor = successor

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Store the value, or what the flag stands for, and say how it is spelled now."""
        now = f"'{option_string}' is now '{self.successor}'"
        print(f"tertium: warning: {now}", file=sys.stderr)
        setattr(namespace, self.dest, self.const if self.nargs == 0 else values)


def configure_former(
    add: Add, spelling: str, flag: Action, *, kind: Callable[[str], Any] | None = None
) -> None:
    """Keep the former spelling of a flag, hidden, in the command that had it.

    Only there: in other commands the spelling is free, or means what it means everywhere. Values
    are read by ``kind`` where they were others.
    """
    add(
        spelling,
        action=FormerSpelling,
        successor=flag.option_strings[-1],
        dest=flag.dest,
        nargs=flag.nargs,
        const=flag.const,
        type=kind or flag.type,
        choices=flag.choices,
        metavar=flag.metavar,
    )


# ---- what is scored by, and how sure that is ------------------------------------------------


def configure_metrics(
    add: Add,
    default: Sequence[str] = DEFAULT_METRICS,
    *,
    what: str = "names of metrics; 'tertium metrics' lists them",
    set_default: bool = True,
    required: bool = False,
    told: str = "",
) -> None:
    """Several metrics; without ``set_default`` a command can tell whether any were given."""
    usual = "" if required else f" (default: {told or ' '.join(default)})"
    add(
        "-m",
        "--metrics",
        metavar="METRIC",
        nargs="+",
        default=list(default) if set_default else None,
        required=required,
        help=f"{what}{usual}",
    )


def configure_also(
    add: Add, default: Sequence[str] = DEFAULT_METRICS, *, former: Sequence[str] = ()
) -> None:
    """Metrics that only look on; ``None`` where none is named, so that the command can tell."""
    also = add(
        "--also",
        metavar="METRIC",
        nargs="+",
        help=f"scores of the outcome beside it (default: {' '.join(default) or 'none'})",
    )
    for spelling in former:
        configure_former(add, spelling, also)


def configure_metric(add: Add, default: str, *, what: str, set_default: bool = True) -> None:
    """The one metric that a command is about; without ``set_default`` the command decides."""
    add(
        "-m",
        "--metric",
        metavar="METRIC",
        default=default if set_default else None,
        help=f"{what} (default: {default})",
    )


TESTED: Final = "significance level of tests; intervals have the confidence 1 - P"
SIGNIFICANCE_LEVEL: Final = 0.05
USUAL_POWER: Final = 0.8


def configure_text(add: Add, *, tokenizer: str = "as each metric has it") -> None:
    """How metrics see the text, unless their brackets say it."""
    add(
        "-tok",
        "--tokenize",
        metavar="TOKENIZER",
        help=f"none, 13a, intl, char, zh, flores200, … (default: {tokenizer})",
    )
    add("-lc", "--lowercase", action="store_true", help="ignore case")
    configure_language(add)


def configure_language(add: Add) -> None:
    """The languages, from which the tokenizer of Chinese, Japanese and Korean follows."""
    add(
        "-l",
        "--language-pair",
        metavar="XX-YY",
        type=target_language,
        dest="target",
        help="languages, such as en-zh: Chinese, Japanese and Korean get their tokenizer",
    )


def configure_seed(add: Add, *, set_default: bool = True) -> None:
    """Where random numbers start; without ``set_default`` a command can tell if it was given."""
    add(
        "--seed",
        metavar="N",
        type=whole_number(0),
        default=DEFAULT_SEED if set_default else None,
        help=f"number that random draws start from; the same one gives the same result "
        f"(default: {DEFAULT_SEED})",
    )


def configure_trials(
    add: Add, default: int = TEST_TRIALS, *, what: str = "resamples of each test"
) -> None:
    """How often is drawn."""
    add(
        "--trials",
        metavar="N",
        type=whole_number(1),
        default=default,
        help=f"{what} (default: {default})",
    )


def configure_power(add: Add, *, optional: bool = False) -> None:
    """How often a difference is to be found, and which; ``optional`` if little asks for it."""
    add(
        "--power",
        metavar="SHARE",
        type=share,
        nargs="?" if optional else None,
        const=USUAL_POWER if optional else None,
        default=None if optional else USUAL_POWER,
        help=f"which differences this test set finds in so many cases (default: {USUAL_POWER})",
    )
    add(
        "--difference",
        metavar="X",
        type=float,
        help="a true difference, in points (default: the one observed)",
    )


def configure_alpha(add: Add, *, what: str = TESTED, set_default: bool = True) -> None:
    """The significance level; ``--level`` and ``--confidence-level`` are its former spellings."""
    usual = SIGNIFICANCE_LEVEL
    alpha = add(
        "--alpha",
        metavar="P",
        type=significance,
        default=usual if set_default else None,
        help=f"{what} (default: {usual})",
    )
    for former in ("--level", "--confidence-level"):
        configure_former(add, former, alpha, kind=significance_of_confidence)


def configure_resampling(add: Add, *, set_default: bool = True) -> None:
    """What is drawn."""
    add(
        "--resample",
        metavar="UNIT",
        choices=RESAMPLINGS,
        default="auto" if set_default else None,
        help="what resampling draws: segments, documents, or auto: documents if they are known "
        "(default: auto)",
    )


def configure_interval(add: Add, *, set_default: bool = True) -> None:
    """How the ends of intervals are found."""
    add(
        "--interval",
        metavar="KIND",
        choices=INTERVALS,
        default="percentile" if set_default else None,
        help="percentile, or bca, which corrects for bias and skewness (default: percentile)",
    )


def configure_runs(add: Add) -> None:
    """Several runs of each system."""
    add(
        "--runs",
        metavar="NAME=SYS,SYS",
        nargs="*",
        type=named_runs,
        help="the systems are runs, models trained several times: which runs belong together, by "
        "names or a pattern ('base=base.*'); without a value: by the numbers that end the names",
    )


# ---- what is read ---------------------------------------------------------------------------


def configure_references(add: Add, *, what: str = "to score the outcome") -> None:
    """Reference files where they are not what a command begins with."""
    add(
        "-r",
        "--references",
        metavar="REF",
        nargs="+",
        default=[],
        help=f"references of each segment, in any format: {what}",
    )


def configure_source(add: Add) -> None:
    """The source text."""
    add(
        "--source",
        metavar="FILE",
        help="the source of each segment, in any format (default: that of the input, if any)",
    )


def configure_documents(add: Add, *, use: str) -> None:
    """The file of labels."""
    add("--documents", metavar="FILE", help=f"document and genre of every segment, {use}")


def configure_pair(add: Add) -> None:
    """One language pair of several; declared once, whichever group of flags comes first."""
    with suppress(ArgumentError):
        add(
            "--pair",
            metavar="XX-YY",
            help="the language pair to take from files that have several: texts, scores, ratings",
        )


def configure_join(add: Add) -> None:
    """How the segments of several files find each other."""
    configure_pair(add)
    add(
        "--common",
        action="store_true",
        help="score the segments that all files have, by their ids (default: sets that differ are "
        "an error)",
    )
    add(
        "--paragraphs",
        action="store_true",
        help="paragraphs of documents, separated by an empty line, are segments",
    )


def configure_scale(add: Add) -> None:
    """How much the scores of candidates say about their probability."""
    add(
        "--scale",
        metavar="X",
        type=float,
        help="probability is exp(X · score), normalized; 0 makes all equal (default: 1)",
    )


def configure_weights(add: Add, *, default: str) -> None:
    """The file of weights."""
    add(
        "--weights",
        metavar="FILE",
        help=f"weights of the features, as Moses or JSON has them (default: {default})",
    )


# ---- what is shown --------------------------------------------------------------------------


def configure_format(
    add: Add,
    forms: Mapping[str, object],
    *,
    purposes: Mapping[str, str] = PURPOSES,
    set_default: bool = True,
    told: str | None = None,
) -> None:
    """One of the forms that a command can show its result in, the first unless told.

    Without ``set_default`` the command decides, as ``told``.
    """
    first = next(iter(forms))
    known = {**PURPOSES, **purposes}
    add(
        "-f",
        "--format",
        metavar="FORMAT",
        choices=tuple(forms),
        default=first if set_default else None,
        help=f"{', '.join(f'{form} {known[form]}' for form in forms)} (default: {told or first})",
    )


def configure_width(add: Add, default: int | None = 2, *, told: str | None = None) -> None:
    """How many decimals."""
    add(
        "-w",
        "--width",
        metavar="N",
        type=whole_number(0),
        default=default,
        help=f"decimals, where people read them (default: {told or default})",
    )


def configure_output(add: Add, default: str | None = None) -> None:
    """Where it goes."""
    told = f" (default: {default})" if default else ""
    add(
        "-o",
        "--output",
        metavar="FILE",
        default=default,
        help=f"write to this file, once all is done{told}",
    )


def configure_quiet(add: Add) -> None:
    """Whether standard error is left alone."""
    add("-q", "--quiet", action="store_true", help="show no progress bar and no hints")


def configure_shown(
    add: Add,
    forms: Mapping[str, object],
    *,
    width: int | None = None,
    quiet: bool = False,
    purposes: Mapping[str, str] = PURPOSES,
) -> None:
    """What most commands say of their output: its form, its decimals and its place."""
    configure_format(add, forms, purposes=purposes)
    if width is not None:
        configure_width(add, width)
    configure_output(add)
    if quiet:
        configure_quiet(add)


def configure_scores(add: Add) -> None:
    """Declare the flag, among those that say how text is scored."""
    add(
        "--scores",
        metavar="FILE",
        nargs="+",
        default=[],
        help="also every column of scores in these files or folders: mt-metrics-eval, COMET, "
        "MetricX, WMT25, tables; {system} in a name stands for each system",
    )


def score_metrics(arguments: Namespace) -> "list[Metric]":
    """The metrics of the files that the flag names."""
    if not arguments.scores:
        return []
    from tertium.metrics.foreign.file_scores import metrics_of_files
    from tertium.text.formats.table import system_name

    pair = getattr(arguments, "pair", None) or ""
    systems = arguments.names or [system_name(path) for path in arguments.input]
    return [*metrics_of_files(arguments.scores, pair=pair, systems=systems)]
