"""GTM, the General Text Matcher (Melamed et al. 2003), as its program 1.4 computes it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium import _native
from tertium.errors import OptionError
from tertium.metrics.contract.base import Rows, Scores, option, ratio
from tertium.metrics.contract.costs import Growth
from tertium.metrics.contract.word_metric import WordMetric
from tertium.text.references import AnyReferences, Hypotheses


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralTextMatcher(WordMetric):
    """F of match size over both lengths; the match size is (Σ lengthᵉ)^(1/e) over runs.

    Runs of equal words are matched greedily, the longest first; of equally long ones that
    which stands later in the hypothesis, then in the references. Several references are one
    text with breaks, and no more words count than their mean length. With an exponent above 1
    long runs are worth more than their words; the corpus sums match sizes and lengths.
    """

    name: ClassVar[str] = "gtm"
    title: ClassVar[str] = "GTM"
    summary: ClassVar[str] = "words that match, each once; long runs count more"
    citation: ClassVar[str] = "Melamed et al. 2003; Turian et al. 2003"

    exponent: float = option(1.2, "how much long runs are rewarded; 1 counts words alone")

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=0.002, power=2)

    def __post_init__(self) -> None:
        WordMetric.__post_init__(self)
        if not 1 <= self.exponent < np.inf:  # below 1, runs would be worth less than their words
            raise OptionError(f"gtm: found exponent={self.exponent}, expected a number from 1 on")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("match_size", "hypothesis_length", "reference_length")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, prepared = self.native_sides(hypotheses, references)
        return _native.gtm_statistics(texts, prepared, exponent=self.exponent)

    def score(self, rows: Rows) -> Scores:
        # 2PR / (P + R) with P = size / |c| and R = size / |r|
        rows = np.asarray(rows, dtype=np.float64)
        return 100 * ratio(2 * rows[..., 0], rows[..., 1] + rows[..., 2], empty=1.0)

    def describe(self, row: Rows) -> str:
        size, hypothesis, reference = row
        return (
            f"(P = {100 * ratio(size, hypothesis):.1f} R = {100 * ratio(size, reference):.1f} "
            f"hyp_len = {hypothesis:.0f} ref_len = {reference:g})"
        )
