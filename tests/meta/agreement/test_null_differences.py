"""Tests between all metrics at once: against plain exchanges, and their size."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tertium.choices import Exchange
from tertium.errors import InputError
from tertium.meta.agreement.null_differences import (
    AccuracyDifferences,
    ChosenDifferences,
    KeptDifferences,
    NullDifferences,
    PearsonDifferences,
    ScaledDifferences,
    SoftDifferences,
    SystemDifferences,
    WeightedDifferences,
    confidence,
    significance_ranks,
)
from tertium.meta.agreement.permutation_test import coins, standardised
from tests.oracles import metric_tests as oracle

Floats = NDArray[np.float64]
NOISE = 4.0
"""Standard errors that two p-values from random exchanges may lie apart."""


def noise(p_value: float, trials: int) -> float:
    spread = max(p_value * (1 - p_value), 0.05 * 0.95)
    return NOISE * math.sqrt(2 * spread / trials)


def world(
    systems: int, segments: int, metrics: int, *, seed: int, whole: bool = True
) -> tuple[Floats, list[Floats]]:
    """Ratings with ties, and metrics that follow them more and less."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=systems)[:, None] + rng.normal(size=(1, segments))
    ratings = np.round(2 * (quality + rng.normal(size=(systems, segments))))
    if not whole:
        ratings[rng.random(ratings.shape) < 0.2] = np.nan
    scores = [
        quality + (1 + 0.5 * place) * rng.normal(size=(systems, segments))
        for place in range(metrics)
    ]
    return ratings, scores


def test_confidence_is_that_of_the_normal_distribution() -> None:
    z = np.linspace(-12, 12, 4001)
    expected = [math.erf(one / math.sqrt(2)) for one in z]
    assert confidence(z) == pytest.approx(expected, abs=4e-5)


def test_pearson_of_outputs_is_that_of_the_exchanged_scores() -> None:
    ratings, scores = world(4, 12, 3, seed=1)
    null = PearsonDifferences(ratings, scores, trials=20, seed=3)
    agreement = oracle.pearson_of(ratings)
    first, *others = [standardised(score) for score in scores]
    masks = np.concatenate(list(coins(ratings.shape, "both", trials=10, seed=3)))
    expected = [
        [
            agreement(np.where(mask, other, first)) - agreement(np.where(mask, first, other))
            for mask in masks
        ]
        for other in others
    ]
    assert null.against_later(0) == pytest.approx(np.array(expected), abs=1e-10)
    assert null.values == pytest.approx([agreement(score) for score in scores], abs=1e-12)


@pytest.mark.parametrize("measure", ["pearson", "kendall", "accuracy"])
def test_systems_are_exchanged_whole(measure: str) -> None:
    from tertium.meta.agreement.correlation import system_agreement

    rng = np.random.default_rng(5)
    ratings, scores = rng.normal(size=6), rng.normal(size=(3, 6))
    null = SystemDifferences(measure, [(ratings, scores)], trials=30, seed=2)
    first, other = (standardised(scores[place])[:, 0] for place in (1, 2))
    masks = np.concatenate(list(coins((6, 1), "systems", trials=15, seed=2)))[:, :, 0]
    expected = [
        system_agreement(measure, ratings, np.where(mask, other, first))
        - system_agreement(measure, ratings, np.where(mask, first, other))
        for mask in masks
    ]
    assert null.against_later(1)[0] == pytest.approx(np.array(expected), abs=1e-10)


def test_accuracy_over_several_sets_is_the_share_of_all_their_pairs() -> None:
    sets = [
        (np.array([1.0, 2, 3]), np.array([[1.0, 2, 3], [3.0, 2, 1]])),
        (np.array([1.0, 2]), np.array([[2.0, 1], [1.0, 2]])),
    ]
    null = SystemDifferences("accuracy", sets, trials=10, seed=0)
    assert null.values == pytest.approx([3 / 4, 1 / 4])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_soft_accuracy_equals_permutations_within_permutations(seed: int) -> None:
    ratings, scores = world(5, 150, 2, seed=seed)
    null = SoftDifferences(ratings, scores, trials=2000, seed=7)
    agreement = oracle.soft_accuracy_of(ratings, 400)
    expected = oracle.exchanged_scores(agreement, *scores, exchanges=300, seed=1)
    found = null.p_values()[0, 1]
    assert found == pytest.approx(expected, abs=noise(expected, 300))
    assert null.values == pytest.approx([agreement(score) for score in scores], abs=0.03)


@pytest.mark.parametrize("whole", [True, False])
def test_accuracy_exchanges_comparisons(*, whole: bool) -> None:
    ratings, scores = world(4, 30, 2, seed=4, whole=whole)
    epsilons = (0.3, 0.5)
    null = AccuracyDifferences(ratings, scores, epsilons, trials=2000, seed=7)
    expected = oracle.exchanged_pairs(
        ratings, scores[0], scores[1], epsilons, exchanges=1000, seed=1
    )
    assert null.p_values()[0, 1] == pytest.approx(expected, abs=noise(expected, 1000))


def test_accuracy_without_gaps_is_a_sign_test() -> None:
    ratings, scores = world(3, 20, 2, seed=9)
    null = AccuracyDifferences(ratings, scores, (0.0, 0.0), trials=20_000, seed=7)
    left, right = np.triu_indices(3, 1)
    right_of = [
        np.sign(score[left] - score[right]) == np.sign(ratings[left] - ratings[right])
        for score in scores
    ]
    wins = int((right_of[0] & ~right_of[1]).sum())
    losses = int((right_of[1] & ~right_of[0]).sum())
    disputed = wins + losses
    tail = sum(math.comb(disputed, heads) for heads in range(wins, disputed + 1)) / 2**disputed
    assert null.p_values()[0, 1] == pytest.approx(tail, abs=noise(tail, 20_000))
    assert null.values[0] - null.values[1] == pytest.approx((wins - losses) / 60)


@pytest.mark.parametrize("exchange", ["systems", "items", "both"])
def test_equal_metrics_do_not_differ(exchange: Exchange) -> None:
    ratings, scores = world(5, 40, 1, seed=3)
    null = SoftDifferences(
        ratings,
        [scores[0], scores[0] * 3 + 1],
        exchange=exchange,
        documents=[str(segment // 4) for segment in range(40)],
        trials=50,
        seed=1,
    )
    assert np.abs(null.against_later(0)).max() < 1e-6 or exchange == "both"
    assert null.p_values()[0, 1] > 0.4


def test_means_of_columns_are_of_their_differences() -> None:
    ratings, scores = world(5, 40, 3, seed=3)
    soft = KeptDifferences(SoftDifferences(ratings, scores, trials=40, seed=1))
    pearson = ScaledDifferences(PearsonDifferences(ratings, scores, trials=40, seed=1))
    both = WeightedDifferences([soft, pearson], [3, 1])
    expected = 0.75 * soft.against_later(1) + 0.25 * pearson.against_later(1)
    assert both.against_later(1) == pytest.approx(expected)
    assert both.values == pytest.approx(0.75 * soft.values + 0.25 * pearson.values)
    some = ChosenDifferences(both, [0, 2])
    assert some.values == pytest.approx(both.values[[0, 2]])
    assert some.against_later(0)[0] == pytest.approx(both.against_later(0)[1])


def ranks(values: Sequence[float], *significant: tuple[int, int]) -> list[int]:
    p_values = np.full((len(values), len(values)), 0.5)
    for better, worse in significant:
        p_values[better, worse] = 0.01
    return significance_ranks(np.array(values), p_values, 0.05)


def test_ranks_begin_anew_where_any_of_a_cluster_is_better() -> None:
    assert ranks([4, 3, 2, 1]) == [1, 1, 1, 1]
    assert ranks([4, 3, 2, 1], (0, 2)) == [1, 1, 2, 2]
    assert ranks([4, 3, 2, 1], (1, 2), (2, 3)) == [1, 1, 2, 3]
    # The first of a rank before the last does not matter: only those of the last one do.
    assert ranks([4, 3, 2, 1], (0, 1), (0, 2), (0, 3)) == [1, 2, 2, 2]
    with pytest.raises(InputError, match="values that rise"):
        ranks([1, 2])


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["soft-accuracy", "segment-pearson", "acc-eq"])
def test_size_is_kept_where_the_null_hypothesis_holds(measure: str) -> None:
    """Of two metrics whose scores were exchanged at random neither is better."""
    rng = np.random.default_rng(17)
    simulations, rejected = 1000, 0
    for seed in range(simulations):
        # Comparisons are exchanged as outputs are where a segment has one: two systems.
        systems, segments = (2, 800) if measure == "acc-eq" else (6, 40)
        ratings, scores = world(systems, segments, 2, seed=seed)
        first, second = (standardised(score) for score in scores)
        shape = (1, segments) if measure == "acc-eq" else first.shape
        swap = rng.integers(0, 2, shape).astype(bool)
        one, other = np.where(swap, first, second), np.where(swap, second, first)
        null = _null(measure, ratings, [one, other], int(rng.integers(1 << 30)))
        rejected += null.p_values()[0, 1] <= 0.05
    assert 0.035 <= rejected / simulations <= 0.065


@pytest.mark.slow
def test_the_official_test_of_accuracy_finds_too_much_and_that_of_items_does_not() -> None:
    """Comparisons that share an output go together, which segments do not."""
    rng = np.random.default_rng(17)
    simulations = 500
    rejected = {"both": 0, "items": 0}
    for seed in range(simulations):
        ratings, scores = world(6, 100, 2, seed=seed)
        first, second = (standardised(score) for score in scores)
        swap = rng.integers(0, 2, first.shape).astype(bool)
        metrics = [np.where(swap, first, second), np.where(swap, second, first)]
        for exchange in ("both", "items"):
            null = AccuracyDifferences(
                ratings,
                metrics,
                (0.0, 0.0),
                exchange=exchange,
                trials=199,
                seed=seed,
            )
            rejected[exchange] += bool(null.p_values()[0, 1] <= 0.05)
    assert rejected["both"] / simulations > 0.07
    assert 0.035 <= rejected["items"] / simulations <= 0.065


def _null(measure: str, ratings: Floats, scores: list[Floats], seed: int) -> NullDifferences:
    if measure == "soft-accuracy":
        return SoftDifferences(ratings, scores, trials=199, seed=seed)
    if measure == "segment-pearson":
        return PearsonDifferences(ratings, scores, trials=199, seed=seed)
    return AccuracyDifferences(ratings, scores, (0.0, 0.0), trials=199, seed=seed)
