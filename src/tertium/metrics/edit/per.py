"""Position-independent error rate (Tillmann et al. 1997): WER without word order."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tertium import _native
from tertium.metrics.contract.base import Rows, Scores, option
from tertium.metrics.contract.word_metric import WordMetric
from tertium.metrics.edit.wer import error_rate
from tertium.text.references import AnyReferences, Hypotheses


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionIndependentErrorRate(WordMetric):
    """(max(|c|, |r|) − bag matches) / |r|, fewest errors over references, mean length."""

    name: ClassVar[str] = "per"
    title: ClassVar[str] = "PER"
    summary: ClassVar[str] = "word edits per reference word, order ignored"
    citation: ClassVar[str] = "Tillmann et al. 1997"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = np.inf

    clip: Literal["segment", "corpus"] = option(
        "segment", "where words beyond the reference length are charged"
    )

    @property
    def columns(self) -> tuple[str, ...]:
        if self.clip == "segment":
            return ("errors", "reference_length")
        return ("matches", "hypothesis_length", "reference_length")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, prepared = self.native_sides(hypotheses, references)
        return _native.per_statistics(texts, prepared, clip_corpus=self.clip == "corpus")

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        if self.clip == "segment":
            return 100 * error_rate(rows[..., 0], rows[..., 1])
        matches, hypothesis, reference = np.moveaxis(rows, -1, 0)
        return 100 * error_rate(np.maximum(hypothesis, reference) - matches, reference)
