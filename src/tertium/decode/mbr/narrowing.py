"""Minimum Bayes risk by intervals: only pairs that decide are scored.

Every pair gains at least so much and at most so much, and so does every candidate in expectation.
Who gains less at most than another at least is out. The candidate in front is scored against all;
the others against the pseudo references that tell most about them, until they are out or known.
What is left in the end is known exactly, as if every pair had been scored.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.decode.mbr.intervals import GainIntervals
from tertium.decode.mbr.matrix import PAIRS_AT_ONCE, Matrix
from tertium.decode.structures.arrays import Floats, Integers

Places: TypeAlias = NDArray[np.intp]

SLACK: Final = 1e-7
"""How far below the leader a bound must be: more than any sum of rounding errors, and more than
what makes a tie."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Narrowed:
    """The gains of all candidates that could be the best, NaN for the others; the pairs scored."""

    matrix: Matrix
    pairs: int


def narrowed_gains(intervals: GainIntervals, candidates: int, probabilities: Floats) -> Narrowed:
    """The gains of every candidate that could win, exactly."""
    places, least, most = _possible(intervals, candidates, probabilities)
    search = _NarrowingSearch(intervals, probabilities, places, least, most)
    while search.narrow():
        pass
    matrix = np.full((candidates, len(probabilities)), np.nan)
    matrix[search.places] = search.most
    return Narrowed(matrix=matrix, pairs=search.pairs)


def within_reach(goal: float) -> float:
    """The least that must be expected of who may win or tie where somebody gains the goal."""
    return goal - SLACK * max(1.0, abs(goal))


def _possible(
    intervals: GainIntervals, candidates: int, probabilities: Floats
) -> tuple[Integers, Matrix, Matrix]:
    """Who may win as far as bounds can tell, with these; looked at in blocks of pairs."""
    places = np.arange(candidates, dtype=np.int32)
    least, most = np.zeros(candidates), np.zeros(candidates)
    width = max(1, PAIRS_AT_ONCE // candidates)
    for begin in range(0, len(probabilities), width):
        shares = probabilities[begin : begin + width]
        low, high = intervals.bounds(places, begin, begin + len(shares))
        least += low @ shares
        most += high @ shares
    left = most >= within_reach(float(least.max()))
    if len(probabilities) <= width:
        return places[left], low[left], high[left]
    return places[left], *intervals.bounds(places[left], 0, len(probabilities))


class _NarrowingSearch:
    """What is known of the candidates that are left: for each a row of bounds."""

    def __init__(
        self,
        intervals: GainIntervals,
        probabilities: Floats,
        places: Integers,
        least: Matrix,
        most: Matrix,
    ) -> None:
        self.intervals, self.probabilities = intervals, probabilities
        self.places, self.least, self.most = places, least, most
        # What has no probability needs no score: it counts nothing, whatever it is.
        impossible = probabilities == 0
        self.least[:, impossible] = self.most[:, impossible] = 0.0
        self.pairs = 0
        self.fall = self.possible_fall = 0.0
        """How much bounds of pairs fell when these were scored, and could have fallen."""

    def narrow(self) -> bool:
        """Give up who cannot win, and score some pairs of the others; False if all are known."""
        least, most = self.least @ self.probabilities, self.most @ self.probabilities
        limit = within_reach(float(least.max()))
        left = most >= limit
        if not left.all():
            self.places, most = self.places[left], most[left]
            self.least, self.most = self.least[left], self.most[left]
        unknown = self.least < self.most
        sizes = unknown.sum(axis=1)
        if not sizes.any():
            return False
        front = int(np.argmax(np.where(sizes > 0, most, -np.inf)))
        if self.pairs == 0:  # somebody must gain much for certain before others can be out
            columns = np.flatnonzero(unknown[front])
            self._score(np.full(len(columns), front), columns)
        else:
            self._score(*self._telling(unknown, most - limit, front))
        return True

    def _telling(
        self, unknown: NDArray[np.bool_], excess: Floats, front: int
    ) -> tuple[Places, Places]:
        """Of each candidate as many pairs as will show it out if all goes on as so far.

        Those with the most in question come first.
        """
        sizes = unknown.sum(axis=1)
        unsure = np.where(unknown, (self.most - self.least) * self.probabilities, 0.0)
        order = np.argsort(np.where(unknown, -unsure, 1.0), axis=1, kind="stable")
        falls = np.cumsum(np.take_along_axis(unsure, order, axis=1), axis=1)
        usual = self.fall / self.possible_fall
        counts = np.minimum(sizes, 1 + (usual * falls <= excess[:, None]).sum(axis=1))
        counts[front] = sizes[front]
        rows, ranks = np.nonzero(np.arange(unknown.shape[1]) < counts[:, None])
        return rows, order[rows, ranks]

    def _score(self, rows: Places, columns: Places) -> None:
        gains = self.intervals.gains(self.places[rows], columns.astype(np.int32))
        most = self.most[rows, columns]
        self.fall += float((most - gains).sum())
        self.possible_fall += float((most - self.least[rows, columns]).sum())
        self.least[rows, columns] = self.most[rows, columns] = gains
        self.pairs += len(gains)
