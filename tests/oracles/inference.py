"""Resampling tests by going through every case, and the sign test segment by segment."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Score = Callable[[Array], Array]


def every_resample(segments: int) -> Iterator[tuple[int, ...]]:
    """All n^n ways to draw n segments with replacement."""
    return product(range(segments), repeat=segments)


def resampled_differences(score: Score, baseline: Array, system: Array) -> Array:
    """score(system) − score(baseline) on every resample."""
    return np.array(
        [
            score(system[list(drawn)].sum(axis=0)) - score(baseline[list(drawn)].sum(axis=0))
            for drawn in every_resample(len(baseline))
        ]
    )


def swapped_differences(score: Score, baseline: Array, system: Array) -> Array:
    """The mean over runs of score(system) − score(baseline), after every possible swap.

    Both are (runs, segments, K); a swap exchanges one segment of one run, so there are
    2^(runs · segments) ways.
    """
    runs, segments, _ = baseline.shape
    differences = []
    for heads in product([False, True], repeat=runs * segments):
        swap = np.array(heads).reshape(runs, segments, 1)
        a = np.where(swap, system, baseline).sum(axis=1)
        b = np.where(swap, baseline, system).sum(axis=1)
        differences.append(np.mean([score(b[r]) - score(a[r]) for r in range(runs)]))
    return np.array(differences)


def substitution_effects(score: Score, host: Array, guest: Array) -> list[float]:
    """How much the score of the host changes when segment i is replaced, for each i."""
    effects = []
    for i in range(len(host)):
        replaced = host.copy()
        replaced[i] = guest[i]
        effects.append(float(score(replaced.sum(axis=0)) - score(host.sum(axis=0))))
    return effects


def binomial_p_value(wins: int, losses: int) -> float:
    """Two-sided: all outcomes of n fair coins that are no likelier than the one observed."""
    tosses = wins + losses
    likely = comb(tosses, wins)
    return float(sum(comb(tosses, k) for k in range(tosses + 1) if comb(tosses, k) <= likely)) / (
        2.0**tosses
    )


def holm_rejects(p_values: Sequence[float], level: float) -> list[bool]:
    """Go from the smallest p-value up, and stop at the first that fails level / (m − k + 1)."""
    rejected = [False] * len(p_values)
    for k, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[place] > level / (len(p_values) - k):
            break
        rejected[place] = True
    return rejected


def benjamini_hochberg_rejects(p_values: Sequence[float], level: float) -> list[bool]:
    """Reject the k smallest, for the largest k whose p-value is at most level · k / m."""
    order = sorted(p_values)
    passed = [k for k, p in enumerate(order, 1) if p <= level * k / len(order)]
    return [bool(passed) and p <= order[max(passed) - 1] for p in p_values]


def every_sign(units: int) -> Iterator[tuple[int, ...]]:
    """All 2^n ways to swap n units: −1 where a unit is swapped."""
    return product([1, -1], repeat=units)


def swapped_difference(score: Score, first: Array, second: Array, signs: Sequence[int]) -> float:
    """score(second) − score(first) after a swap; rows are (units, K)."""
    kept = np.array(signs)[:, np.newaxis] > 0
    a = np.where(kept, first, second).sum(axis=0)
    b = np.where(kept, second, first).sum(axis=0)
    return float(score(b) - score(a))


def studentized_difference(
    score: Score, first: Array, second: Array, signs: Sequence[int]
) -> float:
    """What units add to it, over its standard error: what each adds beyond its share of the sum."""
    middle, half = (first + second) / 2, (second - first) / 2
    total = middle.sum(axis=0)
    effects = [
        sign * float(score(total + one) - score(total - one))
        for sign, one in zip(signs, half, strict=True)
    ]
    known = [k for k in range(middle.shape[1]) if np.abs(middle[:, k]).sum() > 0]
    columns = [k for k in known if (first[:, k] == second[:, k]).all()] or known
    sizes = np.abs(first) + np.abs(second)
    shares = [sum(row[k] / sizes[:, k].sum() for k in columns) / len(columns) for row in sizes]
    whole = sum(effects)
    variance = sum((g - w * whole) ** 2 for g, w in zip(effects, shares, strict=True))
    least = 1e-4 * sum(g**2 for g in effects)
    return float(whole / max(variance, least) ** 0.5)


def largest_share(score: Score, first: Array, second: Array) -> float:
    """The largest unit's share of the sum of squared effects."""
    total, half = (first + second).sum(axis=0) / 2, (second - first) / 2
    squares = [float(score(total + one) - score(total - one)) ** 2 for one in half]
    return max(squares) / sum(squares)


def max_t(statistics: Sequence[Sequence[float]]) -> list[float]:
    """Step-down max-T by definition: for each test its statistic in every trial, the first as is.

    A test's p-value is the largest over itself and all above it of the share of trials in which
    the maximum over the test and all below reaches its own.
    """
    scaled = []
    for values in statistics:
        rms = (sum(x**2 for x in values) / len(values)) ** 0.5
        scaled.append([abs(x) / rms for x in values])
    observed = [values[0] for values in scaled]
    shares = []
    for own in observed:
        below = [values for values, other in zip(scaled, observed, strict=True) if other <= own]
        maxima = [max(trial) for trial in zip(*below, strict=True)]
        shares.append(sum(one >= own * (1 - 1e-9) for one in maxima) / len(maxima))
    return [
        max(share for share, other in zip(shares, observed, strict=True) if other >= own)
        for own in observed
    ]
