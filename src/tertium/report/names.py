"""Named entities for people and programs: scores by type or document, missed names, units."""

from collections.abc import Iterator
from math import isnan
from typing import Final, Literal, NamedTuple, TypeAlias

from tertium.meta.ratings.name_units import UnitAgreement
from tertium.metrics.annotation.nee_report import MissedEntity, NameCount, NameReport, SystemNames
from tertium.plurals import counted
from tertium.tables import Cell, Column, Lines, Section, Table, lines, table, tsv

By: TypeAlias = Literal["type", "document", "paragraph"]

WHOLE: Final = "all"
"""The row that counts every name."""
_AROUND: Final = 40
"""Characters of a hypothesis that a table shows on each side."""
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
    """Scores and counts, a section for each type or document; the best system of each is marked."""
    sections: list[Section] = []
    for section in name_sections(report, by):
        scores = [round(row.counted.score, decimals) for row in section if not row.names.human]
        best = max(scores, default=None) if len(scores) > 1 else None
        rows = []
        for number, row in enumerate(section):
            score = row.counted.score
            is_best = round(score, decimals) == best and not row.names.human
            rows.append(
                (
                    *([Cell(row.label if number == 0 else "")] if by else []),
                    Cell(_name(row.names)),
                    Cell(f"{score:.{decimals}f}", "best" if is_best else ""),
                    Cell(_count(row.counted.found)),
                    Cell(_count(row.counted.listed)),
                )
            )
        sections.append(tuple(rows))
    labels = [by, "system"] if by else ["system"]
    return Table(
        columns=(
            *(Column(label, "left") for label in labels),
            *map(Column, (report.metric.title, "found", "listed")),
        ),
        sections=tuple(sections),
        labels=len(labels),
    )


def _name(names: SystemNames) -> str:
    return f"{names.system} (human)" if names.human else names.system


def _count(value: float) -> str:
    """Whole numbers as such, fractions with two digits."""
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"


def missed_table(report: NameReport) -> Table:
    """Every missed name with the hypothesis of its segment, cut to what lies around it."""
    titles = (*_missed_headings(report), "hypothesis")
    return table(
        titles,
        (
            (*_missed_cells(report, system, missed), snippet(missed))
            for system in report.systems
            for missed in system.missed
        ),
        left=(number for number, title in enumerate(titles) if title != "segment"),
        labels=len(titles) - 1,
    )


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


def name_notes(report: NameReport) -> Lines:
    """What must be quoted beside the scores."""
    units = len(report.metric.members or ())
    size = f"{counted(report.segments, 'segment')}, {units} units ({report.metric.unit})"
    return lines([size, report.signature], "faint", copied=True)


def name_tsv(report: NameReport, *, by: By | None = None) -> Iterator[str]:
    """A heading, then one line per row with all digits."""
    names = [*([by] if by else []), "system", "kind", "score", "found", "listed"]
    return tsv(
        names,
        (
            (
                *([row.label] if by else []),
                *(row.names.system, "human" if row.names.human else "system"),
                *(row.counted.score, row.counted.found, row.counted.listed),
            )
            for section in name_sections(report, by)
            for row in section
        ),
    )


def missed_tsv(report: NameReport) -> Iterator[str]:
    """A heading, then one line per missed name."""
    return tsv(
        [*_missed_headings(report), "reference", "hypothesis"],
        (
            (*_missed_cells(report, system, missed), missed.reference, missed.hypothesis)
            for system in report.systems
            for missed in system.missed
        ),
    )


# NEE by document and by paragraph, side by side.


def unit_table(agreement: UnitAgreement, *, decimals: int = 2) -> Table:
    """A row for every translation."""
    totals = ((one, (one.total, other.total)) for one, other in agreement.pairs)
    return Table(
        columns=(
            Column("system", "left"),
            Column("by document"),
            Column("listed", joined=True),
            Column("by paragraph"),
            Column("listed", joined=True),
        ),
        sections=(
            tuple(
                (
                    Cell(_name(one)),
                    *(
                        Cell(text)
                        for total in both
                        for text in (f"{total.score:.{decimals}f}", f"{total.listed:g}")
                    ),
                )
                for one, both in totals
            ),
        ),
    )


def unit_notes(agreement: UnitAgreement) -> Lines:
    """The correlations, and how many numbers they rest on."""
    translations = len(agreement.pairs)
    documents = sum(
        count.listed > 0 for one, _ in agreement.pairs for count in one.documents.values()
    )
    correlations = (
        f"Pearson's r between the two: {_r(agreement.over_systems)} over "
        f"{counted(translations, 'translation')}, {_r(agreement.over_documents)} over their "
        f"{counted(documents, 'document')}"
    )
    signatures = (agreement.by_document.signature, agreement.by_paragraph.signature)
    return lines([correlations, *signatures], "faint", copied=True)


def _r(value: float) -> str:
    return "undefined" if isnan(value) else f"{value:.3f}"


def unit_tsv(agreement: UnitAgreement) -> Iterator[str]:
    """A heading, then one line for each document of each translation, and one for the whole."""
    names = ("document", "system", "kind", "by_document", "by_paragraph")
    return tsv(names, _unit_rows(agreement))


def _unit_rows(agreement: UnitAgreement) -> Iterator[tuple[object, ...]]:
    for one, other in agreement.pairs:
        kind = "human" if one.human else "system"
        yield WHOLE, one.system, kind, one.total.score, other.total.score
        for label, count in one.documents.items():
            yield label, one.system, kind, count.score, other.documents[label].score
