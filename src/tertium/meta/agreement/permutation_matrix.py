"""Permutation tests between all metrics, beside Williams' for those whose segments are known."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.inference.choices import DEFAULT_SEED
from tertium.inference.p_values import p_value_of
from tertium.inference.units import units_of
from tertium.meta.agreement.choices import EXCHANGES, Exchange
from tertium.meta.agreement.exchanged_accuracy import MEASURE as ACCURACY
from tertium.meta.agreement.exchanged_accuracy import accuracy_permutation_test
from tertium.meta.agreement.json_numbers import or_none
from tertium.meta.agreement.permutation_test import (
    ROUNDING,
    PermutationTest,
    permutation_test,
)
from tertium.meta.agreement.shared_systems import Aligned, align, common_systems
from tertium.meta.ratings.judgments import Floats, Judgments, MetricScores
from tertium.plurals import counted
from tertium.results import Unit
from tertium.suggestions import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PermutationMatrix:
    """One-sided p-values that the metric of a row agrees better than that of a column.

    NaN where the row's agreement is not the greater one. ``agreements`` are those of the scores
    that were exchanged: of systems, or of the means of their segments. ``left_out`` are metrics
    that have none.
    """

    metrics: tuple[str, ...]
    measure: str
    exchange: Exchange
    agreements: tuple[float, ...]
    p_values: Floats = field(repr=False)
    trials: int
    seed: int
    left_out: tuple[str, ...] = ()
    unit: Unit = "segment"
    """What an item is: a document where documents are known."""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; a NaN is null."""
        return {
            "test": "permutation",
            "exchange": self.exchange,
            "measure": self.measure,
            "metrics": list(self.metrics),
            "agreements": [or_none(value) for value in self.agreements],
            "p_values": [[or_none(value) for value in row] for row in self.p_values.tolist()],
            "trials": self.trials,
            "seed": self.seed,
            "left_out": list(self.left_out),
            "unit": self.unit,
        }


def permutation_matrix(
    judgments: Judgments,
    scores: Sequence[MetricScores],
    *,
    measure: str = "pearson",
    exchange: Exchange = "systems",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
) -> PermutationMatrix:
    """A permutation test of all pairs of metrics, on systems that all of them scored.

    ``measure`` is one of the system level, or acc-eq-item. All but the exchange of whole systems
    under a measure of systems needs scores of segments; metrics without them are left out.
    """
    if exchange not in EXCHANGES:
        raise OptionError(did_you_mean("exchange", exchange, EXCHANGES))
    whole = exchange == "systems" and measure != ACCURACY
    chosen: list[MetricScores] = []
    left_out: list[MetricScores] = []
    for one in scores:
        fits = whole or _scored_throughout(align(judgments, one), measure)
        (chosen if fits else left_out).append(one)
    if len(chosen) < 2:
        raise InputError(
            f"{judgments.name} {judgments.criterion}: found {counted(len(chosen), 'metric')} with "
            "a score of "
            f"every segment that the permutation test of {measure} needs, expected two or more"
        )
    aligned = common_systems(judgments, chosen)
    size = len(aligned)
    p_values = np.full((size, size), np.nan)
    agreements = [float("nan")] * size
    for a in range(size):
        for b in range(a + 1, size):
            test = _tested(
                aligned[a], aligned[b], measure, exchange, whole=whole, trials=trials, seed=seed
            )
            agreements[a], agreements[b] = test.baseline, test.system
            row, column = (b, a) if test.delta > 0 else (a, b)
            if abs(test.delta) > 0:  # neither equal nor NaN
                # Exchanging the metrics turns the null distribution round.
                sign = np.sign(test.delta)
                extreme = sign * test.null >= sign * test.observed - ROUNDING
                p_values[row, column] = p_value_of(int(np.count_nonzero(extreme)), test.trials)
    return PermutationMatrix(
        metrics=tuple(one.metric for one in chosen),
        measure=measure,
        exchange=exchange,
        agreements=tuple(agreements),
        p_values=p_values,
        trials=trials,
        seed=seed,
        left_out=tuple(one.metric for one in left_out),
        unit=units_of(len(judgments.documents or ()), judgments.documents).unit,
    )


def _scored_throughout(one: Aligned, measure: str) -> bool:
    """Whether every segment that counts has a score to exchange."""
    if one.segment_scores is None:
        return False
    scores = one.segment_scores
    if measure == ACCURACY and one.segment_ratings is not None:
        scores = scores[~np.isnan(one.segment_ratings)]
    return not bool(np.isnan(scores).any())


def _tested(
    first: Aligned,
    second: Aligned,
    measure: str,
    exchange: Exchange,
    *,
    whole: bool,
    trials: int,
    seed: int,
) -> PermutationTest:
    if measure == ACCURACY:
        if first.segment_ratings is None:
            raise InputError(f"{first.place}: no ratings of segments, expected some for {measure}")
        return accuracy_permutation_test(
            first.segment_ratings,
            _segments(first),
            _segments(second),
            exchange=exchange,
            trials=trials,
            seed=seed,
            documents=first.judgments.documents,
        )
    a, b = (one.scores if whole else _segments(one) for one in (first, second))
    return permutation_test(
        first.ratings,
        a,
        b,
        measure=measure,
        exchange=exchange,
        trials=trials,
        seed=seed,
        documents=None if whole else first.judgments.documents,
    )


def _segments(one: Aligned) -> Floats:
    if one.segment_scores is None:
        raise InputError(f"{one.place}: no scores of segments, expected some to exchange")
    return one.segment_scores
