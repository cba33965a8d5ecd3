"""System-level agreement: correlations, Williams' test, and what `agree` says of odd ratings."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.meta.agreement.agreement_table import agree, agreements, williams
from tertium.meta.agreement.correlation import (
    pearson,
)
from tertium.meta.agreement.measures import MEASURES, what_is_missing
from tertium.meta.agreement.shared_systems import align
from tertium.meta.agreement.system_curve import system_curve
from tertium.meta.ratings.judgments import Comparisons, Exclusion, Judgments, MetricScores

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


def test_missing_scores_of_outputs_are_counted() -> None:
    gaps = [[1.0, 2.0, np.nan], [2.0, 3.0, 4.0], [np.nan, 4.0, 5.0], [np.nan, np.nan, np.nan]]
    found = agree(judgments_of([1, 2, 3]), scores_of([1.5, 3, 4.5, 9], segments=gaps))
    reason = "outputs without a score of bleu"  # the fourth system is not rated at all
    assert Exclusion(reason=reason, count=2, example="a, segment 3") in found.exclusions


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
            r"found 2 systems .* \(1 system without a score \(such as a\); 1 system without a r",
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


def test_what_is_missing_for_a_measure_of_segments() -> None:
    """The consistency rate takes comparisons or ratings; all others are particular."""
    people = Comparisons(
        segment=np.array([0, 1]),
        judge=np.array([0, 0]),
        better=np.array([0, 1]),
        worse=np.array([1, 2]),
        tie=np.array([False, False]),
    )
    segments = [[1.0, 5.0], [2.0, 3.0], [3.0, 4.0]]
    scores = scores_of([1, 2, 3], segments=segments)
    rated = align(judgments_of([1, 2, 3], segments=segments), scores)
    compared = align(judgments_of([1, 2, 3], comparisons=people), scores)
    neither = align(judgments_of([1, 2, 3]), scores)
    expected = {
        "consistency": ("", "", "neither comparisons nor ratings"),
        "kendall-wmt12": ("no comparisons", "", "no comparisons"),
        "kendall-darr": ("", "no ratings of segments", "no ratings of segments"),
        "acc-eq-item": ("", "no ratings of segments", "no ratings of segments"),
        "soft-accuracy": ("", "no ratings of segments", "no ratings of segments"),
        "pearson": ("", "", ""),
    }
    for measure, missing in expected.items():
        assert tuple(what_is_missing(measure, one) for one in (rated, compared, neither)) == missing
    bare = align(judgments_of([1, 2, 3], segments=segments), scores_of([1, 2, 3]))
    assert what_is_missing("consistency", bare) == "no scores of segments"
    elsewhere = align(replace(judgments_of([1, 2, 3], segments=segments), located=False), scores)
    assert what_is_missing("consistency", elsewhere) == "ratings whose segments are not known"
    two = align(judgments_of([1, 2]), scores_of([1, 2]))
    assert what_is_missing("pearson", two) == "2 systems with rating and score"


def test_consistency_alone_is_measured_of_comparisons_or_ratings() -> None:
    people = Comparisons(
        segment=np.array([0, 0, 1]),
        judge=np.array([0, 0, 0]),
        better=np.array([1, 2, 0]),
        worse=np.array([0, 1, 2]),
        tie=np.array([False, False, False]),
    )
    scores = scores_of([1, 2, 3], segments=[[1.0, 5.0], [2.0, 3.0], [1.5, 4.0]])
    compared = agree(judgments_of([1, 2, 3], comparisons=people), scores, measures=["consistency"])
    # b over a and a over c are as the metric has them, c over b is not.
    assert compared.measures == ("consistency",)
    assert compared["consistency"].value == pytest.approx(2 / 3)
    assert (compared["consistency"].count, compared["consistency"].unit) == (3, "pairs")
    segments = [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]
    rated = agree(judgments_of([1, 2, 3], segments=segments), scores, measures=["consistency"])
    # a < b and a < c are right, b < c is not; nobody prefers anything on the second segment.
    assert rated["consistency"].value == pytest.approx(2 / 3)
    # What people said outright counts, not what their ratings imply.
    both = judgments_of(
        [1, 2, 3], segments=[[3.0, 1.0], [2.0, 1.0], [1.0, 1.0]], comparisons=people
    )
    assert agree(both, scores, measures=["consistency"])["consistency"].value == pytest.approx(
        2 / 3
    )


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
