"""Bootstrap resampling: confidence intervals, and the paired test of Koehn (2004)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium.inference.p_values import p_value_of, tie_width, two_sided
from tertium.inference.resampling import resampled_scores
from tertium.inference.rows import DEFAULT_SEED, MetricRows, check_level, pair
from tertium.metrics.base import Metric, Rows, Scores
from tertium.results import Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap:
    """One system's score, and its scores on test sets that might have been drawn instead."""

    metric: Metric
    score: float
    scores: Scores = field(repr=False)
    seed: int
    level: float

    @property
    def trials(self) -> int:
        """The number of resamples."""
        return len(self.scores)

    @property
    def interval(self) -> Interval:
        """The percentile interval of the resampled scores (Efron 1979)."""
        return percentiles(self.scores, level=self.level, seed=self.seed)

    @property
    def standard_error(self) -> float:
        """The standard deviation over resamples."""
        return _deviation(self.scores)


def confidence_interval(
    metric: Metric,
    rows: Rows,
    *,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> Bootstrap:
    """The confidence interval of one system's score.

    ``rows`` are its statistics, (segments, K), or (runs, segments, K) for a mean over runs.
    """
    check_level(level)
    group = MetricRows(metric=metric, rows=np.asarray(rows)[np.newaxis])
    scores = resampled_scores([group], trials=trials, seed=seed)[0][0]
    value = group.observed[0]
    return Bootstrap(metric=metric, score=value, scores=scores, seed=seed, level=level)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedBootstrap:
    """A system and the baseline on the same resamples (Koehn 2004).

    Three p-values are in use; each is (1 + extreme) / (1 + trials), and they differ in which
    resamples are extreme. With Δ the observed difference and Δ* that of a resample:

    - ``p_value``: two-sided, |Δ* − Δ| ≥ |Δ|; the resamples, moved to where there is no
      difference, are the null distribution.
    - ``p_value_one_sided``: Koehn's, the observed winner does not win the resample.
    - ``p_value_moses``: |Δ*| − mean |Δ*| ≥ |Δ| (Riezler & Maxwell 2005), what Moses and
      sacreBLEU print; smaller than the two-sided one.
    """

    metric: Metric
    baseline: float
    system: float
    baseline_scores: Scores = field(repr=False)
    system_scores: Scores = field(repr=False)
    seed: int
    level: float

    @property
    def trials(self) -> int:
        """The number of resamples."""
        return len(self.system_scores)

    @property
    def delta(self) -> float:
        """Score of the system minus score of the baseline."""
        return self.system - self.baseline

    @property
    def deltas(self) -> Scores:
        """The difference on every resample."""
        return self.system_scores - self.baseline_scores

    @property
    def null(self) -> Scores:
        """The null distribution of the two-sided p-value."""
        return self.deltas - self.delta

    @property
    def wins(self) -> int:
        """Resamples on which the system is better than the baseline."""
        return int(np.count_nonzero(self._gains() > self._tie))

    @property
    def losses(self) -> int:
        """Resamples on which it is worse."""
        return int(np.count_nonzero(self._gains() < -self._tie))

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
        """The percentile interval of the difference."""
        return percentiles(self.deltas, level=self.level, seed=self.seed)

    @property
    def system_interval(self) -> Interval:
        """The percentile interval of the system's own score."""
        return percentiles(self.system_scores, level=self.level, seed=self.seed)

    @property
    def standard_error(self) -> float:
        """The standard deviation of the difference over resamples."""
        return _deviation(self.deltas)

    @property
    def p_value(self) -> float:
        """Two-sided: how often chance alone makes such a difference."""
        return two_sided(self.null, self.delta, self._tie)

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
        extreme = distances - distances.mean() >= abs(self.delta) - self._tie
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
            "trials": self.trials,
            "seed": self.seed,
        }

    def _gains(self) -> Scores:
        return self.deltas if self.metric.higher_is_better else -self.deltas

    @property
    def _tie(self) -> float:
        return tie_width(self.baseline, self.system)


def paired_bootstrap(
    metric: Metric,
    baseline_rows: Rows,
    system_rows: Rows,
    *,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> PairedBootstrap:
    """Is the system better than the baseline?

    Both are statistics, (segments, K), or (runs, segments, K) for means over runs.
    """
    group = pair(metric, baseline_rows, system_rows)
    return paired_bootstraps([group], trials=trials, seed=seed, level=level)[0][0]


def paired_bootstraps(
    groups: Sequence[MetricRows],
    *,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> tuple[tuple[PairedBootstrap, ...], ...]:
    """Every system but the first against the first, under every metric: [metric][system − 1].

    All of them see the same resamples.
    """
    check_level(level)
    every = resampled_scores(groups, trials=trials, seed=seed)
    results = []
    for group, scores in zip(groups, every, strict=True):
        observed = group.observed
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
                )
                for number in range(1, group.systems)
            )
        )
    return tuple(results)


def percentiles(scores: Scores, *, level: float, seed: int) -> Interval:
    """The middle ``level`` of a distribution."""
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(
        low=low, high=high, mean=float(scores.mean()), level=level, trials=len(scores), seed=seed
    )


def _deviation(scores: Scores) -> float:
    return float(scores.std(ddof=1)) if len(scores) > 1 else 0.0
