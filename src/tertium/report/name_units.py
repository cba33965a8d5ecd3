"""NEE by document and by paragraph, side by side."""

from collections.abc import Iterator
from math import isnan

from rich.table import Table
from rich.text import Text

from tertium.meta.ratings.name_units import UnitAgreement
from tertium.metrics.annotation.nee_report import SystemNames
from tertium.plurals import counted
from tertium.report.plain_table import plain_table


def unit_table(agreement: UnitAgreement, *, decimals: int = 2) -> Table:
    """A row for every translation."""
    table = plain_table()
    table.add_column(Text("system"), overflow="fold")
    for title in ("by document", "listed", "by paragraph", "listed"):
        table.add_column(Text(title), justify="right", no_wrap=True)
    for one, other in agreement.pairs:
        table.add_row(
            Text(_name(one)),
            *(
                Text(text)
                for names in (one, other)
                for text in (f"{names.total.score:.{decimals}f}", f"{names.total.listed:g}")
            ),
        )
    return table


def _name(one: SystemNames) -> str:
    return f"{one.system} (human)" if one.human else one.system


def unit_notes(agreement: UnitAgreement) -> Text:
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
    return Text(
        "\n".join((correlations, *signatures)), style="dim", no_wrap=True, overflow="ignore"
    )


def _r(value: float) -> str:
    return "undefined" if isnan(value) else f"{value:.3f}"


def unit_tsv(agreement: UnitAgreement) -> Iterator[str]:
    """A heading, then one line for each document of each translation, and one for the whole."""
    yield "document\tsystem\tkind\tby_document\tby_paragraph\n"
    for one, other in agreement.pairs:
        kind = "human" if one.human else "system"
        scores = [("all", one.total.score, other.total.score)]
        scores += [
            (label, count.score, other.documents[label].score)
            for label, count in one.documents.items()
        ]
        for label, by_document, by_paragraph in scores:
            yield f"{label}\t{one.system}\t{kind}\t{by_document!r}\t{by_paragraph!r}\n"
