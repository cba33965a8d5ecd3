"""Many systems: every pair tested, corrected for their number, and ranked in clusters."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.choices import DEFAULT_SEED, TEST_TRIALS
from tertium.errors import InputError
from tertium.inference.corrections import Correction, PValues, corrected, holm
from tertium.inference.joint_tests import JointTests, PairTest, all_system_pairs, pair_tests
from tertium.inference.resampling import resampled_scores, swapped_differences
from tertium.inference.rows import MetricRows, check_level, grouped
from tertium.inference.units import widening
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.results import Unit

# How much training alone changes a score: what several runs of two systems tell.


def deviation(scores: Sequence[float] | Scores) -> float:
    """The standard deviation of the scores of some runs; 0 of a single one."""
    return float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0


def runs_p_value(baseline: Sequence[float] | Scores, system: Sequence[float] | Scores) -> float:
    """Welch's t-test of the scores of runs: could training again make such a difference?

    Tests that resample segments ask how a difference would be on other text, of these very
    runs. This one asks how it would be after other runs, on this very text.

    >>> round(runs_p_value([20.1, 20.4, 20.2], [20.3, 20.9, 20.6]), 3)
    0.157
    """
    with scipy_for("tests over runs"):
        from scipy.special import stdtr  # takes longer to import than all the rest

    shares = [deviation(some) ** 2 / len(some) for some in (baseline, system)]
    delta = float(np.mean(system) - np.mean(baseline))
    variance = sum(shares)
    if variance == 0:
        return 0.0 if delta else 1.0
    pairs = zip(shares, (baseline, system), strict=True)
    freedom = variance**2 / sum(share**2 / (len(some) - 1) for share, some in pairs)
    return float(2 * stdtr(freedom, -abs(delta) / np.sqrt(variance)))


BOARD_SWAPS: Final = 4_000_000
"""Swaps, tests times trials, that may be drawn for pairs of a board that are close to the level."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AllPairs:
    """Every pair of systems, in the order of ``pairs``; indices are those of ``names``.

    ``p_values`` are raw, ``max_t`` those corrected for all pairs and metrics by step-down max-T;
    without them that is Holm's correction. ``nulls`` gives the null distribution of one pair after
    the other, as all of them at once are large and seldom asked for. ``beside`` are raw p-values
    of other metrics' pairs, where one correction covers them all. ``exact`` says that every way to
    swap the units was tried.
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
    max_t: PValues | None = field(default=None, repr=False)
    exact: bool = False

    @property
    def floor(self) -> float:
        """The smallest raw p-value that the trials can give; 0 where there is no such limit."""
        return 0.0 if self.exact or self.test == "t-test" else 1 / (1 + self.trials)

    @property
    def null(self) -> Scores:
        """The null distribution of every pair, (pairs, trials)."""
        return np.array([*self.nulls()]).reshape(len(self.pairs), self.trials)

    def adjusted(self, correction: Correction = "max-t") -> PValues:
        """The p-values of the pairs, corrected for being many."""
        if correction == "max-t" and self.max_t is not None:
            return self.max_t
        together = np.concatenate([self.p_values, self.beside])
        return corrected(together, correction)[: len(self.p_values)]

    def matrix(self, correction: Correction = "max-t") -> PValues:
        """Adjusted p-values as a symmetric (systems, systems) matrix, 1 on the diagonal."""
        result = np.ones((len(self.names), len(self.names)))
        for (a, b), p_value in zip(self.pairs, self.adjusted(correction).tolist(), strict=True):
            result[a, b] = result[b, a] = p_value
        return result

    def clusters(self, correction: Correction = "max-t") -> tuple[tuple[str, ...], ...]:
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

    def rank_ranges(self, correction: Correction = "max-t") -> tuple[tuple[int, int], ...]:
        """For each system the best and the worst rank that the tests leave possible."""
        order = self._order()
        differs = self._differs(correction)[np.ix_(order, order)]
        result = [(1, 1)] * len(order)
        for index, system in enumerate(order):
            better = int(differs[index, :index].sum())
            worse = int(differs[index, index + 1 :].sum())
            result[system] = (1 + better, len(order) - worse)
        return tuple(result)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; the null distributions are left out."""
        kinds: tuple[Correction, ...] = ("max-t", "holm", "benjamini-hochberg")
        adjusted = [self.adjusted(kind).tolist() for kind in kinds]
        return {
            "metric": self.metric.spec,
            "systems": dict(zip(self.names, self.scores, strict=True)),
            "pairs": [
                {
                    "systems": [self.names[a], self.names[b]],
                    "delta": self.scores[b] - self.scores[a],
                    "p_value": p_value,
                    "adjusted_p_value": by_max_t,
                    "holm": by_holm,
                    "benjamini_hochberg": by_rate,
                }
                for (a, b), p_value, by_max_t, by_holm, by_rate in zip(
                    self.pairs, self.p_values.tolist(), *adjusted, strict=True
                )
            ],
            "clusters": [list(cluster) for cluster in self.clusters()],
            "rank_ranges": [list(ranks) for ranks in self.rank_ranges()],
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

    The test is randomization, the paired bootstrap with its two-sided p-value, or Student's t of
    few units (CR2).
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
    if test == "bootstrap" and drawn is None:
        drawn = resampled_scores(groups, trials=trials, seed=seed)
    pairs = all_system_pairs(groups[0].systems)
    joint = pair_tests(groups, pairs, test, trials=trials, seed=seed, drawn=drawn)
    return all_pairs_by(groups, names, joint, seed=seed, level=level, drawn=drawn)


def all_pairs_by(
    groups: Sequence[MetricRows],
    names: Sequence[str],
    joint: JointTests,
    *,
    seed: int,
    level: float,
    drawn: Sequence[Scores] | None = None,
    more: int = BOARD_SWAPS,
) -> tuple[AllPairs, ...]:
    """`all_pairs_of` tests that were made before: all pairs in the order of their systems.

    ``more`` swaps at most are drawn for corrected p-values close to the level.
    """
    pairs, size = joint.pairs, (len(groups), len(joint.pairs))
    p_values = joint.p_values.reshape(size)
    max_t = joint.adjusted(alpha=1 - level, more=more).reshape(size)
    if groups[0].runs > 1:
        # A difference must be neither of this text nor of these runs alone.
        of_runs = np.array(
            [[runs_p_value(runs[a], runs[b]) for a, b in pairs] for runs in _runs(groups)]
        ).reshape(size)
        p_values = np.maximum(p_values, of_runs)
        max_t = np.maximum(max_t, holm(of_runs.ravel()).reshape(size))
    return tuple(
        AllPairs(
            metric=group.metric,
            names=tuple(names),
            scores=tuple(group.observed),
            pairs=pairs,
            p_values=p_values[index],
            nulls=_nulls(group, joint, seed, None if drawn is None else drawn[index]),
            trials=joint.trials,
            test=joint.test,
            level=level,
            seed=seed,
            unit=group.unit,
            units=group.units,
            beside=np.delete(p_values, index, axis=0).ravel(),
            max_t=max_t[index],
            exact=joint.exact,
        )
        for index, group in enumerate(groups)
    )


def _runs(groups: Sequence[MetricRows]) -> Iterator[Scores]:
    return (group.of_runs for group in groups)


def _nulls(
    group: MetricRows, joint: JointTests, seed: int, drawn: Scores | None
) -> Callable[[], Iterable[Scores]]:
    """The null distributions of all pairs, made when they are asked for."""
    if joint.test == "t-test":
        return lambda: ()
    if joint.test == "bootstrap" and drawn is not None:
        wider = widening(group.unit, group.units)
        return partial(_moved, joint.pairs, np.array(group.observed), drawn, wider=wider)
    return lambda: swapped_differences([group], joint.pairs, trials=joint.trials, seed=seed)[0]


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
