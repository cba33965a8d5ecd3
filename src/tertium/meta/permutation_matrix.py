"""Permutation tests between all metrics, beside Williams' for those whose segments are known."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.inference.p_values import p_value_of
from tertium.inference.rows import DEFAULT_SEED
from tertium.meta.alignment import common_systems
from tertium.meta.judgments import Floats, Judgments, MetricScores
from tertium.meta.numbers import or_none
from tertium.meta.permutation import ROUNDING, Exchange, permutation_test


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PermutationMatrix:
    """One-sided p-values that the metric of a row agrees better than that of a column.

    NaN where the row's agreement is not the greater one. ``agreements`` are those of the means
    of segment scores, which is what such tests exchange.
    """

    metrics: tuple[str, ...]
    measure: str
    exchange: Exchange
    agreements: tuple[float, ...]
    p_values: Floats = field(repr=False)
    trials: int
    seed: int

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
        }


def permutation_matrix(
    judgments: Judgments,
    scores: Sequence[MetricScores],
    *,
    measure: str = "pearson",
    exchange: Exchange = "both",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
) -> PermutationMatrix:
    """PERM-BOTH (or another exchange) of all pairs of metrics, on systems that all scored."""
    aligned = common_systems(judgments, scores)
    ratings = aligned[0].ratings
    segments = []
    for one in aligned:
        if one.segment_scores is None or np.isnan(one.segment_scores).any():
            raise InputError(
                f"{one.place}: no score of every segment, expected one for a permutation test"
            )
        segments.append(one.segment_scores)
    size = len(aligned)
    p_values = np.full((size, size), np.nan)
    agreements = [float("nan")] * size
    for a in range(size):
        for b in range(a + 1, size):
            test = permutation_test(
                ratings,
                segments[a],
                segments[b],
                measure=measure,
                exchange=exchange,
                trials=trials,
                seed=seed,
            )
            agreements[a], agreements[b] = test.baseline, test.system
            row, column = (b, a) if test.delta > 0 else (a, b)
            if abs(test.delta) > 0:  # neither equal nor NaN
                # Exchanging the metrics turns the null distribution round.
                sign = np.sign(test.delta)
                extreme = sign * test.null >= sign * test.delta - ROUNDING
                p_values[row, column] = p_value_of(int(np.count_nonzero(extreme)), test.trials)
    return PermutationMatrix(
        metrics=tuple(one.metric for one in scores),
        measure=measure,
        exchange=exchange,
        agreements=tuple(agreements),
        p_values=p_values,
        trials=trials,
        seed=seed,
    )
