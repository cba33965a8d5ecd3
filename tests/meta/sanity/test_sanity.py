"""Judges with a planted fault are found; honest ones are not, as often as the level says."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.files import read_ratings
from tertium.meta.ratings.judges import judge_report
from tertium.meta.ratings.rating_sets import Ratings, collect_ratings
from tertium.meta.sanity.measured import more_often
from tertium.meta.sanity.sanity import CHECKS, Sanity, sanity
from tests.support.meta.campaigns import JUDGES, Campaign
from tests.support.ratings import write

pytestmark = pytest.mark.slow

BAD = JUDGES[-1]


def found(one: Sanity) -> set[tuple[str, str]]:
    return {(check.judge, check.check) for check in one.bad}


@pytest.mark.parametrize("fault", CHECKS)
def test_planted_judges_are_found(fault: str) -> None:
    """In nine campaigns of ten at the least; others are blamed as rarely as the level says."""
    hits = blames = 0
    for seed in range(10):
        campaign = Campaign(seed=seed, fault=fault, repeats=40, damaged=24)
        result = sanity(campaign.ratings(), trials=199)
        assert not result.skipped
        hits += (BAD, fault) in found(result)
        blames += any(judge != BAD for judge, _ in found(result))
    assert hits >= 9
    assert blames <= 2  # of 10 at level 0.05, more with a chance of 1.2 %


CAMPAIGNS = 200


@pytest.fixture(scope="module")
def results() -> list[Sanity]:
    """Campaigns of honest judges."""
    return [sanity(Campaign(seed=1000 + seed).ratings(), trials=499) for seed in range(CAMPAIGNS)]


@pytest.mark.slow
class TestHonest:
    def test_hardly_anyone_is_blamed(self, results: list[Sanity]) -> None:
        """A campaign with any bad judge is as rare as the level, at the most."""
        blamed = sum(bool(one.bad) for one in results)
        limit = 0.05 + 2 * (0.05 * 0.95 / CAMPAIGNS) ** 0.5
        assert blamed / CAMPAIGNS <= limit

    @pytest.mark.parametrize("check", CHECKS)
    def test_p_values_are_below_the_level_as_often_as_it_says(
        self, results: list[Sanity], check: str
    ) -> None:
        """Judges of one campaign are not independent, so the error is that of campaigns' means."""
        shares = np.array(
            [
                np.mean([x.p_value <= 0.05 for x in one.checks if x.check == check])
                for one in results
            ]
        )
        error = shares.std(ddof=1) / len(shares) ** 0.5
        assert shares.mean() <= 0.05 + 2 * error
        if check in {"disagrees", "drifts", "no repeats"}:  # the others are exact, thus cautious
            assert shares.mean() >= 0.05 - 3 * error - 0.01


def test_two_judges_for_each_output() -> None:
    """Where outputs have two judges, pairs with the bad one are worse than those without."""
    for seed in range(5):
        campaign = Campaign(seed=seed, fault="disagrees", looks=2, segments=60, damaged=0)
        result = sanity(campaign.ratings(), trials=199)
        assert (BAD, "disagrees") in found(result), seed
    honest = [sanity(Campaign(seed=seed, looks=2).ratings(), trials=199) for seed in range(20)]
    assert sum(bool(one.bad) for one in honest) <= 3


def test_two_judges_in_all_do_not_tell_who_is_wrong() -> None:
    campaign = Campaign(seed=1, fault="disagrees", judges=("a", "b"), looks=2)
    result = sanity(campaign.ratings())
    assert result.skipped["disagrees"] == "two judges do not tell which of them is wrong"


def test_what_cannot_be_checked_is_stated() -> None:
    campaign = Campaign(seed=1, timed=False, repeats=0, damaged=0, checks=0, looks=1)
    result = sanity(campaign.ratings())
    assert set(result.skipped) == set(CHECKS) - {"one value"}
    assert {one.check for one in result.checks} == {"one value"}


def test_an_inverted_judge_is_found() -> None:
    ratings = Campaign(seed=3).ratings()
    number = ratings.judges.index(BAD)
    turned = np.where(ratings.judge == number, 120 - ratings.value, ratings.value)
    result = sanity(replace(ratings, value=turned), trials=999)
    (check,) = [one for one in result.bad if one.check == "disagrees"]
    assert check.judge == BAD
    assert check.value < 0


def test_no_ratings_of_segments() -> None:
    rows = [Rating(place="x:1", system="A", value=1.0, criterion="c", judge="j")]
    result = sanity(collect_ratings(rows, name="n", criterion="c"))
    assert not result.checks
    assert set(result.skipped) == set(CHECKS)


def test_the_level_and_the_words() -> None:
    with pytest.raises(OptionError, match="alpha"):
        sanity(Campaign(seed=1).ratings(), alpha=0)
    result = sanity(Campaign(seed=1, fault="no damage").ratings(), trials=199)
    (check,) = [one for one in result.bad if one.check == "no damage"]
    assert f"{BAD} misses" in str(check)
    assert result.to_dict()["checks"][0]["bad"] in {True, False}


@pytest.mark.parametrize(
    ("own", "of_own", "others", "of_others", "expected"),
    [  # Fisher (1935): one-sided tails of the hypergeometric distribution
        (3, 4, 1, 4, 17 / 70),
        (4, 4, 0, 4, 1 / 70),
        (0, 4, 4, 4, 1.0),
        (1, 1, 0, 0, 1.0),
    ],
)
def test_more_often(own: int, of_own: int, others: int, of_others: int, expected: float) -> None:
    assert more_often(own, of_own, others, of_others) == pytest.approx(expected)


class TestTables:
    HEADER = "system\tsegment\tjudge\trating\tkind\tbegin\tseconds"

    def test_controls_and_times_come_from_tables(self, tmp_path: Path) -> None:
        path = write(
            tmp_path,
            "ratings.tsv",
            self.HEADER,
            "A\t1\tj\t50\tTGT\t100\t12.5",
            "A\t1\tj\t20\tBAD\t120\t",
            "A\t2\tj\t90\tREF\t\t3",
        )
        (one,) = read_ratings(path)
        assert isinstance(one, Ratings)
        assert one.value.tolist() == [50]
        assert [row.kind for row in one.rows] == ["", "degraded", "reference"]
        assert [(row.begin, row.seconds) for row in one.rows] == [
            (100, 12.5),
            (120, None),
            (None, 3),
        ]

    def test_wrong_kinds_and_times_are_errors(self, tmp_path: Path) -> None:
        for row, message in (
            ("A\t1\tj\t50\tgood\t1\t1", "ratings.tsv:2: kind 'good', expected"),
            ("A\t1\tj\t50\tTGT\tnoon\t1", "ratings.tsv:2: found 'noon', expected a number"),
        ):
            with pytest.raises(InputError) as caught:
                read_ratings(write(tmp_path, "ratings.tsv", self.HEADER, row))
            assert message in str(caught.value)


@pytest.mark.shared
def test_raters_of_wmt23_are_sane(shared_data: Path) -> None:
    """Eight professionals: one agrees less than the others (r = 0.59), but none is bad."""
    folder = shared_data / "wmt23" / "human-scores"
    (one,) = read_ratings(sorted(folder.glob("zh-en.mqm.rater*.seg.rating")))
    report = judge_report(one)
    assert report.sanity is not None
    assert len(report.sanity.checks) == 16
    assert report.sanity.bad == ()
    least = min(report.sanity.checks, key=lambda x: x.value if x.check == "disagrees" else 1)
    assert least.judge == "rater1"
    assert least.value == pytest.approx(0.59, abs=0.01)
