"""Correlations and prediction error, one row or many."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tertium.errors import OptionError
from tertium.meta.agreement.correlation import (
    kendall,
    pairwise_accuracy,
    pearson,
    spearman,
    system_agreement,
)
from tertium.meta.agreement.prediction_error import prediction_error

# Few distinct numbers, so that there are ties; and numbers of any size.
few = st.integers(0, 4).map(float)
any_number = st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda x: round(x, 6))


def two_rows(numbers: st.SearchStrategy[float]) -> st.SearchStrategy[np.ndarray[Any, Any]]:
    return st.integers(2, 12).flatmap(lambda n: arrays(np.float64, (2, n), elements=numbers))


# ---- correlations ---------------------------------------------------------------------------


@given(st.one_of(two_rows(few), two_rows(any_number)))
def test_correlations_equal_scipy(rows: np.ndarray[Any, Any]) -> None:
    x, y = rows
    if (x == x[0]).all() or (y == y[0]).all():
        for measure in (pearson, spearman, kendall):
            assert np.isnan(measure(x, y))
        return
    expected = scipy.stats.pearsonr(x, y).statistic
    np.testing.assert_allclose(pearson(x, y), expected, atol=1e-9)
    np.testing.assert_allclose(spearman(x, y), scipy.stats.spearmanr(x, y).statistic, atol=1e-9)
    np.testing.assert_allclose(kendall(x, y), scipy.stats.kendalltau(x, y).statistic, atol=1e-12)
    agreeing = sum(
        np.sign(x[i] - x[j]) == np.sign(y[i] - y[j]) for i in range(len(x)) for j in range(i)
    )
    assert pairwise_accuracy(x, y) == pytest.approx(agreeing / math.comb(len(x), 2))


@given(arrays(np.float64, (2, 7, 5), elements=few))
def test_many_rows_are_one_call(rows: np.ndarray[Any, Any]) -> None:
    for measure in ("pearson", "spearman", "kendall", "accuracy"):
        together = system_agreement(measure, *rows)
        one_by_one = [float(system_agreement(measure, x, y)) for x, y in zip(*rows, strict=True)]
        np.testing.assert_allclose(together, one_by_one, atol=1e-12)


@pytest.mark.parametrize(
    ("ratings", "scores", "expected"),
    [
        # By hand: deviations (−1.5, −.5, .5, 1.5) and (−.5, −1.5, 1.5, .5), r = 3/5; ranks are
        # the numbers themselves; 4 of 6 pairs agree.
        ([1, 2, 3, 4], [2, 1, 4, 3], {"pearson": 0.6, "spearman": 0.6, "kendall": 1 / 3}),
        ([1, 2, 3, 4], [2, 1, 4, 3], {"accuracy": 4 / 6}),
        # One tie of the metric: C = 2, D = 0, τ-b = 2/√(3·2); it agrees on 2 of 3 pairs.
        ([1, 2, 3], [5, 5, 9], {"kendall": 2 / math.sqrt(6), "accuracy": 2 / 3}),
        # Tied for both agrees: Kocmi's accuracy knows no other place for it.
        ([1, 1, 2], [3, 3, 4], {"accuracy": 1.0, "kendall": 1.0}),
    ],
)
def test_by_hand(ratings: list[float], scores: list[float], expected: dict[str, float]) -> None:
    for measure, value in expected.items():
        found = system_agreement(measure, np.array(ratings), np.array(scores))
        assert float(found) == pytest.approx(value)


def test_a_drawn_system_is_not_its_own_rival() -> None:
    ratings, scores = np.array([1.0, 2, 3]), np.array([2.0, 1, 3])
    counts = np.array([[2, 1, 0], [1, 1, 1], [3, 0, 0]])
    found = pairwise_accuracy(ratings, scores, counts)
    # Twice (a, b), which disagree; all pairs; only copies of a.
    np.testing.assert_allclose(found, [0.0, 2 / 3, np.nan])


def test_tiny_numbers_are_not_constant() -> None:
    x = np.array([1e-300, 2e-300, 3e-300, 5e-300])
    assert float(pearson(x, x)) == pytest.approx(1.0)


def test_unknown_measure() -> None:
    with pytest.raises(OptionError, match="unknown measure 'pearsn'; did you mean 'pearson'"):
        system_agreement("pearsn", np.zeros(3), np.zeros(3))


@given(two_rows(few))
def test_prediction_error_is_what_a_line_leaves(rows: np.ndarray[Any, Any]) -> None:
    x, y = rows
    if (x == x[0]).all() or (y == y[0]).all():
        assert np.isnan(prediction_error(x, y))
        return
    line = np.polynomial.Polynomial.fit(y, x, 1)
    rest = ((x - line(y)) ** 2).sum() / ((x - x.mean()) ** 2).sum()
    assert float(prediction_error(x, y)) == pytest.approx(100 * rest, abs=1e-6)
