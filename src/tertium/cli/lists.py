"""n-best lists on a cluster: what ``tertium oracle --each`` and ``tertium mbr`` hand to it."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.flags.engine import chosen_cluster
from tertium.cli.flags.formats import format_options
from tertium.cli.flags.mbr import LINEAR_BLEU, check_flags, check_sides
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.decode.mbr.decision import MbrSetting
    from tertium.decode.mbr.outcomes import MbrOutcome
    from tertium.metrics.contract.base import Metric
    from tertium.scale.engine.choices import BestOfLists
    from tertium.scale.engine.partitions import PartitionedLists


def partitioned_lists(
    arguments: Namespace, lists: Sequence[str], candidates: Sequence[str] = ()
) -> "PartitionedLists":
    """The files that the flags name; none is opened yet."""
    from tertium.scale.engine.partitions import ListReading, PartitionedLists

    return PartitionedLists(
        lists=lists,
        candidates=candidates,
        references=arguments.references,
        source=arguments.source,
        reading=ListReading(
            format=arguments.from_format,
            options=format_options(arguments),
            skip_bad=arguments.skip_bad,
        ),
    )


def chosen_by_engine(arguments: Namespace, metric: "Metric") -> "BestOfLists":
    """The best of each list."""
    from tertium.cli.shell.progress import progress_bar
    from tertium.scale.engine.choices import best_of_partitions

    _refuse(arguments, ("logprobs",))
    lists = partitioned_lists(arguments, arguments.files)
    with progress_bar(lambda: len(lists.partitions()), quiet=arguments.quiet) as step:
        chosen = best_of_partitions(
            lists,
            metric,
            cluster=chosen_cluster(arguments),
            skip_missing=arguments.skip_missing,
            resume=arguments.resume,
            progress=step,
        )
    _warn(chosen)
    return chosen


def check_lists(arguments: Namespace) -> None:
    """Refuse flags of ``tertium mbr`` that do nothing for n-best lists, or not here."""
    import numpy as np

    from tertium.decode.structures.nbest import NBest

    check_sides(arguments)
    _refuse(arguments, ("save_matrix", "load_matrix", "logprobs"))
    if arguments.utility == LINEAR_BLEU:
        raise OptionError(f"--utility: found {LINEAR_BLEU} with --engine, expected a metric")
    if arguments.resume is True:
        raise OptionError("--resume: found alone with --engine, expected a folder behind it")
    check_flags(arguments, NBest(segment=0, hypotheses=("",), scores=np.zeros(1)))


def decided_by_engine(
    arguments: Namespace,
    setting: "MbrSetting",
    metrics: "Sequence[Metric]",
    files: tuple[Sequence[str], Sequence[str]],
) -> "tuple[MbrOutcome, BestOfLists]":
    """Minimum Bayes risk for each list; ``files`` are of evidence and of candidates."""
    from tertium.cli.shell.progress import progress_bar
    from tertium.decode.weights import read_weights
    from tertium.scale.engine.choices import mbr_partitions

    lists = partitioned_lists(arguments, *files)
    with progress_bar(lambda: len(lists.partitions()), quiet=arguments.quiet) as step:
        outcome, left = mbr_partitions(
            lists,
            setting,
            weights=read_weights(arguments.weights) if arguments.weights else None,
            weights_name=arguments.weights or "",
            metrics=metrics,
            detailed=arguments.format == "json",
            cluster=chosen_cluster(arguments),
            resume=arguments.resume,
            progress=step,
        )
    if arguments.also is not None and not outcome.scores:
        raise OptionError("--also: found no references of all segments, expected -r REF")
    _warn(left)
    return outcome, left


def decision_lines(outcome: "MbrOutcome", arguments: Namespace) -> Iterator[str]:
    """The decisions in the forms that plain runs write as they come."""
    if arguments.format == "lines":
        yield from outcome.lines(arguments.missing or "")
        return
    for decision in outcome.decisions:
        told = decision.to_dict()
        del told["utilities"]
        yield json.dumps(told, ensure_ascii=False) + "\n"


def _refuse(arguments: Namespace, names: Sequence[str]) -> None:
    for name in names:
        if getattr(arguments, name):
            flag = f"--{name.replace('_', '-')}"
            raise OptionError(f"{flag}: found with --engine, expected without")


def _warn(chosen: "BestOfLists") -> None:
    for warning in chosen.warnings:
        print(f"tertium: warning: {warning}", file=sys.stderr)
