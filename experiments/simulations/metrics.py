"""Metrics that agree with people equally well, and what differences are worth."""

from collections import Counter
from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from experiments.simulations.shares import ALPHA, SIMULATIONS, TRIALS, Share, shares
from tertium.meta.agreement.permutation_test import permutation_test
from tertium.meta.agreement.soft_accuracy import soft_accuracy
from tertium.meta.agreement.williams import williams_p_value
from tertium.meta.worth_curves import SystemPairs, worth_curve
from tertium.metrics.contract.base import Scores

SYSTEMS: Final = 12
SEGMENTS: Final = 60
NOISE: Final = 0.7
SETS: Final = 6
DELTAS: Final = (0.3, 1.0, 2.0)


def sizes(*, simulations: int = SIMULATIONS) -> dict[str, Share]:
    """How often tests of 'tertium meta agree' find a difference that is not there."""
    rng, found = np.random.default_rng(14), Counter[str]()
    sure = np.repeat([[0.0], [1.0]], SEGMENTS, axis=1)  # people are, so that p is the metric's
    for seed in range(simulations):
        quality = rng.normal(size=SYSTEMS)
        first, second = quality + NOISE * rng.normal(size=(2, SYSTEMS))
        exchanged = permutation_test(quality, first, second, trials=TRIALS, seed=seed)
        found["PERM-SYS, Pearson's r"] += exchanged.p_value_two_sided <= ALPHA
        r12, r13, r23 = (
            float(np.corrcoef(*pair)[0, 1])
            for pair in ((quality, first), (quality, second), (first, second))
        )
        p_value = williams_p_value(r12, r13, r23, SYSTEMS, two_sided=True)
        found["Williams' test"] += p_value <= ALPHA
        scores = rng.gamma(2.0, size=(2, SEGMENTS))
        soft = soft_accuracy(sure, scores, permutations=TRIALS, seed=seed)
        found["p-values of soft pairwise accuracy"] += 1 - soft.value <= ALPHA
    return shares(found, simulations)


def exchanged_sizes(systems: int, *, simulations: int = SIMULATIONS) -> dict[str, Share]:
    """PERM-SYS by differences of Pearson's r, as published, and of Fisher's z, as here."""
    rng, found = np.random.default_rng(18), Counter[str]()
    for _ in range(simulations):
        quality = rng.normal(size=systems)
        both = quality + NOISE * rng.normal(size=(2, systems))
        both = (both - both.mean(axis=1, keepdims=True)) / both.std(axis=1, keepdims=True)
        swap = rng.random((TRIALS + 1, systems)) < 0.5
        swap[0] = False  # what was observed
        first, second = (
            _correlations(quality, np.where(swap, *pair)) for pair in (both, both[::-1])
        )
        for name, distances in (
            ("Pearson's r", np.abs(first - second)),
            ("Fisher's z", np.abs(np.arctanh(first) - np.arctanh(second))),
        ):
            extreme = np.count_nonzero(distances >= distances[0] - 1e-12)
            found[f"PERM-SYS by {name}"] += bool(extreme / (1 + TRIALS) <= ALPHA)
    return shares(found, simulations)


def _correlations(quality: Scores, scores: Scores) -> Scores:
    """Of (systems,) with (trials, systems)."""
    wanted = (quality - quality.mean()) / quality.std()
    centred = scores - scores.mean(axis=1, keepdims=True)
    result: Scores = centred @ wanted / (len(quality) * centred.std(axis=1))
    return result


def worth_coverage(*, simulations: int = 1000, trials: int = 99) -> dict[str, Share]:
    """How often the interval of 'tertium meta worth' holds the true share of agreeing pairs."""
    rng, found = np.random.default_rng(16), Counter[str]()
    for seed in range(simulations):
        sets = [_pairs(rng, f"set {place}") for place in range(SETS)]
        curve = worth_curve("simulated", sets, trials=trials, seed=seed)
        for delta in DELTAS:
            worth, truth = curve.at(delta), NormalDist().cdf(delta / sqrt(2) / NOISE)
            name = f"worth of a difference of {delta:g}"
            found[name] += worth.low <= truth <= worth.high
    return shares(found, simulations, 1 - ALPHA)


def _pairs(rng: np.random.Generator, name: str) -> SystemPairs:
    """People's ratings are a metric's scores and noise."""
    scores = rng.normal(size=SYSTEMS)
    ratings = scores + NOISE * rng.normal(size=SYSTEMS)
    first, second = np.triu_indices(SYSTEMS, 1)
    deltas, rated = scores[first] - scores[second], ratings[first] - ratings[second]
    return SystemPairs(
        name=name,
        group=name,
        systems=SYSTEMS,
        first=first,
        second=second,
        deltas=np.abs(deltas),
        agrees=(np.sign(deltas) == np.sign(rated)).astype(np.float64),
        ties=0,
    )
