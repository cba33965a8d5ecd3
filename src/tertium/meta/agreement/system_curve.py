"""Agreement against the number of systems: how much of it is owed to which systems were there."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.choices import DEFAULT_SEED
from tertium.inference.intervals import percentiles
from tertium.inference.rows import check_level, check_trials
from tertium.meta.agreement.correlation import system_agreement
from tertium.meta.agreement.measures import LEAST_SYSTEMS
from tertium.meta.agreement.shared_systems import align
from tertium.meta.ratings.judgments import Floats, Judgments, MetricScores, or_none
from tertium.results import Interval
from tertium.tables import dataframe

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemCurve:
    """A metric's agreement on random choices of so many systems.

    ``intervals`` belong to ``counts``: mean and middle ``level`` over the choices; ``top`` is the
    agreement on so many of the best-rated systems, NaN where it is not defined.
    """

    name: str
    criterion: str
    metric: str
    measure: str
    counts: tuple[int, ...]
    intervals: tuple[Interval, ...] = field(repr=False)
    top: Floats = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; a NaN is null."""
        return {
            "name": self.name,
            "criterion": self.criterion,
            "metric": self.metric,
            "measure": self.measure,
            "curve": [
                {
                    "systems": count,
                    "low": or_none(interval.low),
                    "mean": or_none(interval.mean),
                    "high": or_none(interval.high),
                    "top": or_none(top),
                }
                for count, interval, top in zip(
                    self.counts, self.intervals, self.top.tolist(), strict=True
                )
            ],
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per number of systems; needs pandas."""
        return dataframe(self.to_dict()["curve"])


def system_curve(
    judgments: Judgments,
    scores: MetricScores,
    *,
    measure: str = "pearson",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> SystemCurve:
    """Leave systems out at random, from three to all of them."""
    check_trials(trials, seed)
    check_level(level)
    aligned = align(judgments, scores)
    aligned.check_systems(LEAST_SYSTEMS)
    size = len(aligned.systems)
    rng = np.random.default_rng(seed)
    shuffled = rng.permuted(np.tile(np.arange(size), (trials, 1)), axis=1)
    best = np.argsort(-aligned.ratings, kind="stable")
    counts = tuple(range(LEAST_SYSTEMS, size + 1))
    intervals, top = [], []
    for count in counts:
        chosen = shuffled[:, :count]
        values = system_agreement(measure, aligned.ratings[chosen], aligned.scores[chosen])
        known = values[~np.isnan(values)]
        # Every choice may be constant, as on ratings that are all tied.
        intervals.append(
            percentiles(known if len(known) else np.full(1, np.nan), level=level, seed=seed)
        )
        some = best[:count]
        top.append(float(system_agreement(measure, aligned.ratings[some], aligned.scores[some])))
    return SystemCurve(
        name=judgments.name,
        criterion=judgments.criterion,
        metric=scores.metric,
        measure=measure,
        counts=counts,
        intervals=tuple(intervals),
        top=np.array(top),
    )
