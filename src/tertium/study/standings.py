"""Who stands where among several systems: possible ranks and tiers, by metrics and by people.

A rank interval holds the middle 95 % of a system's ranks over bootstrap resamples of the test
set, all systems on the same resamples. Tiers are stricter: every system of a tier is significantly
ahead of every one below, corrected for all pairs. Ratings of segments are resampled as
scores are; ratings of whole systems have a rank and nothing around it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import erfc, sqrt
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from tertium.audit.findings import Finding
from tertium.choices import Resampling
from tertium.decide.strength import EvidenceStrength, Witness, strength_of
from tertium.inference.corrections import holm
from tertium.inference.power import detectable_difference
from tertium.inference.units import Units, units_of, widening
from tertium.meta.ratings.judgments import Judgments
from tertium.metrics.contract.base import Metric, Scores
from tertium.metrics.contract.families import family_of
from tertium.results import USUAL_LEVEL, titles
from tertium.study.results import Study

ALPHA: Final = 0.05
"""The significance level of differences between ratings."""
DRAWS: Final = 2_000
"""Resamples of ratings, whose tests rest on a standard error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankStanding:
    """Where all systems stand by one metric or criterion; what has no score has rank 0.

    ``intervals`` are None where nothing could be resampled, ``tiers`` where no test could be made.
    """

    title: str
    family: str
    ranks: tuple[int, ...]
    intervals: tuple[tuple[int, int], ...] | None
    tiers: tuple[int, ...] | None
    agreement: float | None = None
    """The share of pairs that it orders as people do, where they rated."""

    @property
    def order(self) -> list[int]:
        """Indices of the systems from the first to the last; those without a score come last."""
        return sorted(
            range(len(self.ranks)), key=lambda index: self.ranks[index] or len(self.ranks) + 1
        )


def ranks_of(scores: Scores, *, higher_is_better: bool = True) -> NDArray[np.int_]:
    """1 + the number of better scores, along the first axis; 0 where there is no score.

    >>> ranks_of(np.array([3.0, 5.0, 3.0, np.nan])).tolist()
    [2, 1, 2, 0]
    """
    signed = np.asarray(scores if higher_is_better else -scores, dtype=np.float64)
    filled = np.where(np.isnan(signed), -np.inf, signed)
    better = np.stack([(filled > filled[index]).sum(axis=0) for index in range(len(filled))])
    return np.where(np.isnan(signed), 0, 1 + better)


def rank_intervals(
    drawn: Scores, *, higher_is_better: bool = True, level: float = USUAL_LEVEL
) -> tuple[tuple[int, int], ...]:
    """The middle ranks of every system over resamples, (systems, resamples).

    >>> rank_intervals(np.array([[1.0, 1.0, 1.0, 9.0], [2.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0]]))
    ((1, 2), (1, 2), (3, 3))
    """
    ranks = ranks_of(drawn, higher_is_better=higher_is_better)
    tail = (1 - level) / 2
    low, high = np.quantile(ranks, [tail, 1 - tail], axis=1, method="inverted_cdf")
    return tuple(zip(low.astype(int).tolist(), high.astype(int).tolist(), strict=True))


@dataclass(frozen=True, kw_only=True, eq=False)
class RatedSystems:
    """People's ratings under one criterion, resampled where single segments were rated.

    ``given`` are the ratings as they came, NaN for a system that nobody rated; ``values`` are means
    of the rated segments where these are known. ``drawn`` has a row of resampled means for each
    system; ``segments`` are those that have any rating.
    """

    name: str
    criterion: str
    given: Scores = field(repr=False)
    values: Scores = field(repr=False)
    drawn: Scores | None = field(default=None, repr=False)
    units: Units | None = None
    segments: int = 0

    def error(self, first: int, second: int) -> float | None:
        """The standard error of the difference of two systems, if it can be told."""
        if self.drawn is None or self.units is None or self.units.count < 2:
            return None
        differences = self.drawn[second] - self.drawn[first]
        known = differences[np.isfinite(differences)]
        if len(known) < 2:
            return None
        spread = float(known.std())
        return spread * widening(self.units.unit, self.units.count)

    def p_value(self, first: int, second: int) -> float | None:
        """The two-sided p-value of a difference, by its standard error; not corrected."""
        error = self.error(first, second)
        if error is None:
            return None
        delta = abs(float(self.values[second] - self.values[first]))
        return 1.0 if delta == 0 else 0.0 if error == 0 else erfc(delta / error / sqrt(2))

    def interval(self, first: int, second: int) -> tuple[float, float] | None:
        """The 95 % interval of the second's rating minus the first's."""
        error = self.error(first, second)
        if error is None:
            return None
        delta, half = float(self.values[second] - self.values[first]), 1.959964 * error
        return delta - half, delta + half

    def detectable(self, first: int, second: int) -> float | None:
        """The smallest true difference detected with 80 % power."""
        error = self.error(first, second)
        return None if error is None else detectable_difference(error)

    @cached_property
    def standing(self) -> RankStanding:
        """Ranks, their intervals, and tiers by tests corrected for all pairs."""
        ranks = ranks_of(self.values)
        return RankStanding(
            title=self.criterion,
            family="people",
            ranks=tuple(ranks.tolist()),
            intervals=None if self.drawn is None else rank_intervals(self.drawn),
            tiers=self._tiers(),
        )

    def _tiers(self) -> tuple[int, ...] | None:
        known = [index for index in np.argsort(-self.values) if np.isfinite(self.values[index])]
        pairs = list(combinations(known, 2))
        p_values = [self.p_value(int(a), int(b)) for a, b in pairs]
        if not pairs or None in p_values:
            return None
        adjusted = holm([cast("float", p_value) for p_value in p_values]).tolist()
        differ = {pair for pair, p_value in zip(pairs, adjusted, strict=True) if p_value <= ALPHA}
        tiers, tier = [0] * len(self.values), 1
        for place, index in enumerate(known):
            if place and all((a, b) in differ for a in known[:place] for b in known[place:]):
                tier += 1
            tiers[int(index)] = tier
        return tuple(tiers)


def every_rating(study: Study, *, resample: Resampling = "auto") -> list[RatedSystems]:
    """People's ratings of the study's systems, one for each criterion that rates any of them."""
    found = [_rated(study, judgments, resample) for judgments in study.judgments]
    return [rated for rated in found if np.isfinite(rated.values).any()]


def rated_systems(study: Study, *, resample: Resampling = "auto") -> list[RatedSystems]:
    """Those that rate two systems or more, so that there is something to compare."""
    found = every_rating(study, resample=resample)
    return [rated for rated in found if np.isfinite(rated.values).sum() > 1]


def _rated(study: Study, judgments: Judgments, resample: Resampling) -> RatedSystems:
    values = study.ratings_of(judgments)
    plain = RatedSystems(
        name=judgments.name, criterion=judgments.criterion, given=values, values=values
    )
    if judgments.segments is None or judgments.segments.shape[1] != len(study.corpus):
        return plain
    places = {name: index for index, name in enumerate(judgments.systems)}
    rows = np.full((len(study.names), len(study.corpus)), np.nan)
    for index, name in enumerate(study.names):
        if name in places:
            rows[index] = judgments.segments[places[name]]
    units = units_of(len(study.corpus), study.corpus.documents, resample)
    rated = np.isfinite(rows)
    both = units.sums(np.stack([np.where(rated, rows, 0.0), rated.astype(np.float64)], axis=-1))
    chosen = np.flatnonzero(both[..., 1].any(axis=0))
    if len(chosen) < 2:
        return plain
    both = both[:, chosen]
    generator = np.random.default_rng(study.seed)
    counts = generator.multinomial(len(chosen), np.full(len(chosen), 1 / len(chosen)), size=DRAWS)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = both[..., 0].sum(axis=1) / both[..., 1].sum(axis=1)
        drawn = (both[..., 0] @ counts.T) / (both[..., 1] @ counts.T)
    return replace(
        plain,
        values=np.where(np.isnan(means), values, means),
        drawn=drawn,
        units=replace(units, count=len(chosen)),
        segments=int(rated.any(axis=0).sum()),
    )


def metric_standings(study: Study) -> list[RankStanding]:
    """One for each metric."""
    rated = rated_systems(study)
    return [
        _standing(study, metric, title, rated)
        for metric, title in zip(study.metrics, titles(study.metrics), strict=True)
    ]


def _standing(
    study: Study, metric: Metric, title: str, rated: "list[RatedSystems]"
) -> RankStanding:
    scores = study.scores_of(metric)
    drawn = study.resamples.get(metric.spec)
    clusters = [
        compared and compared.cluster
        for compared in (
            study.compared(index)[study.metrics.index(metric)] for index in range(len(scores))
        )
    ]
    sign = 1 if metric.higher_is_better else -1
    return RankStanding(
        title=title,
        family=family_of(metric),
        ranks=tuple(ranks_of(sign * scores).tolist()),
        intervals=None
        if drawn is None
        else rank_intervals(drawn, higher_is_better=metric.higher_is_better),
        tiers=None if None in clusters else tuple(cast("list[int]", clusters)),
        agreement=_ordered_alike(sign * scores, rated[0].values) if rated else None,
    )


def _ordered_alike(scores: Scores, ratings: Scores) -> float | None:
    known = [index for index in range(len(ratings)) if np.isfinite(ratings[index])]
    pairs = list(combinations(known, 2))
    if len(pairs) < 1:
        return None
    alike = [(scores[a] - scores[b]) * (ratings[a] - ratings[b]) > 0 for a, b in pairs]
    return float(np.array(alike, dtype=np.float64).mean())


def leading_strength(
    standings: Sequence[RankStanding], first: RankStanding, findings: Sequence[Finding] = ()
) -> EvidenceStrength:
    """How strongly metrics say that the first tier of ``first`` is ahead of all others.

    A metric says so if its own first tier is within that one, and the contrary if the two have no
    system in common; with a single tier it says nothing. ``findings`` are on its systems.
    """
    leaders = _first_tier(first)
    witnesses = []
    for standing in standings:
        own = _first_tier(standing)
        says = (
            "nothing"
            if len(own) == len(standing.ranks)
            else "for"
            if own <= leaders
            else "nothing"
            if own & leaders
            else "against"
        )
        witnesses.append(Witness(family=standing.family, says=says))  # type: ignore[arg-type]
    return strength_of(witnesses, findings)


def _first_tier(standing: RankStanding) -> set[int]:
    tiers = standing.tiers or (1,) * len(standing.ranks)
    return {index for index, tier in enumerate(tiers) if tier == 1}
