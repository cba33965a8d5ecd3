"""What a rater does: get the next item, send events. Nothing here names a system or a rater."""

from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy.orm import Session

from tertium.serve.errors import NotFoundError
from tertium.serve.rating.campaigns import campaign_of
from tertium.serve.rating.events import LONGEST, LONGEST_KEY, Feedback, Sent, store_events
from tertium.serve.rating.material import material_of
from tertium.serve.rating.protocols import protocol_named
from tertium.serve.rating.raters import find_rater, rater_of
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.work import CampaignProgress, Page, next_page, page, progress, sheet
from tertium.serve.store.schema import Campaign, Rater
from tertium.serve.web.access import HIGHEST, Access, Identifier, Slug, needs

router = APIRouter(tags=["rating"])

MINE = "/projects/{project}/campaigns/{campaign}/mine"
MOST_EVENTS = 100


class Event(BaseModel):
    """Something that the rater did; ``key`` is the browser's own, so that it is stored once."""

    model_config = ConfigDict(extra="forbid")
    key: Annotated[
        str, StringConstraints(min_length=1, max_length=LONGEST_KEY, pattern=r"^[!-~]+$")
    ]
    number: Annotated[int, Field(ge=1, le=HIGHEST)]
    action: Literal["rate", "undo", "skip"]
    seconds: Annotated[float, Field(ge=0, le=LONGEST, allow_inf_nan=False)]
    values: dict[str, Any] = Field(default_factory=dict)


class Events(BaseModel):
    """Events in their order; all are stored, or none."""

    model_config = ConfigDict(extra="forbid")
    events: Annotated[list[Event], Field(min_length=1, max_length=MOST_EVENTS)]


class Work(BaseModel):
    """What is asked, in which words, and how far the rater is."""

    name: str
    state: str
    protocol: dict[str, Any]
    instructions: str
    source_language: str
    target_language: str
    progress: CampaignProgress


class Next(BaseModel):
    """Where to go on; no page means that there is nothing to do, for now or for good."""

    progress: CampaignProgress
    page: Page | None
    me: str
    """A name of the rater for this browser: two who share it do not mix up what is not sent."""


class Stored(BaseModel):
    """The keys that are safe in the store, what the tutorial says, and how far the rater is."""

    keys: list[str]
    feedback: tuple[Feedback, ...]
    progress: CampaignProgress


@router.get(MINE)
def work(access: Annotated[Access, needs("rater")], project: Slug, campaign: Identifier) -> Work:
    """The task of the rater who asks."""
    with access.reading() as session:
        found = campaign_of(session, access.project_id, campaign)
        material = material_of(session, found)
        return Work(
            name=found.name,
            state=found.state,
            protocol=protocol_named(found.protocol).to_dict(),
            instructions=CampaignSettings.of(found.settings).instructions,
            source_language=material.source_language,
            target_language=material.target_language,
            progress=progress(session, find_rater(session, access.caller, found)),
        )


@router.post(f"{MINE}/next")
def go_on(access: Annotated[Access, needs("rater")], project: Slug, campaign: Identifier) -> Next:
    """The first item that is not done, after more were given out where all are."""
    with access.writing() as session:
        found = campaign_of(session, access.project_id, campaign)
        settings = CampaignSettings.of(found.settings)
        rater = rater_of(session, access.caller, found)
        place = next_page(session, found, settings, rater)
        shown = None if place.next is None else _page(session, found, rater, place.next)
    return Next(progress=place, page=shown, me=_name(found, rater))


@router.get(f"{MINE}/items/{{number}}")
def item(
    access: Annotated[Access, needs("rater")],
    project: Slug,
    campaign: Identifier,
    number: Identifier,
) -> Page:
    """The item at a place of the rater's own order."""
    with access.reading() as session:
        found = campaign_of(session, access.project_id, campaign)
        rater = find_rater(session, access.caller, found)
        if rater is None:
            raise NotFoundError(f"item {number}: found none for this rater")
        return _page(session, found, rater, number)


@router.post(f"{MINE}/events")
def send(
    access: Annotated[Access, needs("rater")],
    project: Slug,
    campaign: Identifier,
    sent: Events,
) -> Stored:
    """Store what the rater did; what was stored before is not stored again."""
    with access.writing() as session:
        found = campaign_of(session, access.project_id, campaign)
        rater = rater_of(session, access.caller, found)
        feedback = store_events(
            session,
            found,
            material_of(session, found),
            rater,
            [
                Sent(
                    key=one.key,
                    number=one.number,
                    action=one.action,
                    seconds=one.seconds,
                    values=one.values,
                )
                for one in sent.events
            ],
        )
        return Stored(
            keys=[one.key for one in sent.events],
            feedback=feedback,
            progress=progress(session, rater),
        )


def _name(campaign: Campaign, rater: Rater) -> str:
    return sha256(f"{campaign.id}/{rater.id}/{rater.created_at}".encode()).hexdigest()[:16]


def _page(session: Session, campaign: Campaign, rater: Rater, number: int) -> Page:
    material = material_of(session, campaign)
    shown = sheet(session, campaign, material, rater, number)
    return page(session, CampaignSettings.of(campaign.settings), material, rater, shown)
