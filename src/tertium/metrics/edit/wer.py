"""Word error rate, with its insertions, deletions and substitutions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tertium import _native
from tertium.metrics.contract.base import Rows, Scores, option, ratio
from tertium.metrics.contract.costs import Growth
from tertium.metrics.contract.pictures import Picture, counting, of_alignment
from tertium.metrics.contract.word_metric import WordMetric
from tertium.metrics.edit.alignment import Aligning, WordAlignment, align, alignment_lines
from tertium.text.references import AnyReferences, Hypotheses


@dataclass(frozen=True, slots=True, kw_only=True)
class WordErrorRate(Aligning, WordMetric):
    """(I + D + S) / |r| by Levenshtein; several references: fewest edits over mean length.

    As in jiwer, a text without a single reference word is measured against length 1.
    """

    name: ClassVar[str] = "wer"
    title: ClassVar[str] = "WER"
    summary: ClassVar[str] = "word edits per reference word"
    citation: ClassVar[str] = "Levenshtein 1966; Nießen et al. 2000"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = np.inf

    references: Literal["fewest-edits", "best-rate"] = option(
        "fewest-edits", "which of several references a segment is measured against"
    )

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=3.1e-4, power=2)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("insertions", "deletions", "substitutions", "reference_length")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, prepared = self.native_sides(hypotheses, references)
        return _native.wer_statistics(texts, prepared, choice=self.references)

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        return 100 * error_rate(rows[..., :3].sum(axis=-1), rows[..., 3])

    def trace_and_pictures(
        self, hypothesis: str, references: Sequence[str]
    ) -> tuple[list[str], tuple[Picture, ...]]:
        aligned = [self.align(hypothesis, reference) for reference in references]
        return alignment_lines(aligned), self._pictures(
            [of_alignment(alignment) for alignment in aligned]
        )

    def _pictures(self, pictures: Sequence[Picture]) -> tuple[Picture, ...]:
        if self.references == "fewest-edits":
            return counting(pictures, [picture.edits for picture in pictures])
        lengths = [len(picture.pairs) - picture.count("I") for picture in pictures]
        rates = [
            picture.edits / length if length else (np.inf if picture.edits else 0.0)
            for picture, length in zip(pictures, lengths, strict=True)
        ]
        return counting(pictures, rates)

    def align(self, hypothesis: str, reference: str) -> WordAlignment:
        """The fewest edits that turn the reference into the hypothesis, for printing."""
        return align(hypothesis, reference, self.tokenizer, lowercase=self.lowercase)

    def describe(self, row: Rows) -> str:
        insertions, deletions, substitutions, length = row
        return (
            f"(I = {insertions:.0f} D = {deletions:.0f} S = {substitutions:.0f} "
            f"ref_len = {length:g})"
        )


def error_rate(errors: Rows, length: Rows) -> Scores:
    """Errors per reference word; without a reference word, the errors themselves."""
    return np.where(length == 0, errors, ratio(errors, length))


# Word recognition rate (McCowan et al. 2005): the decomposable complement of WER.


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRecognitionRate(WordErrorRate):
    """1 − WER = max (M − I) / |r|: matches minus insertions over reference length."""

    name: ClassVar[str] = "wrr"
    title: ClassVar[str] = "WRR"
    summary: ClassVar[str] = "100 minus WER: matched minus inserted words per reference word"
    citation: ClassVar[str] = "McCowan et al. 2005"
    higher_is_better: ClassVar[bool] = True
    best: ClassVar[float] = 100.0
    worst: ClassVar[float] = -np.inf

    def score(self, rows: Rows) -> Scores:
        return 100 - WordErrorRate.score(self, rows)
