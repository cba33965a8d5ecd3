"""An explanation for people: the parts of each score, then segments one by one."""

from collections.abc import Iterator

from tertium.explanation import Explanation, SegmentParts
from tertium.metrics.contract.base import Component
from tertium.tables import Cell, Column, Lines, Part, Table, TextLine, lines


def explanation_view(explanation: Explanation) -> Iterator[Part]:
    """The parts of every system's score side by side, then the segments one by one."""
    yield _parts_table(explanation)
    for segment in explanation.segments:
        yield _segment_lines(explanation, segment)
    identity = f"{explanation.metric.title}  {explanation.signature}"
    yield lines([identity], "faint", copied=True)


def _parts_table(explanation: Explanation) -> Table:
    """A row for each part, a column for each system, and one for the notes on its parts."""
    systems = explanation.systems
    grouped = any(part.group for system in systems for part in system.components)
    columns = [Column("of", "left")] if grouped else []
    columns.append(Column("part", "left"))
    for system in systems:
        columns += [Column(system.system), Column("", "left", joined=True, whole=True)]
    scores = [text for one in systems for text in (explanation.metric.shown(one.value), "")]
    first = tuple(Cell(text, "strong") for text in (*([""] if grouped else []), "score", *scores))
    sections: list[list[tuple[Cell, ...]]] = []
    last = None
    for parts in zip(*(system.components for system in systems), strict=True):
        group = parts[0].group
        label = [Cell("" if group == last else group)] if grouped else []
        if group != last:
            sections.append([])
            last = group
        cells = (cell for part in parts for cell in _cells(part))
        sections[-1].append((*label, Cell(parts[0].name), *cells))
    return Table(
        title=explanation.metric.title,
        columns=tuple(columns),
        sections=((first,), *map(tuple, sections)),
        labels=1 + grouped,
    )


def _cells(part: Component) -> tuple[Cell, Cell]:
    value = f"{part.value:.4g}" if part.value < 1 else f"{part.value:.2f}"
    return Cell(value), Cell(part.note, "faint")


def _segment_lines(explanation: Explanation, segment: SegmentParts) -> Lines:
    value = explanation.metric.shown(segment.value)
    if not segment.trace and segment.rank is not None:
        # Nothing is known of how the score came about: how it compares is all there is to say.
        value += f", rank {segment.rank} of {explanation.corpus_segments}"
    head = TextLine(
        (Cell(f"segment {segment.number}, {segment.system}", "strong"), Cell(f"  {value}"))
    )
    texts = [
        f"hypothesis: {segment.hypothesis}",
        *(f"reference:  {reference}" for reference in segment.references),
        *(f"  {step}" for step in segment.trace),
    ]
    return Lines((head, *lines(texts).lines))
