"""``tertium score``: systems against references, in every format."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tertium.cli.confidence import asks_for_confidence, check_confidence, with_confidence
from tertium.cli.flags.inputs import opened
from tertium.cli.flags.score import configure
from tertium.cli.flags.scores import score_metrics
from tertium.cli.shell.output import check_output, write_output
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.cli.flags.chosen_metrics import Flag
    from tertium.results import Evaluation

__all__ = ["configure", "run"]


def run(arguments: Namespace) -> int:
    """Score, and print only when everything has been scored."""
    _check(arguments)
    from tertium._native import set_worker_count
    from tertium.cli.flags.sacrebleu import apply_sacrebleu

    apply_sacrebleu(arguments)
    set_worker_count(arguments.threads or 0)
    try:
        _score(arguments)
    finally:
        set_worker_count(0)  # the flag holds for this command alone
    return 0


def _score(arguments: Namespace) -> None:
    from tertium.cli.flags.chosen_metrics import chosen_metrics
    from tertium.cli.shell.progress import count_lines, progress_bar
    from tertium.evaluation import evaluate_inputs

    metrics = chosen_metrics(
        arguments.metrics,
        _flags(arguments),
        target=arguments.target,
        more=score_metrics(arguments),
    )
    if not arguments.quiet and _waits_for_hypotheses(arguments):
        print("tertium: reading hypotheses from standard input", file=sys.stderr)
    inputs = opened(arguments)

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
            progress=advance,
        )
    evaluation = with_confidence(evaluation, arguments)
    write_output(rendered(evaluation, arguments), arguments.output)
    if arguments.score_only or arguments.format in {"text", "tsv"}:
        # The other formats have a place for it.
        for warning in evaluation.warnings:
            print(f"tertium: warning: {warning}", file=sys.stderr)


def _waits_for_hypotheses(arguments: Namespace) -> bool:
    """Whether a person at a terminal would wonder why nothing happens."""
    from tertium.text.file_names import format_of

    plain = all(format_of(path) == "text" for path in arguments.references)
    return plain and not arguments.input and sys.stdin.isatty()


def _check(arguments: Namespace) -> None:
    """Refuse flags that contradict each other before anything is read."""
    check_output(arguments.output)
    check_confidence(arguments)
    if arguments.score_only and arguments.format not in {None, "text"}:
        raise OptionError(f"--score-only: found --format {arguments.format}, expected text")
    if arguments.by and arguments.sentence_level and arguments.format != "json":
        raise OptionError(
            "--by: found with --sentence-level, expected one of them, or both with --format json"
        )
    if arguments.smooth_value is not None and arguments.smooth_method is None:
        raise OptionError(
            "--smooth-value: found no --smooth-method, expected --smooth-method floor or add-k"
        )


def _flags(arguments: Namespace) -> "list[Flag]":
    from tertium.cli.flags.chosen_metrics import Flag, text_flags
    from tertium.cli.flags.sacrebleu import metric_flags

    flags = [*text_flags(arguments), *metric_flags(arguments)]
    if arguments.smooth_method is not None:
        value = arguments.smooth_value
        text = arguments.smooth_method + ("" if value is None else f"[{value!r}]")
        flags.append(Flag(flag="--smooth-method", option="smoothing", text=text))
    return flags


def rendered(evaluation: "Evaluation", arguments: Namespace) -> Iterable[str]:
    """The evaluation in the format asked for."""
    segments, short = arguments.sentence_level, arguments.short
    cells = 2 if arguments.width is None else arguments.width
    if arguments.score_only or arguments.format not in {None, "table"}:
        return _lines(evaluation, arguments)
    from tertium.report.console import console_text
    from tertium.report.evaluation.table import score_table, signature_notes

    screen = sys.stdout if arguments.output in {None, "-"} else None
    return [
        console_text(score_table(evaluation, segments=segments, decimals=cells), screen),
        "\n",
        console_text(signature_notes(evaluation, segments=segments, short=short), screen),
    ]


def _lines(evaluation: "Evaluation", arguments: Namespace) -> Iterable[str]:
    """The formats that programs and papers read."""
    from tertium.report.evaluation.output_lines import (
        latex_lines,
        score_lines,
        text_lines,
        tsv_lines,
    )
    from tertium.report.json_text import json_text

    segments, short = arguments.sentence_level, arguments.short
    numbers = 1 if arguments.width is None else arguments.width
    if arguments.score_only:
        return score_lines(evaluation, segments=segments, decimals=numbers)
    match arguments.format:
        case "json":
            return [json_text(evaluation.to_dict())]
        case "text":
            return text_lines(evaluation, segments=segments, decimals=numbers, short=short)
        case "latex":
            cells = 2 if arguments.width is None else arguments.width
            return latex_lines(evaluation, segments=segments, decimals=cells, short=short)
        case _:
            return tsv_lines(evaluation, segments=segments)
