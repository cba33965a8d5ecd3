"""Minimum Bayes risk without looking at candidates that can no longer win.

The expected gain of a candidate is the sum of probability times gain over the pseudo references.
Two searches find the best candidates without scoring every pair. Both are exact: no candidate that
could win or tie is lost, unlike with the confidence-based pruning of Cheng & Vlachos (2023).

- `_PruningSearch`, for any metric whose scores have a limit. Pseudo references are taken in the
  order of their probabilities, in blocks that double. What a candidate has gained so far, plus the
  most it could gain from the rest, is a bound on its expected gain. After each block the candidate
  in front is scored to the end, and all whose bound is below what it gains are dropped. Looks that
  will hardly drop anybody are left out (`next_look`).
- `_NarrowingSearch`, for TER, where cheap native code knows the least and the most that a pair can
  gain. The leader is scored first, then the pairs whose interval times probability is widest, until
  every other candidate is out or known.

What these rely on:

- `gain_bounds` are upper bounds of the *segment* score (``metric.for_segments()``). By length they
  hold because BLEU rises with matches and WER with edits, so they are for exact classes only: a
  subclass may count something else.
- Gains have the sign of quality: a loss counts negative until expectations are returned.
- `SLACK` exceeds rounding, so that ties survive and are settled by the caller. Sums by blocks can
  differ from those of the whole matrix in the last bits; those by intervals do not, since equal
  ends of an interval are the score itself.

In the worst case every pair is scored, plus the cost of the bounds (`WORTHWHILE`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium._native import Texts
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.matrix import PAIRS_AT_ONCE, Matrix, read_texts, utility_matrix
from tertium.decode.structures.arrays import Floats, Integers
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.contract.word_metric import WordMetric
from tertium.metrics.edit.ter import TranslationEditRate
from tertium.metrics.edit.wer import WordErrorRate, WordRecognitionRate
from tertium.metrics.ngram.bleu import Bleu, BleuStrictBrevity

# How high a utility can be at most, for pruning that cannot lose the winner.


def best_gain(metric: Metric) -> float | None:
    """The most that any pair can gain (a loss counts negative); nothing if there is no limit."""
    lowest, highest = metric.limits
    bound = highest if metric.higher_is_better else -lowest
    return float(bound) if np.isfinite(bound) else None


def gain_bounds(
    metric: Metric, candidates: Sequence[str], references: Sequence[str]
) -> Matrix | None:
    """An upper bound of the gain of every pair; nothing if there is no limit.

    BLEU cannot match more n-grams than the shorter text has, and WER has at least as many edits
    as the lengths differ: what a pair of lengths allows is the metric's own score of those rows.
    """
    limit = best_gain(metric)
    if limit is None:
        return None
    if type(metric) in (Bleu, BleuStrictBrevity, WordErrorRate, WordRecognitionRate):
        return _by_length(metric, candidates, references)  # type: ignore[arg-type]
    return np.full((len(candidates), len(references)), limit)


def _by_length(
    metric: Bleu | WordErrorRate, candidates: Sequence[str], references: Sequence[str]
) -> Matrix:
    ours, our_places = np.unique(_lengths(metric, candidates), return_inverse=True)
    others, other_places = np.unique(_lengths(metric, references), return_inverse=True)
    length, reference = (grid.astype(float) for grid in np.meshgrid(ours, others, indexing="ij"))
    if isinstance(metric, Bleu):
        steps = np.arange(metric.order)
        totals = np.maximum(0, length[..., None] - steps)
        matches = np.minimum(totals, np.maximum(0, reference[..., None] - steps))
        parts = [matches, totals, length[..., None], reference[..., None]]
        if type(metric) is BleuStrictBrevity:
            parts.append(np.minimum(length, reference)[..., None])
        rows = np.concatenate(parts, axis=-1)
    else:
        more = length - reference
        rows = np.stack([np.maximum(0, more), np.maximum(0, -more), 0 * more, reference], axis=-1)
    scores = metric.score(rows) if metric.higher_is_better else -metric.score(rows)
    result: Matrix = scores[np.ix_(our_places, other_places)]
    return result


def _lengths(metric: WordMetric, texts: Sequence[str]) -> list[int]:
    return [
        len(words) for words in metric.tokenizer.cut_all(Texts(texts), lowercase=metric.lowercase)
    ]


# Between what gains a pair lies, for utilities that can tell sooner than the gain itself.


class GainIntervals(Protocol):
    """A kernel over pairs that knows the least and the most they gain; a loss counts negative.

    Where both are equal they are the gain itself, to the last bit.
    """

    def bounds(self, candidates: Integers, begin: int, end: int) -> tuple[Matrix, Matrix]:
        """The least and the most of some candidates against the pseudo references of a range."""

    def gains(self, candidates: Integers, references: Integers) -> Floats:
        """The gains of pairs."""


def has_intervals(metric: Metric) -> bool:
    """Whether there are intervals for a metric that are found sooner than its gains.

    Only the very class is meant: who derives another from it may change what it counts.
    """
    return type(metric) is TranslationEditRate


def gain_intervals(
    metric: Metric, candidates: Sequence[str], references: Sequence[str]
) -> GainIntervals | None:
    """The kernel of a metric that has one; nothing for any other."""
    if isinstance(metric, TranslationEditRate) and has_intervals(metric):
        texts = read_texts(candidates, "candidates"), read_texts(references, "pseudo references")
        return TerIntervals(metric, *texts)
    return None


class TerIntervals:
    """TER: the edits that the words and their neighbours need, and those without a shift."""

    def __init__(self, metric: TranslationEditRate, candidates: Texts, references: Texts) -> None:
        self.metric = metric
        try:
            self.native = _native.TerIntervals(
                *metric.cut(candidates, references), **metric.search_limits
            )
        except ValueError as error:  # only tercom's table can be too large
            raise InputError(f"ter: {error}") from None

    def bounds(self, candidates: Integers, begin: int, end: int) -> tuple[Matrix, Matrix]:
        rows = self.native.bounds(candidates, begin, end)
        most, least = self._gains(rows).reshape(2, len(candidates), end - begin)
        return least, most

    def gains(self, candidates: Integers, references: Integers) -> Floats:
        return self._gains(self.native.edits(candidates, references))

    def _gains(self, rows: Rows) -> Floats:
        gains: Floats = np.negative(self.metric.score(rows))
        return gains


# Minimum Bayes risk by intervals: only pairs that decide are scored.
#
# Every pair gains at least so much and at most so much, and so does every candidate in expectation.
# Who gains less at most than another at least is out. The candidate in front is scored against all;
# the others against the pseudo references that tell most about them, until they are out or known.
# What is left in the end is known exactly, as if every pair had been scored.

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
        gains = narrowed_gains(intervals, len(candidates), evidence.probabilities)
        matrix = gains.matrix if metric.higher_is_better else -gains.matrix
        # As if the whole matrix were known, so that not even the last bit differs.
        return Pruned(expected=matrix @ evidence.probabilities, pairs=gains.pairs)
    bounds = gain_bounds(metric.for_segments(), candidates, evidence.texts)
    if bounds is None:
        raise OptionError(f"pruning: found utility {metric.spec} without an upper limit")
    search = _PruningSearch(metric, candidates, evidence, bounds)
    seen = 0
    end = min(len(evidence), FIRST_BLOCK)
    while seen < len(evidence):
        search.see(seen, end)
        seen = end
        if seen < len(evidence):
            search.prune(seen)
            end = search.next_look(seen)
    return Pruned(expected=search.expected(), pairs=search.pairs)


class _PruningSearch:
    """What is known of each candidate while pseudo references are looked at."""

    def __init__(
        self, metric: Metric, candidates: Sequence[str], evidence: Evidence, bounds: Floats
    ) -> None:
        order = np.argsort(-evidence.probabilities, kind="stable")
        self.metric, self.sign = metric, 1.0 if metric.higher_is_better else -1.0
        self.candidates = candidates
        self.references = [evidence.texts[index] for index in order]
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

    def next_look(self, seen: int) -> int:
        """Up to which pseudo reference to go on: the first doubling at which a look pays.

        Candidates are taken to gain on as they did so far. A look saves the pairs that are left of
        those that it drops, and reads all texts once more, about the work of a row and a column of
        pairs. Where no look pays, as with most metrics whose limit is far above what texts gain,
        all pairs that are left are scored at once, as without pruning.
        """
        size = len(self.references)
        left = [c for c in np.flatnonzero(self.alive).tolist() if c not in self.certain]
        goal = within_reach(max(self.certain.values()))
        share = np.cumsum(self.probabilities)
        end = 2 * seen
        while end < size and left:
            grown = self.gained[left] * (share[end - 1] / share[seen - 1])
            dropped = int(np.count_nonzero(grown + self.rest[left, end] < goal))
            if dropped * (size - end) > len(left) + size:
                return end
            end *= 2
        return size

    def expected(self) -> Floats:
        """Expected scores, not gains: losses have their sign back."""
        gains = np.where(self.alive, self.sign * self.gained, np.nan)
        return np.asarray(gains)

    def _gain(self, candidates: list[int], begin: int, end: int) -> Floats:
        texts = [self.candidates[c] for c in candidates]
        if not texts:
            return np.zeros(0)
        self.pairs += len(texts) * (end - begin)
        matrix = utility_matrix(self.metric, texts, self.references[begin:end])
        gains: Floats = self.sign * matrix @ self.probabilities[begin:end]
        return gains
