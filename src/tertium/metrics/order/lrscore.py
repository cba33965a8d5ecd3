"""LRscore (Birch & Osborne 2010): word order by permutations, word choice by BLEU."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import ClassVar, Literal

import numpy as np

from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.metrics.annotation.parses import read_hypotheses, read_references
from tertium.metrics.contract.base import Component, Rows, Scores, option, ratio
from tertium.metrics.ngram.bleu import Bleu, bleu_columns
from tertium.metrics.order.permutations import (
    FORM,
    AlignedText,
    hamming,
    kendall,
    permutation,
    read_aligned,
)
from tertium.plurals import counted
from tertium.text.references import AnyReferences, Hypotheses, References, aligned
from tertium.text.tokenizers import WHITESPACE, Tokenizer


@dataclass(frozen=True, slots=True, kw_only=True)
class LrScore(Bleu):
    """α·R + (1 − α)·BLEU, R = mean over segments of d·BP.

    d is the closeness of two orders of the source words, that of the hypothesis and that of a
    reference: Kendall's, 1 − √(share of pairs swapped), or Hamming's, the share of words in
    place. BP = min(1, exp(1 − r/t)) of the segment. The default α = 0.26 goes with Kendall
    and BLEU of order 4; the authors tune it for every distance and order.

    Hypotheses and references are lines ``text ||| alignment``, the alignment being that of the
    source with this text, as source-target pairs from 0 (Pharaoh format). A third field may
    give the number of source words. Alignments count the words between blanks, so the text is
    tokenised already. An empty text has no order: its d is 0.
    """

    name: ClassVar[str] = "lrscore"
    title: ClassVar[str] = "LRscore"
    summary: ClassVar[str] = "word order, from alignments that you give, mixed with BLEU"
    citation: ClassVar[str] = "Birch & Osborne 2010"
    facts: ClassVar[tuple[str, ...]] = ()
    segment_form: ClassVar[str] = FORM

    tokenizer: Tokenizer = option(WHITESPACE, "how text is cut into words", key="tok", always=True)
    alpha: float = option(0.26, "weight of word order against BLEU", always=True)
    distance: Literal["kendall", "hamming"] = option(
        "kendall", "how the orders are compared", always=True
    )
    references: Literal["best", "average"] = option(
        "best", "which of several references the order is compared with"
    )

    def __post_init__(self) -> None:
        Bleu.__post_init__(self)
        if not 0 <= self.alpha <= 1:
            raise OptionError(f"lrscore: found alpha={self.alpha}, expected 0 to 1")

    @property
    def columns(self) -> tuple[str, ...]:
        return (*bleu_columns(self.order), "order_closeness", "segments")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        columns = read_references(shared, read_aligned, key="lrscore")
        read = read_hypotheses(texts, read_aligned)
        # Kept like the parsed lines, so that every system finds the references tokenised.
        bare = shared.prepared("lrscore words", lambda _: References(map(_words, columns)))
        order = [
            self._order(number, hypothesis, [other for other in others if other is not None])
            for number, (hypothesis, *others) in enumerate(zip(read, *columns, strict=True), 1)
        ]
        return np.hstack(
            [Bleu.statistics(self, _words(read), bare), np.array(order).reshape(len(order), 2)]
        )

    def _order(
        self, number: int, hypothesis: AlignedText, references: Sequence[AlignedText]
    ) -> tuple[float, float]:
        """d·BP and 1; nothing for a segment without a word on either side."""
        if not hypothesis.length and not any(reference.length for reference in references):
            return 0.0, 0.0
        length = source_length(number, [hypothesis, *references])
        closeness = [self._closeness(hypothesis, reference, length) for reference in references]
        return (
            max(closeness) if self.references == "best" else sum(closeness) / len(closeness)
        ), 1.0

    def _closeness(self, hypothesis: AlignedText, reference: AlignedText, length: int) -> float:
        if not hypothesis.length or not reference.length:
            return float(hypothesis.length == reference.length)
        orders = [permutation(text.points, length) for text in (hypothesis, reference)]
        close = (kendall if self.distance == "kendall" else hamming)(*orders)
        return close * exp(min(0.0, 1 - reference.length / hypothesis.length))

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        lexical = Bleu.score(self, rows[..., :-2])
        return self.alpha * 100 * self.order_closeness(rows) + (1 - self.alpha) * lexical

    def order_closeness(self, rows: Rows) -> Scores:
        """R, from 0 to 1."""
        return ratio(rows[..., -2], rows[..., -1], empty=1.0)

    def components(self, row: Rows) -> tuple[Component, ...]:
        lexical = float(Bleu.score(self, row[:-2]))
        closeness = 100 * float(self.order_closeness(row))
        return (
            Component("word order", closeness, f"{self.distance}, weight {self.alpha:g}"),
            Component("BLEU", lexical, f"weight {1 - self.alpha:g}"),
            *Bleu.components(self, row[:-2]),
        )

    def trace(self, hypothesis: str, references: Sequence[str]) -> list[str]:
        read = [read_aligned(text) for text in (hypothesis, *references)]
        length = source_length(1, read)
        orders = (" ".join(map(str, permutation(text.points, length))) for text in read)
        names = ["hypothesis", *(f"reference {number}" for number in range(1, len(read)))]
        lines = [
            f"places of the source words in {name}: {order or 'none'}"
            for name, order in zip(names, orders, strict=True)
        ]
        return [*lines, *Bleu.trace(self, read[0].text, [text.text for text in read[1:]])]

    def describe(self, row: Rows) -> str:
        lexical = Bleu.score(self, row[:-2])
        return f"(R = {100 * self.order_closeness(row):.1f} BLEU = {lexical:.1f})"


def source_length(number: int, texts: Sequence[AlignedText]) -> int:
    """How many words the source of a segment has, as far as its translations tell."""
    told = {text.source_length for text in texts} - {None}
    shown = max(text.least_source_length for text in texts)
    if len(told) > 1:
        lengths = " and ".join(map(str, sorted(length for length in told if length is not None)))
        raise InputError(f"segment {number}: found sources of {lengths} words, expected one length")
    length = next(iter(told), None)
    if length is not None and length < shown:
        raise InputError(
            f"segment {number}: found source word {shown - 1} in an alignment, "
            f"expected at most {length - 1}, for the source has {counted(length, 'word')}"
        )
    return shown if length is None else length


def _words(column: Sequence[AlignedText | None]) -> Texts:
    return Texts([None if text is None else text.text for text in column])
