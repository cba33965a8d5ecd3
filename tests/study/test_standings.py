"""Possible ranks and tiers of several systems, and the verdict on any two of them."""

from dataclasses import replace

import numpy as np
import pytest

from tertium.cli.demo import SAMPLE
from tertium.meta.ratings.files import read_judgments
from tertium.meta.ratings.judgments import Judgments
from tertium.study.pair_verdicts import pair_verdict
from tertium.study.results import Study
from tertium.study.standings import (
    leading_strength,
    metric_standings,
    rank_intervals,
    ranks_of,
    rated_systems,
)
from tests.support.studies import sample_study

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sample() -> Study:
    judgments = read_judgments([str(SAMPLE / "ratings.tsv")], criteria=["fluency"], segments=92)
    return sample_study("bleu", "ter", trials=300, judgments=judgments)


def test_ranks_count_what_is_better_whichever_way() -> None:
    scores = np.array([30.0, 10.0, 30.0, np.nan])
    assert ranks_of(scores).tolist() == [1, 3, 1, 0]
    assert ranks_of(scores, higher_is_better=False).tolist() == [2, 1, 2, 0]


def test_rank_intervals_hold_the_middle_of_the_resamples() -> None:
    generator = np.random.default_rng(1)
    drawn = np.array([[10.0], [9.9], [5.0]]) + generator.normal(scale=0.3, size=(3, 4000))
    assert rank_intervals(drawn) == ((1, 2), (1, 2), (3, 3))
    assert rank_intervals(-drawn, higher_is_better=False) == ((1, 2), (1, 2), (3, 3))


def test_ranks_lie_in_their_intervals_and_tiers_follow_them(sample: Study) -> None:
    rated = rated_systems(sample)[0].standing
    for standing in (*metric_standings(sample), rated):
        assert standing.intervals is not None
        assert standing.tiers is not None
        for rank, (low, high) in zip(standing.ranks, standing.intervals, strict=True):
            assert low <= rank <= high
        tiers = [standing.tiers[index] for index in standing.order]
        assert tiers == sorted(tiers)
        assert tiers[0] == 1


def test_ratings_of_whole_systems_have_ranks_and_nothing_around_them(sample: Study) -> None:
    values = np.array([1.0, 3.0, 2.0, 5.0, np.nan])
    judgments = Judgments(name="x", criterion="quality", systems=sample.names, values=values)
    (rated,) = rated_systems(replace(sample, judgments=(judgments,)))
    assert rated.standing.ranks == (4, 2, 3, 1, 0)
    assert rated.standing.intervals is None
    assert rated.standing.tiers is None
    assert rated.interval(0, 1) is None
    assert rated.detectable(0, 1) is None


def test_people_and_metrics_agree_on_the_first_tier(sample: Study) -> None:
    people = rated_systems(sample)[0].standing
    metrics = metric_standings(sample)
    assert leading_strength(metrics, people).strength == "moderate"
    last = replace(people, tiers=tuple(4 - tier for tier in people.tiers or ()))
    assert leading_strength(metrics, last).strength == "none"


def test_a_pair_turned_round_has_the_contrary_verdict(sample: Study) -> None:
    ahead, behind = pair_verdict(sample, 1, 4), pair_verdict(sample, 4, 1)
    opposite = {"scores higher": "scores lower", "scores lower": "scores higher"}
    assert opposite.get(ahead.answer, ahead.answer) == behind.answer
    for one, other in zip(ahead.metrics, behind.metrics, strict=True):
        assert one.delta == pytest.approx(-other.delta)
        assert one.detectable == pytest.approx(other.detectable)
        assert one.interval is not None
        assert other.interval is not None
        assert one.interval.low == pytest.approx(-other.interval.high)


def test_pairs_with_the_first_are_as_decided(sample: Study) -> None:
    assert sample.decision is not None
    assert pair_verdict(sample, 0, 2) is sample.decision.verdicts[1]
    evidence = sample.decision.verdicts[1].metrics[0]
    turned = pair_verdict(sample, 2, 0).metrics[0]
    assert evidence.detectable == pytest.approx(turned.detectable, rel=1e-6)
