"""The pace of a campaign: forecasts by rater, and whom to remind."""

from datetime import timedelta
from typing import Any

from tertium.serve.rating.campaigns import change_state
from tertium.serve.rating.dashboard import dashboard, progress_of
from tertium.serve.rating.pace import Pace, pace_of, ranked_rows
from tertium.serve.rating.raters import invite
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Campaign, now
from tests.serve.rating.conftest import Rated
from tests.support.serve.campaigns import make_campaign, make_ground, rate_all


def half_done(store: Store, **settings: Any) -> tuple[int, int]:
    """A campaign in which ann is done, bob has begun and cy has not; project and campaign."""
    with store.writing() as session:
        ground = make_ground(session)
        campaign = make_campaign(
            session, ground, "direct-assessment", repeated=0, degraded=0, **settings
        )
        rate_all(session, campaign, "ann")
        rate_all(session, campaign, "bob", most=5)
        invite(session, "owner", ground.project_id, campaign.id, label="cy")
        return ground.project_id, campaign.id


def pace(store: Store, campaign: int, *, days: float = 0) -> Pace:
    with store.reading() as session:
        row = session.get_one(Campaign, campaign)
        moment = now() + timedelta(days=days)
        return pace_of(session, row, dashboard(session, row), moment=moment)


def test_the_forecast_is_by_rater_and_names_its_condition(store: Store) -> None:
    _, campaign = half_done(store)
    found = pace(store, campaign)
    assert (found.day, found.done, found.at_work) == (23, 1, 1)
    assert found.forecast
    assert found.condition == "if the 1 rater who has not begun begins today"
    assert [(one.label, one.left, one.last_at) for one in found.reminders] == [("cy", 18, None)]
    assert found.curve is not None
    assert found.curve.last > found.curve.first


def test_who_rests_is_reminded_after_some_days(store: Store) -> None:
    _, campaign = half_done(store)
    found = pace(store, campaign, days=4)
    assert found.day == 0
    assert [(one.label, one.left) for one in found.reminders] == [("cy", 18), ("bob", 13)]


def test_a_closed_campaign_reminds_nobody(store: Store) -> None:
    project, campaign = half_done(store)
    with store.writing() as session:
        change_state(session, "owner", project, campaign, "closed")
    found = pace(store, campaign, days=4)
    assert found.reminders == ()
    assert (found.forecast, found.condition) == ("", "")


def test_where_raters_share_the_items_the_rest_is_shared(store: Store) -> None:
    _, campaign = half_done(store, assignment="redundant", redundancy=2)
    found = pace(store, campaign)
    assert found.forecast
    assert [one.label for one in found.reminders] == ["cy"]


def test_progress_is_that_of_the_dashboard(store: Store) -> None:
    _, campaign = half_done(store)
    with store.reading() as session:
        row = session.get_one(Campaign, campaign)
        whole, brief = dashboard(session, row), progress_of(session, row)
    assert (brief.rated, brief.wanted) == (whole.ratings, whole.wanted) == (23, 54)
    assert (brief.raters, brief.idle) == (3, 1)


def test_a_campaign_that_is_done_needs_no_forecast(rated: Rated) -> None:
    session, campaign, _ = rated("direct-assessment")
    board = dashboard(session, campaign)
    found = pace_of(session, campaign, board)
    assert (found.forecast, found.condition) == ("", "all items are rated")
    assert found.reminders == ()
    (rows,) = (ranked_rows(one) for one in board.analysis["criteria"])
    assert [row.standing["ranks"][0] == 1 for row in rows] == [row.best for row in rows]
    marks = [row.whisker.mark for row in rows if row.whisker is not None]
    assert marks == sorted(marks, reverse=True)
