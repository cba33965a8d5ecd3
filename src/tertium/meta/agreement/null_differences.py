"""Permutation tests between all metrics of a test set at once, as WMT's metrics tasks make them.

The question is that of `permutation_test`: would metrics differ so if it made no difference which
of two scored an output? Here are the measures that WMT ranks metrics by, with the exchanges that
mt-metrics-eval defines for them:

- measures of systems: the scores of whole systems, each exchanged for itself;
- Pearson's r of segments, and soft pairwise accuracy: every score of an output for itself;
- acc_eq: not scores, but comparisons. Each pair of outputs of a segment is right or wrong by either
  metric, each with its own ε, and what is exchanged is which of the two said so. Comparisons that
  share an output are not independent, and so this test finds too much: of two metrics that are
  equally good it prefers one, at level 0.05, in 10 % of the cases with 6 systems and in 17 % with
  12 (600 simulations of 300 segments).

With ``items`` all scores of a segment, or of a document, are exchanged together instead
(PERM-INPUTS), which holds its level for segments that are independent.

What makes hundreds of metrics cheap: all pairs of metrics see the same exchanges, and each
statistic that an exchange leads to is a sum over outputs, half of it the metrics' mean and half
their difference with random signs. So each metric is multiplied with the signs once, and a pair of
metrics costs a subtraction. An exchange and its opposite turn a difference round, so both are
counted and one is computed.

Soft pairwise accuracy compares p-values of systems, which are themselves from permutations. Their
sums over hundreds of segments are normal, so the test takes Φ of the systems' distance over its
spread instead of drawing permutations within permutations. The spread is that expected over
exchanges: that of a single one differs by a few percent, which no p-value shows (held against the
plain definition in tests).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.choices import Exchange
from tertium.errors import InputError
from tertium.inference.p_values import p_value_of
from tertium.meta.agreement.correlation import system_agreement
from tertium.meta.agreement.permutation_test import ROUNDING, coins, standardised
from tertium.meta.ratings.judgments import Floats


class NullDifferences(ABC):
    """How far metrics would lie apart, two by two, if their scores were exchanged at random.

    ``values`` are the metrics' agreements in the form that is compared.
    """

    values: Floats

    @abstractmethod
    def against_later(self, metric: int) -> Floats:
        """A metric's agreement minus that of each one after it, (later metrics, exchanges).

        The opposite exchanges have these differences with the other sign.
        """

    def p_values(self) -> Floats:
        """One-sided p-values that the metric of a row agrees better than that of a column."""
        size = len(self.values)
        found = np.full((size, size), np.nan)
        for row in range(size - 1):
            null = self.against_later(row)
            observed = self.values[row] - self.values[row + 1 :]
            found[row, row + 1 :] = _shares_above(null, observed)
            found[row + 1 :, row] = _shares_above(null, -observed)
        return found


def _shares_above(null: Floats, observed: Floats) -> list[float]:
    """One-sided p-values of differences, each with its row of those that chance makes."""
    least = observed[:, np.newaxis] - ROUNDING
    counts = np.count_nonzero(null >= least, axis=1) + np.count_nonzero(-null >= least, axis=1)
    return [p_value_of(int(count), 2 * null.shape[1]) for count in counts]


class WeightedDifferences(NullDifferences):
    """The weighted mean of several measures, or of one on several test sets."""

    def __init__(self, parts: Sequence[NullDifferences], weights: Sequence[float]) -> None:
        self._parts = tuple(parts)
        self._weights = tuple(weight / sum(weights) for weight in weights)
        self.values = sum(
            (w * part.values for w, part in zip(self._weights, self._parts, strict=True)),
            start=np.zeros_like(parts[0].values),
        )

    def against_later(self, metric: int) -> Floats:
        """The same mean of what the parts have; their exchanges are independent."""
        found = [
            weight * part.against_later(metric)
            for weight, part in zip(self._weights, self._parts, strict=True)
        ]
        return np.asarray(sum(found[1:], start=found[0]))


class KeptDifferences(NullDifferences):
    """The same, computed once: a column of a ranking and the mean of all columns ask for them."""

    def __init__(self, part: NullDifferences) -> None:
        self.values = part.values
        self._rows = [part.against_later(metric) for metric in range(len(part.values))]

    def against_later(self, metric: int) -> Floats:
        """What was computed."""
        return self._rows[metric]


class ScaledDifferences(NullDifferences):
    """Correlations on the scale of shares: (1 + r) / 2, so that both can be averaged."""

    def __init__(self, part: NullDifferences) -> None:
        self._part = part
        self.values = (1 + part.values) / 2

    def against_later(self, metric: int) -> Floats:
        """Half the differences of the correlations."""
        return self._part.against_later(metric) / 2


class ChosenDifferences(NullDifferences):
    """The same of some of the metrics, in their order."""

    def __init__(self, part: NullDifferences, chosen: Sequence[int]) -> None:
        self._part = part
        self._chosen = list(chosen)
        if self._chosen != sorted(self._chosen):
            raise ValueError(f"metrics: found places {self._chosen}, expected them to rise")
        self.values = part.values[self._chosen]

    def against_later(self, metric: int) -> Floats:
        """The rows of the metrics that are left."""
        place = self._chosen[metric]
        later = [other - place - 1 for other in self._chosen[metric + 1 :]]
        return self._part.against_later(place)[later]


class SystemDifferences(NullDifferences):
    """A measure of systems; of several test sets the mean, weighted by their pairs of systems.

    ``sets`` are ratings (systems,) and scores (metrics, systems). The scores of all sets are
    brought to one mean and deviation together, as mt-metrics-eval does for pairwise accuracy over
    language pairs.
    """

    def __init__(
        self, measure: str, sets: Sequence[tuple[Floats, Floats]], *, trials: int, seed: int
    ) -> None:
        self._measure = measure
        self._ratings = [ratings for ratings, _ in sets]
        sizes = [len(ratings) for ratings in self._ratings]
        self._ends = np.cumsum(sizes)[:-1]
        pairs = np.array([size * (size - 1) / 2 for size in sizes])
        self._shares = pairs / pairs.sum()
        scores = np.concatenate([scores for _, scores in sets], axis=1)
        self._scores = np.stack([standardised(row)[:, 0] for row in scores])
        half = coins((scores.shape[1], 1), "systems", trials=_half(trials), seed=seed)
        self._signs = np.concatenate([1.0 - 2.0 * block[:, :, 0] for block in half])
        self.values = self._agreement(self._scores)

    def _agreement(self, scores: Floats) -> Floats:
        parts = np.split(scores, self._ends, axis=-1)
        found = [
            share * np.nan_to_num(system_agreement(self._measure, ratings, part))
            for share, ratings, part in zip(self._shares, self._ratings, parts, strict=True)
        ]
        return np.asarray(sum(found[1:], start=found[0]))

    def against_later(self, metric: int) -> Floats:
        """Every pair of metrics, with the scores of the same systems exchanged."""
        rows = []
        for other in self._scores[metric + 1 :]:
            mean, apart = (self._scores[metric] + other) / 2, (self._scores[metric] - other) / 2
            moved = self._signs * apart
            rows.append(self._agreement(mean + moved) - self._agreement(mean - moved))
        return np.array(rows).reshape(-1, len(self._signs))


class PearsonDifferences(NullDifferences):
    """Pearson's r of all rated outputs; ratings are (systems, segments), NaN where there is none.

    Scores are (metrics, systems, segments).
    """

    def __init__(
        self,
        ratings: Floats,
        scores: Sequence[Floats],
        *,
        exchange: Exchange = "both",
        documents: Sequence[str] | None = None,
        trials: int,
        seed: int,
    ) -> None:
        known = ~np.isnan(ratings)
        people = np.where(known, ratings - ratings[known].mean(), 0.0)
        self._outputs = int(np.count_nonzero(known))
        self._people = float((people**2).sum())
        metrics = np.stack([standardised(score, known) for score in scores])
        moments = (metrics, metrics**2, metrics * people)
        self._whole = [moment.sum(axis=(1, 2)) for moment in moments]
        if exchange == "items":
            moments = tuple(moment.sum(axis=1) for moment in moments)
        signed: list[list[Floats]] = [[], [], []]
        for block in coins(
            ratings.shape, exchange, trials=_half(trials), seed=seed, documents=documents
        ):
            signs = 1.0 - 2.0 * block.reshape(len(block), -1)
            for kept, moment in zip(signed, moments, strict=True):
                kept.append(moment.reshape(len(metrics), -1) @ signs.T)
        self._signed = [np.concatenate(parts, axis=1) for parts in signed]
        self.values = self._correlation(*self._whole)

    def _correlation(self, scores: Floats, squares: Floats, products: Floats) -> Floats:
        spread = squares - scores**2 / self._outputs
        return np.asarray(products / np.sqrt(np.maximum(spread * self._people, 1e-300)))

    def against_later(self, metric: int) -> Floats:
        """The moments of both metrics' scores after an exchange are sums; r follows from them."""
        mean = [(whole[metric] + whole[metric + 1 :])[:, np.newaxis] / 2 for whole in self._whole]
        moved = [(signed[metric] - signed[metric + 1 :]) / 2 for signed in self._signed]
        plus = self._correlation(*(m + s for m, s in zip(mean, moved, strict=True)))
        minus = self._correlation(*(m - s for m, s in zip(mean, moved, strict=True)))
        return np.asarray(plus - minus)


# 2 Φ(z) − 1 = tanh(z (a + b z² + c z⁴)) to within 4·10⁻⁵; coefficients by least maximal error.
_TANH: Final = (0.797717507, 0.0367987671, -0.000315922154)
_FAR: Final = 8.0
"""From here on Φ is 0 or 1."""


def confidence(distance: Floats) -> Floats:
    """2 Φ(z) − 1 of normal z, a hundred times as quick as Φ itself."""
    z = np.clip(distance, -_FAR, _FAR)
    square = z * z
    power = square * _TANH[2]
    power += _TANH[1]
    power *= square
    power += _TANH[0]
    power *= z
    return np.tanh(power, out=power)


class SoftDifferences(NullDifferences):
    """Soft pairwise accuracy; ratings are (systems, segments), scores (metrics, systems, segments).

    ``exchange`` says what is exchanged together, as in `permutation_test`.
    """

    def __init__(
        self,
        ratings: Floats,
        scores: Sequence[Floats],
        *,
        exchange: Exchange = "both",
        documents: Sequence[str] | None = None,
        trials: int,
        seed: int,
    ) -> None:
        systems = len(ratings)
        self._exchange = exchange
        self._left, self._right = np.triu_indices(systems, 1)
        self._steps = np.zeros((systems, len(self._left)), dtype=np.float32)
        self._steps[self._left, range(len(self._left))] = 1
        self._steps[self._right, range(len(self._left))] = -1
        self._metrics = np.stack([standardised(score) for score in scores])
        self._totals = self._metrics.sum(axis=2)
        self._people = self._confidence_of(ratings)
        self._own = np.stack([self._confidence_of(metric) for metric in self._metrics])
        self.values = 1 - np.abs(self._own - self._people).mean(axis=1) / 2
        self._people_single = self._people.astype(np.float32)
        self._squares = (self._metrics**2).sum(axis=2)
        self._first_of_system: list[NDArray[np.bool_]] = []
        self._signed = self._sums(ratings.shape, documents, _half(trials), seed)

    def _confidence_of(self, values: Floats) -> Floats:
        apart = values[self._left] - values[self._right]
        spread = np.sqrt(np.maximum((apart**2).sum(axis=1), 1e-300))
        return confidence(apart.sum(axis=1) / spread)

    def _sums(
        self, shape: tuple[int, int], documents: Sequence[str] | None, half: int, seed: int
    ) -> Floats:
        """Each metric's sum over segments with random signs, (metrics, exchanges, systems)."""
        found = []
        size = len(self._metrics)
        for block in coins(shape, self._exchange, trials=half, seed=seed, documents=documents):
            signs = 1.0 - 2.0 * block
            if self._exchange == "systems":
                self._first_of_system.append(~block[:, :, 0])
                found.append(self._totals[:, np.newaxis] * signs[np.newaxis, :, :, 0])
            elif self._exchange == "items":
                flat = self._metrics.reshape(-1, shape[1]) @ signs[:, 0].T
                found.append(flat.reshape(size, shape[0], -1).transpose(0, 2, 1))
            else:
                by_system = [
                    self._metrics[:, system] @ signs[:, system].T for system in range(shape[0])
                ]
                found.append(np.stack(by_system, axis=2))
        return np.concatenate(found, axis=1)

    def against_later(self, metric: int) -> Floats:
        """Every pair of metrics, from the sums that each metric has alone."""
        return np.array(
            [self._against(metric, other) for other in range(metric + 1, len(self._metrics))]
        ).reshape(-1, self._signed.shape[1])

    def _against(self, first: int, second: int) -> Floats:
        mean = (self._totals[first] + self._totals[second]) / 2
        moved = (self._signed[first] - self._signed[second]) / 2
        spread = self._spread(first, second)
        if spread.ndim == 1:
            steps = self._steps / spread.astype(np.float32)
            distances = [(mean + sign * moved).astype(np.float32) @ steps for sign in (1, -1)]
        else:
            distances = [
                (mean + sign * moved).astype(np.float32) @ self._steps / part
                for sign, part in ((1, spread[0]), (-1, spread[1]))
            ]
        lost = [np.abs(confidence(z) - self._people_single).mean(axis=1) for z in distances]
        return np.asarray(lost[1] - lost[0], dtype=np.float64) / 2

    def _spread(self, first: int, second: int) -> Floats:
        """√Σ (difference of two systems)² after an exchange, each where whole systems are."""
        a, b = self._metrics[first], self._metrics[second]
        left, right = self._left, self._right
        if self._exchange == "items":
            apart = [((one[left] - one[right]) ** 2).sum(axis=1) for one in (a, b)]
            return _root((apart[0] + apart[1]) / 2)
        if self._exchange == "systems":
            own = np.concatenate(self._first_of_system)
            kind = 2 * own[:, left] + own[:, right]  # which metric scored either system
            apart = [((x[left] - y[right]) ** 2).sum(axis=1) for x in (b, a) for y in (b, a)]
            return _root(np.stack([np.choose(kind, apart), np.choose(3 - kind, apart)]))
        squares = (self._squares[first] + self._squares[second]) / 2
        both = a + b
        products = (both @ both.T)[left, right] / 4
        return _root(squares[left] + squares[right] - 2 * products)


def _root(squares: Floats) -> Floats:
    return np.sqrt(np.maximum(squares, 1e-300))


class AccuracyDifferences(NullDifferences):
    """acc_eq, mean over segments; ``epsilons`` are the widths of ties that each metric has.

    An exchange concerns the comparison of two outputs, which is right by both metrics, by neither,
    or by one: only the last matter, and so the difference after an exchange is a sum of binomial
    numbers, one for each number of outputs that segments have.
    """

    def __init__(
        self,
        ratings: Floats,
        scores: Sequence[Floats],
        epsilons: Sequence[float],
        *,
        exchange: Exchange = "both",
        documents: Sequence[str] | None = None,
        trials: int,
        seed: int,
    ) -> None:
        left, right = np.triu_indices(len(ratings), 1)
        apart = ratings[left] - ratings[right]
        there = ~np.isnan(apart)
        pairs = there.sum(axis=0)
        self._kinds, kind = np.unique(pairs[pairs > 0], return_inverse=True)
        groups = len(kind)
        self._weights = 1 / (self._kinds * groups)
        self._half, self._seed = _half(trials), seed
        counted = [there & (pairs == size) for size in self._kinds]
        size = len(scores)
        self._right = np.zeros((len(self._kinds), size), dtype=np.int64)
        self._both = np.zeros((len(self._kinds), size, size), dtype=np.int64)
        agreeing = np.stack(
            [
                _agreeing(apart, score[left] - score[right], epsilon)
                for score, epsilon in zip(scores, epsilons, strict=True)
            ]
        )
        self._signed: Floats | None = None
        if exchange == "items":
            shares = agreeing.sum(axis=1) / np.maximum(pairs, 1) / groups
            self._signed = np.concatenate(
                [
                    shares @ (1.0 - 2.0 * block[:, 0]).T
                    for block in coins(
                        ratings.shape, exchange, trials=self._half, seed=seed, documents=documents
                    )
                ],
                axis=1,
            )
            self.values = shares.sum(axis=1)
            return
        for number, mask in enumerate(counted):
            some = agreeing[:, mask]
            self._right[number] = some.sum(axis=1)
            for start in range(0, some.shape[1], 1 << 18):  # whole numbers, exact in this type
                block = some[:, start : start + (1 << 18)].astype(np.float32)
                self._both[number] += np.rint(block @ block.T).astype(np.int64)
        self.values = self._weights @ self._right

    def against_later(self, metric: int) -> Floats:
        """Random signs of the comparisons that one metric has right and the other wrong."""
        if self._signed is not None:
            return np.asarray(self._signed[metric] - self._signed[metric + 1 :])
        rng = np.random.default_rng([self._seed, metric])
        later = slice(metric + 1, self._right.shape[1])
        found = np.zeros((self._right.shape[1] - metric - 1, self._half))
        for weight, right, both in zip(self._weights, self._right, self._both, strict=True):
            disputed = right[metric] + right[later] - 2 * both[metric, later]
            heads = rng.binomial(disputed[:, np.newaxis], 0.5, size=found.shape)
            found += weight * (2 * heads - disputed[:, np.newaxis])
        return found


def _agreeing(ratings: Floats, scores: Floats, epsilon: float) -> NDArray[np.bool_]:
    """Which pairs are in the same order for both, or tied for both; missing ones are not."""
    tied, rated_tied = np.abs(scores) <= epsilon, ratings == 0
    agrees: NDArray[np.bool_] = (scores > 0) == (ratings > 0)
    found: NDArray[np.bool_] = np.where(tied, rated_tied, agrees & ~rated_tied)
    return found


def _half(trials: int) -> int:
    """Exchanges to compute, since the opposite of each counts, too."""
    return (trials + 1) // 2


def significance_ranks(values: Floats, p_values: Floats, alpha: float) -> list[int]:
    """Ranks by clusters of metrics, as mt-metrics-eval assigns them.

    From the best down, a metric begins a new rank if any metric of the rank before it is
    significantly better; so nothing is said of two metrics of one rank that are not beside each
    other. ``values`` fall.

    >>> p = np.full((3, 3), 0.5)
    >>> p[0, 2] = 0.01
    >>> significance_ranks(np.array([0.9, 0.8, 0.7]), p, 0.05)
    [1, 1, 2]
    """
    if (np.diff(values) > 0).any():
        raise InputError("ranks: found values that rise, expected the best metric first")
    ranks: list[int] = []
    start = 0
    for place in range(len(values)):
        if (p_values[start:place, place] <= alpha).any():
            start = place
        ranks.append(ranks[-1] + (start == place) if ranks else 1)
    return ranks
