"""NIST (Doddington 2002), as mteval-v13a computes it; with ``mteval=yes`` to its last quirk."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import ClassVar, Self

import numpy as np

from tertium import _native
from tertium.errors import OptionError
from tertium.metrics.contract.base import (
    Component,
    PenalisedLengths,
    Rows,
    Scores,
    bound,
    matched_and_missed,
    option,
    ratio,
)
from tertium.metrics.contract.word_metric import WordMetric
from tertium.text.references import AnyReferences, Hypotheses, References

_BETA = -log(0.5) / log(1.5) ** 2
"""Makes the penalty 0.5 for a text of two thirds of the reference length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nist(WordMetric):
    """Σₙ (information of matched n-grams / n-grams) under a length penalty.

    What an n-gram tells is counted over all references of the corpus, so the metric is
    fitted before it scores. It has its own unit: bits, not per cent.

    mteval is a Perl script that asks whether there is a word before the last one by its truth,
    and in Perl the text ``0`` is false: what follows a 0 is weighed as if it stood alone.
    ``mteval=yes`` does so too. Its default folds A to Z alone: ``lowercase=ascii``.
    """

    name: ClassVar[str] = "nist"
    title: ClassVar[str] = "NIST"
    summary: ClassVar[str] = "like BLEU, but rare word sequences count more"
    citation: ClassVar[str] = "Doddington 2002"
    best: ClassVar[float] = np.inf
    penalised_lengths: ClassVar[PenalisedLengths] = "corpus"
    needs_fit: ClassVar[bool] = True

    order: int = option(5, "longest n-gram")
    mteval: bool = option(False, "take the word 0 before another for no word, as mteval does")
    information: _native.GramInformation | None = bound()

    def __post_init__(self) -> None:
        WordMetric.__post_init__(self)
        if self.order < 1:
            raise OptionError(f"nist: found order {self.order}, expected at least 1")

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.order + 1)
        counts = (f"{kind}_{n}" for kind in ("information", "totals") for n in orders)
        return (*counts, "hypothesis_length", "reference_length")

    def fit(self, references: AnyReferences) -> Self:
        tokenized = self.tokenized(References.of(references))
        return replace(self, information=self._counted(tokenized))

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, prepared = self.native_sides(hypotheses, references)
        information = self.information or self._counted(prepared)
        return _native.nist_statistics(texts, prepared, information)

    def _counted(self, references: _native.TokenizedReferences) -> _native.GramInformation:
        return _native.GramInformation(references, self.order, zero_is_no_history=self.mteval)

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        gained = ratio(rows[..., : self.order], rows[..., self.order : 2 * self.order])
        score: Scores = gained.sum(axis=-1) * self.length_penalty(rows)
        return score

    def length_penalty(self, rows: Rows) -> Scores:
        """exp(−β ln²(min(1, |c| / mean |r|))); 0 for an empty text."""
        hypothesis, reference = rows[..., 2 * self.order], rows[..., 2 * self.order + 1]
        share = np.minimum(1.0, ratio(hypothesis, reference, empty=1.0))
        safe = np.where(share > 0, share, 1.0)
        return np.where(share > 0, np.exp(-_BETA * np.log(safe) ** 2), 0.0)

    def components(self, row: Rows) -> tuple[Component, ...]:
        gained, totals = row[: self.order], row[self.order : 2 * self.order]
        return (
            *(
                Component(
                    f"{n + 1}-gram information",
                    float(ratio(gained[n], totals[n])),
                    f"{gained[n]:.1f} bits in {totals[n]:.0f} {n + 1}-grams",
                )
                for n in range(self.order)
            ),
            Component(
                "length penalty",
                float(self.length_penalty(row)),
                f"{row[-2]:.0f} words, mean reference {row[-1]:g}",
            ),
        )

    def trace(self, hypothesis: str, references: Sequence[str]) -> list[str]:
        words, *others = (self.words(text) for text in (hypothesis, *references))
        return [
            f"{n}-grams matched: {' · '.join(matched_and_missed(words, others, n)[0]) or 'none'}"
            for n in range(1, self.order + 1)
        ]

    def describe(self, row: Rows) -> str:
        gained = ratio(row[: self.order], row[self.order : 2 * self.order])
        return (
            f"{'/'.join(f'{bits:.2f}' for bits in gained)} "
            f"(penalty = {self.length_penalty(row):.3f} "
            f"hyp_len = {row[-2]:.0f} ref_len = {row[-1]:g})"
        )
