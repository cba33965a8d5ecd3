"""How a campaign is going: how far everybody is, and what the ratings say so far."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from tertium.meta.ratings.standing import Standings
from tertium.plain import Plain
from tertium.serve.rating.analysis import analysed, headline, is_large, kept_analysis, last_event
from tertium.serve.rating.campaigns import CampaignView, view
from tertium.serve.rating.raters import raters
from tertium.serve.rating.results import Control
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.store.schema import Assignment, Campaign, RatingEvent, RatingItem


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterProgress(Plain):
    """How far one rater is; ``seconds`` is the median time of an item."""

    PLAIN = "id label active assigned done skipped last_at seconds controls"

    id: int
    label: str
    link_id: int | None
    active: bool
    assigned: int
    done: int
    skipped: int
    last_at: datetime | None
    seconds: float | None
    controls: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """All that organisers want to know.

    ``analysis`` is what the ratings say; it is ``current`` unless it is to be made of more ratings
    by now, which workers do.
    """

    campaign: CampaignView
    raters: tuple[RaterProgress, ...]
    ratings: int
    """Items that were rated, by whomever."""
    wanted: int
    """Items that are to be rated, each as often as the settings say."""
    analysis: dict[str, Any]
    current: bool

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "headline": self.analysis["headline"],
            "ratings": self.ratings,
            "wanted": self.wanted,
            "raters": [one.to_dict() for one in self.raters],
            "current": self.current,
            "criteria": self.analysis["criteria"],
            "spans": self.analysis["spans"],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPace:
    """How far a campaign is, without a look at what the ratings say."""

    rated: int
    wanted: int
    raters: int
    idle: int
    """Raters whose link is open and who have not begun."""


def progress_of(session: Session, campaign: Campaign) -> CampaignPace:
    """How far a campaign is, in a few counts."""
    people = _progress(session, campaign, NOTHING)
    return CampaignPace(
        rated=_rated(session, campaign),
        wanted=_wanted(session, campaign, len(people)),
        raters=len(people),
        idle=sum(one.active and one.last_at is None for one in people),
    )


def _wanted(session: Session, campaign: Campaign, people: int) -> int:
    """How many ratings are to be given, without controls and tutorial."""
    settings = CampaignSettings.of(campaign.settings)
    each = max(1, people) if settings.assignment == "fixed" else settings.redundancy
    return view(session, campaign).items * each


NOTHING: dict[str, Any] = {
    "event": 0,
    "headline": headline(Standings()),
    "criteria": [],
    "spans": None,
    "raters": {},
}


def dashboard(session: Session, campaign: Campaign) -> Dashboard:
    """The state of a campaign, from what workers found where it is large."""
    if is_large(session, campaign):
        found = kept_analysis(session, campaign) or {**NOTHING, "headline": "Looking at ratings …"}
        current = found["event"] == last_event(session, campaign)
    else:
        found, current = analysed(session, campaign), True
    people = _progress(session, campaign, found)
    return Dashboard(
        campaign=view(session, campaign),
        raters=people,
        ratings=_rated(session, campaign),
        wanted=_wanted(session, campaign, len(people)),
        analysis=found,
        current=current,
    )


def _rated(session: Session, campaign: Campaign) -> int:
    """How many items count as rated, without controls and tutorial."""
    last = last_events(campaign).subquery()
    return (
        session.scalar(
            select(func.count())
            .select_from(RatingEvent)
            .join(last, last.c.id == RatingEvent.id)
            .where(RatingEvent.action == "rate", last.c.kind == "regular")
        )
        or 0
    )


def last_events(campaign: Campaign) -> Any:
    """The last event of each rater on each item, by id, with the kind of the item."""
    return (
        select(func.max(RatingEvent.id).label("id"), RatingItem.kind)
        .join(RatingItem, RatingItem.id == RatingEvent.item_id)
        .where(RatingItem.campaign_id == campaign.id)
        .group_by(RatingEvent.rater_id, RatingEvent.item_id, RatingItem.kind)
    )


def _progress(
    session: Session, campaign: Campaign, found: dict[str, Any]
) -> tuple[RaterProgress, ...]:
    given = dict(
        session.execute(
            select(Assignment.rater_id, func.count())
            .where(Assignment.campaign_id == campaign.id)
            .group_by(Assignment.rater_id)
        ).all()
    )
    last = last_events(campaign).subquery()
    rows = session.execute(
        select(
            RatingEvent.rater_id,
            func.sum(case((RatingEvent.action == "rate", 1), else_=0)),
            func.sum(case((RatingEvent.action == "skip", 1), else_=0)),
            func.max(RatingEvent.at),
        )
        .join(last, last.c.id == RatingEvent.id)
        .group_by(RatingEvent.rater_id)
    )
    done = {rater: (rated, skipped, at) for rater, rated, skipped, at in rows}
    people = []
    for one in raters(session, campaign):
        rated, skipped, at = done.get(one.id, (0, 0, None))
        known = found["raters"].get(str(one.id), {})
        people.append(
            RaterProgress(
                id=one.id,
                label=one.label,
                link_id=one.link_id,
                active=one.active,
                assigned=given.get(one.id, 0),
                done=rated,
                skipped=skipped,
                last_at=at,
                seconds=known.get("seconds"),
                controls=known.get("controls", Control().to_dict()),
            )
        )
    return tuple(people)
