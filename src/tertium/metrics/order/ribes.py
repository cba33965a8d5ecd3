"""RIBES (Isozaki et al. 2010), as NTT's program 1.03.1 computes it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium import _native
from tertium.errors import OptionError
from tertium.metrics.contract.base import PenalisedLengths, Rows, Scores, option, ratio
from tertium.metrics.contract.word_metric import WordMetric
from tertium.text.references import AnyReferences, Hypotheses


@dataclass(frozen=True, slots=True, kw_only=True)
class Ribes(WordMetric):
    """NKT · P^α · BP^β: word order by Kendall's τ, unigram precision, brevity penalty.

    Words that stand once in both texts correspond; of repeated ones those do whose context
    tells them apart. The best reference counts, and the corpus score is the mean of the
    segments. Where a word is repeated too regularly (``a a a``) even identical texts stay
    below 100, and so do they in NTT's program.
    """

    name: ClassVar[str] = "ribes"
    title: ClassVar[str] = "RIBES"
    summary: ClassVar[str] = "how far the words that match stand in the same order"
    citation: ClassVar[str] = "Isozaki et al. 2010; Hirao et al. 2014"
    penalised_lengths: ClassVar[PenalisedLengths] = "segment"

    alpha: float = option(0.25, "weight of unigram precision, as its exponent")
    beta: float = option(0.10, "weight of the brevity penalty, as its exponent")

    def __post_init__(self) -> None:
        WordMetric.__post_init__(self)
        for name, weight in (("alpha", self.alpha), ("beta", self.beta)):
            if not (weight >= 0 and np.isfinite(weight)):
                raise OptionError(f"ribes: found {name}={weight}, expected a number from 0")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("score", "correlation", "precision", "brevity", "segments")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, prepared = self.native_sides(hypotheses, references)
        return _native.ribes_statistics(texts, prepared, alpha=self.alpha, beta=self.beta)

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        return 100 * ratio(rows[..., 0], rows[..., 4], empty=1.0)

    def describe(self, row: Rows) -> str:
        correlation, precision, brevity = ratio(row[1:4], row[4], empty=1.0)
        return (
            f"(mean NKT = {correlation:.3f} P = {precision:.3f} BP = {brevity:.3f} "
            f"segments = {row[4]:.0f})"
        )
