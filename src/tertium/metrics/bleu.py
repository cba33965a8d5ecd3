"""BLEU (Papineni et al. 2002), with every variant in use."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, TypeAlias

import numpy as np

from tertium import _native
from tertium.errors import OptionError
from tertium.metrics.base import Rows, Scores, WordMetric, option, ratio
from tertium.metrics.smoothing import Smoothing
from tertium.text.references import AnyReferences, Hypotheses

ReferenceLength: TypeAlias = Literal["closest", "shortest", "average"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bleu(WordMetric):
    """bp · exp(Σ wₙ ln pₙ): clipped n-gram precisions under one brevity penalty."""

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    summary: ClassVar[str] = "n-gram precision with a brevity penalty"
    citation: ClassVar[str] = "Papineni et al. 2002"

    effective_order: bool = option(
        False, "leave out orders that a text is too short for", key="eff", always=True
    )
    smoothing: Smoothing = option(
        Smoothing(), "what an order without a match counts", key="smooth", always=True
    )
    order: int = option(4, "longest n-gram")
    weights: tuple[float, ...] = option((), "weight of each order, equal if not given")
    reference_length: ReferenceLength = option("closest", "which reference length counts")
    mean: Literal["geometric", "arithmetic"] = option("geometric", "how precisions are averaged")

    def __post_init__(self) -> None:
        WordMetric.__post_init__(self)
        if isinstance(self.smoothing, str):
            object.__setattr__(self, "smoothing", Smoothing.parse(self.smoothing))
        if self.order < 1:
            raise OptionError(f"{self.name}: found order {self.order}, expected at least 1")
        if self.weights and len(self.weights) != self.order:
            raise OptionError(
                f"{self.name}: found {len(self.weights)} weights, expected {self.order} (order)"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        return bleu_columns(self.order)

    def for_segments(self) -> Self:
        return replace(self, effective_order=True)

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        return self._counts(hypotheses, references)[:, :-1]

    def _counts(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, prepared = self.prepare(hypotheses, references)
        return _native.bleu_statistics(
            texts, prepared, order=self.order, reference_length=self.reference_length
        )

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        quality = self.mean_precision(rows)
        perfect = (rows[..., 2 * self.order] == 0) & (rows[..., 2 * self.order + 1] == 0)
        return np.where(perfect, 100.0, 100.0 * self.brevity_penalty(rows) * quality)

    def brevity_penalty(self, rows: Rows) -> Scores:
        """1 if c > r, else exp(1 − r/c)."""
        hypothesis, reference = rows[..., 2 * self.order], rows[..., 2 * self.order + 1]
        return brevity(hypothesis, reference)

    def precisions(self, rows: Rows) -> Scores:
        """Smoothed precision of each order, on the last axis."""
        matches = rows[..., : self.order]
        totals = rows[..., self.order : 2 * self.order]
        method, value = self.smoothing.method, self.smoothing.value
        if method in {"add-k", "lin-och"}:
            extra = np.zeros(self.order)
            extra[1:] = 1.0 if value is None else value
            matches, totals = matches + extra, totals + extra
        plain = ratio(matches, totals)
        empty = (matches == 0) & (totals > 0)
        if method == "exp":
            halvings = np.exp2(np.cumsum(empty, axis=-1))
            return np.where(empty, ratio(np.ones_like(totals), halvings * totals), plain)
        if method == "floor":
            return np.where(empty, ratio(np.full_like(totals, value), totals), plain)
        return plain

    def mean_precision(self, rows: Rows) -> Scores:
        """The average of the precisions; 0 where nothing matches."""
        precisions = self.precisions(rows)
        weights = np.array(self.weights or [1 / self.order] * self.order)
        weights = np.broadcast_to(weights, precisions.shape)
        if self.effective_order:
            totals = rows[..., self.order : 2 * self.order]
            if self.smoothing.method in {"add-k", "lin-och"}:
                # As in sacreBLEU: smoothed totals are never 0 above the first order.
                totals = np.concatenate([totals[..., :1], np.ones_like(totals[..., 1:])], axis=-1)
            reached = np.cumprod(totals > 0, axis=-1)
            weights = weights * reached
            weights = ratio(weights, weights.sum(axis=-1, keepdims=True))
        nothing = ~(rows[..., : self.order] > 0).any(axis=-1)
        if self.mean == "arithmetic":
            mean = (weights * precisions).sum(axis=-1)
        else:
            with np.errstate(divide="ignore"):
                logarithms = np.log(precisions)
            mean = np.exp((weights * np.where(weights > 0, logarithms, 0.0)).sum(axis=-1))
        return np.where(nothing, 0.0, mean)

    def describe(self, row: Rows) -> str:
        hypothesis, reference = row[2 * self.order], row[2 * self.order + 1]
        precisions = "/".join(f"{100 * p:.1f}" for p in self.precisions(row))
        return (
            f"{precisions} (BP = {self.brevity_penalty(row):.3f} "
            f"ratio = {ratio(hypothesis, reference):.3f} "
            f"hyp_len = {hypothesis:.0f} ref_len = {reference:.0f})"
        )


def bleu_columns(order: int) -> tuple[str, ...]:
    """Names of BLEU's statistics."""
    orders = range(1, order + 1)
    counts = (f"{kind}_{n}" for kind in ("matches", "totals") for n in orders)
    return (*counts, "hypothesis_length", "reference_length")


def brevity(hypothesis: Rows, reference: Rows) -> Scores:
    """φ(c/r) = exp(1 − r/c) where c < r, else 1; 0 for an empty hypothesis."""
    safe = np.where(hypothesis > 0, hypothesis, 1.0)
    penalty = np.where(hypothesis > 0, np.exp(np.minimum(0.0, 1 - reference / safe)), 0.0)
    return np.where(hypothesis >= reference, 1.0, penalty)
