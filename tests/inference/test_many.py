"""Many systems: corrections, clusters, ranks; and what a test set can detect."""

import json
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from tertium.errors import InputError, OptionError
from tertium.inference import (
    AllPairs,
    all_pairs,
    approximate_randomization,
    benjamini_hochberg,
    detectability,
    holm,
    paired_bootstrap,
)
from tertium.inference.resampling import resampled_scores, swapped_differences
from tertium.inference.rows import MetricRows
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.table import parse_metric
from tests.oracles import inference as oracle

WER = parse_metric("wer")
p_value_lists = st.lists(st.integers(0, 1000).map(lambda n: n / 1000), min_size=1, max_size=12)


@given(p_value_lists, st.sampled_from([0.0103, 0.0501, 0.2003]))
def test_corrections_reject_what_the_procedures_reject(p_values: list[float], level: float) -> None:
    # Levels between the grid's products, so that no rounding decides.
    assert (holm(p_values) <= level).tolist() == oracle.holm_rejects(p_values, level)
    found = (benjamini_hochberg(p_values) <= level).tolist()
    assert found == oracle.benjamini_hochberg_rejects(p_values, level)
    np.testing.assert_allclose(benjamini_hochberg(p_values), false_discovery_control(p_values))
    assert (holm(p_values) >= benjamini_hochberg(p_values) - 1e-12).all()
    assert (benjamini_hochberg(p_values) >= p_values).all()


def test_published_example() -> None:
    # The 15 p-values of Benjamini & Hochberg (1995), section 3.2: at .05 their procedure
    # rejects 4 hypotheses where those that guard against even one error reject 3.
    p_values = [
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
        *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0),
    ]
    assert np.count_nonzero(benjamini_hochberg(p_values) <= 0.05) == 4
    assert np.count_nonzero(holm(p_values) <= 0.05) == 3


def systems_with(rates: list[float], segments: int = 300) -> Rows:
    """Systems that make this share of errors, each on its own."""
    rng = np.random.default_rng(17)
    rows = np.zeros((len(rates), segments, len(WER.columns)))
    rows[..., -1] = 20
    for number, rate in enumerate(rates):
        rows[number, :, 0] = rng.binomial(20, rate, size=segments)
    return rows


@pytest.fixture(scope="module")
def ranked() -> AllPairs:
    rows = systems_with([0.40, 0.20, 0.205, 0.30, 0.30])
    return all_pairs(WER, rows, list("abcde"), trials=2000)


def test_clusters_and_ranks(ranked: AllPairs) -> None:
    # Fewer errors are better, so b and c are at the top.
    assert [sorted(one) for one in ranked.clusters()] == [["b", "c"], ["d", "e"], ["a"]]
    assert ranked.rank_ranges() == ((5, 5), (1, 2), (1, 2), (3, 4), (3, 4))
    matrix = ranked.matrix("holm")
    np.testing.assert_array_equal(matrix, matrix.T)
    np.testing.assert_array_equal(np.diag(matrix), 1)
    assert (matrix[0, 1:] <= 0.05).all()
    assert (ranked.adjusted("none") <= ranked.adjusted("benjamini-hochberg")).all()


def test_a_cluster_needs_every_pair() -> None:
    # b lies between a and c and differs from neither, so the three stay together although a
    # and c differ.
    pairs = ((0, 1), (0, 2), (1, 2))
    made = AllPairs(
        metric=parse_metric("bleu"),
        names=("a", "b", "c"),
        scores=(30.0, 29.5, 29.0),
        pairs=pairs,
        p_values=np.array([0.3, 0.001, 0.3]),
        nulls=lambda: np.zeros((3, 1)),
        trials=1,
        test="randomization",
        level=0.95,
        seed=0,
        unit="segment",
        units=9,
    )
    assert made.clusters() == (("a", "b", "c"),)
    assert made.rank_ranges() == ((1, 2), (1, 3), (2, 3))


def test_pairs_are_those_of_single_tests() -> None:
    rows = systems_with([0.30, 0.28, 0.31], segments=80)
    by_swaps = all_pairs(WER, rows, list("abc"), trials=500, seed=3)
    by_resamples = all_pairs(WER, rows, list("abc"), trials=500, seed=3, test="bootstrap")
    assert by_swaps.pairs == ((0, 1), (0, 2), (1, 2))
    for k, (a, b) in enumerate(by_swaps.pairs):
        swapped = approximate_randomization(WER, rows[a], rows[b], trials=500, seed=3)
        resampled = paired_bootstrap(WER, rows[a], rows[b], trials=500, seed=3)
        assert by_swaps.p_values[k] == swapped.p_value
        assert by_resamples.p_values[k] == resampled.p_value
        np.testing.assert_allclose(by_swaps.null[k], swapped.null, atol=1e-12)
        np.testing.assert_allclose(by_resamples.null[k], resampled.null, atol=1e-12)
    assert by_swaps.trials == by_resamples.trials == 500


def test_json(ranked: AllPairs) -> None:
    made = json.loads(json.dumps(ranked.to_dict()))
    assert len(made["pairs"]) == 10
    assert made["pairs"][0]["systems"] == ["a", "b"]
    assert made["pairs"][0]["holm"] >= made["pairs"][0]["p_value"]
    assert (made["trials"], made["seed"], made["level"]) == (2000, 12345, 0.95)


def test_one_system_has_no_pairs() -> None:
    alone = all_pairs(WER, systems_with([0.3], segments=9), ["a"], trials=10)
    assert alone.clusters() == (("a",),)
    assert alone.rank_ranges() == ((1, 1),)
    with pytest.raises(InputError, match="names: found 2, expected 1"):
        all_pairs(WER, systems_with([0.3]), ["a", "b"])


def test_detectable_difference_is_the_formula() -> None:
    baseline, system = systems_with([0.30, 0.29])
    found = detectability(WER, baseline, system, power=0.9, level=0.99)
    normal = NormalDist()
    quantiles = normal.inv_cdf(0.995) + normal.inv_cdf(0.9)
    sd = paired_bootstrap(WER, baseline, system).deltas.std(ddof=1)
    assert found.difference == pytest.approx(quantiles * sd)
    # All segments weigh the same, so the standard error is that of a mean.
    per_segment = 100 * (system[:, 0] - baseline[:, 0]) / 20
    assert found.standard_error == pytest.approx(per_segment.std() / np.sqrt(300), rel=0.05)
    assert found.power_for(found.difference) == pytest.approx(0.9, abs=1e-4)
    assert found.power_for(0) == pytest.approx(0.01)
    assert found.segments_for(found.difference) == 300
    assert found.segments_for(found.difference / 2) == 1200
    assert found.to_dict()["detectable"] == found.difference


@pytest.mark.slow
def test_power_is_what_repeated_experiments_have() -> None:
    rng = np.random.default_rng(23)
    rows = np.zeros((2, 200, len(WER.columns)))
    rows[..., -1] = 20
    difference, found, experiments = 2.0, 0, 300  # 30 % and 28 % errors
    for number in range(experiments):
        rows[0, :, 0] = rng.binomial(20, 0.30, size=200)
        rows[1, :, 0] = rng.binomial(20, 0.28, size=200)
        test = approximate_randomization(WER, rows[0], rows[1], trials=199, seed=number)
        found += test.p_value <= 0.05
    expected = detectability(WER, rows[0], rows[1]).power_for(difference)
    assert found / experiments == pytest.approx(expected, abs=0.1)


def test_detectability_of_nothing() -> None:
    rows = systems_with([0.3])[0]
    found = detectability(WER, rows, rows)
    assert found.difference == found.standard_error == 0
    assert found.power_for(1.0) == 1
    with pytest.raises(OptionError, match="difference: found 0"):
        found.segments_for(0)
    with pytest.raises(OptionError, match="power: found 80"):
        detectability(WER, rows, rows, power=80)


def test_columns_that_metrics_and_systems_share_are_those_of_each_alone() -> None:
    rng = np.random.default_rng(4)
    whole = rng.integers(0, 9, size=(3, 60, 11)).astype(np.float64)
    whole[:, :, 9] = whole[0, :, 9]  # as the lengths of references are
    groups = [
        MetricRows(metric=parse_metric("bleu"), rows=whole[..., :10]),
        MetricRows(metric=parse_metric("bleu-sbp"), rows=whole),
    ]
    pairs = [(0, 1), (2, 0)]
    together = (
        *resampled_scores(groups, trials=200, seed=5),
        *swapped_differences(groups, pairs, trials=200, seed=5),
    )
    alone = (
        *(resampled_scores([one], trials=200, seed=5)[0] for one in groups),
        *(swapped_differences([one], pairs, trials=200, seed=5)[0] for one in groups),
    )
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_array_equal(one, other)
    for k, scores in enumerate(resampled_scores(groups[1:], trials=200, seed=5)[0]):
        single = MetricRows(metric=parse_metric("bleu-sbp"), rows=whole[k : k + 1])
        np.testing.assert_array_equal(resampled_scores([single], trials=200, seed=5)[0][0], scores)
