"""Pairs of systems that both people and a metric judged: does the sign of the metric hold?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.meta.agreement.shared_systems import align
from tertium.meta.ratings.judgments import Floats, Judgments, MetricScores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemPairs:
    """All pairs of systems of one test set with how far the metric has them apart.

    ``group`` is what is held out together, such as a year. ``agrees`` is 1 where people put the
    pair in the metric's order and 0 where they do not. Pairs that either side ties say nothing of
    a sign; ``ties`` counts them.
    """

    name: str
    group: str
    systems: int
    first: NDArray[np.intp] = field(repr=False)
    second: NDArray[np.intp] = field(repr=False)
    deltas: Floats = field(repr=False)
    agrees: Floats = field(repr=False)
    ties: int

    def __len__(self) -> int:
        return len(self.deltas)

    @classmethod
    def of(
        cls,
        judgments: Judgments,
        scores: MetricScores,
        *,
        group: str = "",
        wanted: Callable[[str, str], bool] | None = None,
    ) -> Self:
        """The pairs of the systems that have both a rating and a score.

        ``wanted`` is asked of each, by the name of the system that the metric has ahead and of
        the other.
        """
        aligned = align(judgments, scores)
        aligned.check_systems(2)
        first, second = np.triu_indices(len(aligned.systems), 1)
        ratings = aligned.ratings[first] - aligned.ratings[second]
        deltas = aligned.scores[first] - aligned.scores[second]
        told = (ratings != 0) & (deltas != 0)
        if wanted is not None:
            names = aligned.systems
            ahead = zip(first.tolist(), second.tolist(), (deltas > 0).tolist(), strict=True)
            told &= np.array(
                [wanted(names[a if up else b], names[b if up else a]) for a, b, up in ahead]
            )
        name = f"{judgments.name} {judgments.criterion}"
        return cls(
            name=name,
            group=group or name,
            systems=len(aligned.systems),
            first=first[told],
            second=second[told],
            deltas=np.abs(deltas[told]),
            agrees=(np.sign(ratings) == np.sign(deltas))[told].astype(np.float64),
            ties=int(np.count_nonzero((ratings == 0) | (deltas == 0))),
        )

    def drawn(self, rng: np.random.Generator) -> Floats:
        """How often each pair is there when systems are drawn with replacement."""
        drawn = rng.integers(0, self.systems, self.systems)
        counts = np.bincount(drawn, minlength=self.systems).astype(np.float64)
        return counts[self.first] * counts[self.second]


def joined(sets: Sequence[SystemPairs]) -> tuple[Floats, Floats]:
    """The distances of all pairs, and whether people agree."""
    if not any(map(len, sets)):
        raise InputError("worth: found no pair of systems that people and metric tell apart")
    return np.concatenate([s.deltas for s in sets]), np.concatenate([s.agrees for s in sets])
