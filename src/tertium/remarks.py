"""What must be said beside scores: what is missing, and what others cannot make again."""

from collections.abc import Iterable, Sequence

from tertium.metrics.contract.base import Metric, Rows
from tertium.results import SystemScores


def remarks_on(
    names: Sequence[str], totals: Iterable[tuple[Metric, Iterable[Rows]]], segments: int
) -> tuple[str, ...]:
    """What metrics have to say of themselves, and of the score of each system's summed rows."""
    doubted: dict[str, list[str]] = {}
    remarks = []
    for metric, rows in totals:
        for doubt in metric.doubts:
            doubted.setdefault(doubt, []).append(metric.title)
        for name, total in zip(names, rows, strict=True):
            remarks += [f"{name}: {remark}" for remark in metric.remarks(total, segments)]
    doubts = [f"{', '.join(dict.fromkeys(titles))}: {doubt}" for doubt, titles in doubted.items()]
    return (*doubts, *dict.fromkeys(remarks))


def summed(systems: Sequence[SystemScores]) -> Iterable[tuple[Metric, list[Rows]]]:
    """Every metric with the summed rows of all systems."""
    for scores in zip(*(one.scores for one in systems), strict=True):
        yield scores[0].metric, [one.statistics for one in scores]
