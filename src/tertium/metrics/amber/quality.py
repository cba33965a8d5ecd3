"""The score part of AMBER (Chen and Kuhn 2011, section 2.1): precision, recall and F."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.metrics.amber.layout import Counts, Strategy
from tertium.metrics.contract.base import Scores, ratio

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
