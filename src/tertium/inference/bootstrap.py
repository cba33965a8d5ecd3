"""Bootstrap resampling: confidence intervals, and the paired test of Koehn (2004)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium.inference.choices import DEFAULT_SEED, TEST_TRIALS
from tertium.inference.drawn import Drawn, PairedTest
from tertium.inference.p_values import p_value_of, two_sided
from tertium.inference.resampling import resampled_scores
from tertium.inference.rows import MetricRows, check_level, grouped, pair
from tertium.inference.units import widening
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.results import Interval, Unit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap(Drawn):
    """One system's score, and its scores on test sets that might have been drawn instead."""

    score: float
    scores: Scores = field(repr=False)
    level: float

    @property
    def trials(self) -> int:
        """The number of resamples."""
        return len(self.scores)

    @property
    def interval(self) -> Interval:
        """The percentile interval of the resampled scores (Efron 1979)."""
        return interval_of(self, self.scores)

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
) -> Bootstrap:
    """The confidence interval of one system's score.

    ``rows`` are its statistics, (segments, K), or (runs, segments, K) for a mean over runs. With
    ``documents``, the label of every segment's document, whole documents are drawn.
    """
    check_level(level)
    group = grouped(metric, np.asarray(rows)[np.newaxis], documents)
    return Bootstrap(
        metric=metric,
        score=group.observed[0],
        scores=resampled_scores([group], trials=trials, seed=seed)[0][0],
        seed=seed,
        level=level,
        unit=group.unit,
        units=group.units,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedBootstrap(PairedTest):
    """A system and the baseline on the same resamples (Koehn 2004).

    Three p-values are in use; each is (1 + extreme) / (1 + trials), and they differ in which
    resamples are extreme. With Δ the observed difference and Δ* that of a resample:

    - ``p_value``: two-sided, |Δ* − Δ| ≥ |Δ|; the resamples, moved to where there is no
      difference, are the null distribution. By documents it is widened (`widening`).
    - ``p_value_one_sided``: Koehn's, the observed winner does not win the resample.
    - ``p_value_moses``: |Δ*| − mean |Δ*| ≥ |Δ| (Riezler & Maxwell 2005), what Moses and
      sacreBLEU print; it looks at one side, and is about half the two-sided one.
    """

    baseline_scores: Scores = field(repr=False)
    system_scores: Scores = field(repr=False)
    level: float

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
        """The percentile interval of the difference."""
        return interval_of(self, self.deltas)

    @property
    def system_interval(self) -> Interval:
        """The percentile interval of the system's own score."""
        return interval_of(self, self.system_scores)

    @property
    def baseline_interval(self) -> Interval:
        """The percentile interval of the baseline's own score."""
        return interval_of(self, self.baseline_scores)

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


def paired_bootstrap(
    metric: Metric,
    baseline_rows: Rows,
    system_rows: Rows,
    *,
    documents: Sequence[Hashable] | None = None,
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> PairedBootstrap:
    """Is the system better than the baseline?

    Both are statistics, (segments, K), or (runs, segments, K) for means over runs. With
    ``documents``, the label of every segment's document, whole documents are drawn.
    """
    group = pair(metric, baseline_rows, system_rows, documents)
    return paired_bootstraps([group], trials=trials, seed=seed, level=level)[0][0]


def paired_bootstraps(
    groups: Sequence[MetricRows],
    *,
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    drawn: Sequence[Scores] | None = None,
) -> tuple[tuple[PairedBootstrap, ...], ...]:
    """Every system but the first against the first, under every metric: [metric][system − 1].

    All of them see the same resamples. ``drawn`` are the `resampled_scores` of the groups, if
    they are there already.
    """
    check_level(level)
    if drawn is None:
        drawn = resampled_scores(groups, trials=trials, seed=seed)
    results = []
    for group, scores in zip(groups, drawn, strict=True):
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
                    unit=group.unit,
                    units=group.units,
                )
                for number in range(1, group.systems)
            )
        )
    return tuple(results)


def interval_of(made: Bootstrap | PairedBootstrap, scores: Scores) -> Interval:
    """The percentile interval of some of the numbers that a bootstrap drew."""
    return percentiles(scores, level=made.level, seed=made.seed, unit=made.unit, units=made.units)


def percentiles(
    scores: Scores,
    *,
    level: float,
    seed: int,
    unit: Unit | None = None,
    units: int | None = None,
) -> Interval:
    """The middle ``level`` of a distribution, and what was drawn to get it.

    Of documents it is as much wider, seen from the median, as their number needs.
    """
    low, high = limits(scores, level=level, unit=unit, units=units)
    return Interval(
        low=float(low),
        high=float(high),
        mean=float(scores.mean()),
        level=level,
        trials=len(scores),
        seed=seed,
        unit=unit,
        units=units,
    )


def limits(
    scores: Scores, *, level: float, unit: Unit | None = None, units: int | None = None
) -> tuple[Scores, Scores]:
    """Both ends of the interval of `percentiles`, of (…, trials) distributions at once."""
    shares = [(1 - level) / 2, 0.5, (1 + level) / 2]
    low, middle, high = np.quantile(scores, shares, axis=-1)
    wider = widening(unit, units, level) if unit and units else 1.0
    if wider != 1:
        low, high = middle + wider * (low - middle), middle + wider * (high - middle)
    return low, high


def _deviation(scores: Scores) -> float:
    return float(scores.std(ddof=1)) if len(scores) > 1 else 0.0
