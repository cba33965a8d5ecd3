"""What ``tertium report`` and ``tertium plot`` have in common: their flags and the study."""

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tertium.cli.flags.common import (
    configure_interval,
    configure_metrics,
    configure_resampling,
    configure_scores,
    configure_seed,
    configure_text,
    configure_trials,
    score_metrics,
)
from tertium.cli.flags.inputs import configure_input, loaded, say_notes

if TYPE_CHECKING:
    from tertium.meta.ratings.judgments import Judgments
    from tertium.meta.spans.span import Annotations
    from tertium.metrics.contract.base import Metric
    from tertium.study.results import Study
    from tertium.text.corpus import Chunk


def configure_study(parser: ArgumentParser) -> None:
    """Declare the flags of a study."""
    configure_input(parser)
    add = parser.add_argument_group("how it is scored").add_argument
    configure_metrics(add)
    configure_scores(add)
    configure_text(add)
    configure_trials(add, what="bootstrap resamples, and swaps of tests")
    configure_resampling(add)
    configure_interval(add)
    configure_seed(add)


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
    people.add_argument(
        "--spans",
        metavar="FILE",
        nargs="+",
        default=[],
        help="errors that people marked, to be shown in the text, in any layout that "
        "'tertium meta spans' reads; those among --ratings are shown, too",
    )
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
    from tertium.cli.flags.chosen_metrics import metrics_for, text_flags
    from tertium.study.study import MOST_EXPLAINED, study

    whole = loaded(arguments, metrics, fits_tokenizer=True)
    if not audit:  # figures have no place for notes, which a report shows
        say_notes(whole)
    flags, more = text_flags(arguments), score_metrics(arguments)
    fitting = metrics_for(whole.corpus, arguments.metrics, flags, more=more)
    with _said() as progress:
        return study(
            whole.corpus,
            whole.systems,
            fitting,
            audit=audit,
            resample=arguments.resample,
            interval=arguments.interval,
            trials=arguments.trials,
            seed=arguments.seed,
            most_explained=MOST_EXPLAINED if most_explained is None else most_explained,
            judgments=_judgments(arguments, whole),
            spans=_spans(arguments),
            command=shlex.join(["tertium", *sys.argv[1:]]),
            progress=progress,
        )


def _judgments(arguments: Namespace, whole: "Chunk") -> "tuple[Judgments, ...]":
    if not getattr(arguments, "ratings", ()):  # plots have no such flag
        return ()
    from tertium.meta.ratings.files import read_judgments
    from tertium.meta.spans.segments import RatedCorpus

    return read_judgments(
        arguments.ratings,
        pair=arguments.pair,
        criteria=arguments.criterion,
        texts=RatedCorpus(whole.corpus, tuple(whole.systems)),
    )


def _spans(arguments: Namespace) -> "tuple[Annotations, ...]":
    """Errors that people marked, of the files given for them and of those given for ratings."""
    if not (getattr(arguments, "spans", ()) or getattr(arguments, "ratings", ())):
        return ()
    from tertium.meta.spans.files import rated_by_spans, read_spans

    paths = [*arguments.spans, *filter(rated_by_spans, arguments.ratings)]
    return read_spans(paths, pair=arguments.pair) if paths else ()


@contextmanager
def _said() -> Iterator[Callable[[str], None]]:
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield lambda what: status.update(f"{what} …")
