"""k-gram recognition rate (Chiang et al. 2008, section 4.2): n-grams, and decomposable."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium import _native
from tertium._native import Texts
from tertium.errors import OptionError
from tertium.metrics.contract.base import Component, Rows, Scores, option, ratio
from tertium.metrics.contract.costs import Growth
from tertium.metrics.contract.pictures import Picture, WordPair, counting
from tertium.metrics.contract.word_metric import WordMetric
from tertium.metrics.edit.alignment import Aligning
from tertium.text.references import AnyReferences, Hypotheses, References

_MOVES = {"=": "match", "S": "substitution", "I": "insertion", "D": "deletion"}


@dataclass(frozen=True, slots=True, kw_only=True)
class GramRecognitionRate(Aligning, WordMetric):
    """max (Σ Mₙ − αI − βD) / Σ|gₙ(r)|, n ≤ k, over all monotone alignments.

    With several references a segment has the best of their rates, weighted by their mean
    denominator: the weight never depends on the system, so the metric stays decomposable.
    A text without a reference word counts 1 − αI, as WRR does.
    """

    name: ClassVar[str] = "grr"
    title: ClassVar[str] = "GRR"
    summary: ClassVar[str] = "right words in order, more for those in a row, minus insertions"
    citation: ClassVar[str] = "Chiang et al. 2008"
    worst: ClassVar[float] = -np.inf

    k: int = option(4, "longest n-gram that is rewarded")
    alpha: float = option(1.0, "what an inserted word costs", tunable=True)
    beta: float = option(0.0, "what a deleted word costs", tunable=True)

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=0.0016, power=2)

    def __post_init__(self) -> None:
        WordMetric.__post_init__(self)
        if self.k < 1:
            raise OptionError(f"grr: found k={self.k}, expected at least 1")
        if not (abs(self.alpha) <= 1e100 and abs(self.beta) <= 1e100):
            raise OptionError(
                f"grr: found alpha={self.alpha}, beta={self.beta}, "
                "expected finite numbers of at most 1e100"
            )

    @property
    def limits(self) -> tuple[float, float]:
        # Insertions or deletions that pay have no limit.
        return (-np.inf, np.inf if min(self.alpha, self.beta) < 0 else self.best)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("numerator", "weight")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, prepared = self.native_sides(hypotheses, references)
        return _native.grr_statistics(texts, prepared, k=self.k, alpha=self.alpha, beta=self.beta)

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        numerator, weight = rows[..., 0], rows[..., 1]
        return 100 * np.where(weight == 0, 1 + numerator, ratio(numerator, weight))

    def components(self, row: Rows) -> tuple[Component, ...]:
        numerator, weight = row.tolist()
        return (
            Component("recognised", numerator, "1- to k-grams matched − α·I − β·D"),
            Component("possible", weight, "1- to k-grams in the references"),
        )

    def trace_and_pictures(
        self, hypothesis: str, references: Sequence[str]
    ) -> tuple[list[str], tuple[Picture, ...]]:
        words = self.words(hypothesis)
        lines: list[str] = []
        pictures, rates = [], []
        for reference in references:
            others = self.words(reference)
            path = self._path(hypothesis, reference)
            lines.append(f"reference: {reference}")
            for move, index, other, run, gain in path:
                word = words[index] if index >= 0 else "–"
                expected = others[other] if other >= 0 else "–"
                kind = _MOVES[move]
                lines.append(f"  {kind:<12} {word} | {expected}  run {run}  {gain + 0.0:+g}")
            pictures.append(
                Picture(
                    pairs=tuple(
                        WordPair(
                            move,
                            others[other] if other >= 0 else "",
                            words[place] if place >= 0 else "",
                            note=f"{gain + 0.0:+g}",
                        )
                        for move, place, other, _, gain in path
                    )
                )
            )
            possible = sum(max(0, len(others) - n) for n in range(self.k))
            rates.append(-sum(step[-1] for step in path) / max(1, possible))
        return lines, counting(pictures, rates)

    def _path(self, hypothesis: str, reference: str) -> list[tuple[str, int, int, int, float]]:
        """Steps of the best alignment: move, place in either text, run of matches, gain."""
        column = self.tokenizer.native_texts(Texts([hypothesis]), lowercase=self.lowercase)
        prepared = self.tokenized(References.of([reference]))
        (path,) = _native.grr_paths(column, prepared, 0, k=self.k, alpha=self.alpha, beta=self.beta)
        return path
