"""Bootstrap resampling: confidence intervals, and the paired test of Koehn (2004)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium.choices import DEFAULT_SEED, TEST_TRIALS, IntervalMethod
from tertium.inference.intervals import bca, check_interval, left_out_scores, percentiles
from tertium.inference.p_values import p_value_of, two_sided
from tertium.inference.resampling import Drawn, PairedSystems, resampled_scores
from tertium.inference.rows import MetricRows, check_level, grouped, pair
from tertium.inference.units import widening
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.results import Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap(Drawn):
    """One system's score, and its scores on test sets that might have been drawn instead.

    ``left_out`` are its scores without each of the units, where the interval is to be BCa.
    """

    score: float
    scores: Scores = field(repr=False)
    level: float
    left_out: Scores | None = field(default=None, repr=False)

    @property
    def trials(self) -> int:
        """The number of resamples."""
        return len(self.scores)

    @property
    def interval(self) -> Interval:
        """The interval of the score: percentiles of the resamples (Efron 1979), or BCa."""
        return _interval(self, self.scores, self.score, self.left_out)

    @property
    def standard_error(self) -> float:
        """The standard deviation over resamples."""
        return _deviation(self.scores)


def confidence_interval(
    metric: Metric,
    rows: Rows,
    *,
    documents: Sequence[Hashable] | None = None,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    interval: IntervalMethod = "percentile",
) -> Bootstrap:
    """The confidence interval of one system's score.

    ``rows`` are its statistics, (segments, K), or (runs, segments, K) for a mean over runs. With
    ``documents``, the label of every segment's document, whole documents are drawn. ``interval``
    is made of percentiles, or BCa, which corrects them for bias and skewness (Efron 1987).
    """
    check_level(level)
    check_interval(interval)
    group = grouped(metric, np.asarray(rows)[np.newaxis], documents)
    return Bootstrap(
        metric=metric,
        score=group.observed[0],
        scores=resampled_scores([group], trials=trials, seed=seed)[0][0],
        seed=seed,
        level=level,
        left_out=left_out_scores(group)[0] if interval == "bca" else None,
        unit=group.unit,
        units=group.units,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedBootstrap(PairedSystems):
    """A system and the baseline on the same resamples (Koehn 2004).

    Three p-values are in use; each is (1 + extreme) / (1 + trials), and they differ in which
    resamples are extreme. With Δ the observed difference and Δ* that of a resample:

    - ``p_value``: two-sided, ``|Δ* − Δ| ≥ |Δ|``; the resamples, moved to where there is no
      difference, are the null distribution. By documents it is widened (`widening`).
    - ``p_value_one_sided``: Koehn's, the observed winner does not win the resample.
    - ``p_value_moses``: ``|Δ*| − mean |Δ*| ≥ |Δ|`` (Riezler & Maxwell 2005), what Moses and
      sacreBLEU print; it looks at one side, and is about half the two-sided one.

    ``left_out`` are the scores of both without each of the units, (2, units), where intervals
    are to be BCa.
    """

    baseline_scores: Scores = field(repr=False)
    system_scores: Scores = field(repr=False)
    level: float
    left_out: Scores | None = field(default=None, repr=False)

    @property
    def trials(self) -> int:
        """The number of resamples."""
        return len(self.system_scores)

    @property
    def deltas(self) -> Scores:
        """The difference on every resample."""
        return self.system_scores - self.baseline_scores

    @property
    def null(self) -> Scores:
        """The null distribution of the two-sided p-value, as wide as so few documents need."""
        return (self.deltas - self.delta) * widening(self.unit, self.units)

    @property
    def wins(self) -> int:
        """Resamples on which the system is better than the baseline."""
        return int(np.count_nonzero(self._gains() > self.tie))

    @property
    def losses(self) -> int:
        """Resamples on which it is worse."""
        return int(np.count_nonzero(self._gains() < -self.tie))

    @property
    def ties(self) -> int:
        """Resamples on which both are equally good."""
        return self.trials - self.wins - self.losses

    @property
    def win_share(self) -> float:
        """The share of resamples won, which Koehn compares with the level."""
        return self.wins / self.trials

    @property
    def interval(self) -> Interval:
        """The interval of the difference, made of percentiles or BCa."""
        return _interval(self, self.deltas, self.delta, self._without(-1, 1))

    @property
    def system_interval(self) -> Interval:
        """The interval of the system's own score."""
        return _interval(self, self.system_scores, self.system, self._without(0, 1))

    @property
    def baseline_interval(self) -> Interval:
        """The interval of the baseline's own score."""
        return _interval(self, self.baseline_scores, self.baseline, self._without(1, 0))

    @property
    def standard_error(self) -> float:
        """The standard deviation of the difference over resamples."""
        return _deviation(self.deltas)

    @property
    def p_value(self) -> float:
        """Two-sided: how often chance alone makes such a difference."""
        return two_sided(self.null, self.delta, self.tie)

    @property
    def p_value_one_sided(self) -> float:
        """How often the observed winner does not win (Koehn 2004)."""
        gain = self.delta if self.metric.higher_is_better else -self.delta
        # Without an observed winner, the one that wins less often has to stand for it.
        won = self.wins if gain > 0 else self.losses if gain < 0 else min(self.wins, self.losses)
        return p_value_of(self.trials - won, self.trials)

    @property
    def p_value_moses(self) -> float:
        """The p-value that Moses and sacreBLEU print."""
        distances = np.abs(self.deltas)
        extreme = distances - distances.mean() >= abs(self.delta) - self.tie
        return p_value_of(int(np.count_nonzero(extreme)), self.trials)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; the distributions are left out."""
        return {
            "method": "paired bootstrap",
            "metric": self.metric.spec,
            "baseline": self.baseline,
            "system": self.system,
            "delta": self.delta,
            "interval": self.interval.to_dict(),
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "p_value": self.p_value,
            "p_value_one_sided": self.p_value_one_sided,
            "p_value_moses": self.p_value_moses,
            "unit": self.unit,
            "units": self.units,
            "trials": self.trials,
            "seed": self.seed,
        }

    def _gains(self) -> Scores:
        return self.deltas if self.metric.higher_is_better else -self.deltas

    def _without(self, baseline: int, system: int) -> Scores | None:
        """So many times the baseline's and the system's score, without each of the units."""
        return None if self.left_out is None else np.array([baseline, system]) @ self.left_out


def paired_bootstrap(
    metric: Metric,
    baseline_rows: Rows,
    system_rows: Rows,
    *,
    documents: Sequence[Hashable] | None = None,
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    interval: IntervalMethod = "percentile",
) -> PairedBootstrap:
    """Is the system better than the baseline?

    Both are statistics, (segments, K), or (runs, segments, K) for means over runs. With
    ``documents``, the label of every segment's document, whole documents are drawn. ``interval``
    is that of `confidence_interval`.
    """
    group = pair(metric, baseline_rows, system_rows, documents)
    made = paired_bootstraps([group], trials=trials, seed=seed, level=level, interval=interval)
    return made[0][0]


def paired_bootstraps(
    groups: Sequence[MetricRows],
    *,
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    interval: IntervalMethod = "percentile",
    drawn: Sequence[Scores] | None = None,
) -> tuple[tuple[PairedBootstrap, ...], ...]:
    """Every system but the first against the first, under every metric: [metric][system − 1].

    All of them see the same resamples. ``drawn`` are the `resampled_scores` of the groups, if
    they are there already.
    """
    check_level(level)
    check_interval(interval)
    if drawn is None:
        drawn = resampled_scores(groups, trials=trials, seed=seed)
    results = []
    for group, scores in zip(groups, drawn, strict=True):
        observed = group.observed
        left_out = left_out_scores(group) if interval == "bca" else None
        results.append(
            tuple(
                PairedBootstrap(
                    metric=group.metric,
                    baseline=observed[0],
                    system=observed[number],
                    baseline_scores=scores[0],
                    system_scores=scores[number],
                    seed=seed,
                    level=level,
                    left_out=None if left_out is None else left_out[[0, number]],
                    unit=group.unit,
                    units=group.units,
                )
                for number in range(1, group.systems)
            )
        )
    return tuple(results)


def _interval(
    made: Bootstrap | PairedBootstrap, scores: Scores, observed: float, left_out: Scores | None
) -> Interval:
    """The interval of some of the numbers that a bootstrap drew."""
    if left_out is None:
        return percentiles(
            scores, level=made.level, seed=made.seed, unit=made.unit, units=made.units
        )
    return bca(
        scores,
        observed,
        left_out,
        level=made.level,
        seed=made.seed,
        unit=made.unit,
        units=made.units,
    )


def _deviation(scores: Scores) -> float:
    return float(scores.std(ddof=1)) if len(scores) > 1 else 0.0
