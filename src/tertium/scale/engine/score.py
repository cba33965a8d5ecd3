"""A corpus in partitions, scored by a cluster: one evaluation, or all rows for what needs them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike

from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.results import Evaluation
from tertium.scale.engine.cluster import Cluster
from tertium.scale.engine.partitions import PartitionedCorpus
from tertium.scale.engine.parts import Part
from tertium.scale.engine.run import ClusterRun
from tertium.scale.merge import merge
from tertium.scored.choices import Slicing
from tertium.scored.scored import Scored
from tertium.scored.tally import Tally


def score_partitions(
    corpus: PartitionedCorpus,
    metrics: Sequence[AnyMetric] = ("bleu",),
    *,
    cluster: Cluster | None = None,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
    statistics: str | PathLike[str] | None = None,
    resume: str | PathLike[str] | None = None,
    skip_bad: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score partitions on the workers of a cluster, by default one of this machine.

    The result is that of `tertium.evaluate_inputs` over all texts, to the last bit. ``by``,
    ``segments``, ``rows`` and ``statistics`` are its, too; ``progress`` is told how many
    partitions have just been done. What is finished is kept in the folder ``resume``, from which
    the same call goes on after it was interrupted. A partition that cannot be read is an error;
    with ``skip_bad`` it is left out, and a warning of the result says why.
    """
    chosen = tuple(as_metric(metric) for metric in metrics)
    run = ClusterRun(
        corpus=corpus,
        metrics=chosen,
        cluster=cluster or Cluster(),
        by=by,
        skip_bad=skip_bad,
        progress=progress,
    )
    with run.finished(resume, rows=rows or segments or statistics is not None) as done:
        if not done.files:
            evaluation = _summed(done.parts, chosen, by, corpus.references[0])
        else:
            evaluation = merge(
                done.files,
                metrics=chosen,
                by=by,
                segments=segments,
                rows=rows,
                in_order=True,
                vary_references=True,
                fitted=True,
                statistics=statistics,
            )
    return replace(evaluation, warnings=(*evaluation.warnings, *done.warnings))


def scored_partitions(
    corpus: PartitionedCorpus,
    metrics: Sequence[AnyMetric] = ("bleu",),
    *,
    cluster: Cluster | None = None,
    resume: str | PathLike[str] | None = None,
    skip_bad: bool = False,
    progress: Callable[[int], None] | None = None,
) -> tuple[Scored, tuple[str, ...]]:
    """The rows of every system under every metric, for tests and comparison, and warnings.

    The options are those of `score_partitions`. Rows and labels are there, and no texts.
    """
    chosen = tuple(as_metric(metric) for metric in metrics)
    run = ClusterRun(
        corpus=corpus,
        metrics=chosen,
        cluster=cluster or Cluster(),
        skip_bad=skip_bad,
        progress=progress,
    )
    with run.finished(resume, rows=True) as done:
        return Scored.load_parts(done.files, chosen), done.warnings


def _summed(
    parts: Sequence[Part], metrics: Sequence[Metric], by: Slicing | None, place: str
) -> Evaluation:
    """Scores of sums that no order of adding could change."""
    tally = Tally(metrics, by=by)
    for part in parts:
        if part.segments or len(parts) == 1:
            tally.begin(part.segments, part.references, None)
            for s, some in enumerate(part.sums):
                for m, one in enumerate(some):
                    one.add_to(tally.total(s, m))
    return tally.evaluation(parts[0].systems, place)
