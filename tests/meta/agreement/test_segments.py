"""Segment-level agreement: pairs, ties, groups, and people's preferences."""

import math
from typing import Any, get_args

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tertium.meta.agreement.correlation
import tertium.meta.agreement.grouped_correlation
from tertium.errors import InputError, OptionError
from tertium.meta.agreement.correlation import GROUPINGS, count_pairs, grouped
from tertium.meta.agreement.grouped_correlation import (
    calibrate_ties,
    segment_accuracy,
    segment_kendall,
    segment_pearson,
)
from tertium.meta.agreement.preferences import (
    PreferenceMeasure,
    count_preferences,
    preferences_of,
    relative_ranks,
)
from tertium.meta.ratings.judgments import Comparisons
from tests.oracles import agreement as oracle
from tests.support.effort import examples

Array = np.ndarray[Any, Any]
groupings = st.sampled_from(GROUPINGS)


@st.composite
def rated(draw: st.DrawFn) -> tuple[Array, Array]:
    """Ratings and scores, (systems, segments), with ties and gaps."""
    shape = draw(st.tuples(st.integers(1, 5), st.integers(1, 6)))
    numbers = st.integers(0, 5).map(float)
    rating = st.one_of(numbers, st.just(math.nan))
    ratings = draw(arrays(np.float64, shape, elements=rating))
    # Quarters are exact, so that equal distances are equal.
    scores = draw(arrays(np.float64, shape, elements=st.integers(0, 12).map(lambda x: x / 4)))
    return ratings, scores


def as_lists(matrix: Array) -> oracle.Matrix:
    return [[None if math.isnan(x) else x for x in row] for row in matrix.tolist()]


def groups_of(ratings: Array, scores: Array, grouping: str) -> list[oracle.Group]:
    return oracle.groups(as_lists(ratings), as_lists(scores), grouping)


def equal(found: float, expected: float | None) -> bool:
    if expected is None:
        return math.isnan(found)
    return found == pytest.approx(expected, abs=1e-9)


# ---- pairs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "accuracy"),
    [
        # C = (1,2) (1,2') (1,3) (2',3), D = (2,3), and people tie (2,2').
        (0.0, 4 / 6),
        (0.4, 4 / 6),
        (0.5, 3 / 6),  # (2,3) and (2',3) tied: one of them had been right
        (1.0, 3 / 6),  # (1,2') tied too, wrongly; (2,2') rightly
        (1.5, 2 / 6),  # (1,3) tied too
        (2.0, 1 / 6),  # all tied
    ],
)
def test_pairs_by_hand(epsilon: float, accuracy: float) -> None:
    """Ratings 1 2 2 3, scores 1 3 2 2.5."""
    ratings, scores = np.array([[1.0, 2, 2, 3]]), np.array([[1.0, 3, 2, 2.5]])
    found = count_pairs(ratings, scores, epsilon=epsilon)
    assert found.accuracy.tolist() == pytest.approx([accuracy])
    assert found.pairs.tolist() == [6]
    if epsilon == 0:
        assert found.tau_b.tolist() == pytest.approx([3 / math.sqrt(5 * 6)])


@given(rated(), groupings, st.sampled_from([0.0, 0.25, 1.0]))
def test_pairs_equal_the_oracle(both: tuple[Array, Array], grouping: str, epsilon: float) -> None:
    found = count_pairs(*grouped(*both, grouping), epsilon=epsilon)
    expected = [oracle.kinds(one, epsilon) for one in groups_of(*both, grouping)]
    for name in ("concordant", "discordant", "tied_ratings", "tied_scores", "tied_both"):
        assert getattr(found, name).tolist() == [one[name] for one in expected], name


@given(rated())
def test_sorting_counts_as_comparing_does(both: tuple[Array, Array]) -> None:
    compared = count_pairs(*grouped(*both, "none"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tertium.meta.agreement.correlation, "MATRIX_MEMBERS", 0)
        by_sorting = count_pairs(*grouped(*both, "none"))
    for name in ("concordant", "discordant", "tied_ratings", "tied_scores", "tied_both"):
        assert getattr(by_sorting, name).tolist() == getattr(compared, name).tolist()


def test_a_long_group_has_the_tau_of_scipy() -> None:
    rng = np.random.default_rng(7)
    ratings = rng.integers(0, 9, (1, 3000)).astype(float)
    scores = (ratings + rng.normal(0, 4, (1, 3000))).round(1)
    expected = scipy.stats.kendalltau(ratings[0], scores[0]).statistic
    assert count_pairs(ratings, scores).tau_b.tolist() == pytest.approx([expected])


# ---- groups ---------------------------------------------------------------------------------


@given(rated(), groupings)
def test_correlations_by_group_equal_the_oracle(both: tuple[Array, Array], grouping: str) -> None:
    groups = groups_of(*both, grouping)
    for measure, plain in (
        (segment_pearson, oracle.pearson),
        (segment_kendall, oracle.tau_b),
    ):
        expected, count = oracle.mean([plain(one) for one in groups])
        found = measure(*both, grouping)
        assert equal(found.value, expected)
        assert found.groups == count
        assert found.groups + found.undefined == len(groups)


def test_groups_by_hand() -> None:
    """Two systems, three segments, all rated but one output."""
    ratings = np.array([[1.0, 2.0, 3.0], [2.0, 5.0, np.nan]])
    scores = np.array([[4.0, 6.0, 8.0], [3.0, 9.0, 7.0]])
    # Items: (1,2) against (4,3), −1; (2,5) against (6,9), +1; the third has one output.
    item = segment_pearson(ratings, scores, "item")
    assert item.value == pytest.approx(0)
    assert (item.groups, item.undefined) == (2, 1)
    # Systems: (1,2,3) against (4,6,8), and (2,5) against (3,9): both 1.
    assert segment_kendall(ratings, scores, "system").value == pytest.approx(1)
    # Together: of 10 pairs people tie the two rated 2, and the metric turns round the pair with
    # ratings 1 and 2 and scores 4 and 3.
    together = count_pairs(*grouped(ratings, scores, "none"))
    assert (together.concordant[0], together.discordant[0], together.tied_ratings[0]) == (8, 1, 1)
    assert segment_kendall(ratings, scores, "none").value == pytest.approx(7 / math.sqrt(90))


def test_unknown_grouping_and_shape() -> None:
    with pytest.raises(OptionError, match="unknown grouping 'items'; did you mean 'item'"):
        segment_pearson(np.zeros((2, 2)), np.zeros((2, 2)), "items")
    with pytest.raises(InputError, match=r"found shape \(2, 3\), expected \(2, 2\)"):
        segment_kendall(np.zeros((2, 2)), np.zeros((2, 3)))
    with pytest.raises(OptionError, match="epsilon: found -1"):
        segment_accuracy(np.zeros((2, 2)), np.zeros((2, 2)), epsilon=-1)


@pytest.mark.parametrize("grouping", ["none", "system"])
def test_sums_over_segments_make_the_same_correlation(grouping: str) -> None:
    rng = np.random.default_rng(2)
    ratings = 1e6 + rng.normal(size=(4, 30))
    ratings[rng.random((4, 30)) < 0.2] = np.nan
    scores = np.nan_to_num(ratings, nan=1e6) + rng.normal(size=(4, 30))
    found = segment_pearson(ratings, scores, grouping)
    assert found.additive is not None
    assert found.additive.value == pytest.approx(found.value, abs=1e-9)
    # A resample is the segments of that resample, each as often as drawn.
    chosen = rng.integers(0, 30, 30)
    again = segment_pearson(ratings[:, chosen], scores[:, chosen], grouping).value
    rows = found.additive.rows[chosen].sum(axis=0)
    assert float(found.additive.score(rows)) == pytest.approx(again, abs=1e-9)


# ---- tie calibration ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratings", "scores", "accuracy", "epsilon"),
    [
        # People tie the first two; so does the metric from a distance of 0.25 on.
        ([1, 1, 2], [1, 1.25, 3], 1.0, 0.25),
        # Nothing is gained by ties where people have none.
        ([1, 2, 3], [1, 2, 3], 1.0, 0.0),
        # All of people's pairs are tied, and the metric's furthest are 2 apart.
        ([4, 4, 4], [1, 2, 3], 1.0, 2.0),
        # A metric that is always wrong is best where it says nothing.
        ([1, 2, 2], [3, 1, 1], 1 / 3, 0.0),
    ],
)
def test_calibration_by_hand(
    ratings: list[float], scores: list[float], accuracy: float, epsilon: float
) -> None:
    one = np.array([ratings], dtype=float), np.array([scores], dtype=float)
    found = calibrate_ties(*one, "system")
    assert (found.accuracy, found.epsilon) == pytest.approx((accuracy, epsilon))
    assert found.pairs == 3


@given(rated(), groupings)
def test_calibration_tries_everything(both: tuple[Array, Array], grouping: str) -> None:
    groups = groups_of(*both, grouping)
    found = calibrate_ties(*both, grouping)
    if not any(len(one) > 1 for one in groups):
        assert math.isnan(found.accuracy)
        assert math.isnan(segment_accuracy(*both, grouping).value)
        return
    accuracy, epsilon = oracle.best_epsilon(groups)
    assert found.accuracy == pytest.approx(accuracy, abs=1e-9)
    assert found.epsilon == epsilon
    assert oracle.swept_epsilon(groups) == pytest.approx((accuracy, epsilon))
    uncalibrated, count = oracle.mean([oracle.accuracy(one) for one in groups])
    assert uncalibrated is not None
    assert found.uncalibrated == pytest.approx(uncalibrated, abs=1e-9)
    assert found.groups == count
    assert segment_accuracy(*both, grouping).value == pytest.approx(accuracy, abs=1e-9)


@settings(max_examples=examples(30))
@given(st.integers(0, 1000), groupings)
def test_calibration_does_not_depend_on_memory(seed: int, grouping: str) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, 3, (4, 9)).astype(float)
    scores = ratings + rng.normal(size=(4, 9))
    whole = calibrate_ties(ratings, scores, grouping)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tertium.meta.agreement.grouped_correlation, "MOST_PAIRS", 16)
        patch.setattr(tertium.meta.agreement.grouped_correlation, "FIRST_PARTS", 3)
        parts = calibrate_ties(ratings, scores, grouping)
    assert parts.epsilon == whole.epsilon
    assert parts.accuracy == pytest.approx(whole.accuracy, abs=1e-12)


def test_given_ties_are_not_calibrated() -> None:
    ratings, scores = np.array([[1.0], [1.0], [2.0]]), np.array([[1.0], [1.25], [3.0]])
    assert segment_accuracy(ratings, scores, epsilon=0.0).value == pytest.approx(2 / 3)
    assert segment_accuracy(ratings, scores, epsilon=0.3).value == pytest.approx(1.0)


# ---- preferences ----------------------------------------------------------------------------


def comparisons(*rows: tuple[int, int, int, bool]) -> Comparisons:
    segment, better, worse, tie = zip(*rows, strict=True)
    return Comparisons(
        segment=np.array(segment),
        judge=np.zeros(len(rows), dtype=int),
        better=np.array(better),
        worse=np.array(worse),
        tie=np.array(tie),
    )


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        # Six preferences: three in people's order, one in the opposite, two that the metric ties.
        ("wmt12", (3 - 1 - 2) / 6),
        ("wmt13", (3 - 1) / 4),
        ("wmt14", (3 - 1) / 6),
        ("darr", (3 - 1 - 2) / 6),
        ("consistency", 3 / 6),
    ],
)
def test_variants_of_wmt_by_hand(measure: str, value: float) -> None:
    people = comparisons(
        (0, 0, 1, False),
        (0, 0, 2, False),
        (0, 1, 2, False),
        (1, 0, 1, False),
        (1, 2, 1, False),
        (1, 0, 2, False),
        (1, 2, 0, True),
    )
    # Segment 0: 0 and 1 tied, both over 2. Segment 1: 0 and 1 tied, 2 over both.
    scores = np.array([[2.0, 5.0], [2.0, 5.0], [1.0, 6.0]])
    found = count_preferences(preferences_of(people), scores)
    assert (found.concordant, found.discordant, found.tied) == (3, 1, 2)
    assert found.measure(measure).value == pytest.approx(value)
    assert preferences_of(people).tied == 1


@st.composite
def preferred(draw: st.DrawFn) -> tuple[list[tuple[int, int, int]], Array]:
    """Preferences and scores of three systems on four segments."""
    pairs = st.permutations(range(3)).map(lambda order: order[:2])
    one = st.tuples(st.integers(0, 3), pairs).map(lambda x: (x[0], x[1][0], x[1][1]))
    scores = arrays(np.float64, (3, 4), elements=st.integers(0, 2).map(float))
    return draw(st.lists(one, min_size=1, max_size=20)), draw(scores)


@given(preferred())
def test_preferences_equal_the_oracle(both: tuple[list[tuple[int, int, int]], Array]) -> None:
    rows, scores = both
    people = preferences_of(comparisons(*((*row, False) for row in rows)))
    found = count_preferences(people, scores)
    lists = as_lists(scores)
    for measure, ties in (("wmt12", "wrong"), ("wmt13", "out"), ("wmt14", "none")):
        expected = oracle.kendall_like(rows, lists, ties)
        assert equal(found.measure(measure).value, expected)
    tau = found.measure("wmt12").value
    assert found.measure("consistency").value == pytest.approx((1 + tau) / 2)
    assert found.measure("darr").value == tau


@given(rated(), st.sampled_from([1.0, 2.0, 25.0]))
def test_relative_ranks_equal_the_oracle(both: tuple[Array, Array], points: float) -> None:
    ratings, scores = both
    found = relative_ranks(ratings, points=points)
    expected = oracle.darr(as_lists(ratings), points)
    rows = zip(found.segment.tolist(), found.better.tolist(), found.worse.tolist(), strict=True)
    assert sorted(rows) == sorted(expected)
    tau = count_preferences(found, scores).measure("darr").value
    assert equal(tau, oracle.kendall_like(expected, as_lists(scores), "wrong"))


def test_direct_assessments_by_hand() -> None:
    """25 points are enough, 24 are not; the metric's tie is as bad as the wrong order."""
    ratings = np.array([[80.0, 70.0, 90.0], [55.0, 46.0, 10.0], [31.0, np.nan, 60.0]])
    found = relative_ranks(ratings)
    # 80–55, 80–31 (55–31 is 24); 70–46 is 24; 90–10, 90–60, 60–10.
    assert len(found) == 5
    assert found.tied == 2
    scores = np.array([[3.0, 0, 1], [1, 0, 1], [2, 0, 3]])
    # Segment 0: both right. Segment 2: 90–10 tied, 90–60 wrong, 60–10 right.
    assert count_preferences(found, scores).measure("darr").value == pytest.approx((3 - 2) / 5)


def test_preferences_on_odd_input() -> None:
    people = preferences_of(comparisons((5, 0, 1, False)))
    with pytest.raises(InputError, match=r"found segment 6, expected at most 3 \(segments of"):
        count_preferences(people, np.zeros((2, 3)))
    with pytest.raises(OptionError, match="points: found 0, expected more than 0"):
        relative_ranks(np.zeros((2, 3)), points=0)
    found = count_preferences(people, np.full((2, 6), np.nan))
    assert found.unscored == 1
    for measure in get_args(PreferenceMeasure):
        assert math.isnan(found.measure(measure).value)
    with pytest.raises(OptionError, match="unknown measure 'wmt15'"):
        found.measure("wmt15")
