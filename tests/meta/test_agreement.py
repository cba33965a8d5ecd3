"""System-level agreement: correlations, Williams' test, and what `agree` says of odd ratings."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.agreement_table import agreements, williams
from tertium.meta.agreement.correlation import (
    kendall,
    pairwise_accuracy,
    pearson,
    spearman,
    system_agreement,
)
from tertium.meta.agreement.measures import MEASURES
from tertium.meta.agreement.metric_agreement import agree
from tertium.meta.agreement.prediction_error import prediction_error
from tertium.meta.agreement.system_curve import system_curve
from tertium.meta.agreement.williams import williams_p_value, williams_tests
from tertium.meta.ratings.judgments import Comparisons, Exclusion, Judgments, MetricScores
from tests.oracles import agreement as oracle

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


# ---- Williams' test -------------------------------------------------------------------------


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


# ---- agree ----------------------------------------------------------------------------------


def judgments_of(
    values: list[float],
    *,
    systems: str = "abcdefgh",
    segments: list[list[float]] | None = None,
    comparisons: Comparisons | None = None,
) -> Judgments:
    return Judgments(
        name="toy",
        criterion="rank",
        systems=tuple(systems[: len(values)]),
        values=np.array(values),
        segments=None if segments is None else np.array(segments),
        comparisons=comparisons,
    )


def scores_of(
    values: list[float],
    *,
    systems: str = "abcdefgh",
    segments: list[list[float]] | None = None,
    higher_is_better: bool = True,
) -> MetricScores:
    return MetricScores(
        metric="bleu",
        systems=tuple(systems[: len(values)]),
        values=np.array(values),
        segments=None if segments is None else np.array(segments),
        higher_is_better=higher_is_better,
    )


def test_systems_are_matched_by_name() -> None:
    found = agree(judgments_of([1, 2, 3, 4]), scores_of([40, 30, 25, 10], systems="dcba"))
    assert found.systems == ("a", "b", "c", "d")
    assert found["spearman"].value == pytest.approx(1.0)
    assert found.measures == ("pearson", "spearman", "kendall", "accuracy", "prediction-error")


def test_an_error_rate_is_turned_round() -> None:
    found = agree(judgments_of([1, 2, 3]), scores_of([0.9, 0.7, 0.1], higher_is_better=False))
    assert found["kendall"].value == pytest.approx(1.0)


def test_what_is_left_out_is_said() -> None:
    found = agree(
        judgments_of([1, 2, 3, np.nan, 5]), scores_of([1, 2, 3, 4, np.nan, 6, 7], systems="abcdefg")
    )
    assert found.systems == ("a", "b", "c")
    assert found.exclusions == (
        Exclusion(reason="systems without a rating", count=3, example="f"),
        Exclusion(reason="systems whose score is NaN", count=1, example="e"),
    )
    assert found.to_dict()["exclusions"][0]["count"] == 3


@pytest.mark.parametrize(
    ("values", "scores", "note"),
    [
        ([2, 2, 2], [1, 2, 3], "all ratings are tied"),
        ([1, 2, 3], [7, 7, 7], "bleu gives every system the same score"),
    ],
)
def test_undefined_is_said(values: list[float], scores: list[float], note: str) -> None:
    found = agree(judgments_of(values), scores_of(scores), resample="systems", trials=20)
    for measure in ("pearson", "spearman", "kendall", "prediction-error"):
        assert np.isnan(found[measure].value)
        assert found[measure].note == note
        assert found[measure].interval is None
    assert found["accuracy"].value == 0
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("judgments", "scores", "message"),
    [
        (
            judgments_of([1, 2]),
            scores_of([1, 2]),
            "toy rank, bleu: found 2 systems with rating and score, expected at least 3",
        ),
        (
            judgments_of([1, 2, 3]),
            scores_of([1, 2, 3], systems="bcd"),
            r"found 2 systems .* \(1 systems without a score \(such as a\); 1 systems without a r",
        ),
        (
            judgments_of([1, 2, 3]),
            scores_of([1, 2, 3], systems="xyz"),
            "no system has both; found scores of x, y, z, expected a, b, c",
        ),
        (
            judgments_of([1, 2, 3], segments=[[1, 2]] * 3),
            scores_of([1, 2, 3], segments=[[1, 2, 3]] * 3),
            r"bleu: found scores of 3 segments, expected 2 \(ratings of toy rank\)",
        ),
    ],
)
def test_ratings_that_do_not_fit(judgments: Judgments, scores: MetricScores, message: str) -> None:
    with pytest.raises(InputError, match=message):
        agree(judgments, scores)


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("acc-eq-item", "no scores of segments, expected some for acc-eq-item"),
        ("kendall-wmt12", "no scores of segments"),
    ],
)
def test_measures_that_need_segments(measure: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        agree(judgments_of([1, 2, 3]), scores_of([1, 2, 3]), measures=[measure])


def test_measures_that_need_what_people_did_not_say() -> None:
    scores = scores_of([1, 2, 3], segments=[[1, 2]] * 3)
    with pytest.raises(InputError, match="no comparisons, expected some for consistency"):
        agree(judgments_of([1, 2, 3]), scores, measures=["consistency"])
    with pytest.raises(InputError, match="no ratings of segments, expected some for kendall-darr"):
        agree(judgments_of([1, 2, 3]), scores, measures=["kendall-darr"])


def test_every_measure_is_known_by_its_name() -> None:
    comparisons = Comparisons(
        segment=np.array([0, 1, 1]),
        judge=np.array([0, 0, 0]),
        better=np.array([0, 1, 2]),
        worse=np.array([1, 2, 0]),
        tie=np.array([False, False, True]),
    )
    segments = [[90.0, 20.0], [50.0, 60.0], [10.0, 80.0]]
    judgments = judgments_of([1, 2, 3], segments=segments, comparisons=comparisons)
    scores = scores_of([1, 2, 3], segments=segments)
    found = agree(judgments, scores, measures=list(MEASURES))
    assert found.measures == tuple(MEASURES)
    for one in found.measured:
        if MEASURES[one.measure].needs != "preferences":
            assert one.value == pytest.approx(MEASURES[one.measure].best)
        assert one.measure in found
    # People preferred a to b on segment 1, as the metric does, and b to c on 2, as it does not.
    assert found["kendall-wmt12"].value == 0
    assert found["consistency"].value == 0.5
    assert Exclusion(reason="comparisons that people found tied", count=1) in found.exclusions


def test_two_systems_are_enough_for_segments() -> None:
    found = agree(
        judgments_of([1, 2], segments=[[1, 2, 3], [3, 1, 4]]),
        scores_of([1, 2], segments=[[0, 2, 3], [3, 1, 4]]),
    )
    assert found.measures == ("segment-pearson-none", "segment-kendall-item", "acc-eq-item")


def test_ties_wherever_one_looks() -> None:
    """People who prefer nothing, and a metric that tells nothing apart."""
    people = Comparisons(
        segment=np.array([0, 1], dtype=np.int32),
        judge=np.array([0, 0], dtype=np.int32),
        better=np.array([0, 1], dtype=np.int32),
        worse=np.array([1, 2], dtype=np.int32),
        tie=np.array([True, True]),
    )
    flat = scores_of([1, 2, 3], segments=[[5.0, 5.0]] * 3)
    undecided = agree(judgments_of([1, 2, 3], comparisons=people), flat)
    for measure in ("kendall-wmt12", "kendall-wmt13", "kendall-wmt14", "consistency"):
        assert np.isnan(undecided[measure].value)
        assert undecided[measure].note == "people preferred nothing: no pair"
    rated = judgments_of([1, 2, 3], segments=[[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]])
    found = agree(rated, flat, resample="segments", trials=9, measures=["segment-pearson-none"])
    assert np.isnan(found["segment-pearson-none"].value)
    assert found["segment-pearson-none"].note == "all ratings, or all scores, are tied"
    unrated = judgments_of([1, 2, 3], segments=[[np.nan, np.nan]] * 3)
    for measure in ("segment-kendall-item", "acc-eq-item", "acc-eq-none"):
        one = agree(unrated, flat, measures=[measure])[measure]
        assert np.isnan(one.value)
        assert one.note == "no pair of rated outputs"
    preferred = Comparisons(
        segment=people.segment,
        judge=people.judge,
        better=people.better,
        worse=people.worse,
        tie=np.array([False, False]),
    )
    tied = agree(judgments_of([1, 2, 3], comparisons=preferred), flat)
    assert tied["kendall-wmt12"].value == -1
    assert tied["kendall-wmt14"].value == 0
    assert tied["kendall-wmt13"].note == "bleu ties all pairs"
    json.dumps(tied.to_dict(), allow_nan=False)


# ---- tables ---------------------------------------------------------------------------------


def test_averages_over_pairs_and_criteria() -> None:
    def said(name: str, criterion: str, values: list[float]) -> Judgments:
        systems = tuple("abcd"[: len(values)])
        return Judgments(name=name, criterion=criterion, systems=systems, values=np.array(values))

    scores = scores_of([1, 2, 3, 4])
    table = agreements(
        [
            (said("cs-en", "adequacy", [1, 2, 3, 4]), [scores]),
            (said("cs-en", "fluency", [4, 3, 2, 1]), [scores]),
            (said("de-en", "adequacy", [2, 1, 4, 3]), [scores]),
            (said("de-en", "fluency", [5, 5, 5, 5]), [scores]),
        ],
        measures=["pearson"],
    )
    assert table.names == ("cs-en", "de-en")
    assert table.criteria == ("adequacy", "fluency")
    assert len(table.of(name="de-en")) == 2
    by_criterion = {one.criterion: one for one in table.averages("names")}
    assert by_criterion["adequacy"].value == pytest.approx(0.8)
    assert by_criterion["fluency"].value == pytest.approx(-1.0)
    assert (by_criterion["fluency"].count, by_criterion["fluency"].undefined) == (1, 1)
    by_name = {one.name: one.value for one in table.averages("criteria")}
    assert by_name == pytest.approx({"cs-en": 0.0, "de-en": 0.6})
    (overall,) = table.averages("all")
    assert overall.value == pytest.approx(0.2)
    assert overall.count == 3
    json.dumps(table.to_dict(), allow_nan=False)
    assert list(table.to_dataframe()["value"].round(6))[:3] == [1.0, -1.0, 0.6]


def test_williams_takes_systems_that_all_metrics_scored() -> None:
    rng = np.random.default_rng(0)
    judgments = judgments_of(rng.normal(size=8).tolist())
    whole = scores_of(rng.normal(size=8).tolist())
    part = scores_of(rng.normal(size=6).tolist())
    assert williams(judgments, [whole, part]).systems == 6
    with pytest.raises(InputError, match="expected at least 4"):
        williams(judgments, [whole, scores_of([1, 2, 3])])


def test_agreement_against_the_number_of_systems() -> None:
    rng = np.random.default_rng(5)
    ratings = rng.normal(size=8)
    scores = ratings + rng.normal(size=8)
    judgments, metric = judgments_of(ratings.tolist()), scores_of(scores.tolist())
    curve = system_curve(judgments, metric, trials=300, seed=4)
    assert curve.counts == (3, 4, 5, 6, 7, 8)
    assert curve.intervals[-1].low == pytest.approx(curve.intervals[-1].high)
    assert curve.intervals[-1].mean == pytest.approx(float(pearson(ratings, scores)))
    widths = [one.half_width for one in curve.intervals]
    assert widths == sorted(widths, reverse=True)
    best = np.argsort(-ratings)[:3]
    assert curve.top[0] == pytest.approx(float(pearson(ratings[best], scores[best])))
    tied = system_curve(judgments_of([1, 1, 1, 1]), scores_of([1, 2, 3, 4]), trials=5)
    json.dumps(tied.to_dict(), allow_nan=False)
