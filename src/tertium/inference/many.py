"""Many systems: every pair tested, corrected for their number, and ranked in clusters."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.inference.corrections import PValues, benjamini_hochberg, holm
from tertium.inference.p_values import tie_width, two_sided
from tertium.inference.resampling import resampled_scores, swapped_differences
from tertium.inference.rows import DEFAULT_SEED, MetricRows, check_level
from tertium.metrics.base import Metric, Rows, Scores

PairTest: TypeAlias = Literal["randomization", "bootstrap"]
Correction: TypeAlias = Literal["none", "holm", "benjamini-hochberg"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AllPairs:
    """Every pair of systems, in the order of ``pairs``; indices are those of ``names``.

    ``null`` has the null distribution of every pair, (pairs, trials).
    """

    metric: Metric
    names: tuple[str, ...]
    scores: tuple[float, ...]
    pairs: tuple[tuple[int, int], ...]
    p_values: PValues
    null: Scores = field(repr=False)
    test: PairTest
    level: float
    seed: int

    @property
    def trials(self) -> int:
        """The number of trials of each test."""
        return int(self.null.shape[1])

    def adjusted(self, correction: Correction = "holm") -> PValues:
        """The p-values of the pairs, corrected for being many."""
        if correction == "none":
            return self.p_values
        return (holm if correction == "holm" else benjamini_hochberg)(self.p_values)

    def matrix(self, correction: Correction = "holm") -> PValues:
        """Adjusted p-values as a symmetric (systems, systems) matrix, 1 on the diagonal."""
        result = np.ones((len(self.names), len(self.names)))
        for (a, b), p_value in zip(self.pairs, self.adjusted(correction).tolist(), strict=True):
            result[a, b] = result[b, a] = p_value
        return result

    def clusters(self, correction: Correction = "holm") -> tuple[tuple[str, ...], ...]:
        """Systems from best to worst, cut where all above differ from all below.

        The rule of the WMT shared tasks: a line is drawn between two systems if every system
        above it is significantly better than every system below it.
        """
        order = self._order()
        differs = self._differs(correction)[np.ix_(order, order)]
        result, start = [], 0
        for cut in range(1, len(order) + 1):
            if cut == len(order) or differs[:cut, cut:].all():
                result.append(tuple(self.names[i] for i in order[start:cut]))
                start = cut
        return tuple(result)

    def rank_ranges(self, correction: Correction = "holm") -> tuple[tuple[int, int], ...]:
        """For each system the best and the worst rank that the tests leave possible."""
        order = self._order()
        differs = self._differs(correction)[np.ix_(order, order)]
        result = [(1, 1)] * len(order)
        for place, system in enumerate(order):
            better = int(differs[place, :place].sum())
            worse = int(differs[place, place + 1 :].sum())
            result[system] = (1 + better, len(order) - worse)
        return tuple(result)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; the null distributions are left out."""
        adjusted = [self.adjusted(one).tolist() for one in ("holm", "benjamini-hochberg")]
        return {
            "metric": self.metric.spec,
            "systems": dict(zip(self.names, self.scores, strict=True)),
            "pairs": [
                {
                    "systems": [self.names[a], self.names[b]],
                    "delta": self.scores[b] - self.scores[a],
                    "p_value": p_value,
                    "holm": by_holm,
                    "benjamini_hochberg": by_rate,
                }
                for (a, b), p_value, by_holm, by_rate in zip(
                    self.pairs, self.p_values.tolist(), *adjusted, strict=True
                )
            ],
            "clusters": [list(one) for one in self.clusters()],
            "rank_ranges": [list(one) for one in self.rank_ranges()],
            "test": self.test,
            "level": self.level,
            "trials": self.trials,
            "seed": self.seed,
        }

    def _order(self) -> list[int]:
        sign = -1 if self.metric.higher_is_better else 1
        return sorted(range(len(self.names)), key=lambda i: sign * self.scores[i])

    def _differs(self, correction: Correction) -> NDArray[np.bool_]:
        return self.matrix(correction) <= 1 - self.level


def all_pairs(
    metric: Metric,
    rows: Rows,
    names: Sequence[str],
    *,
    test: PairTest = "randomization",
    trials: int = 10_000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> AllPairs:
    """Test every pair of systems; ``rows`` are (systems, segments, K) statistics.

    The test is approximate randomization, or the paired bootstrap with its two-sided p-value.
    """
    check_level(level)
    group = MetricRows(metric=metric, rows=rows)
    if len(names) != group.systems:
        raise InputError(f"names: found {len(names)}, expected {group.systems} (systems)")
    pairs = list(combinations(range(group.systems), 2))
    scores = group.observed
    deltas = np.array([scores[b] - scores[a] for a, b in pairs])
    if test == "randomization":
        null = swapped_differences([group], pairs, trials=trials, seed=seed)[0]
    else:
        resampled = resampled_scores([group], trials=trials, seed=seed)[0]
        first, second = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        null = resampled[second] - resampled[first] - deltas[:, np.newaxis]
    p_values = [
        two_sided(null[k], delta, tie_width(scores[a], scores[b]))
        for k, ((a, b), delta) in enumerate(zip(pairs, deltas.tolist(), strict=True))
    ]
    return AllPairs(
        metric=metric,
        names=tuple(names),
        scores=tuple(scores),
        pairs=tuple(pairs),
        p_values=np.array(p_values),
        null=null,
        test=test,
        level=level,
        seed=seed,
    )
