"""Fitting: planted parameters are found, what is held out is not seen, and warnings are given."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.choices import OPTIMISERS
from tertium.errors import InputError
from tertium.meta.fit.cases import FitCase, matched_case, splits_of
from tertium.meta.fit.fits import fit, maximise
from tertium.meta.ratings.judgments import Comparisons, Judgments
from tertium.metrics.contract.table import parse_metric
from tests.support.fitting import planted

pytestmark = pytest.mark.slow

# ---- the search -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", OPTIMISERS)
def test_a_hill_is_climbed(method: Any) -> None:
    found = maximise(
        lambda x: None if x[0] > 1.5 else -float((x[0] - 1) ** 2 + (x[1] - 3) ** 2),
        np.array([0.0, 1.0]),
        [(0, np.inf), (0, 2.5)],
        method=method,
        evaluations=2000,
    )
    np.testing.assert_allclose(found.point, [1, 2.5], atol=0.01)
    assert found.evaluations <= 2000


@given(st.integers(1, 30), st.sampled_from(OPTIMISERS))
def test_never_worse_than_the_start_nor_more_often_than_allowed(limit: int, method: Any) -> None:
    calls = []

    def objective(x: Any) -> float:
        calls.append(x)
        return -float(np.abs(x).sum())  # the start is the best point

    found = maximise(objective, np.zeros(3), [(0, 9)] * 3, method=method, evaluations=limit)
    assert found.value == 0
    assert len(calls) == found.evaluations <= limit


# ---- planted parameters ---------------------------------------------------------------------


def test_weights_of_bleu() -> None:
    """People who only look at single words and at four in a row."""
    case = planted("bleu[weights=0.9+0.0+0.0+0.1]")
    found = fit("bleu", [case], shrinkage=0, evaluations=400)
    assert found.names == ("weights_1", "weights_2", "weights_3", "weights_4")
    assert found.start == (0.25,) * 4
    assert found.in_sample > 0.999 > found.in_sample_default
    assert found.held_out > found.held_out_default
    assert found.validation == "systems"
    assert len(found.folds) == 4  # of three systems each
    assert parse_metric(found.fitted).parameters().tolist() == list(found.parameters)
    assert found.parameters[0] > max(found.parameters[1:])


def test_parameters_that_enter_the_statistics() -> None:
    """GRR searches alignments anew for every α and β."""
    case = planted("grr[alpha=0.2,beta=1.5]")
    found = fit("grr", [case], shrinkage=0, evaluations=120, validation="none")
    assert found.names == ("alpha", "beta")
    assert found.in_sample > 0.99 > found.in_sample_default
    assert found.parameters[0] < 0.6
    assert found.folds == ()
    assert np.isnan(found.held_out)
    assert "nothing was held out: too few systems, or none asked for" in found.warnings


def test_only_the_parameters_that_were_named() -> None:
    case = planted("amber[sbp=3.0,nkcp=0.0]")
    found = fit("amber", [case], parameters=["sbp", "nkcp"], evaluations=150, shrinkage=0)
    assert found.names == ("sbp", "nkcp")
    assert found.in_sample > found.in_sample_default
    fitted = parse_metric(found.fitted)
    assert fitted.with_options(sbp=0.3, nkcp=2.0) == parse_metric("amber")


def test_segments_may_decide() -> None:
    case = planted("bleu[weights=1.0+0.0+0.0+0.0]")
    found = fit("bleu", [case], measure="segment-pearson-none", evaluations=120, validation="none")
    assert found.in_sample > found.in_sample_default
    assert not any("systems for" in one for one in found.warnings)


def test_the_consistency_rate_of_ratings_alone_may_decide() -> None:
    """Ratings say which of two outputs is preferred; segments that nobody rated are left out."""
    case = planted("bleu[weights=1.0+0.0+0.0+0.0]")
    ratings = case.judgments.segments
    assert ratings is not None
    ratings = ratings.copy()
    ratings[:, 20:] = np.nan
    rated = replace(case, judgments=replace(case.judgments, segments=ratings))
    aligned = matched_case(rated, parse_metric("bleu"), "consistency", fixed=True).aligned
    assert aligned.preferences is None
    np.testing.assert_array_equal(aligned.segment_ratings, ratings[:, :20])
    found = fit("bleu", [rated], measure="consistency", evaluations=80, validation="none")
    assert found.in_sample > found.in_sample_default
    with pytest.raises(InputError, match="no comparisons, expected some for kendall-wmt12"):
        fit("bleu", [rated], measure="kendall-wmt12")
    bare = replace(case, judgments=replace(case.judgments, segments=None))
    with pytest.raises(InputError, match="no ratings of segments, expected some for consistency"):
        fit("bleu", [bare], measure="consistency")


def test_preferences_may_decide() -> None:
    case = planted("bleu[weights=1.0+0.0+0.0+0.0]")
    assert case.judgments.segments is not None
    ratings = case.judgments.segments
    rng = np.random.default_rng(3)
    pairs = np.array([rng.choice(12, 2, replace=False) for _ in range(300)])
    segment = rng.integers(10, 20, 300, dtype=np.int32)
    first, second = ratings[pairs[:, 0], segment], ratings[pairs[:, 1], segment]
    people = Comparisons(
        segment=segment,
        judge=np.zeros(300, dtype=int),
        better=np.where(first > second, pairs[:, 0], pairs[:, 1]),
        worse=np.where(first > second, pairs[:, 1], pairs[:, 0]),
        tie=first == second,
    )
    judgments = Judgments(
        name="toy",
        criterion="rank",
        systems=case.judgments.systems,
        values=case.judgments.values,
        comparisons=people,
    )
    ranked = FitCase(judgments=judgments, corpus=case.corpus, systems=case.systems)
    found = fit("bleu", [ranked], measure="kendall-wmt12", evaluations=80, validation="none")
    assert found.in_sample > found.in_sample_default
    assert any("found tied" in one.reason for one in found.exclusions) == bool(people.tie.any())
    with pytest.raises(InputError, match="no ratings of segments, expected some for acc-eq-item"):
        fit("bleu", [ranked], measure="acc-eq-item")


# ---- what is held out -----------------------------------------------------------------------


def test_one_test_set_after_the_other_is_held_out() -> None:
    target = "bleu[weights=1.0+0.0+0.0+0.0]"
    cases = [planted(target, seed=n, name=f"pair {n}", systems=5) for n in range(3)]
    test = planted(target, seed=9, name="later", systems=6)
    told: list[int] = []
    found = fit("bleu", cases, tests=[test], evaluations=200, progress=told.append)
    assert found.validation == "test-sets"
    assert [one.name for one in found.folds] == [f"pair {n} planted" for n in range(3)]
    assert [one.systems for one in found.folds] == [5, 5, 5]
    assert [one.name for one in found.tests] == ["later planted"]
    assert found.tests[0].parameters == found.parameters
    assert found.systems == 15
    assert len(told) == 4  # everything, and three times without one case
    for one in (*found.folds, *found.tests):
        assert one.fitted > one.default
        assert one.trained >= one.trained_default
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["tests"][0]["systems"] == 6
    assert len(found.to_dataframe()) == 4


def test_a_fold_has_no_part_in_its_own_fit() -> None:
    """With other ratings of what is held out, the parameters of that fold stay the same."""
    cases = [planted("bleu", seed=n, name=f"pair {n}", systems=6) for n in range(2)]
    ruined = Judgments(
        name="pair 0",
        criterion="planted",
        systems=cases[0].judgments.systems,
        values=cases[0].judgments.values[::-1],
    )
    other = FitCase(judgments=ruined, corpus=cases[0].corpus, systems=cases[0].systems)
    found = fit("bleu[weights=0.1+0.1+0.4+0.4]", cases, evaluations=80)
    again = fit("bleu[weights=0.1+0.1+0.4+0.4]", [other, cases[1]], evaluations=80)
    assert found.folds[0].parameters == again.folds[0].parameters
    assert found.folds[0].fitted != again.folds[0].fitted
    assert found.folds[1].parameters != again.folds[1].parameters


@pytest.mark.parametrize(("systems", "folds"), [(6, 2), (11, 3), (40, 5)])
def test_folds_are_fair_shares(systems: int, folds: int) -> None:
    case = matched_case(
        planted("bleu", systems=systems), parse_metric("bleu"), "pearson", fixed=True
    )
    how, found = splits_of([case], None, None, 5)
    assert how == "systems"
    assert len(found) == folds
    places = [split[0] for _, split in found]
    assert sorted(p for some in places for p in some or ()) == list(range(systems))
    assert all(len(some or ()) >= 3 for some in places)
    # Every fold has a good and a bad system.
    order = np.argsort(np.argsort(case.aligned.ratings))
    for some in places:
        ranks = order[list(some or ())]
        assert ranks.min() < folds
        assert ranks.max() >= systems - 2 * folds


def test_the_same_seed_gives_the_same_fit() -> None:
    case = planted("bleu[weights=0.7+0.1+0.1+0.1]")
    once, again = (fit("bleu", [case], evaluations=50, seed=3) for _ in range(2))
    assert once.to_dict() == again.to_dict()
    other = fit("bleu", [case], evaluations=50, seed=4)
    assert [one.default for one in other.folds] != [one.default for one in once.folds]


def test_shrinkage_holds_back() -> None:
    case = planted("bleu[weights=1.0+0.0+0.0+0.0]")
    free, held = (
        fit("bleu", [case], evaluations=200, shrinkage=s, validation="none") for s in (0, 10)
    )
    moved = [np.abs(np.subtract(one.parameters, one.start)).max() for one in (free, held)]
    assert moved[1] < 0.1 * moved[0]


@pytest.mark.parametrize(
    ("systems", "metric", "warning"),
    [
        (6, "grr", "6 systems are too few to fit anything; expected at least 10"),
        (12, "bleu", "12 systems for 4 parameters, fewer than 5 each"),
        (5, "bleu", "nothing was held out: too few systems"),
    ],
)
def test_too_few_systems(systems: int, metric: str, warning: str) -> None:
    found = fit(metric, [planted("wrr", systems=systems)], evaluations=10)
    assert any(one.startswith(warning) for one in found.warnings)


@pytest.mark.slow
def test_worse_than_before_is_said() -> None:
    """Ratings that have nothing to do with the texts can be fitted, but not foretold."""
    case = planted("bleu", systems=12)
    noise = Judgments(
        name="noise",
        criterion="x",
        systems=case.judgments.systems,
        values=np.random.default_rng(1).normal(size=12),
    )
    found = fit(
        "amber",
        [FitCase(judgments=noise, corpus=case.corpus, systems=case.systems)],
        evaluations=200,
        shrinkage=0,
    )
    assert found.in_sample > found.in_sample_default
    worse = [one.name for one in found.folds if one.gain < 0]
    assert worse
    assert any(
        f"worse than the metric's own parameters on {len(worse)} of 4" in one
        for one in found.warnings
    )
