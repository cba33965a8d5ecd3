"""What every audit starts from: one metric's statistics of all systems on one corpus."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.build_cache import BuildCache, Built
from tertium.choices import Resampling, Slicing
from tertium.inference.units import Units, units_of
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.scored.scored import Scored
from tertium.scored.slices import Lengths, Slices
from tertium.text.corpus import Corpus, System

Counts: TypeAlias = NDArray[np.float64]

EQUAL: Final = 1e-9
"""Scores that lie nearer than this share of themselves are equal."""
MOST_PAIRS: Final = 120
"""All pairs of 16 systems; of more systems those that lie nearest in rank."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """Systems that are scored, looked at under one of their metrics.

    ``slicings`` are the slices in which reversals are looked for; ``units`` are what is
    resampled, documents where they are known. ``against_baseline`` asks only for pairs with the
    first system.
    """

    scored: Scored
    metric: Metric
    rows: Rows = field(repr=False)
    slicings: dict[Slicing, Slices] = field(repr=False)
    units: Units
    alpha: float
    seed: int
    against_baseline: bool = False
    _kept: BuildCache = field(default_factory=BuildCache, init=False, repr=False)

    @property
    def corpus(self) -> Corpus:
        """What the systems were scored against."""
        return self.scored.corpus

    @property
    def systems(self) -> tuple[System, ...]:
        """All systems, the baseline first."""
        return self.scored.systems

    @property
    def lengths(self) -> Lengths:
        """Words of systems and references."""
        return self.scored.lengths

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.scored.names

    @property
    def sign(self) -> int:
        """+1 where more is better, −1 for error rates."""
        return 1 if self.metric.higher_is_better else -1

    @property
    def scores(self) -> Scores:
        """The corpus score of every system."""
        return self.kept("scores", lambda: self.metric.score(self.rows.sum(axis=1)))

    @property
    def ranking(self) -> list[int]:
        """The systems from best to worst."""
        return [int(i) for i in np.argsort(-self.sign * self.scores, kind="stable")]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Pairs of systems, the better one first; of very many those nearest in rank."""
        ranking = self.ranking
        if self.against_baseline:
            return self._baseline_pairs
        places = combinations(range(len(ranking)), 2)
        nearest = sorted(places, key=lambda pair: (pair[1] - pair[0], pair))[:MOST_PAIRS]
        return [(ranking[a], ranking[b]) for a, b in nearest]

    @property
    def neighbours(self) -> list[tuple[int, int]]:
        """Pairs of systems that are next to each other in the ranking, the better one first."""
        return self._baseline_pairs if self.against_baseline else list(pairwise(self.ranking))

    @property
    def _baseline_pairs(self) -> list[tuple[int, int]]:
        ranking = self.ranking
        own = ranking.index(0)
        return [
            (0, rank) if own < index else (rank, 0) for index, rank in enumerate(ranking) if rank
        ]

    def kept(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """``build()``, made on first use: audits share what is costly."""
        return self._kept(key, build)

    def kept_for_all(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """The same for what does not depend on the metric."""
        settings = self.units.unit, self.alpha, self.seed
        return self.scored.kept(("audit", *settings, key), build)

    def tied(self, a: int, b: int) -> bool:
        """Whether two systems have the same score, as people see it."""
        return self.metric.shown(self.scores[a]) == self.metric.shown(self.scores[b])


def cases(
    scored: Scored,
    *,
    by: Sequence[Slicing] = (),
    resample: Resampling = "auto",
    alpha: float,
    seed: int,
    against_baseline: bool = False,
) -> Iterator[Case]:
    """One metric after the other; reversals are looked for in all slices, or in those asked for."""
    slices_by = {slicing: scored.slices(slicing) for slicing in by} or scored.slicings
    slicings = {slicing: slices for slicing, slices in slices_by.items() if len(slices) > 1}
    units = units_of(len(scored.corpus), scored.corpus.documents, resample)
    for metric, rows in zip(scored.metrics, scored.rows, strict=True):
        yield Case(
            scored=scored,
            metric=metric,
            rows=rows,
            slicings=slicings,
            units=units,
            alpha=alpha,
            seed=seed,
            against_baseline=against_baseline,
        )


def equal_width(*scores: float) -> float:
    """How far two scores of this size may lie apart and still be equal."""
    return EQUAL * max(1.0, *map(abs, scores))
