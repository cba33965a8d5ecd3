"""NEE counted by document and by paragraph: does the unit matter?

Papineni et al. (2002, footnote 1) list names once per document, having found "a strong
correlation between paragraph and document level scores" on French and Spanish.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium.meta.agreement.correlation import pearson
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.annotation.nee_report import NameReport, SystemNames, name_report
from tertium.text.corpus import Corpus, System
from tertium.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitAgreement:
    """The same names of the same translations, counted by document and by paragraph.

    ``over_systems`` is Pearson's r over the translations, ``over_documents`` over the documents
    of all translations; NaN where one side does not vary.
    """

    by_document: NameReport
    by_paragraph: NameReport
    over_systems: float
    over_documents: float

    @property
    def pairs(self) -> tuple[tuple[SystemNames, SystemNames], ...]:
        """Each translation by document and by paragraph."""
        return tuple(zip(self.by_document.rows, self.by_paragraph.rows, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "version": __version__,
            "signatures": [self.by_document.signature, self.by_paragraph.signature],
            "pearson_over_systems": _or_none(self.over_systems),
            "pearson_over_documents": _or_none(self.over_documents),
            "systems": [
                {
                    "system": first.system,
                    "human": first.human,
                    "by_document": first.total.to_dict(),
                    "by_paragraph": other.total.to_dict(),
                    "documents": {
                        label: {
                            "by_document": count.to_dict(),
                            "by_paragraph": other.documents[label].to_dict(),
                        }
                        for label, count in first.documents.items()
                    },
                }
                for first, other in self.pairs
            ],
        }


def unit_agreement(
    corpus: Corpus,
    systems: Sequence[System],
    metric: NamedEntityEvaluator | None = None,
    *,
    reference_names: Sequence[str] | None = None,
) -> UnitAgreement:
    """Count the names of a corpus twice; it must have documents and paragraphs."""
    chosen = metric or NamedEntityEvaluator()
    by_document, by_paragraph = (
        name_report(corpus, systems, replace(chosen, unit=unit), reference_names=reference_names)
        for unit in ("document", "paragraph")
    )
    pairs = list(zip(by_document.rows, by_paragraph.rows, strict=True))
    documents = [
        (count.score, other.documents[label].score)
        for first, other in pairs
        for label, count in first.documents.items()
        if count.listed
    ]
    return UnitAgreement(
        by_document=by_document,
        by_paragraph=by_paragraph,
        over_systems=_pearson([(first.total.score, other.total.score) for first, other in pairs]),
        over_documents=_pearson(documents),
    )


def _pearson(pairs: Sequence[tuple[float, float]]) -> float:
    if len(pairs) < 3:  # two points always lie on a line
        return float("nan")
    numbers = np.array(pairs)
    return float(pearson(numbers[:, 0], numbers[:, 1]))


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value
