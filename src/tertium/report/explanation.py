"""An explanation as tables for people."""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tertium.explanation import Explanation, SegmentParts
from tertium.metrics.contract.base import Component
from tertium.report.plain_table import plain_table


def explanation_view(explanation: Explanation) -> Group:
    """The parts of every system's score side by side, then the segments one by one."""
    title = Text(explanation.metric.title, style="bold")
    shown: list[RenderableType] = [title, _parts_table(explanation), Text("")]
    for segment in explanation.segments:
        shown += _segment_view(explanation, segment)
    shown.append(
        Text(f"{explanation.metric.title}  {explanation.signature}", style="dim", no_wrap=True)
    )
    return Group(*shown)


def _parts_table(explanation: Explanation) -> Table:
    """A row for each part, a column for each system; the notes of a single system too."""
    systems = explanation.systems
    grouped = any(one.group for system in systems for one in system.components)
    table = plain_table()
    if grouped:
        table.add_column("of")
    table.add_column("part")
    for system in systems:
        table.add_column(Text(system.system), justify="right", no_wrap=True)
        table.add_column("", style="dim", no_wrap=True)
    scores = [cell for system in systems for cell in (explanation.metric.shown(system.value), "")]
    table.add_row(*([""] if grouped else []), "score", *scores, style="bold")
    table.add_section()
    last = ""
    for parts in zip(*(system.components for system in systems), strict=True):
        group = parts[0].group
        if group != last and last:
            table.add_section()
        label = [Text(group if group != last else "")] if grouped else []
        cells = (cell for part in parts for cell in _cells(part))
        table.add_row(*label, Text(parts[0].name), *cells)
        last = group
    return table


def _cells(part: Component) -> Iterable[Text]:
    return Text(f"{part.value:.4g}" if part.value < 1 else f"{part.value:.2f}"), Text(part.note)


def _segment_view(explanation: Explanation, segment: SegmentParts) -> list[RenderableType]:
    value = explanation.metric.shown(segment.value)
    if not segment.trace and segment.rank is not None:
        # Nothing is known of how the score came about: how it compares is all there is to say.
        value += f", rank {segment.rank} of {explanation.corpus_segments}"
    head = Text.assemble((f"segment {segment.number}, {segment.system}", "bold"), f"  {value}")
    lines: list[RenderableType] = [head, Text(f"hypothesis: {segment.hypothesis}")]
    lines += [Text(f"reference:  {reference}") for reference in segment.references]
    lines += [Text(f"  {line}") for line in segment.trace]
    return [*lines, Text("")]
