"""Named entities for people and programs: scores by type or document, and missed names."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from rich.table import Table
from rich.text import Text

from tertium.metrics.annotation.nee_report import MissedEntity, NameCount, NameReport, SystemNames
from tertium.plurals import counted
from tertium.report.evaluation.grid import WHOLE
from tertium.report.plain_table import plain_table

By: TypeAlias = Literal["type", "document", "paragraph"]

_AROUND: Final = 40
"""Characters of a hypothesis that a table shows on each side."""
_ESCAPED: Final = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})
_MISSED_HEADINGS: Final = ("system", "document", "segment", "type", "name", "part")


class NameRow(NamedTuple):
    """One translation's count on the whole, of one type, document or paragraph."""

    label: str
    names: SystemNames
    counted: NameCount


def name_sections(report: NameReport, by: By | None = None) -> Iterator[tuple[NameRow, ...]]:
    """Rows to be compared with one another: systems and humans on the same names."""
    yield tuple(NameRow(WHOLE, one, one.total) for one in report.rows)
    if by is not None:
        for label in _parts(report.rows[0], by):
            yield tuple(NameRow(label, one, _parts(one, by)[label]) for one in report.rows)


def _parts(names: SystemNames, by: By) -> dict[str, NameCount]:
    parts = {"type": names.types, "document": names.documents, "paragraph": names.paragraphs}
    return parts[by]


def name_table(report: NameReport, *, by: By | None = None, decimals: int = 2) -> Table:
    """Scores and counts, a section for each type or document; the best system of each is bold."""
    table = plain_table()
    if by:
        table.add_column(Text(by), overflow="fold")
    table.add_column(Text("system"), overflow="fold")
    for title in (report.metric.title, "found", "listed"):
        table.add_column(Text(title), justify="right", no_wrap=True)
    for section in name_sections(report, by):
        systems = [round(row.counted.score, decimals) for row in section if not row.names.human]
        best = max(systems, default=None) if len(systems) > 1 else None
        for number, row in enumerate(section):
            score = row.counted.score
            bold = round(score, decimals) == best and not row.names.human
            table.add_row(
                *([Text(row.label if number == 0 else "")] if by else []),
                Text(f"{row.names.system} (human)" if row.names.human else row.names.system),
                Text(f"{score:.{decimals}f}", style="bold green" if bold else ""),
                *(Text(_number(one)) for one in (row.counted.found, row.counted.listed)),
            )
        if len(section) > 1:
            table.add_section()
    return table


def _number(value: float) -> str:
    """Whole numbers as such, fractions with two digits."""
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"


def missed_table(report: NameReport) -> Table:
    """Every missed name with the hypothesis of its segment, cut to what lies around it."""
    table = plain_table()
    for title in (*_missed_headings(report), "hypothesis"):
        side: Literal["left", "right"] = "right" if title == "segment" else "left"
        table.add_column(Text(title), overflow="fold", justify=side)
    for one in report.systems:
        for missed in one.missed:
            cells = [*_missed_cells(report, one, missed), snippet(missed)]
            table.add_row(*map(Text, cells))
    return table


def _missed_headings(report: NameReport) -> list[str]:
    documents = bool(report.rows[0].documents)
    return [title for title in _MISSED_HEADINGS if documents or title != "document"]


def _missed_cells(report: NameReport, one: SystemNames, missed: MissedEntity) -> list[str]:
    document = [missed.document or ""] if report.rows[0].documents else []
    types = "+".join(missed.labels)
    return [one.system, *document, str(missed.segment), types, missed.text, missed.part]


def snippet(missed: MissedEntity) -> str:
    """What a hypothesis has around the part that was found, or its beginning.

    >>> missed = MissedEntity(segment=1, document=None, labels=("LOC",), text="New York",
    ...     part="york", reference="", hypothesis="a " * 40 + "York " + "b " * 40)
    >>> snippet(missed)
    '…a a a a a a a a a a a a a a a a a a a a York b b b b b b b b b b b b b b b b b b…'
    """
    text = " ".join(missed.hypothesis.split())
    word = max(missed.part.split(), key=len, default="")
    found = max(text.casefold().find(word), 0)
    start = max(0, min(found - _AROUND, len(text) - 2 * _AROUND))
    stop = min(len(text), start + 2 * _AROUND)
    inside = text[start:stop].strip()
    return f"{'…' if start else ''}{inside}{'…' if stop < len(text) else ''}"


def name_notes(report: NameReport) -> Text:
    """What must be quoted beside the scores."""
    units = len(report.metric.members or ())
    size = f"{counted(report.segments, 'segment')}, {units} units ({report.metric.unit})"
    return Text(f"{size}\n{report.signature}", style="dim", no_wrap=True, overflow="ignore")


def name_tsv(report: NameReport, *, by: By | None = None) -> Iterator[str]:
    """A heading, then one line per row with all digits."""
    yield _tabbed([*([by] if by else []), "system", "kind", "score", "found", "listed"])
    for section in name_sections(report, by):
        for label, names, count in section:
            kind = "human" if names.human else "system"
            numbers = map(repr, (count.score, count.found, count.listed))
            yield _tabbed([*([label] if by else []), names.system, kind, *numbers])


def missed_tsv(report: NameReport) -> Iterator[str]:
    """A heading, then one line per missed name."""
    yield _tabbed([*_missed_headings(report), "reference", "hypothesis"])
    for one in report.systems:
        for missed in one.missed:
            cells = _missed_cells(report, one, missed)
            yield _tabbed([*cells, missed.reference, missed.hypothesis])


def _tabbed(cells: Sequence[str]) -> str:
    return "\t".join(cell.translate(_ESCAPED) for cell in cells) + "\n"
