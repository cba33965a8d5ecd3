"""The penalties of AMBER (Chen and Kuhn 2011, section 2.2), each at most 1 except CTP."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from tertium.metrics.amber.layout import Counts
from tertium.metrics.contract.base import Rows, Scores, ratio

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
