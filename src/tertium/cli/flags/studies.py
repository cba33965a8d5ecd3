"""What ``tertium report`` and ``tertium plot`` have in common: their flags and the study."""

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tertium.cli.flags.inputs import loaded
from tertium.cli.flags.resampling import configure_resampling
from tertium.cli.flags.score import configure_input
from tertium.cli.flags.scores import configure_scores, score_metrics
from tertium.cli.flags.values import whole_number

if TYPE_CHECKING:
    from tertium.meta.ratings.judgments import Judgments
    from tertium.metrics.contract.base import Metric
    from tertium.study.results import Study


def configure_study(parser: ArgumentParser) -> None:
    """Declare the flags of a study."""
    configure_input(parser)
    add = parser.add_argument_group("how it is scored").add_argument
    add(
        "-m",
        "--metrics",
        metavar="METRIC",
        nargs="+",
        default=["bleu", "chrf", "ter"],
        help="one or more of 'tertium metrics' (default: bleu chrf ter)",
    )
    configure_scores(add)
    add("-tok", "--tokenize", metavar="TOKENIZER", help="none, 13a, intl, char, zh, …")
    add("-lc", "--lowercase", action="store_true", help="ignore case")
    add(
        "--trials",
        metavar="N",
        type=whole_number(1),
        default=10_000,
        help="bootstrap resamples, or more where tests of many systems need them (default: 10000)",
    )
    configure_resampling(add)
    add("--seed", metavar="N", type=whole_number(0), default=12345, help="(default: 12345)")


def configure_ratings(parser: ArgumentParser) -> None:
    """Declare where ratings by people are."""
    people = parser.add_argument_group("what people say", "See 'tertium meta agree --help'.")
    people.add_argument(
        "--ratings",
        metavar="FILE",
        nargs="+",
        default=[],
        help="ratings of the systems by people, in any layout that 'tertium meta' reads",
    )
    people.add_argument("--pair", metavar="PAIR", help="language pair among the ratings")
    people.add_argument(
        "--criterion", metavar="NAME", nargs="+", default=[], help="these ratings (default: all)"
    )


def study_metrics(arguments: Namespace) -> "list[Metric]":
    """The metrics asked for, checked before any file is read."""
    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags

    return chosen_metrics(arguments.metrics, text_flags(arguments), more=score_metrics(arguments))


def gathered(
    arguments: Namespace,
    metrics: "Sequence[Metric]",
    *,
    audit: bool = True,
    most_explained: int | None = None,
) -> "Study":
    """The study of the files that the flags name, with a word on what is being done."""
    from tertium.study.study import MOST_EXPLAINED, study

    whole = loaded(arguments)
    with _said() as progress:
        return study(
            whole.corpus,
            whole.systems,
            metrics,
            audit=audit,
            resample=arguments.resample,
            trials=arguments.trials,
            seed=arguments.seed,
            most_explained=MOST_EXPLAINED if most_explained is None else most_explained,
            judgments=_judgments(arguments, len(whole)),
            command=shlex.join(["tertium", *sys.argv[1:]]),
            progress=progress,
        )


def _judgments(arguments: Namespace, segments: int) -> "tuple[Judgments, ...]":
    if not getattr(arguments, "ratings", ()):  # plots have no such flag
        return ()
    from tertium.meta.ratings.files import read_judgments

    return read_judgments(
        arguments.ratings,
        pair=arguments.pair,
        criteria=arguments.criterion,
        segments=segments,
    )


@contextmanager
def _said() -> Iterator[Callable[[str], None]]:
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield lambda what: status.update(f"{what} …")
