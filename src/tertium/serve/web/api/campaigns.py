"""Campaigns for their organizers, and rating for raters."""

import csv
from hashlib import sha256
from io import StringIO
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy.orm import Session

from tertium.serve.errors import NotFoundError
from tertium.serve.rating.analysis import ask_for_analysis
from tertium.serve.rating.assignment import prepare
from tertium.serve.rating.campaigns import (
    LONGEST_NAME,
    MOST_OUTPUTS,
    CampaignView,
    campaign_of,
    campaigns,
    change_settings,
    change_state,
    create_campaign,
    view,
)
from tertium.serve.rating.dashboard import Dashboard, dashboard
from tertium.serve.rating.events import LONGEST, LONGEST_KEY, Feedback, Sent, store_events
from tertium.serve.rating.export_files import export_names, exported
from tertium.serve.rating.material import material_of
from tertium.serve.rating.protocols import PROTOCOLS, protocol_named
from tertium.serve.rating.raters import (
    LONGEST_LABEL,
    RaterView,
    find_rater,
    invite,
    rater_of,
    raters,
    renew_link,
)
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.work import CampaignProgress, Page, next_page, page, progress, sheet
from tertium.serve.store.schema import Campaign, Rater
from tertium.serve.web.access import HIGHEST, Access, Identifier, Slug, link_address, needs
from tertium.text.formats.formulas import neutral_cell

router = APIRouter(tags=["campaigns"])

ONE = "/projects/{project}/campaigns/{campaign}"


class NewCampaign(BaseModel):
    """A draft; ``outputs`` are ids, without them the newest output of every system is rated."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[
        str, StringConstraints(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^\x00-\x1f/]+$")
    ]
    protocol: Literal[tuple(PROTOCOLS)]  # type: ignore[valid-type]  # as the table has them
    test_set: Annotated[str, StringConstraints(max_length=64, pattern=r"^[^\x00]*$")]
    outputs: Annotated[
        list[Annotated[int, Field(ge=1, le=HIGHEST)]] | None,
        Field(min_length=1, max_length=MOST_OUTPUTS),
    ] = None
    settings: dict[str, Any] = Field(default_factory=dict)
    seed: Annotated[int, Field(ge=0, le=HIGHEST)] = 0


class CampaignChange(BaseModel):
    """What is to be changed; settings only while it is a draft."""

    model_config = ConfigDict(extra="forbid")
    state: Literal["open", "closed"] | None = None
    settings: dict[str, Any] | None = None


Label = Annotated[str, StringConstraints(max_length=LONGEST_LABEL, pattern=r"^[^\x00]*$")]


class NewRater(BaseModel):
    """Somebody to invite; ``label`` is what exports call the rater."""

    model_config = ConfigDict(extra="forbid")
    label: Label = ""
    days: Annotated[int, Field(ge=1, le=366)] = 30


class NewRaters(BaseModel):
    """People to invite at once, each by a label of their own."""

    model_config = ConfigDict(extra="forbid")
    labels: Annotated[list[Label], Field(min_length=1, max_length=1000)]
    days: Annotated[int, Field(ge=1, le=366)] = 30


class NewRaterLink(BaseModel):
    """How long another link of a rater lets in."""

    model_config = ConfigDict(extra="forbid")
    days: Annotated[int, Field(ge=1, le=366)] = 30


class InvitedRater(BaseModel):
    """A rater with the address that lets this rater in; it is shown this once."""

    rater: RaterView
    address: str


class InvitedRaters(BaseModel):
    """New raters with their addresses, which are shown this once; also as ``csv``."""

    invited: list[InvitedRater]
    csv: str


@router.get("/projects/{project}/campaigns")
def list_campaigns(
    access: Annotated[Access, needs("reader")], project: Slug
) -> tuple[CampaignView, ...]:
    """All campaigns of a project, the newest first."""
    with access.reading() as session:
        return campaigns(session, access.project_id)


@router.post("/projects/{project}/campaigns", status_code=201)
def make_campaign(
    access: Annotated[Access, needs("editor")], project: Slug, new: NewCampaign
) -> CampaignView:
    """Make a draft, which nobody can rate in before it is opened."""
    with access.writing() as session:
        return create_campaign(
            session,
            access.actor,
            access.project_id,
            name=new.name,
            protocol=new.protocol,
            test_set=new.test_set,
            outputs=new.outputs,
            settings=new.settings,
            seed=new.seed,
        )


@router.get(ONE)
def one_campaign(
    access: Annotated[Access, needs("reader")], project: Slug, campaign: Identifier
) -> CampaignView:
    """One campaign."""
    with access.reading() as session:
        return view(session, campaign_of(session, access.project_id, campaign))


@router.patch(ONE)
def edit_campaign(
    access: Annotated[Access, needs("editor")],
    project: Slug,
    campaign: Identifier,
    change: CampaignChange,
) -> CampaignView:
    """Change the settings of a draft, open a campaign, or close it."""
    with access.writing() as session:
        if change.settings is not None:
            change_settings(session, access.actor, access.project_id, campaign, change.settings)
        if change.state is not None:
            change_state(session, access.actor, access.project_id, campaign, change.state)
    with access.reading() as session:
        found = campaign_of(session, access.project_id, campaign)
        prepare(session, found)
        return view(session, found)


@router.get(f"{ONE}/raters")
def list_raters(
    access: Annotated[Access, needs("reader")], project: Slug, campaign: Identifier
) -> tuple[RaterView, ...]:
    """Who was invited, or came with an account."""
    with access.reading() as session:
        return raters(session, campaign_of(session, access.project_id, campaign))


@router.post(f"{ONE}/raters", status_code=201)
def invite_rater(
    access: Annotated[Access, needs("editor", grants=True, secret=True)],
    project: Slug,
    campaign: Identifier,
    new: NewRater,
    request: Request,
) -> InvitedRater:
    """Make a link for one more rater."""
    with access.writing() as session:
        made = invite(
            session,
            access.actor,
            access.project_id,
            campaign,
            label=new.label,
            days=new.days,
            maker=access.caller,
        )
    return InvitedRater(rater=made.rater, address=link_address(request, made.token))


@router.post(f"{ONE}/raters/links", status_code=201)
def invite_raters(
    access: Annotated[Access, needs("editor", grants=True, secret=True)],
    project: Slug,
    campaign: Identifier,
    new: NewRaters,
    request: Request,
) -> InvitedRaters:
    """Make a link for each of a list of raters, all or none."""
    with access.writing() as session:
        made = [
            invite(
                session,
                access.actor,
                access.project_id,
                campaign,
                label=label,
                days=new.days,
                maker=access.caller,
            )
            for label in new.labels
        ]
    invited = [
        InvitedRater(rater=one.rater, address=link_address(request, one.token)) for one in made
    ]
    rows = [("label", "link"), *((neutral_cell(one.rater.label), one.address) for one in invited)]
    table = StringIO()
    csv.writer(table, lineterminator="\n").writerows(rows)
    return InvitedRaters(invited=invited, csv=table.getvalue())


@router.post(f"{ONE}/raters/{{rater}}/link", status_code=201)
def renew(
    access: Annotated[Access, needs("editor", grants=True, secret=True)],
    project: Slug,
    campaign: Identifier,
    rater: Identifier,
    new: NewRaterLink,
    *,
    request: Request,
) -> InvitedRater:
    """Make another link for a rater who lost the first, which ends; all that was rated stays."""
    with access.writing() as session:
        made = renew_link(
            session,
            access.actor,
            access.project_id,
            campaign,
            rater,
            days=new.days,
            maker=access.caller,
        )
    return InvitedRater(rater=made.rater, address=link_address(request, made.token))


@router.get(f"{ONE}/dashboard")
def look(
    access: Annotated[Access, needs("reader")], project: Slug, campaign: Identifier
) -> dict[str, Any]:
    """Progress, agreement, raters to look at, the ranking, and how many ratings are missing."""
    return board_of(access, campaign).to_dict()


@router.get(f"{ONE}/exports")
def list_exports(
    access: Annotated[Access, needs("reader")], project: Slug, campaign: Identifier
) -> tuple[str, ...]:
    """The files that a campaign can be downloaded as."""
    with access.reading() as session:
        found = campaign_of(session, access.project_id, campaign)
    return (*export_names(protocol_named(found.protocol)), "events.jsonl")


@router.get(
    f"{ONE}/exports/{{export}}",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def download(
    access: Annotated[Access, needs("reader")],
    project: Slug,
    campaign: Identifier,
    export: Annotated[str, Path(max_length=64)],
) -> Response:
    """One file."""
    with access.reading() as session:
        made = exported(session, campaign_of(session, access.project_id, campaign), export)
    return Response(
        made.data,
        media_type="application/octet-stream",
        headers={"content-disposition": f"attachment; filename*=UTF-8''{quote(made.name)}"},
    )


def board_of(access: Access, campaign: int) -> Dashboard:
    """The state of a campaign; workers are asked for what is not known of new ratings."""
    with access.reading() as session:
        board = dashboard(session, campaign_of(session, access.project_id, campaign))
    if not board.current:
        with access.writing() as session:
            found = campaign_of(session, access.project_id, campaign)
            ask_for_analysis(session, access.actor, found)
    return board


rating_router = APIRouter(tags=["rating"])

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


@rating_router.get(MINE)
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


@rating_router.post(f"{MINE}/next")
def go_on(access: Annotated[Access, needs("rater")], project: Slug, campaign: Identifier) -> Next:
    """The first item that is not done, after more were given out where all are."""
    with access.reading() as session:
        prepare(session, campaign_of(session, access.project_id, campaign))
    with access.writing() as session:
        found = campaign_of(session, access.project_id, campaign)
        settings = CampaignSettings.of(found.settings)
        rater = rater_of(session, access.caller, found)
        place = next_page(session, found, settings, rater)
        shown = None if place.next is None else _page(session, found, rater, place.next)
    return Next(progress=place, page=shown, me=_name(found, rater))


@rating_router.get(f"{MINE}/items/{{number}}")
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


@rating_router.post(f"{MINE}/events")
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
