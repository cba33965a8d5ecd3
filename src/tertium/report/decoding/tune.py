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
from tertium.tune.labelled import ALL, CrossLabelScore, LabelledTuning
from tertium.tune.loop import LoopReport
from tertium.tune.tune import Outcome, TuningReport

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
    for iteration in report.iterations:
        table.add_row(
            str(iteration.number),
            f"{iteration.decoded:.{decimals}f}",
            f"{iteration.tuned:.{decimals}f}",
            f"{iteration.length_ratio:.3f}",
            f"{100 * iteration.words_deleted:.1f}",
            str(iteration.hypotheses),
            str(iteration.fresh),
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
            round(row.scores[index], decimals) for row in rows
        )
        for index, metric in enumerate(metrics)
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
    for index, feature in enumerate(features[:_MOST_FEATURES]):
        table.add_row(Text(feature), *(f"{column[index]:.6g}" for column in columns))
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


# What tuning on each genre and on all found, as text for people.


def labelled_view(report: LabelledTuning, *, decimals: int = 2) -> Group:
    """For each metric tuned for, every system on the segments of every label."""
    whole = report.reports[ALL]
    shown = whole.metrics
    parts: list[RenderableType] = []
    for one in whole.tuned:
        cells = [cell for cell in report.cells if cell.metric == one.metric.spec]
        for title, held_out in (("dev set", False), ("held out", True)):
            if held_out and whole.held_out_before is None:
                continue
            heading = f"max-{one.metric.title}, {title}"
            parts += [Text(heading, style="bold"), _grid(cells, shown, decimals, held_out=held_out)]
            parts.append(Text(""))
    sizes = ", ".join(f"{label} {found.before.segments}" for label, found in report.reports.items())
    remarks = [f"segments by {report.by}: {sizes}; {whole.options}"]
    if whole.held_out_before is None:
        remarks.append("scores on segments that were tuned on flatter: hold some out")
    remarks.append("the weights of each are in -f json")
    remarks += (
        f"{metric.title}  {signature}"
        for metric, signature in zip(shown, whole.signatures, strict=True)
    )
    parts += [Text(line, style="dim") for line in remarks]
    return Group(*parts)


def _grid(
    cells: list[CrossLabelScore], metrics: tuple[Metric, ...], decimals: int, *, held_out: bool
) -> Table:
    table = plain_table()
    for name in ("scored on", "tuned on"):
        table.add_column(Text(name), overflow="fold")
    for name in (*headings(metrics), "length ratio", "words deleted %"):
        table.add_column(Text(name), justify="right", no_wrap=True)
    scored_on = list(dict.fromkeys(cell.scored_on for cell in cells))
    for index, label in enumerate(scored_on):
        own = [cell for cell in cells if cell.scored_on == label]
        for number, cell in enumerate(own):
            found = cell.held_out if held_out else cell.dev
            last = number == len(own) - 1 and index < len(scored_on) - 1
            table.add_row(
                Text(label if number == 0 else ""),
                Text(cell.tuned_on),
                *_numbers(found, len(metrics), decimals),
                end_section=last,
            )
    return table


def _numbers(outcome: Outcome | None, metrics: int, decimals: int) -> list[str]:
    if outcome is None:  # no segment of this label was held out
        return ["–"] * (metrics + 2)
    return [
        *(f"{score:.{decimals}f}" for score in outcome.scores),
        f"{outcome.length_ratio:.3f}",
        f"{100 * outcome.words_deleted:.1f}",
    ]
