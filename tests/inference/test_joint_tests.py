"""Tests by common swaps: raw and corrected p-values, few units, and boards of many systems."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from tertium.inference import approximate_randomization, pair_tests
from tertium.inference.cluster_t import cluster_t_test, degrees_of_freedom
from tertium.inference.corrections import step_down_max_t
from tertium.inference.joint_tests import DOMINANT, all_system_pairs, swap_tests
from tertium.inference.rows import MetricRows
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.table import parse_metric
from tests.oracles import inference as oracle

WER, BLEU = parse_metric("wer"), parse_metric("bleu")


def drawn_rows(seed: int, systems: int, units: int, *, sizes: bool = True) -> Rows:
    """WER statistics of documents whose sizes differ much, as real ones do."""
    rng = np.random.default_rng(seed)
    words = np.round(20 * rng.lognormal(1.0, 1.0, units)) + 5 if sizes else np.full(units, 200.0)
    rows = np.zeros((systems, units, len(WER.columns)))
    rows[..., -1] = words
    rates = rng.uniform(0.2, 0.4, size=(systems, 1)) + rng.normal(0, 0.03, size=(systems, units))
    rows[..., 0] = np.round(np.clip(rates, 0.01, 0.9) * words)
    return rows


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_p_values_are_those_of_every_swap_gone_through(seed: int, systems: int) -> None:
    units = 7
    rows = drawn_rows(seed, systems, units)
    group = MetricRows(metric=WER, rows=rows, unit="document")
    pairs = list(combinations(range(systems), 2))
    made = swap_tests([group], pairs, trials=1000, seed=1)
    assert (made.exact, made.trials) == (True, 2**units)
    dominated = any(oracle.largest_share(WER.score, rows[a], rows[b]) > DOMINANT for a, b in pairs)
    assert made.studentized == dominated
    statistics, raw = [], []
    for a, b in pairs:
        swaps = list(oracle.every_sign(units))
        plain = [oracle.swapped_difference(WER.score, rows[a], rows[b], one) for one in swaps]
        raw.append(sum(abs(x) >= abs(plain[0]) - 1e-9 for x in plain) / len(plain))
        if dominated:
            plain = [
                oracle.studentized_difference(WER.score, rows[a], rows[b], one) for one in swaps
            ]
        statistics.append(plain)
    np.testing.assert_allclose(made.p_values, raw)
    expected = raw if len(pairs) == 1 else np.maximum(oracle.max_t(statistics), raw)
    np.testing.assert_allclose(made.adjusted(), expected)


def test_raw_p_values_depend_on_nothing_but_the_pair() -> None:
    rows = drawn_rows(3, 5, 40)
    group = MetricRows(metric=WER, rows=rows, unit="document")
    every = swap_tests([group], all_system_pairs(5), trials=999, seed=7)
    for (a, b), p_value in zip(every.pairs, every.p_values.tolist(), strict=True):
        alone = approximate_randomization(WER, rows[a], rows[b], trials=999, seed=7)
        assert p_value == pytest.approx(alone.p_value)
    some = every.of_pairs([(2, 0), (2, 4)])
    assert [every.pairs[i] for i in some] == [(0, 2), (2, 4)]


@pytest.mark.parametrize("dominated", [False, True])
def test_pairs_beyond_doubt_take_no_trials_and_change_nothing(
    dominated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = drawn_rows(5, 6, 150 if dominated else 80, sizes=False)
    if dominated:
        rows[:2, 0] *= 20  # one document decides between the first two, and no other pair
        rows[0, 0, 0] += 900
    group = MetricRows(metric=WER, rows=rows, unit="document")
    quick = swap_tests([group], all_system_pairs(6), trials=2000, seed=2)
    assert quick.studentized == dominated
    assert 0 < np.count_nonzero(quick.rows < 0) < len(quick.p_values)
    monkeypatch.setattr("tertium.inference.joint_tests.CERTAIN", 1e-300)
    full = swap_tests([group], all_system_pairs(6), trials=2000, seed=2)
    assert (full.rows >= 0).all()
    np.testing.assert_array_equal(quick.p_values, full.p_values)
    np.testing.assert_array_equal(quick.adjusted(more=0), full.adjusted(more=0))


def test_max_t_finds_what_holm_cannot_with_eight_documents() -> None:
    # 15 pairs and 2 metrics: Holm asks for p ≤ 0.05 / 30, and 8 documents have 2 / 256 at best.
    rng = np.random.default_rng(11)
    rows = np.zeros((6, 8, len(WER.columns)))
    rows[..., -1] = 400
    for number in range(6):
        rows[number, :, 0] = 40 * number + 60 + rng.integers(0, 12, 8)
    groups = [
        MetricRows(metric=WER, rows=rows, unit="document"),
        MetricRows(metric=parse_metric("wer[case=lc]"), rows=rows, unit="document"),
    ]
    made = pair_tests(groups, all_system_pairs(6), "randomization", trials=10_000, seed=1)
    assert made.p_values.min() * len(made.p_values) > 0.05
    assert (made.adjusted() <= 0.05).mean() > 0.9
    assert (made.adjusted() >= made.p_values).all()


def test_more_trials_are_drawn_where_the_level_is_close() -> None:
    groups = [MetricRows(metric=WER, rows=drawn_rows(8, 4, 30), unit="document")]
    made = swap_tests(groups, all_system_pairs(4), trials=400, seed=5)
    many = swap_tests(groups, all_system_pairs(4), trials=4000, seed=5)
    level = float(np.sort(made.adjusted(more=0))[-3])
    refined = made.adjusted(alpha=level)
    assert (refined != made.adjusted(more=0)).any()
    # Ten times the trials, the first of them the same: what many trials say, but for the scale.
    close = np.abs(made.adjusted(more=0) - level) < 0.01
    np.testing.assert_allclose(refined[close], many.adjusted(more=0)[close], atol=0.01)


def test_equal_outputs_are_never_significant() -> None:
    rows = drawn_rows(1, 2, 12)
    rows[1] = rows[0]
    group = MetricRows(metric=WER, rows=rows, unit="document")
    assert swap_tests([group], [(0, 1)], trials=99, seed=1).p_values.tolist() == [1.0]
    few = MetricRows(metric=WER, rows=rows[:, :4], unit="document")
    assert pair_tests([few], [(0, 1)], "t-test", trials=99, seed=1).p_values.tolist() == [1.0]


def test_few_documents_of_equal_size_have_students_t() -> None:
    rng = np.random.default_rng(2)
    rows = drawn_rows(4, 2, 5, sizes=False)
    rows[1, :, 0] = rows[0, :, 0] + rng.integers(5, 20, 5)
    made = pair_tests(
        [MetricRows(metric=WER, rows=rows, unit="document")], [(0, 1)], "t-test", trials=1, seed=1
    )
    expected = ttest_1samp(rows[1, :, 0] - rows[0, :, 0], 0.0).pvalue
    assert made.p_values[0] == pytest.approx(expected, rel=1e-6)
    assert made.floor == 0


def test_cr2_is_students_t_where_clusters_are_alike() -> None:
    effects = np.array([0.4, 1.3, 0.2, 0.9, 0.7])
    expected = ttest_1samp(effects, 0.0).pvalue
    assert cluster_t_test(3.5, effects, np.full(5, 0.2)) == pytest.approx(expected)
    assert degrees_of_freedom(np.full(9, 1 / 9)) == pytest.approx(8)


def test_step_down_stops_where_a_larger_test_fails() -> None:
    null = np.array([[3.0, 2.9, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    found = step_down_max_t(np.array([2.5, 1.0]), null, exact=True)
    assert found.tolist() == [0.5, 0.5]
