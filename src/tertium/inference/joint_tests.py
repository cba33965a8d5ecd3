"""Tests of many pairs of systems by common swaps, corrected by step-down max-T.

Every test of a family, a pair of systems under a metric, sees the same trials: in each, a coin
is tossed for every unit (document or segment), and every pair exchanges its outputs of the units
that show heads. Of each test two p-values follow:

- The *raw* one is that of randomization (Noreen 1989): the share of trials whose difference is at
  least as large as the observed one. It depends on the pair, the metric and the seed alone, so
  that every command shows the same.
- The *corrected* one is that of step-down max-T (Westfall & Young 1993, algorithm 4.1). Each
  difference is divided by the root mean square of its own swaps, T = |Δ| / RMS(Δ*). From the
  largest T down, the p-value is the share of trials in which the largest T* among this test and
  all those below it reaches T, and never less than the one above. As trials are common, tests
  that say much the same, as metrics of one pair do, cost no more than one; Holm's correction
  counts all of them. It is also never less than the raw one.

Where one unit makes up much of a difference, its T is nearly the same in all trials, however
clear the difference is, and no T stands out. There all differences are studentized before: T is
the sum of what the units add, over its standard error in the same trial. Whether one does depends
on sizes that no swap changes, so that the tests stay exact under exchange. Either all tests are
studentized or none, as the two do not vary alike.

Of a board of many systems most tests are beyond doubt. Where the chance that a swap reaches the
observed difference is below 10⁻¹² by Chernoff's bound, no swapped corpus is scored: none would
reach it, nor would the test reach the T of one further up. More trials are drawn where a
corrected p-value is too close to the level for the trials that there are.

Swaps cannot say less than 2^(1 − units), 0.06 with 5. With so few units Student's t with the
small-sample correction of CR2 (`tertium.inference.cluster_t`) takes their place, corrected by
Holm.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.inference.cluster_t import cluster_t_test, unit_shares
from tertium.inference.corrections import PValues, holm, step_down_max_t
from tertium.inference.p_values import p_value_of, tie_width, two_sided
from tertium.inference.resampling import (
    SCORED_AT_ONCE,
    Pairs,
    shared_resamples,
    swapped_differences_of,
    swapped_sums,
    tries_every_swap,
)
from tertium.inference.rows import MetricRows, check_trials, metric_rows
from tertium.inference.units import Units, widening
from tertium.metrics.contract.base import Scores
from tertium.scored.runs import Runs
from tertium.scored.scored import Scored

PairTest: TypeAlias = Literal["randomization", "bootstrap", "t-test"]

DOMINANT: Final = 0.3
"""Tests are studentized where a unit has more than this share of the squares of what units add to
a difference. On boards of eight systems of WMT24 that finds 24 % of the pairs by 8 documents
instead of 7 %, 37 % by 12 instead of 15 %, and as many by 40 and more (docs/significance.md)."""
FEWEST_FOR_T: Final = 3
"""Of two units Student's t has one degree of freedom at most, and nothing to find."""
CERTAIN: Final = 1e-12
"""Tests that a swap reaches with a probability below this are not tried."""
MORE_SWAPS: Final = 400_000
"""Swaps, tests times trials, that may be drawn for corrected p-values close to the level."""
_MOST_TRIALS: Final = 10
"""Times the trials asked for: no p-value close to the level gets more."""
_CLOSE: Final = 2.58
"""Standard errors of a share of trials: within so many of the level it is still undecided."""
_STUDENTIZED_AT_ONCE: Final = 32
"""Tests, few enough that the sums of all their trials stay near the processor."""
_LEAST_ERROR: Final = 1e-4
"""Of the variance of all swaps, where units are so alike that a trial shows none of its own."""

Indices: TypeAlias = NDArray[np.intp]


class Contributions(NamedTuple):
    """What units add to the differences of pairs, and their shares of the text, (pairs, units)."""

    effects: Scores
    shares: Scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointTests:
    """Tests of pairs under metrics, metric by metric: test ``m · len(pairs) + k`` is of pair k.

    ``statistics`` are the T of all tests. ``null`` are their T in every trial, (drawn tests,
    trials); ``rows`` has the row of each test in it, or −1 where no trial could reach the test.
    ``ties`` is how far a T may lie below another and still be equal. ``further`` draws more trials
    of some tests.
    """

    test: PairTest
    pairs: tuple[tuple[int, int], ...]
    deltas: Scores = field(repr=False)
    p_values: PValues
    statistics: Scores = field(repr=False)
    ties: Scores = field(repr=False)
    null: Scores = field(repr=False)
    rows: Indices = field(repr=False)
    studentized: bool
    trials: int
    exact: bool
    further: Callable[[Indices, int], Scores] | None = field(default=None, repr=False)

    @property
    def floor(self) -> float:
        """The smallest p-value that the trials can give; 0 where there is no such limit."""
        return 0.0 if self.exact or self.test == "t-test" else 1 / (1 + self.trials)

    def of_pairs(self, pairs: Iterable[tuple[int, int]]) -> Indices:
        """The tests of some pairs under every metric, metric by metric."""
        known = {pair: number for number, pair in enumerate(self.pairs)}
        chosen = [known[min(pair), max(pair)] for pair in pairs]
        starts = range(0, len(self.p_values), max(1, len(self.pairs)))
        return np.array([start + k for start in starts for k in chosen], dtype=np.intp)

    def adjusted(
        self, tests: Indices | None = None, *, alpha: float = 0.05, more: int = MORE_SWAPS
    ) -> PValues:
        """Corrected p-values of some tests as one family; by default of all of them.

        ``more`` swaps at most are drawn for those close to ``alpha``.
        """
        chosen = np.arange(len(self.p_values)) if tests is None else tests
        raw = self.p_values[chosen]
        if len(chosen) < 2:
            return raw
        if self.test == "t-test":
            return holm(raw)
        p_values = step_down_max_t(
            self.statistics[chosen], self._null(chosen), self.ties[chosen], exact=self.exact
        )
        if self.further is not None:
            p_values = self._decided(chosen, p_values, alpha, more)
        return np.maximum(p_values, raw)

    def _null(self, tests: Indices) -> list[Scores]:
        """The null distributions of some tests; of those that no trial reaches there is nothing."""
        nothing = np.zeros(self.trials)
        return [nothing if row < 0 else self.null[row] for row in self.rows[tests].tolist()]

    def _decided(self, tests: Indices, p_values: PValues, alpha: float, more: int) -> PValues:
        """Corrected p-values with more trials of those that are close to the level."""
        error = np.sqrt(alpha * (1 - alpha) / self.trials)
        close = np.flatnonzero(np.abs(p_values - alpha) < _CLOSE * error)
        if not len(close):
            return p_values
        # Step-down: the p-value of a test depends on it and on all tests with a smaller T. More
        # trials are needed from the first undecided test on; those above keep what they have.
        order = np.argsort(-self.statistics[tests], kind="stable")
        start = int(np.flatnonzero(np.isin(order, close))[0])
        below = tests[order[start:]]  # what lies above is decided, and no part of these maxima
        reached = below[self.rows[below] >= 0]
        trials = min((_MOST_TRIALS - 1) * self.trials, more // max(1, len(reached)))
        if self.further is None or trials < self.trials:
            return p_values
        drawn = dict(zip(reached.tolist(), self.further(reached, trials), strict=True))
        nothing = np.zeros(trials)
        null = [
            np.concatenate([first, drawn.get(test, nothing)])
            for test, first in zip(below.tolist(), self._null(below), strict=True)
        ]
        again = step_down_max_t(self.statistics[below], null, self.ties[below], exact=False)
        result = p_values.copy()
        result[order[start:]] = np.maximum(again, p_values[order[:start]].max(initial=0.0))
        return result


def swap_tests(
    groups: Sequence[MetricRows],
    pairs: Sequence[tuple[int, int]],
    *,
    trials: int,
    seed: int,
    stratified: bool = False,
    dominant: float = DOMINANT,
) -> JointTests:
    """Randomization of pairs of systems under every metric, all by the same swaps.

    A pair (a, b) is of places in the groups, a before b. ``stratified`` tosses a coin for each
    run of a unit; such tests are never studentized. Others are where a unit has more than the
    share ``dominant`` of what makes a difference.
    """
    check_trials(trials, seed)
    swaps = _Swaps.of(groups, pairs, trials, seed, stratified=stratified, dominant=dominant)
    trials, exact = swaps.trials, swaps.exact
    spread = (swaps.effects**2).sum(axis=1)
    differs = np.sqrt(spread) > swaps.ties
    sums = swaps.effects.sum(axis=1)
    far = np.zeros(len(sums), dtype=np.bool_)
    if not exact and not stratified:
        least = np.minimum(np.abs(swaps.deltas), np.abs(sums))
        far = differs & _certain(swaps.effects, least)
    # Raw p-values come from plain differences, whether or not T is studentized below: they must not
    # depend on the other tests of the family.
    near = np.flatnonzero(~far)
    plain = swaps.differences(near, range(trials))
    p_values = np.full(len(sums), p_value_of(0, trials))
    p_values[near] = [
        two_sided(p_value, float(swaps.deltas[test]), float(swaps.ties[test]), exact=exact)
        for test, p_value in zip(near.tolist(), plain, strict=True)
    ]
    statistics, drawn, null = np.abs(swaps.deltas), near, plain
    # Of tests that no trial reaches; that of the others is their own.
    scales = np.sqrt(spread)
    if swaps.studentized:
        weighted = (swaps.effects * swaps.shares).sum(axis=1)
        statistics = studentized_sums(swaps.effects, swaps.shares, sums, weighted)
        # A test is left out of the trials only if neither its difference nor its T can be reached.
        far &= _certain(swaps.effects, _least_sum(statistics, swaps.effects, swaps.shares))
        drawn = np.flatnonzero(differs & ~far)
        null = swaps.statistics(drawn, range(trials))
        scales = np.ones(len(sums))
    # One scale for all tests, or the maximum over them would be that of the metric with the largest
    # unit. A test and its trials are divided by the same number, later trials as well (`further`).
    scales[drawn] = np.sqrt((null**2).mean(axis=1))
    scales[~differs] = 1.0  # equal outputs: no swap makes a difference
    null /= scales[drawn][:, np.newaxis]
    statistics = np.where(differs, statistics / scales, 0.0)
    rows = np.full(len(sums), -1, dtype=np.intp)
    rows[drawn] = np.arange(len(drawn))
    rounding = 0.0 if swaps.studentized else swaps.ties / scales

    def further(tests: Indices, count: int) -> Scores:
        """The statistics of so many trials more."""
        result = swaps.statistics(tests, range(trials, trials + count))
        result /= scales[tests][:, np.newaxis]
        return result

    return JointTests(
        test="randomization",
        pairs=tuple((int(a), int(b)) for a, b in swaps.pairs),
        deltas=swaps.deltas,
        p_values=p_values,
        statistics=statistics,
        ties=rounding + 1e-9 * statistics,
        null=null,
        rows=rows,
        studentized=swaps.studentized,
        trials=trials,
        exact=exact,
        further=None if exact else further,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Swaps:
    """Pairs under metrics, what their units add to differences, and the swaps of these units."""

    groups: Sequence[MetricRows]
    pairs: Pairs
    effects: Scores
    shares: Scores
    deltas: Scores
    ties: Scores
    studentized: bool
    stratified: bool
    trials: int
    seed: int
    exact: bool

    @classmethod
    def of(
        cls,
        groups: Sequence[MetricRows],
        pairs: Sequence[tuple[int, int]],
        trials: int,
        seed: int,
        *,
        stratified: bool,
        dominant: float,
    ) -> "_Swaps":
        exact = tries_every_swap(groups, trials, stratified=stratified)
        chosen = np.array(pairs, dtype=np.intp).reshape(-1, 2)
        every = np.array(all_system_pairs(groups[0].systems), dtype=np.intp).reshape(-1, 2)
        made = [_contributions(group, chosen) for group in groups]
        # By all pairs of the systems, so that every command tests a family alike.
        all_made = made
        if len(chosen) < len(every) and not stratified:
            all_made = [_contributions(group, every) for group in groups]
        coins = groups[0].units * (groups[0].runs if stratified else 1)
        return cls(
            groups=groups,
            pairs=chosen,
            effects=np.concatenate([part.effects for part in made]),
            shares=np.concatenate([part.shares for part in made]),
            deltas=np.concatenate([_deltas(group, chosen) for group in groups]),
            ties=np.concatenate([_ties(group, chosen) for group in groups]),
            studentized=not stratified
            and any(
                _dominated(swaps.effects, _ties(group, every), dominant)
                for group, swaps in zip(groups, all_made, strict=True)
            ),
            stratified=stratified,
            trials=1 << coins if exact else trials,
            seed=seed,
            exact=exact,
        )

    def differences(self, tests: Indices, trials: range) -> Scores:
        """The sizes of the differences of some tests after the swaps of some trials."""
        metric, pair = np.divmod(tests, max(1, len(self.pairs)))
        order = np.argsort(metric, kind="stable")
        swapped = swapped_differences_of(
            self.groups,
            [self.pairs[pair[metric == number]] for number in range(len(self.groups))],
            trials=trials,
            seed=self.seed,
            stratified=self.stratified,
            every=self.exact,
        )
        together = np.concatenate(swapped)
        np.abs(together, out=together)
        if (order[1:] > order[:-1]).all():
            return together
        result = np.empty_like(together)
        result[order] = together
        return result

    def statistics(self, tests: Indices, trials: range) -> Scores:
        """What is compared after the swaps of some trials, before it is scaled."""
        if not self.studentized:
            return self.differences(tests, trials)
        result = np.empty((len(tests), len(trials)))
        for start in range(0, len(tests), _STUDENTIZED_AT_ONCE):
            some = slice(start, start + _STUDENTIZED_AT_ONCE)
            effects, shares = self.effects[tests[some]], self.shares[tests[some]]
            columns = np.concatenate([effects, effects * shares]).T
            sums = swapped_sums(columns, trials=trials, seed=self.seed, every=self.exact)
            result[some] = studentized_sums(effects, shares, *np.split(sums, 2))
        return result


def bootstrap_tests(
    groups: Sequence[MetricRows],
    pairs: Sequence[tuple[int, int]],
    resampled: Sequence[Scores],
) -> JointTests:
    """The paired bootstrap of pairs of systems; ``resampled`` are the scores on resamples.

    A resample's difference is moved to where there is no difference, and widened by documents
    (`tertium.inference.units.widening`).
    """
    chosen = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    deltas = np.concatenate([_deltas(group, chosen) for group in groups])
    ties = np.concatenate([_ties(group, chosen) for group in groups])
    wider = widening(groups[0].unit, groups[0].units)
    null = np.concatenate([scores[chosen[:, 1]] - scores[chosen[:, 0]] for scores in resampled])
    null -= deltas[:, np.newaxis]
    null *= wider
    np.abs(null, out=null)
    p_values = np.array(
        [
            two_sided(column, delta, tie)
            for column, delta, tie in zip(null, deltas.tolist(), ties.tolist(), strict=True)
        ]
    )
    scales = np.sqrt((null**2).mean(axis=1))
    scales[scales <= ties] = 1.0
    null /= scales[:, np.newaxis]
    return JointTests(
        test="bootstrap",
        pairs=tuple((int(a), int(b)) for a, b in chosen),
        deltas=deltas,
        p_values=p_values,
        statistics=np.abs(deltas) / scales,
        ties=ties / scales + 1e-9 * np.abs(deltas) / scales,
        null=null,
        rows=np.arange(len(deltas)),
        studentized=False,
        trials=resampled[0].shape[1],
        exact=False,
    )


def t_tests(groups: Sequence[MetricRows], pairs: Sequence[tuple[int, int]]) -> JointTests:
    """CR2 t-tests of pairs of systems, for units so few that swaps cannot tell."""
    chosen = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    deltas, p_values = [], []
    for group in groups:
        differences = _deltas(group, chosen)
        made = _contributions(group, chosen)
        ties = _ties(group, chosen)
        for delta, effects, shares, tie in zip(differences, *made, ties, strict=True):
            deltas.append(float(delta))
            p_values.append(cluster_t_test(float(delta), effects, shares, tie=float(tie)))
    count = len(deltas)
    return JointTests(
        test="t-test",
        pairs=tuple((int(a), int(b)) for a, b in chosen),
        deltas=np.array(deltas),
        p_values=np.array(p_values),
        statistics=np.abs(deltas),
        ties=np.zeros(count),
        null=np.empty((0, 0)),
        rows=np.full(count, -1, dtype=np.intp),
        studentized=False,
        trials=0,
        exact=True,
    )


def usual_test(units: int, alpha: float = 0.05) -> PairTest:
    """Randomization, or Student's t where no swap of so few units could be significant.

    >>> usual_test(5), usual_test(6)
    ('t-test', 'randomization')
    """
    few = units >= FEWEST_FOR_T and 2.0 ** (1 - units) > alpha
    return "t-test" if few else "randomization"


def least_p_value(units: int, trials: int) -> float:
    """The smallest raw p-value that the usual test of so many units can give.

    >>> least_p_value(5, 999), least_p_value(8, 999), least_p_value(100, 999)
    (0.0, 0.0078125, 0.001)
    """
    if usual_test(units) == "t-test":
        return 0.0
    return 2.0 ** (1 - units) if 2.0**units <= trials else p_value_of(0, trials)


def all_system_pairs(systems: int) -> list[tuple[int, int]]:
    """Every pair of so many systems, in the order of `itertools.combinations`."""
    return [(a, b) for a in range(systems) for b in range(a + 1, systems)]


def shared_tests(
    scored: Scored,
    units: Units,
    test: PairTest,
    *,
    trials: int,
    seed: int,
    runs: Runs | None = None,
) -> JointTests:
    """All pairs of what is scored under all its metrics, tested once for all who ask."""
    key = ("joint tests", test, units.unit, units.count, trials, seed, runs)

    def made() -> JointTests:
        groups = [group.by(units) for group in metric_rows(scored, runs)]
        pairs = all_system_pairs(groups[0].systems)
        drawn = None
        if test == "bootstrap":
            drawn = shared_resamples(scored, units, trials=trials, seed=seed, runs=runs)
        return pair_tests(groups, pairs, test, trials=trials, seed=seed, drawn=drawn)

    return scored.kept(key, made)


def pair_tests(
    groups: Sequence[MetricRows],
    pairs: Sequence[tuple[int, int]],
    test: PairTest,
    *,
    trials: int,
    seed: int,
    drawn: Sequence[Scores] | None = None,
) -> JointTests:
    """Some pairs by a test of that name; the bootstrap needs the scores on resamples."""
    if test == "t-test":
        return t_tests(groups, pairs)
    if test == "bootstrap" and drawn is not None:
        return bootstrap_tests(groups, pairs, drawn)
    return swap_tests(groups, pairs, trials=trials, seed=seed)


def _deltas(group: MetricRows, pairs: Pairs) -> Scores:
    scores = np.array(group.observed)
    result: Scores = scores[pairs[:, 1]] - scores[pairs[:, 0]]
    return result


def _ties(group: MetricRows, pairs: Pairs) -> Scores:
    scores = group.observed
    return np.array([tie_width(scores[a], scores[b]) for a, b in pairs.tolist()], dtype=np.float64)


def _contributions(group: MetricRows, pairs: Pairs) -> Contributions:
    """What exchanging each unit alone changes in the middle between the two systems of a pair.

    With M half the sum of both systems and h_u half the difference of their rows on unit u, it is
    score(M + h_u) − score(M − h_u), the mean over runs. No swap changes M, nor the size of an
    effect; the sum over units is the difference itself where the score is linear.
    """
    effects = np.zeros((len(pairs), group.units))
    shares = np.zeros_like(effects)
    at_once = max(1, SCORED_AT_ONCE // group.units)
    for run in range(group.runs):
        rows = group.of_run(run)
        sums = rows.sum(axis=1)
        for start in range(0, len(pairs), at_once):
            some = slice(start, start + at_once)
            a, b = pairs[some].T
            total, half = (sums[a] + sums[b])[:, np.newaxis] / 2, (rows[b] - rows[a]) / 2
            effects[some] += group.metric.score(total + half) - group.metric.score(total - half)
            shares[some] += unit_shares(rows[a], rows[b])
    return Contributions(effects / group.runs, shares / group.runs)


def _dominated(effects: Scores, ties: Scores, dominant: float) -> bool:
    """Whether one unit makes up much of any difference."""
    squares = effects**2
    spread = squares.sum(axis=1)
    largest = squares.max(axis=1, initial=0.0)
    return bool(((np.sqrt(spread) > ties) & (largest > dominant * spread)).any())


def _certain(effects: Scores, least: Scores) -> NDArray[np.bool_]:
    """Whether random signs hardly ever make sums of effects as large as ``least``.

    Chernoff: P(|Σ ± g| ≥ x) ≤ 2 Π cosh(λ g) · exp(−λ x) for every λ, here powers of two over the
    standard deviation. It is close to 2^(1 − n) where all n units say the same, which Hoeffding's
    bound by the standard deviation is not.
    """
    spread = np.sqrt((effects**2).sum(axis=1))
    scale = np.where(spread > 0, spread, 1.0)
    sizes = np.abs(effects) / scale[:, np.newaxis]
    bound = np.zeros(len(effects))
    for rate in (1.0, 2.0, 4.0, 8.0, 16.0, 32.0):
        logs = np.logaddexp(rate * sizes, -rate * sizes).sum(axis=1) - sizes.shape[1] * np.log(2)
        np.minimum(bound, logs - rate * least / scale, out=bound)
    certain: NDArray[np.bool_] = bound < np.log(CERTAIN / 2)
    return certain


def _least_sum(statistics: Scores, effects: Scores, shares: Scores) -> Scores:
    """The smallest |L| that a studentized statistic t can have.

    With G² = Σ g² and W² = Σ w² the error is at least G − |L|·W (Cauchy and Schwarz), so that
    |L| ≥ t·G / (1 + t·W).
    """
    size, weight = (np.sqrt((rows**2).sum(axis=1)) for rows in (effects, shares))
    result: Scores = statistics * size / (1 + statistics * weight)
    return result


def studentized_sums(effects: Scores, shares: Scores, total: Scores, weighted: Scores) -> Scores:
    """|L| / √Σ (±g − w·L)² of effects g, shares w, and the swapped sums L of g and of w·g.

    A unit adds ±g, of which its share w of the sum L was to be expected; the rest is error.
    """
    shape = (len(effects),) + (1,) * (total.ndim - 1)
    spread = (effects**2).sum(axis=1).reshape(shape)
    squares = (shares**2).sum(axis=1).reshape(shape)
    variance = spread - 2 * total * weighted + total**2 * squares
    np.maximum(variance, _LEAST_ERROR * spread, out=variance)
    result: Scores = np.abs(total) / np.sqrt(np.where(variance > 0, variance, 1.0))
    return result
