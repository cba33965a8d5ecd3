"""``tertium score``: systems against references, in every format."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import score_metrics
from tertium.cli.flags.engine import check_engine, chosen_cluster, partitioned
from tertium.cli.flags.inputs import opened
from tertium.cli.flags.score import (
    asks_for_confidence,
    check_confidence,
    configure_score,
    with_confidence,
)
from tertium.cli.shell.lone_numpy import import_lone_numpy
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, show, view_forms
from tertium.errors import OptionError
from tertium.metrics.contract.catalog import DEFAULT_METRICS

if TYPE_CHECKING:
    from tertium.cli.flags.chosen_metrics import Flag
    from tertium.metrics.contract.base import Metric
    from tertium.results import Evaluation
    from tertium.tables import Part


def run(arguments: Namespace) -> int:
    """Score, and print only when everything has been scored."""
    _check(arguments)
    import_lone_numpy()
    from tertium._native import set_worker_count
    from tertium.cli.flags.score import apply_sacrebleu

    apply_sacrebleu(arguments)
    set_worker_count(arguments.threads or 0)
    try:
        _score(arguments)
    finally:
        set_worker_count(0)  # the flag holds for this command alone
    return 0


def usual_metrics(form: str) -> Sequence[str]:
    """What is scored by where none is named; what prints as another program does has its metric.

    >>> usual_metrics("table"), usual_metrics("text")
    (('bleu', 'chrf'), ('bleu',))
    """
    return ("bleu",) if form in {"text", "multi-bleu"} else DEFAULT_METRICS


def _score(arguments: Namespace) -> None:
    from tertium.cli.flags.chosen_metrics import chosen_metrics
    from tertium.cli.shell.progress import count_lines, progress_bar
    from tertium.evaluation import evaluate_inputs

    metrics = chosen_metrics(
        arguments.metrics or usual_metrics(arguments.format),
        _flags(arguments),
        more=score_metrics(arguments),
    )
    if arguments.follow is not None:
        from tertium.cli.follow import run_follow

        run_follow(arguments, metrics)
        return
    if arguments.engine is not None:
        show_scores(_scored_by_engine(arguments, metrics), arguments)
        return
    if not arguments.quiet and _waits_for_hypotheses(arguments):
        print("tertium: reading hypotheses from standard input", file=sys.stderr)
    inputs = opened(arguments, metrics)

    def total() -> int | None:
        lines = count_lines(arguments.references[0])
        return None if lines is None else lines * len(inputs.system_names) * len(metrics)

    with progress_bar(total, quiet=arguments.quiet) as advance:
        evaluation = evaluate_inputs(
            inputs,
            metrics,
            by=arguments.by,
            segments=arguments.sentence_level,
            rows=asks_for_confidence(arguments),
            statistics=arguments.statistics,
            first_segment=arguments.first_segment,
            progress=advance,
        )
    show_scores(evaluation, arguments)


def _scored_by_engine(arguments: Namespace, metrics: "Sequence[Metric]") -> "Evaluation":
    from tertium.cli.shell.progress import progress_bar
    from tertium.scale.engine.score import score_partitions

    corpus = partitioned(arguments)
    with progress_bar(lambda: len(corpus.partitions()), quiet=arguments.quiet) as advance:
        return score_partitions(
            corpus,
            metrics,
            cluster=chosen_cluster(arguments),
            by=arguments.by,
            segments=arguments.sentence_level,
            rows=asks_for_confidence(arguments),
            statistics=arguments.statistics,
            resume=arguments.resume,
            skip_bad=arguments.skip_bad,
            progress=advance,
        )


def show_scores(evaluation: "Evaluation", arguments: Namespace) -> None:
    """Write scores with the confidence that the flags ask for, and warnings beside them."""
    evaluation = with_confidence(evaluation, arguments)
    show(evaluation, arguments, FORMS)
    if arguments.format in {"text", "tsv"}:
        # The other formats have a place for it.
        for warning in evaluation.warnings:
            print(f"tertium: warning: {warning}", file=sys.stderr)


def _waits_for_hypotheses(arguments: Namespace) -> bool:
    """Whether a person at a terminal would wonder why nothing happens."""
    if arguments.input or not sys.stdin.isatty():
        return False
    from tertium.text.files import TextFile
    from tertium.text.formats.content import file_format
    from tertium.text.formats.table import FORMATS

    formats = (file_format(TextFile.find(path)) for path in arguments.references)
    return not any(FORMATS[kind].has_systems for kind in formats)


def _check(arguments: Namespace) -> None:
    """Refuse flags that contradict each other before anything is read."""
    check_shown(arguments)
    if arguments.follow is not None:
        from tertium.cli.follow import check_follow

        check_follow(arguments)
    check_engine(arguments)
    if arguments.first_segment is not None and arguments.engine is not None:
        raise OptionError("--first-segment: found with --engine, expected without")
    if arguments.first_segment is not None and arguments.statistics is None:
        raise OptionError("--first-segment: found alone, expected with --statistics")
    if arguments.smooth_value is not None and arguments.smooth_method is None:
        raise OptionError(
            "--smooth-value: found no --smooth-method, expected --smooth-method floor or add-k"
        )


def check_shown(arguments: Namespace) -> None:
    """Refuse flags of what is shown, and where, that contradict each other."""
    check_output(arguments.output)
    check_confidence(arguments)
    if arguments.statistics is not None:
        from tertium.scored.statistics_file import check_statistics_name

        check_statistics_name(arguments.statistics)
        check_output(arguments.statistics)
    if arguments.score_only and arguments.format not in {None, "text"}:
        raise OptionError(f"--score-only: found --format {arguments.format}, expected text")
    if arguments.by and arguments.sentence_level and arguments.format != "json":
        raise OptionError(
            "--by: found with --sentence-level, expected one of them, or both with --format json"
        )
    arguments.format = arguments.format or ("text" if arguments.score_only else "table")


def _flags(arguments: Namespace) -> "list[Flag]":
    from tertium.cli.flags.chosen_metrics import Flag, text_flags
    from tertium.cli.flags.score import metric_flags

    flags = [*text_flags(arguments), *metric_flags(arguments)]
    if arguments.smooth_method is not None:
        value = arguments.smooth_value
        text = arguments.smooth_method + ("" if value is None else f"[{value!r}]")
        flags.append(Flag(flag="--smooth-method", option="smoothing", text=text))
    return flags


def _view(evaluation: "Evaluation", arguments: Namespace) -> "Iterable[Part]":
    from tertium.report.evaluation import score_view

    return score_view(
        evaluation,
        segments=arguments.sentence_level,
        decimals=_decimals(arguments, 2),
        short=arguments.short,
    )


def _text(evaluation: "Evaluation", arguments: Namespace) -> Iterable[str]:
    from tertium.report.evaluation import score_lines, text_lines

    segments, decimals = arguments.sentence_level, _decimals(arguments, 1)
    if arguments.score_only:
        return score_lines(evaluation, segments=segments, decimals=decimals)
    return text_lines(evaluation, segments=segments, decimals=decimals, short=arguments.short)


def _latex(evaluation: "Evaluation", arguments: Namespace) -> Iterable[str]:
    from tertium.report.evaluation import score_latex

    segments, decimals = arguments.sentence_level, _decimals(arguments, 2)
    return score_latex(evaluation, segments=segments, decimals=decimals, short=arguments.short)


def _tsv(evaluation: "Evaluation", arguments: Namespace) -> Iterable[str]:
    from tertium.report.evaluation import score_tsv

    return score_tsv(evaluation, segments=arguments.sentence_level)


def _multi_bleu(evaluation: "Evaluation", arguments: Namespace) -> Iterable[str]:
    from tertium.compat.multi_bleu import multi_bleu_line

    if arguments.sentence_level or arguments.by:
        flag = "--sentence-level" if arguments.sentence_level else "--by"
        raise OptionError(f"--format multi-bleu: found {flag}, expected scores of systems alone")
    several = len(evaluation.systems) > 1
    for system in evaluation.systems:
        for score in system.scores:
            yield f"{system.system}\t" * several + f"{multi_bleu_line(score)}\n"


def _decimals(arguments: Namespace, usual: int) -> int:
    return usual if arguments.width is None else arguments.width


FORMS: Final[Forms["Evaluation"]] = {
    **view_forms(_view),
    "text": _text,
    "latex": _latex,
    "tsv": _tsv,
    "multi-bleu": _multi_bleu,
}


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    configure_score(parser, FORMS)
