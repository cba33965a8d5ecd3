"""Many systems: every pair tested, corrected for their number, and ranked in clusters."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.inference.choices import DEFAULT_SEED, TEST_TRIALS
from tertium.inference.corrections import Correction, PValues, corrected
from tertium.inference.p_values import tie_width, two_sided
from tertium.inference.resampling import (
    resampled_scores,
    swapped_differences,
    tries_every_swap,
)
from tertium.inference.rows import MetricRows, check_level, grouped
from tertium.inference.runs import runs_p_value
from tertium.inference.units import widening
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.results import Unit

PairTest: TypeAlias = Literal["randomization", "bootstrap"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AllPairs:
    """Every pair of systems, in the order of ``pairs``; indices are those of ``names``.

    ``nulls`` gives the null distribution of one pair after the other, as all of them at once are
    large and seldom asked for. ``beside`` are p-values of other metrics' pairs, where one
    correction covers them all.
    """

    metric: Metric
    names: tuple[str, ...]
    scores: tuple[float, ...]
    pairs: tuple[tuple[int, int], ...]
    p_values: PValues
    nulls: Callable[[], Iterable[Scores]] = field(repr=False)
    trials: int
    test: PairTest
    level: float
    seed: int
    unit: Unit
    units: int
    beside: PValues = field(default_factory=lambda: np.empty(0), repr=False)

    @property
    def null(self) -> Scores:
        """The null distribution of every pair, (pairs, trials)."""
        return np.array([*self.nulls()]).reshape(len(self.pairs), self.trials)

    def adjusted(self, correction: Correction = "holm") -> PValues:
        """The p-values of the pairs, corrected for being many."""
        together = np.concatenate([self.p_values, self.beside])
        return corrected(together, correction)[: len(self.p_values)]

    def matrix(self, correction: Correction = "holm") -> PValues:
        """Adjusted p-values as a symmetric (systems, systems) matrix, 1 on the diagonal."""
        result = np.ones((len(self.names), len(self.names)))
        for (a, b), p_value in zip(self.pairs, self.adjusted(correction).tolist(), strict=True):
            result[a, b] = result[b, a] = p_value
        return result

    def clusters(self, correction: Correction = "holm") -> tuple[tuple[str, ...], ...]:
        """Systems from best to worst, cut where all above differ from all below.

        The rule of the WMT shared tasks: a line is drawn between two systems if every system
        above it is significantly better than every system below it. Systems of one cluster may
        differ significantly, too: a third one that differs from neither keeps them together.
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
            "unit": self.unit,
            "units": self.units,
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
    documents: Sequence[Hashable] | None = None,
    test: PairTest = "randomization",
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> AllPairs:
    """Test every pair of systems; ``rows`` are (systems, segments, K) statistics.

    The test is approximate randomization, or the paired bootstrap with its two-sided p-value.
    With ``documents``, the label of every segment's document, it resamples whole documents. Of
    several runs, (systems, runs, segments, K), a p-value is the larger one of that test and of
    `runs_p_value`: a difference must be neither of these segments nor of these runs alone.
    """
    group = grouped(metric, rows, documents)
    return all_pairs_of([group], names, test=test, trials=trials, seed=seed, level=level)[0]


def all_pairs_of(
    groups: Sequence[MetricRows],
    names: Sequence[str],
    *,
    test: PairTest = "randomization",
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    drawn: Sequence[Scores] | None = None,
) -> tuple[AllPairs, ...]:
    """Test every pair of systems under every metric; corrections cover all of it.

    ``drawn`` are the `resampled_scores` of the groups, if the bootstrap has them already.
    """
    check_level(level)
    if len(names) != groups[0].systems:
        raise InputError(f"names: found {len(names)}, expected {groups[0].systems} (systems)")
    pairs = list(combinations(range(groups[0].systems), 2))
    runs = [group.of_runs for group in groups]
    exact = False
    nulls: list[Callable[[], Iterable[Scores]]]
    if test == "randomization":
        swapped = swapped_differences(groups, pairs, trials=trials, seed=seed)
        exact = tries_every_swap(groups, trials)
        trials = swapped[0].shape[1]
        nulls = [partial(iter, one) for one in swapped]
    else:
        if drawn is None:
            drawn = resampled_scores(groups, trials=trials, seed=seed)
        trials = drawn[0].shape[1]
        wider = widening(groups[0].unit, groups[0].units)
        nulls = [
            partial(_moved, pairs, scores.mean(axis=1), some, wider=wider)
            for scores, some in zip(runs, drawn, strict=True)
        ]
    p_values = [
        _p_values(pairs, scores, null(), exact=exact)
        for scores, null in zip(runs, nulls, strict=True)
    ]
    return tuple(
        AllPairs(
            metric=group.metric,
            names=tuple(names),
            scores=tuple(runs[place].mean(axis=1).tolist()),
            pairs=tuple(pairs),
            p_values=p_values[place],
            nulls=nulls[place],
            trials=trials,
            test=test,
            level=level,
            seed=seed,
            unit=group.unit,
            units=group.units,
            beside=np.concatenate([np.empty(0), *p_values[:place], *p_values[place + 1 :]]),
        )
        for place, group in enumerate(groups)
    )


def _moved(
    pairs: Sequence[tuple[int, int]], observed: Scores, resampled: Scores, *, wider: float
) -> Iterator[Scores]:
    """Resampled differences, moved to where there is no difference: `PairedBootstrap.null`."""
    for first, second in pairs:
        moved = resampled[second] - resampled[first]
        moved -= observed[second] - observed[first]
        if wider != 1:
            moved *= wider
        yield moved


def _p_values(
    pairs: Sequence[tuple[int, int]], runs: Scores, nulls: Iterable[Scores], *, exact: bool
) -> PValues:
    """``runs`` are the scores of every run, (systems, runs)."""
    scores = runs.mean(axis=1).tolist()
    found = np.array(
        [
            two_sided(one, scores[b] - scores[a], tie_width(scores[a], scores[b]), exact=exact)
            for (a, b), one in zip(pairs, nulls, strict=True)
        ],
        dtype=np.float64,
    )
    if runs.shape[1] == 1:
        return found
    return np.maximum(found, [runs_p_value(runs[a], runs[b]) for a, b in pairs])
