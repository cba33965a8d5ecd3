"""Ratings are events: added once, never changed, taken back by another event."""

from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session

from tertium.serve.errors import ConflictError, NotFoundError, RequestError
from tertium.serve.rating.campaigns import change_state
from tertium.serve.rating.events import Feedback, Sent, store_events
from tertium.serve.rating.export_files import all_events
from tertium.serve.rating.material import material_of
from tertium.serve.rating.raters import rater_of
from tertium.serve.rating.results import current_answers
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.work import next_page, page, progress, sheet
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Campaign, RatingEvent
from tests.support.serve.campaigns import caller, make_campaign, make_ground


def setup(session: Session, **settings: Any) -> Campaign:
    campaign = make_campaign(session, make_ground(session), "direct-assessment", **settings)
    rater = rater_of(session, caller("ann"), campaign)
    next_page(session, campaign, CampaignSettings.of(campaign.settings), rater)
    return campaign


def send(
    session: Session, campaign: Campaign, *sent: Sent, who: str = "ann"
) -> tuple[Feedback, ...]:
    rater = rater_of(session, caller(who), campaign)
    return store_events(session, campaign, material_of(session, campaign), rater, sent)


def rate(number: int, value: float, key: str = "") -> Sent:
    return Sent(
        key=key or f"r{number}-{value}",
        number=number,
        action="rate",
        seconds=2.5,
        values={"A": {"da": value}},
    )


def values(session: Session, campaign: Campaign) -> list[Any]:
    found = current_answers(session, campaign)
    return [next(iter(one.answers.values()))["da"] for one in found]


def test_a_repeated_send_is_stored_once(store: Store) -> None:
    with store.writing() as session:
        campaign = setup(session)
        for _ in range(3):
            send(session, campaign, rate(1, 50), rate(2, 60))
        assert len(list(session.scalars(select(RatingEvent)))) == 2
        assert sorted(values(session, campaign)) == [50, 60]
        with pytest.raises(ConflictError, match="key 'r1-50': was sent with other content"):
            send(session, campaign, rate(1, 51, key="r1-50"))
        with pytest.raises(ConflictError, match="was sent with other content"):
            send(session, campaign, rate(3, 50, key="r1-50"))


def test_two_raters_may_use_the_same_key(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = setup(session)
        rater = rater_of(session, caller("bob"), campaign)
        next_page(session, campaign, CampaignSettings(), rater)
        send(session, campaign, rate(1, 50, key="same"))
        send(session, campaign, rate(1, 70, key="same"), who="bob")
        assert sorted(values(session, campaign)) == [50, 70]


def test_the_last_event_counts_and_all_are_kept(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = setup(session)
        send(session, campaign, rate(1, 10), rate(1, 20))
        assert values(session, campaign) == [20]
        rater = rater_of(session, caller("ann"), campaign)
        assert progress(session, rater).last == 1
        send(session, campaign, Sent(key="u", number=1, action="undo", seconds=0))
        assert values(session, campaign) == []
        found = progress(session, rater)
        assert (found.done, found.next, found.last) == (0, 1, None)
        shown = page(
            session, CampaignSettings(), material_of(session, campaign), rater,
            sheet(session, campaign, material_of(session, campaign), rater, 1),
        )  # fmt: skip
        assert shown.state == "open"
        assert shown.values == {"A": {"da": 20}}  # what was taken back is there to be mended
        send(session, campaign, Sent(key="s", number=1, action="skip", seconds=1))
        assert progress(session, rater).next == 2
        events = list(all_events(session, campaign))
        assert [one["action"] for one in events] == ["rate", "rate", "undo", "skip"]
        assert [list(one["values"].values()) for one in events[:2]] == [[{"da": 10}], [{"da": 20}]]


def test_the_store_itself_changes_no_event(store: Store) -> None:
    with store.writing() as session:
        campaign = setup(session)
        send(session, campaign, rate(1, 10))
    for change in ("UPDATE rating_event SET seconds = 1", "DELETE FROM rating_event"):
        with pytest.raises(DatabaseError, match="rows are only added"), store.writing() as session:
            session.execute(text(change))


def test_a_late_rating_of_a_closed_campaign_is_kept(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = setup(session)
        change_state(session, "owner", campaign.project_id, campaign.id, "closed")
        send(session, campaign, rate(1, 10))
        assert values(session, campaign) == [10]
        late = rater_of(session, caller("late"), campaign)
        assert next_page(session, campaign, CampaignSettings(), late).assigned == 0


def test_all_or_none(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = setup(session)
    with pytest.raises(RequestError), sqlite_store.writing() as session:
        send(session, campaign, rate(1, 10), rate(2, 1000))
    with sqlite_store.reading() as session:
        assert values(session, campaign) == []


WRONG = [
    (Sent(key="k", number=99, action="rate", seconds=1), NotFoundError, "item 99: found none"),
    (Sent(key="k", number=1, action="eat", seconds=1), RequestError, "action: found 'eat'"),
    (Sent(key="", number=1, action="skip", seconds=1), RequestError, "key: expected 1 to 100"),
    (Sent(key="k" * 101, number=1, action="skip", seconds=1), RequestError, "key: expected"),
    (Sent(key="k", number=1, action="skip", seconds=-1), RequestError, "seconds: found -1"),
    (Sent(key="k", number=1, action="skip", seconds=float("nan")), RequestError, "seconds: found"),
    (Sent(key="k", number=1, action="undo", seconds=1, values={"A": 1}), RequestError,
     "values: found some with undo, expected none"),
]  # fmt: skip


@pytest.mark.parametrize(("sent", "kind", "words"), WRONG)
def test_what_is_wrong_is_said(
    sqlite_store: Store, sent: Sent, kind: type[Exception], words: str
) -> None:
    with sqlite_store.writing() as session:
        campaign = setup(session)
        with pytest.raises(kind, match=words):
            send(session, campaign, sent)


def test_a_tutorial_answers(sqlite_store: Store) -> None:
    tutorial = [
        {"source": "Hallo", "outputs": ["Hello"], "expected": [{"da": [80, 100]}],
         "feedback": "It is perfect."},
    ]  # fmt: skip
    with sqlite_store.writing() as session:
        campaign = setup(session, tutorial=tutorial)
        (found,) = send(session, campaign, rate(1, 20))
        assert (found.passed, found.text) == (False, "It is perfect.")
        assert found.expected == {"A": {"da": [80, 100]}}
        (found,) = send(session, campaign, rate(1, 90))
        assert found.passed
        assert send(session, campaign, rate(2, 90)) == ()
        assert len(current_answers(session, campaign)) == 1  # the tutorial is no rating
