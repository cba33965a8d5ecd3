"""BLEU with the strict brevity penalty (Chiang et al. 2008, section 4.1)."""

from dataclasses import dataclass
from typing import ClassVar

from tertium.metrics.contract.base import PenalisedLengths, Rows, Scores, option
from tertium.metrics.ngram.bleu import Bleu, ReferenceLength, bleu_columns, brevity
from tertium.text.references import AnyReferences, Hypotheses


@dataclass(frozen=True, slots=True, kw_only=True)
class BleuStrictBrevity(Bleu):
    """BLEU whose penalty is φ(Σ min{|cᵢ|, |rᵢ|} / Σ|rᵢ|).

    Words beyond a segment's reference length no longer pay for words missing elsewhere.
    """

    name: ClassVar[str] = "bleu-sbp"
    title: ClassVar[str] = "BLEU-SBP"
    summary: ClassVar[str] = "BLEU in which each segment answers for its own missing words"
    citation: ClassVar[str] = "Chiang et al. 2008"
    penalised_lengths: ClassVar[PenalisedLengths] = "segment"

    reference_length: ReferenceLength = option("shortest", "which reference length counts")

    @property
    def columns(self) -> tuple[str, ...]:
        return (*bleu_columns(self.order), "covered_length")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        return self._counts(hypotheses, references, covered=True)

    def brevity_penalty(self, rows: Rows) -> Scores:
        return brevity(rows[..., -1], rows[..., 2 * self.order + 1])

    def brevity_note(self, row: Rows) -> str:
        covered, reference = row[-1], row[2 * self.order + 1]
        return f"{covered:g} words within their segment's length of {reference:g}"
