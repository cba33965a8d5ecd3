"""BLEU (Papineni et al. 2002), with every variant in use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal, Self, TypeAlias

import numpy as np

from tertium import _native
from tertium.errors import OptionError
from tertium.metrics.contract.base import (
    Component,
    PenalisedLengths,
    Rows,
    Scores,
    matched_and_missed,
    option,
    ratio,
    some,
)
from tertium.metrics.contract.word_metric import WordMetric
from tertium.text.references import AnyReferences, Hypotheses

# What BLEU does with an n-gram order that has no match.

_DEFAULT_VALUES: Final = {"none": None, "exp": None, "floor": 0.1, "add-k": 1.0, "lin-och": None}

_LARGEST: Final = {"floor": 1.0, "add-k": 1e100}
"""More than one match in the place of none would make a precision above 1."""


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A method and, for ``floor`` and ``add-k``, its value.

    ``exp`` halves the precision for each empty order (mteval-v13a, sacreBLEU's default);
    ``floor`` puts a small count in its place; ``add-k`` adds to numerator and denominator of
    the orders above one; ``lin-och`` is add-one for those orders (Lin & Och 2004).

    >>> Smoothing.parse("floor")
    Smoothing(method='floor', value=0.1)
    >>> str(Smoothing("add-k", 2.0))
    'add-k[2.0]'
    """

    EXPECTED: ClassVar[str] = "none, exp, lin-och, floor[value] or add-k[value]"

    method: str = "exp"
    value: float | None = None

    def __post_init__(self) -> None:
        if self.method not in _DEFAULT_VALUES:
            raise OptionError(
                f"smoothing: found '{self.method}', expected {', '.join(_DEFAULT_VALUES)}"
            )
        default = _DEFAULT_VALUES[self.method]
        if self.value is None:
            object.__setattr__(self, "value", default)
        elif default is None:
            raise OptionError(f"smoothing {self.method}: found a value, expected none")
        elif not 0 <= self.value <= _LARGEST[self.method]:
            raise OptionError(
                f"smoothing {self.method}: found {self.value}, "
                f"expected a number from 0 to {_LARGEST[self.method]:g}"
            )

    def __str__(self) -> str:
        return self.method if self.value is None else f"{self.method}[{self.value!r}]"

    @classmethod
    def parse(cls, text: str) -> "Smoothing":
        """Read ``exp``, ``floor`` or ``floor[0.1]``."""
        method, bracket, value = text.partition("[")
        return cls(method, float(value.removesuffix("]")) if bracket else None)


ReferenceLength: TypeAlias = Literal["closest", "shortest", "average"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bleu(WordMetric):
    """bp · exp(Σ wₙ ln pₙ): clipped n-gram precisions under one brevity penalty."""

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    summary: ClassVar[str] = "word sequences that a reference has; short output is punished"
    citation: ClassVar[str] = "Papineni et al. 2002"
    penalised_lengths: ClassVar[PenalisedLengths] = "corpus"
    facts: ClassVar[tuple[str, ...]] = (
        (
            "Pieces between bigrams that no reference has may stand in any order: an output has "
            "thousands of orders that score no less (Callison-Burch et al. 2006; "
            "'tertium audit --only permutation' shows some)."
        ),
    )

    effective_order: bool = option(
        False, "leave out orders that a text is too short for", key="eff", always=True
    )
    smoothing: Smoothing = option(
        Smoothing(), "what an order without a match counts", key="smooth", always=True
    )
    order: int = option(4, "longest n-gram")
    weights: tuple[float, ...] = option(
        (), "weight of each order as a share of their sum, equal if not given", tunable=True
    )
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
        if self.weights and not (min(self.weights) >= 0 and 0 < sum(self.weights) < np.inf):
            raise OptionError(
                f"{self.name}: found weights={'+'.join(map(str, self.weights))}, "
                "expected finite numbers from 0 on, not all 0"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        return bleu_columns(self.order)

    @property
    def shares(self) -> tuple[float, ...]:
        """The weights so that they sum to one, as Papineni et al. have them."""
        whole = sum(self.weights)
        return tuple(weight / whole for weight in self.weights) or (1 / self.order,) * self.order

    def for_segments(self) -> Self:
        return replace(self, effective_order=True)

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        return self._counts(hypotheses, references, covered=False)

    def _counts(self, hypotheses: Hypotheses, references: AnyReferences, *, covered: bool) -> Rows:
        texts, prepared = self.native_sides(hypotheses, references)
        return _native.bleu_statistics(
            texts,
            prepared,
            order=self.order,
            reference_length=self.reference_length,
            covered=covered,
        )

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        quality = self.mean_precision(rows)
        score = 100.0 * self.brevity_penalty(rows) * quality
        silent = rows[..., 2 * self.order] == 0
        if some(silent):  # nothing said of nothing is perfect
            score = np.where(silent & (rows[..., 2 * self.order + 1] == 0), 100.0, score)
        return score

    def brevity_penalty(self, rows: Rows) -> Scores:
        """1 if c > r, else exp(1 − r/c)."""
        hypothesis, reference = rows[..., 2 * self.order], rows[..., 2 * self.order + 1]
        return brevity(hypothesis, reference)

    def precisions(self, rows: Rows) -> Scores:
        """Smoothed precision of each order, on the last axis."""
        return np.stack(self._precisions(rows), axis=-1)

    def _precisions(self, rows: Rows) -> list[Scores]:
        """The same by order: work on long columns is much faster than on short rows."""
        method, value = self.smoothing.method, self.smoothing.value
        precisions = []
        halving: Any = 1.0
        for n in range(self.order):
            matches, totals = rows[..., n], rows[..., self.order + n]
            if method in {"add-k", "lin-och"} and n > 0:
                extra = 1.0 if value is None else value
                matches, totals = matches + extra, totals + extra
            if method == "exp":
                empty = matches == 0
                if some(empty):
                    halving = np.where(empty & (totals > 0), 2 * halving, halving)
                    matches = np.where(empty, 1 / halving, matches)
            elif method == "floor":
                matches = np.where(matches == 0, value or 0.0, matches)
            precisions.append(ratio(matches, totals))
        return precisions

    def mean_precision(self, rows: Rows) -> Scores:
        """The average of the precisions; 0 where nothing matches."""
        return self._mean(rows, self._precisions(rows))

    def _mean(self, rows: Rows, precisions: Sequence[Scores]) -> Scores:
        weights = self.shares
        method, value = self.smoothing.method, self.smoothing.value
        smoothed_totals = method == "lin-och" or (method == "add-k" and value != 0)
        total_weight: Any = 0.0
        mean: Any = 0.0
        nothing = rows[..., 0] == 0
        if some(nothing):
            nothing &= ~rows[..., 1 : self.order].any(axis=-1)
        terms = precisions
        if self.mean == "geometric":
            with np.errstate(divide="ignore"):
                terms = [np.log(precision) for precision in precisions]
        for n, term in enumerate(terms):
            weight: float | Scores = weights[n]
            if self.effective_order and not (smoothed_totals and n > 0):
                # As in sacreBLEU: smoothed totals are never 0 above the first order.
                weight = np.where(rows[..., self.order + n] > 0, weight, 0.0)
            if self.effective_order:
                total_weight = total_weight + weight
            left_out = weight == 0
            if self.mean == "geometric" and some(left_out):
                term = np.where(left_out, 0.0, term)  # noqa: PLW2901 - a logarithm may be −∞
            mean = mean + weight * term
        if self.effective_order:
            mean = ratio(mean, total_weight)
        if self.mean == "geometric":
            mean = np.exp(mean)
        return np.where(nothing, 0.0, mean) if some(nothing) else mean

    def components(self, row: Rows) -> tuple[Component, ...]:
        matches, totals = row[: self.order], row[self.order : 2 * self.order]
        hypothesis, reference = row[2 * self.order], row[2 * self.order + 1]
        precisions = self._precisions(row)
        return (
            *(
                Component(
                    f"{n + 1}-gram precision", 100 * float(p), f"{matches[n]:.0f}/{totals[n]:.0f}"
                )
                for n, p in enumerate(precisions)
            ),
            Component("mean precision", 100 * float(self._mean(row, precisions)), self.mean),
            Component("brevity penalty", float(self.brevity_penalty(row)), self.brevity_note(row)),
            Component(
                "length ratio",
                float(ratio(hypothesis, reference)),
                f"{hypothesis:.0f}/{reference:g}",
            ),
        )

    def brevity_note(self, row: Rows) -> str:
        """What the brevity penalty compares."""
        return "all words against all reference words"

    def trace(self, hypothesis: str, references: Sequence[str]) -> list[str]:
        words, *others = (self.words(text) for text in (hypothesis, *references))
        lines = []
        for n in range(1, self.order + 1):
            matched, missed = matched_and_missed(words, others, n)
            lines.append(f"{n}-grams matched: {' · '.join(matched) or 'none'}")
            lines.append(f"{n}-grams missed:  {' · '.join(missed) or 'none'}")
        return lines

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
    silent = hypothesis <= 0
    safe = np.where(silent, 1.0, hypothesis) if some(silent) else hypothesis
    penalty = np.exp(np.minimum(0.0, 1 - reference / safe))
    if some(silent):
        penalty = np.where(silent, 0.0, penalty)
    return np.where(hypothesis >= reference, 1.0, penalty)


# BLEU with the strict brevity penalty (Chiang et al. 2008, section 4.1).


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
