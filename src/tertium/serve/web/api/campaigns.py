"""Campaigns of rating: made, opened, watched, exported by those who organise them."""

from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tertium.serve.rating.analysis import ask_for_analysis
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
from tertium.serve.rating.exports.files import export_names, exported
from tertium.serve.rating.protocols import PROTOCOLS, protocol_named
from tertium.serve.rating.raters import LONGEST_LABEL, RaterView, invite, raters
from tertium.serve.web.access import HIGHEST, Access, Identifier, Slug, link_address, needs

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


class NewRater(BaseModel):
    """Somebody to invite; ``label`` is what exports call the rater."""

    model_config = ConfigDict(extra="forbid")
    label: Annotated[str, StringConstraints(max_length=LONGEST_LABEL, pattern=r"^[^\x00]*$")] = ""
    days: Annotated[int, Field(ge=1, le=366)] = 30


class InvitedRater(BaseModel):
    """A rater with the address that lets this rater in; it is shown this once."""

    rater: RaterView
    address: str


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
            return change_state(session, access.actor, access.project_id, campaign, change.state)
        return view(session, campaign_of(session, access.project_id, campaign))


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
