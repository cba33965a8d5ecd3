"""The score part of AMBER (Chen and Kuhn 2011, section 2.1): precision, recall and F."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.metrics.contract.base import Rows, Scores, ratio

# The additive statistics of AMBER: which stand where in a row.

Strategy: TypeAlias = Literal["ngram", "fixed-gap", "flexible-gap", "skip"]
Counts: TypeAlias = Mapping[str, Rows]
"""Statistics by name; those of several orders have them on the last axis."""

GAPS: Final[tuple[Strategy, ...]] = ("fixed-gap", "flexible-gap", "skip")
"""The strategies with gaps, in the order of their statistics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the statistics of one text type stand in their part of a row."""

    order: int
    counted: int
    gaps: tuple[Strategy, ...]
    weighted: bool

    @property
    def fields(self) -> tuple[tuple[str, range | None], ...]:
        """Names, and the orders that each has a column for; None for a single column."""
        plain, gapped, single = range(1, self.counted + 1), range(2, self.order + 1), None
        gaps = [(f"{gap}_{kind}", gapped) for gap in self.gaps for kind in ("matches", "totals")]
        grams = [(kind, plain) for kind in ("matches", "totals", "reference")]
        lengths = [
            (f"{side}_{unit}", single)
            for unit in ("words", "characters")
            for side in ("hypothesis", "reference", "smaller", "larger")
        ]
        rest = ("short_words", "long_words", "spearman_loss", "kendall_loss", "segments")
        weights = [(f"tf-idf_{name}", orders) for name, orders in grams + gaps]
        return (
            *grams,
            ("matched_segments", plain),
            *gaps,
            *lengths,
            *((name, single) for name in rest),
            *(weights if self.weighted else []),
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The name of each column."""
        return tuple(
            name if n is None else f"{name}_{n}"
            for name, orders in self.fields
            for n in (orders if orders is not None else [None])
        )

    def counts(self, rows: Rows) -> Counts:
        """The statistics of a row, or of an array of rows, by name."""
        qualities: dict[str, Rows] = {}
        begin = 0
        for name, orders in self.fields:
            width = 1 if orders is None else len(orders)
            part = rows[..., begin : begin + width]
            qualities[name] = part[..., 0] if orders is None else part
            begin += width
        return qualities


# The penalties of AMBER (Chen and Kuhn 2011, section 2.2), each at most 1 except CTP.

PENALTIES: Final = ("sbp", "srp", "csbp", "csrp", "swdp", "lwdp", "ckp", "ctp", "nscp", "nkcp")
"""In the order of Table 2."""

Continuity: TypeAlias = Literal["printed", "mean", "restored", "inverted"]
"""Readings of equation 14, with x the ratio of each order n from 2 to N: exp(1 − Σx / N) as it is
printed; exp(1 − mean x); exp(mean x − 1), the other sign; exp(1 − mean 1/x), in the form of SBP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyShape:
    """The free parameters inside of penalties."""

    order: int
    ckp_beta: float
    ckp_gamma: float
    spearman: Literal["published", "standard"]
    continuity: Continuity


def penalties(counts: Counts, shape: PenaltyShape) -> dict[str, Scores]:
    """Equations 11 to 19, in the order of Table 2; each at most 1, and 1 for identical text.

    The exceptions are CKP, which charges one chunk per segment even then, and CTP, which is 1 or
    more as it is printed.
    """
    words, characters = (
        tuple(counts[f"{side}_{unit}"] for side in ("reference", "smaller", "larger"))
        for unit in ("words", "characters")
    )
    reference = counts["reference_words"]
    # ρ = 1 − loss as published; Spearman's own coefficient has 6·Σd².
    spearman = counts["spearman_loss"] * (6 if shape.spearman == "standard" else 1)
    segments = counts["segments"]
    return {
        "sbp": exponential(words[0], words[1]),
        "srp": exponential(words[2], words[0]),
        "csbp": exponential(characters[0], characters[1]),
        "csrp": exponential(characters[2], characters[0]),
        "swdp": difference(counts["short_words"], reference),
        "lwdp": difference(counts["long_words"], reference),
        "ckp": chunk_penalty(counts, shape.ckp_beta, shape.ckp_gamma),
        "ctp": continuity_penalty(counts, shape.order, shape.continuity),
        "nscp": 1 - ratio(spearman, segments) / 2,
        "nkcp": 1 - ratio(counts["kendall_loss"], segments),
    }


def exponential(larger: Rows, smaller: Rows) -> Scores:
    """exp(1 − larger / smaller), equations 11 and 12; 0 over nothing, 1 for 0 / 0."""
    nothing = np.where(larger == 0, 1.0, 0.0)
    return np.where(smaller == 0, nothing, np.exp(1 - ratio(larger, smaller, empty=1.0)))


def difference(words: Rows, reference: Rows) -> Scores:
    """exp(−Σ|a − b| / #unigrams(R)), equation 15; 0 where only the hypothesis has words."""
    nothing = np.where(words == 0, 1.0, 0.0)
    return np.where(reference == 0, nothing, np.exp(-ratio(words, reference)))


def chunk_penalty(counts: Counts, beta: float, gamma: float) -> Scores:
    """1 − γ (#chunks / #matched words)^β, equation 13; chunks are words − bigrams matched."""
    words, bigrams = counts["matches"][..., 0], counts["matches"][..., 1]
    share = ratio(np.maximum(words - bigrams, 0.0), words)
    return np.where(words == 0, 1.0, np.maximum(0.0, 1 - gamma * share**beta))


def continuity_penalty(counts: Counts, order: int, reading: Continuity) -> Scores:
    """Equation 14, of the ratios #n-grams / (#(n − 1)-grams − #segments) matched, n = 2 … N.

    Segments are those with a matched (n − 1)-gram. Where no such n-gram is left the ratio is 1
    if no n-gram could match, else 0. Clipped words that repeat can bring it above 1: cut there.
    """
    if order == 1:
        return np.ones(counts["matches"].shape[:-1])
    longer, shorter = slice(1, order), slice(0, order - 1)
    matches = counts["matches"]
    followed = matches[..., shorter] - counts["matched_segments"][..., shorter]
    possible = (counts["totals"][..., longer] > 0) & (counts["reference"][..., longer] > 0)
    without = np.where(possible, 0.0, 1.0)
    ratios = np.where(followed == 0, without, ratio(matches[..., longer], followed))
    ratios = np.minimum(ratios, 1.0)
    exponents: Scores
    if reading == "printed":
        exponents = 1 - ratios.sum(axis=-1) / order
    elif reading == "mean":
        exponents = 1 - ratios.mean(axis=-1)
    elif reading == "restored":
        exponents = ratios.mean(axis=-1) - 1
    else:
        exponents = 1 - ratio(np.ones_like(ratios), ratios, empty=np.inf).mean(axis=-1)
    return np.exp(exponents)


Weighting: TypeAlias = Literal["none", "tf-idf"]
Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """The score part of a run; precisions and recalls have the orders on the last axis."""

    by_strategy: Mapping[Strategy, Scores]
    precisions: Scores
    recalls: Scores
    average_precision: Scores
    f_mean: Scores
    average_f: Scores
    score: Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture:
    """The free parameters of equation 9."""

    order: int
    recall_order: int
    alpha: float
    theta1: float
    theta2: float


def quality(
    counts: Counts, strategies: Sequence[Strategy], weighting: Weighting, mixture: Mixture
) -> Quality:
    """θ1·AvgP + θ2·Fmean + (1 − θ1 − θ2)·AvgF, equations 2 to 9.

    Means leave out an order of which neither side has an n-gram, and a strategy of which the
    hypothesis has none; an order that only the reference is long enough for counts 0.
    """
    prefix = "" if weighting == "none" else "tf-idf_"
    has_plain, has_reference = counts["totals"] > 0, counts["reference"] > 0
    matches, totals, reference = (
        counts[f"{prefix}{kind}"] for kind in ("matches", "totals", "reference")
    )
    plain = np.minimum(ratio(matches, totals), 1.0)
    recalls = np.minimum(ratio(matches, reference), 1.0)
    n = mixture.order
    by_strategy: dict[Strategy, Scores] = {}
    held = []
    for strategy in strategies:
        if strategy == "ngram":
            by_strategy[strategy] = plain[..., :n]
            held.append(has_plain[..., :n])
            continue
        gapped = ratio(counts[f"{prefix}{strategy}_matches"], counts[f"{prefix}{strategy}_totals"])
        # At order 1 there is no place for a gap: all strategies are the unigrams.
        by_strategy[strategy] = np.concatenate([plain[..., :1], np.minimum(gapped, 1.0)], axis=-1)
        held.append(np.concatenate([has_plain[..., :1], counts[f"{strategy}_totals"] > 0], axis=-1))
    holds = np.stack(held)
    precisions = ratio((np.stack(list(by_strategy.values())) * holds).sum(0), holds.sum(0))
    too_short = has_reference & ~has_plain
    used = holds.any(axis=0) | too_short[..., :n]
    average_precision = _geometric_mean(precisions, used)
    m = mixture.recall_order
    f_mean = f_measure(
        _mean(precisions, used),
        _mean(recalls[..., :m], (has_plain | has_reference)[..., :m]),
        mixture.alpha,
    )
    average_f = _mean(f_measure(precisions, recalls[..., :n], mixture.alpha), used)
    rest = 1 - mixture.theta1 - mixture.theta2
    mixed = mixture.theta1 * average_precision + mixture.theta2 * f_mean + rest * average_f
    return Quality(
        by_strategy=by_strategy,
        precisions=precisions,
        recalls=recalls,
        average_precision=average_precision,
        f_mean=f_mean,
        average_f=average_f,
        score=mixed,
    )


def f_measure(precision: Scores, recall: Scores, alpha: float) -> Scores:
    """P·R / (αP + (1 − α)R), equations 7 and 8; 0 where both are 0."""
    return ratio(precision * recall, alpha * precision + (1 - alpha) * recall)


def _mean(values: Scores, used: Mask) -> Scores:
    return ratio((values * used).sum(axis=-1), used.sum(axis=-1))


def _geometric_mean(values: Scores, used: Mask) -> Scores:
    zero = (used & (values == 0)).any(axis=-1) | ~used.any(axis=-1)
    logarithms = np.log(np.where(used & (values > 0), values, 1.0))
    return np.where(zero, 0.0, np.exp(ratio(logarithms.sum(axis=-1), used.sum(axis=-1))))
