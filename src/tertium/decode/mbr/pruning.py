"""Minimum Bayes risk without looking at candidates that can no longer win.

Pseudo references are taken in the order of their probabilities. What a candidate has gained so
far, plus the most it could gain from the rest, is a bound on its expected gain; once that is
below what some candidate gains for certain, the candidate is out. No winner is ever lost, unlike
with the confidence-based pruning of Cheng & Vlachos (2023).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tertium.decode.mbr.bounds import gain_bounds
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.intervals import gain_intervals, has_intervals
from tertium.decode.mbr.matrix import utility_matrix
from tertium.decode.mbr.narrowing import narrowed_gains, within_reach
from tertium.decode.structures.arrays import Floats
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric

FIRST_BLOCK: Final = 16
"""Pseudo references before the first look; every further block doubles what was seen."""


WORTHWHILE: Final = 400
"""Pairs from which on it takes less time to score some by their intervals than to score all."""


def pays(metric: Metric, pairs: int) -> bool:
    """Whether so many pairs are not all to be scored where only the choice is asked for."""
    return pairs >= WORTHWHILE and has_intervals(metric.for_segments())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pruned:
    """Expected scores, NaN for candidates that were given up, and the pairs looked at."""

    expected: Floats
    pairs: int


def pruned_expectations(metric: Metric, candidates: Sequence[str], evidence: Evidence) -> Pruned:
    """Expected scores of all candidates that could be the best.

    A metric that knows intervals of gains is searched by these, any other one by upper bounds.
    """
    intervals = gain_intervals(metric.for_segments(), candidates, evidence.texts)
    if intervals is not None:
        found = narrowed_gains(intervals, len(candidates), evidence.probabilities)
        matrix = found.matrix if metric.higher_is_better else -found.matrix
        # As if the whole matrix were known, so that not even the last bit differs.
        return Pruned(expected=matrix @ evidence.probabilities, pairs=found.pairs)
    bounds = gain_bounds(metric.for_segments(), candidates, evidence.texts)
    if bounds is None:
        raise OptionError(f"pruning: found utility {metric.spec} without an upper limit")
    search = _PruningSearch(metric, candidates, evidence, bounds)
    seen = 0
    while seen < len(evidence):
        end = min(len(evidence), max(FIRST_BLOCK, 2 * seen))
        search.see(seen, end)
        seen = end
        if seen < len(evidence):
            search.prune(seen)
    return Pruned(expected=search.expected(), pairs=search.pairs)


class _PruningSearch:
    """What is known of each candidate while pseudo references are looked at."""

    def __init__(
        self, metric: Metric, candidates: Sequence[str], evidence: Evidence, bounds: Floats
    ) -> None:
        order = np.argsort(-evidence.probabilities, kind="stable")
        self.metric, self.sign = metric, 1.0 if metric.higher_is_better else -1.0
        self.candidates = candidates
        self.references = [evidence.texts[place] for place in order]
        self.probabilities = evidence.probabilities[order]
        weighted = bounds[:, order] * self.probabilities
        # Column j: the most that can be gained from pseudo reference j on.
        self.rest = np.cumsum(weighted[:, ::-1], axis=1)[:, ::-1]
        self.gained = np.zeros(len(candidates))
        self.alive = np.ones(len(candidates), dtype=bool)
        self.certain: dict[int, float] = {}
        self.pairs = 0

    def see(self, begin: int, end: int) -> None:
        """Add what the candidates that are left gain from some more pseudo references."""
        left = [c for c in np.flatnonzero(self.alive).tolist() if c not in self.certain]
        self.gained[left] += self._gain(left, begin, end)

    def prune(self, seen: int) -> None:
        """Measure the candidate in front to its end; drop all that cannot come up to it."""
        open_ = [c for c in np.flatnonzero(self.alive).tolist() if c not in self.certain]
        if not open_:
            return
        front = max(open_, key=lambda c: self.gained[c] + self.rest[c, seen])
        rest = self._gain([front], seen, len(self.references))
        self.certain[front] = float(self.gained[front] + rest[0])
        goal = max(self.certain.values())
        possible = self.gained + self.rest[:, seen]
        self.alive &= possible >= within_reach(goal)
        for candidate, gain in self.certain.items():
            self.alive[candidate] = True  # they are measured already
            self.gained[candidate] = gain

    def expected(self) -> Floats:
        """Expected scores, not gains: losses have their sign back."""
        found = np.where(self.alive, self.sign * self.gained, np.nan)
        return np.asarray(found)

    def _gain(self, candidates: list[int], begin: int, end: int) -> Floats:
        texts = [self.candidates[c] for c in candidates]
        if not texts:
            return np.zeros(0)
        self.pairs += len(texts) * (end - begin)
        matrix = utility_matrix(self.metric, texts, self.references[begin:end])
        gains: Floats = self.sign * matrix @ self.probabilities[begin:end]
        return gains
