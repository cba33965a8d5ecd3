"""chrF and chrF++ (Popović 2015, 2017), as sacreBLEU computes them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium import _native
from tertium._native import Texts
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric, Rows, Scores, case_option, option, ratio
from tertium.text.references import AnyReferences, Hypotheses, aligned

_TINY = 1e-16
"""What Popović's program puts in the place of a share that is not defined."""

LARGEST_BETA = 1e100
"""Its square must stay a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chrf(Metric):
    """F_β of character n-gram precision and recall; with ``word_order=2`` it is chrF++.

    By default precision and recall are averaged over the orders that both sides have
    (sacreBLEU); ``effective_order=no`` averages the F-scores of all orders, as Popović's own
    program does. The best reference of a segment counts. Only nothing against nothing is not
    as in sacreBLEU: it is perfect here, as in every metric, and 0 there.
    """

    name: ClassVar[str] = "chrf"
    title: ClassVar[str] = "chrF"
    summary: ClassVar[str] = "character sequences in common; word_order=2 for chrF++"
    citation: ClassVar[str] = "Popović 2015, 2017"

    lowercase: bool = case_option()
    effective_order: bool = option(
        True, "average only the orders that both sides have", key="eff", always=True
    )
    character_order: int = option(6, "longest character n-gram", key="nc", always=True)
    word_order: int = option(0, "longest word n-gram", key="nw", always=True)
    whitespace: bool = option(False, "count blanks as characters", key="space", always=True)
    beta: float = option(2.0, "how much more recall counts than precision")

    def __post_init__(self) -> None:
        if min(self.character_order, self.word_order) < 0 or self.orders == 0:
            raise OptionError(
                f"chrf: found character_order={self.character_order}, "
                f"word_order={self.word_order}, expected one above 0 and none below"
            )
        if not 0 <= self.beta <= LARGEST_BETA:
            raise OptionError(
                f"chrf: found beta={self.beta}, expected a number from 0 to {LARGEST_BETA:g}"
            )

    @property
    def orders(self) -> int:
        """Orders of characters and words together."""
        return self.character_order + self.word_order

    @property
    def columns(self) -> tuple[str, ...]:
        units = [f"character_{n + 1}" for n in range(self.character_order)]
        units += [f"word_{n + 1}" for n in range(self.word_order)]
        kinds = ("hypothesis", "reference", "matches")
        return (*(f"{kind}_{unit}" for unit in units for kind in kinds), "text_against_nothing")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        columns = shared.prepared(("chrf", self.lowercase), self._folded)
        return _native.chrf_statistics(
            texts.lower() if self.lowercase else texts,
            columns,
            character_order=self.character_order,
            word_order=self.word_order,
            beta=self.beta,
            whitespace=self.whitespace,
            every_order=not self.effective_order,
        )

    def _folded(self, columns: tuple[Texts, ...]) -> list[Texts]:
        return [column.lower() if self.lowercase else column for column in columns]

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        counts = rows[..., :-1].reshape(*rows.shape[:-1], self.orders, 3)
        hypothesis, reference, matches = np.moveaxis(counts, -1, 0)
        precision = ratio(matches, hypothesis, empty=_TINY)
        recall = ratio(matches, reference, empty=_TINY)
        if self.effective_order:
            used = (hypothesis > 0) & (reference > 0)
            orders = used.sum(axis=-1)
            if orders.all() and used.all():  # as in every sum of some segments
                sums = precision.sum(axis=-1), recall.sum(axis=-1)
            else:
                sums = (precision * used).sum(axis=-1), (recall * used).sum(axis=-1)
            quality = self.f_score(ratio(sums[0], orders), ratio(sums[1], orders), empty=0.0)
        else:
            orders = reference.any(axis=-1) | hypothesis.any(axis=-1)
            quality = self.f_score(precision, recall, empty=_TINY).mean(axis=-1)
        if np.all(orders):
            return 100 * quality
        # Text against an empty reference leaves no count either, but is no agreement.
        nothing = ~rows.any(axis=-1)
        return 100 * np.where(nothing, 1.0, quality)

    def f_score(self, precision: Scores, recall: Scores, *, empty: float) -> Scores:
        """(1 + β²) P R / (β² P + R)."""
        factor = self.beta**2
        return ratio((1 + factor) * precision * recall, factor * precision + recall, empty=empty)
