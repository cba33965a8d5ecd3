"""What tuning found, as text for people."""

from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tertium.metrics.contract.base import Metric
from tertium.plurals import counted
from tertium.report.decoding.plain_table import plain_table
from tertium.results import headings
from tertium.tune.loop import LoopReport
from tertium.tune.outcomes import Outcome
from tertium.tune.tune import TuningReport

_DELETED: Final = (
    "words deleted: by which segments fall short of the closest reference length, in % of all "
    "reference words; segments deleted: those without a word, in % of all"
)
_MOST_FEATURES: Final = 40
"""Sparse features can be thousands; programs get all of them."""


def tuning_view(report: TuningReport, *, decimals: int = 2) -> Group:
    """Scores on the dev set and on what was held out, the weights, and how they were found."""
    names = ["before", *(f"max-{one.metric.title}" for one in report.tuned)]
    dev = [report.before, *(one.dev for one in report.tuned)]
    parts: list[RenderableType] = [
        Text.assemble(("dev set", "bold"), f"  {counted(report.before.segments, 'segment')}"),
        _outcomes(report.metrics, names, dev, decimals),
        Text(""),
    ]
    if report.held_out_before is not None:
        unseen = [one.held_out for one in report.tuned if one.held_out is not None]
        parts += [
            Text.assemble(
                ("held out", "bold"), f"  {counted(report.held_out_before.segments, 'segment')}"
            ),
            _outcomes(report.metrics, names, [report.held_out_before, *unseen], decimals),
            Text(""),
        ]
    columns = [report.start.tolist(), *(one.search.weights.tolist() for one in report.tuned)]
    parts += [_weights(report.feature_names, names, columns), Text("")]
    parts += [Text(line, style="dim") for line in _remarks(report)]
    return Group(*parts)


def loop_view(report: LoopReport, *, decimals: int = 2) -> Group:
    """The iterations, and the weights they ended with."""
    table = _table(
        "iteration", "decoded", "tuned", "length ratio", "words deleted %", "hypotheses", "new"
    )
    for one in report.iterations:
        table.add_row(
            str(one.number),
            f"{one.decoded:.{decimals}f}",
            f"{one.tuned:.{decimals}f}",
            f"{one.length_ratio:.3f}",
            f"{100 * one.words_deleted:.1f}",
            str(one.hypotheses),
            str(one.fresh),
        )
    names = tuple(report.weights)
    columns = [[report.start.get(name, 0.0) for name in names], list(report.weights.values())]
    ended = "converged" if report.converged else "not converged: more iterations may find more"
    size = counted(report.segments, "segment")
    remarks = [
        f"{ended}; {size}, {report.options}; state in {report.state}",
        f"{report.metric.title}  {report.signature}",
    ]
    return Group(
        Text(report.metric.title, style="bold"),
        table,
        Text(""),
        _weights(names, ["before", "after"], columns),
        Text(""),
        *(Text(line, style="dim") for line in remarks),
    )


def _outcomes(
    metrics: Sequence[Metric], names: Sequence[str], rows: Sequence[Outcome], decimals: int
) -> Table:
    table = _table("", *headings(metrics), "length ratio", "words deleted %", "segments deleted %")
    best = [
        (max if metric.higher_is_better else min)(
            round(row.scores[place], decimals) for row in rows
        )
        for place, metric in enumerate(metrics)
    ]
    for name, row in zip(names, rows, strict=True):
        scores = (
            Text(
                f"{score:.{decimals}f}",
                style="bold green" if round(score, decimals) == top else "",
            )
            for score, top in zip(row.scores, best, strict=True)
        )
        table.add_row(
            Text(name),
            *scores,
            f"{row.length_ratio:.3f}",
            f"{100 * row.words_deleted:.1f}",
            f"{100 * row.segments_deleted:.1f}",
        )
    return table


def _weights(
    features: Sequence[str], names: Sequence[str], columns: Sequence[Sequence[float]]
) -> Table:
    table = _table("weight of", *names)
    for place, feature in enumerate(features[:_MOST_FEATURES]):
        table.add_row(Text(feature), *(f"{column[place]:.6g}" for column in columns))
    if len(features) > _MOST_FEATURES:
        table.add_row(f"… and {len(features) - _MOST_FEATURES} more", *("" for _ in names))
    return table


def _table(first: str, *others: str) -> Table:
    table = plain_table()
    table.add_column(Text(first), overflow="fold")
    for name in others:
        table.add_column(Text(name), justify="right", no_wrap=True)
    return table


def _remarks(report: TuningReport) -> list[str]:
    width = max(len(metric.title) for metric in report.metrics)
    size = (
        f"{counted(report.hypotheses, 'hypothesis')}, "
        f"{counted(len(report.feature_names), 'feature')}"
    )
    lines = [f"{size}; {report.options}"]
    lines += (f"max-{one.metric.title}: {one.search}" for one in report.tuned)
    if report.held_out_before is None:
        lines.append("scores on segments that were tuned on flatter: hold some out")
    lines.append(_DELETED)
    lines += (
        f"{metric.title:<{width}}  {signature}"
        for metric, signature in zip(report.metrics, report.signatures, strict=True)
    )
    return lines
