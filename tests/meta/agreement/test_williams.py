"""Williams' test of two metrics that were tried on the same systems."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.meta.agreement.agreement_table import agree, williams
from tertium.meta.agreement.williams import williams_p_value, williams_tests
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tests.oracles import agreement as oracle


@given(*[st.floats(-0.95, 0.95)] * 3, st.integers(5, 40))
def test_williams_equals_its_formula(r12: float, r13: float, r23: float, n: int) -> None:
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    if determinant <= 1e-6:
        return  # no three variables have such correlations
    t = oracle.williams_t(r12, r13, r23, n)
    one = williams_p_value(r12, r13, r23, n)
    assert one == pytest.approx(scipy.stats.t.sf(t, n - 3), rel=1e-9)
    two = williams_p_value(r12, r13, r23, n, two_sided=True)
    assert two == pytest.approx(2 * min(one, 1 - one), rel=1e-6, abs=1e-12)


def test_an_error_rate_is_as_good_as_its_negative() -> None:
    rng = np.random.default_rng(3)
    ratings = rng.normal(size=9)
    scores = ratings + rng.normal(size=(3, 9))
    turned = scores * np.array([[1], [-1], [1]])
    found = williams_tests(ratings, scores, ["a", "b", "c"])
    other = williams_tests(ratings, turned, ["a", "b", "c"])
    np.testing.assert_allclose(found.p_values, other.p_values)
    assert found.p_value("a", "b") == found.p_value("b", "a")
    assert np.count_nonzero(~np.isnan(found.p_values)) == 3
    assert json.loads(json.dumps(found.to_dict()))["p_values"][0][0] is None


@pytest.mark.parametrize("scores", [[[1, 2, 3, 4], [2, 4, 6, 8]], [[1, 2, 3, 4], [5, 5, 5, 5]]])
def test_williams_without_a_difference(scores: list[list[float]]) -> None:
    found = williams_tests(np.array([1.0, 2, 2, 5]), np.array(scores, dtype=float), ["a", "b"])
    assert np.isnan(found.p_values).all()


@pytest.mark.parametrize(
    ("ratings", "scores", "message"),
    [
        ([1, 2, 3], [[1, 2, 3]], "found 3 systems, expected at least 4"),
        ([1, 2, 3, 4], [[1, 2, 3]], r"found shape \(1, 3\), expected \(1, 4\)"),
        ([1, 2, 3, np.nan], [[1, 2, 3, 4]], "found NaN, expected every system rated"),
    ],
)
def test_williams_on_odd_input(
    ratings: list[float], scores: list[list[float]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        williams_tests(np.array(ratings), np.array(scores), ["a"])


@pytest.mark.shared
def test_williams_of_the_published_scores(shared_data: Path) -> None:
    folder = shared_data / "wmt12/published-system-scores"
    people = published(folder / "example-data/mt-systems-scored-by-humans")["HUMAN"]
    metrics = published(folder / "example-data/mt-systems-scored-by-metrics")
    judgments = Judgments(
        name="es-en",
        criterion="rank",
        systems=tuple(people),
        values=np.array(list(people.values())),
    )
    scores = [
        MetricScores(metric=name, systems=tuple(one), values=np.array(list(one.values())))
        for name, one in metrics.items()
    ]
    output = folder / "example-output"
    correlations = dict(
        line.split()
        for line in (output / "orig.pearson-corr.es-en").read_text().splitlines()
        if not line.startswith("#")
    )
    assert len(correlations) == 2
    for one in scores:
        value = agree(judgments, one)["pearson"].value
        assert f"{value:.14f}" == f"{float(correlations[one.metric]):.14f}"
    printed = (output / "orig.williams-results.es-en").read_text().splitlines()[-2].split()
    tests = williams(judgments, scores)
    assert printed[:2] == ["AMBER", "-"]
    # The printed 15 digits hang on the rounding of three correlations; 13 do not.
    assert tests.p_values_published[0, 1] == pytest.approx(float(printed[2]), rel=1e-13)
    assert tests.p_values[0, 1] == pytest.approx(0.0124588, abs=5e-8)  # with n − 3, as it should
    assert np.isnan(tests.p_values[1]).all()


def published(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines()[1:]:
        metric, pair, _, system, score = line.split("\t")
        if pair == "es-en":
            found.setdefault(metric, {})[system] = float(score)
    return found
