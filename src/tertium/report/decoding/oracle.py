"""Oracles and their curves, as text for people and as a plot."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tertium.decode.mbr.before_after import BeforeAfter
from tertium.decode.oracle.curves import OracleCurve
from tertium.decode.oracle.oracles import Oracles, SegmentOracle
from tertium.plurals import counted
from tertium.report.decoding.plain_table import plain_table
from tertium.report.plots.curves import Line, curve
from tertium.results import heading, headings

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

SHOWN = 5
"""Segments that are shown; all of them are in -f json and -f lines."""

_X_TITLES = {
    "sizes": "hypotheses a segment, the best by the model",
    "margins": "distance from the model's best score",
}


def oracle_view(result: Oracles, *, shown: int = SHOWN, decimals: int = 2) -> Group:
    """Some oracles, what the corpus scores without and with them, and how sure that is."""
    parts: list[RenderableType] = [_segments(result.segments[:shown], decimals)]
    left = len(result.segments) - shown
    if left > 0:
        parts.append(Text(f"… and {left} more (-f lines or -f json has them all)", style="dim"))
    parts += [Text(""), _scores(result.scores, decimals), Text("")]
    return Group(*parts, *(Text(line, style="dim") for line in _remarks(result)))


def curve_view(result: OracleCurve, *, decimals: int = 2) -> Group:
    """A row for each size or margin."""
    table = _table(result.kind.removesuffix("s"), "kept", *headings(result.metrics))
    first = [f"{value:.{decimals}f}" for value in result.first]
    table.add_row("model's best", "", *first)
    for point in result.points:
        values = [f"{value:.{decimals}f}" for value in point.scores]
        table.add_row(f"{point.x:g}", f"{100 * point.kept:.1f}%", *values)
    title = result.metrics[0].title
    kind = f"approximate ({result.approximation})" if result.approximation else "exact"
    return Group(table, Text(""), Text(f"oracles by {title}: {kind}", style="dim"))


def curve_figure(result: OracleCurve) -> "Figure":
    """A line for each metric."""
    kind = " (approximate)" if result.approximation else ""
    return curve(
        [
            Line(
                name=metric.title,
                x=[point.x for point in result.points],
                y=[point.scores[index] for point in result.points],
            )
            for index, metric in enumerate(result.metrics)
        ],
        title=f"Oracle by {result.metrics[0].title}{kind}",
        x_title=_X_TITLES[result.kind],
        y_title="corpus score",
        logarithmic=result.kind == "sizes",
    )


def _table(*names: str) -> Table:
    table = plain_table()
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _segments(segments: Sequence[SegmentOracle], decimals: int) -> Table:
    table = _table("segment", "model", "oracle")
    table.add_column("text", overflow="fold")
    for segment in segments:
        for index, hypothesis in enumerate(segment.hypotheses):
            table.add_row(
                "" if index else str(segment.segment),
                "" if index else f"{segment.first.score:.{decimals}f}",
                f"{hypothesis.score:.{decimals}f}",
                Text(
                    hypothesis.text, style="" if hypothesis.text == segment.first.text else "bold"
                ),
            )
    return table


def _scores(scores: Sequence[BeforeAfter], decimals: int) -> Table:
    table = _table("metric", "model", "oracle", "difference")
    table.columns[0].justify = "left"
    for score in scores:
        table.add_row(
            Text(heading(score.title, higher_is_better=score.higher_is_better)),
            f"{score.before:.{decimals}f}",
            f"{score.after:.{decimals}f}",
            f"{score.after - score.before:+.{decimals}f}",
        )
    return table


def _remarks(result: Oracles) -> Iterator[str]:
    title = result.metric.title
    if result.approximation:
        yield f"approximate: {result.approximation}"
        if result.bound is not None:
            gap = result.bound - result.score
            yield (
                "too large for an exact choice; no choice has more than "
                f"{result.bound:.2f} {title}, {gap:.2f} above"
            )
    else:
        yield f"exact: nothing in the structures has a better {title} (ties by the model's score)"
    incomplete = sum(not segment.complete for segment in result.segments)
    if incomplete:
        yield (
            f"fewer oracles than asked for in {counted(incomplete, 'segment')}: too many paths say "
            "the same"
        )
    yield from (f"{score.title}  {score.signature}" for score in result.scores)
