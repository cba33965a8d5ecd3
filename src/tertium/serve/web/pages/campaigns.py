"""Pages of campaigns: the list, the dashboard, and the page where people rate."""

from functools import partial
from statistics import median
from typing import Annotated, Any, Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from sqlalchemy import select

from tertium.plurals import counted
from tertium.serve.rating.campaigns import campaign_of, campaigns
from tertium.serve.rating.dashboard import Dashboard
from tertium.serve.rating.export_files import export_names
from tertium.serve.rating.pace import Pace, pace_of, ranked_rows
from tertium.serve.rating.protocols import PROTOCOLS, Protocol, protocol_named
from tertium.serve.rating.settings import WAYS
from tertium.serve.store.schema import TestSet
from tertium.serve.web.access import Access, Identifier, Slug, needs
from tertium.serve.web.api.campaigns import board_of
from tertium.serve.web.rendering import isolated, render
from tertium.serve.web.shell import project_shell

router = APIRouter()

TITLES: Final = {
    "da": "direct assessment",
    "sqm": "scalar quality",
    "esa": "score",
    "spans": "points of marked errors",
    "mqm": "points of marked errors (MQM)",
}
"""What criteria are called on the page, where their own names say too little."""


@router.get("/projects/{project}/campaigns")
def all_campaigns(access: Annotated[Access, needs("reader")], project: Slug) -> HTMLResponse:
    """All campaigns of a project, and a form for one more."""
    with access.reading() as session:
        sets = session.execute(
            select(TestSet.slug, TestSet.name)
            .where(TestSet.project_id == access.project_id)
            .order_by(TestSet.id)
        ).all()
        return render(
            access,
            "rating/campaigns.html",
            **project_shell(session, access),
            campaigns=campaigns(session, access.project_id),
            protocols=PROTOCOLS,
            test_sets=sets,
            ways=WAYS,
        )


@router.get("/projects/{project}/campaigns/{campaign}")
def one_campaign(
    access: Annotated[Access, needs("reader")], project: Slug, campaign: Identifier
) -> HTMLResponse:
    """How a campaign is going."""
    board = board_of(access, campaign)
    protocol = protocol_named(board.campaign.protocol)
    with access.reading() as session:
        found = campaign_of(session, access.project_id, campaign)
        pace = pace_of(session, found, board)
        return render(
            access,
            "rating/campaign.html",
            **project_shell(session, access),
            board=board,
            pace=pace,
            why=_reason(pace),
            checks=_checks(board),
            rankings=[ranked_rows(one) for one in board.analysis["criteria"]],
            isolated=partial(isolated, names=board.campaign.systems),
            protocol=protocol,
            titles=TITLES,
            scales=_scales(protocol),
            exports=(*export_names(protocol), "events.jsonl"),
        )


@router.get("/projects/{project}/campaigns/{campaign}/rate")
def rate(
    access: Annotated[Access, needs("rater")], project: Slug, campaign: Identifier
) -> HTMLResponse:
    """Where people rate; everything on it comes from the API, so that nothing can slip in."""
    with access.reading() as session:
        campaign_of(session, access.project_id, campaign)
    return render(access, "rating/rate.html", campaign=campaign)


def _reason(pace: Pace) -> str:
    """What holds the campaign up."""
    waiting = [one for one in pace.reminders if one.last_at is None]
    left = sum(one.left for one in waiting)
    if not waiting:
        return ""
    verb = "holds" if len(waiting) == 1 else "hold"
    return (
        f"{counted(len(waiting), 'rater')} who {'has' if len(waiting) == 1 else 'have'} not begun "
        f"{verb} {counted(left, 'item')}."
    )


def _checks(board: Dashboard) -> dict[str, Any]:
    """The controls of all raters together, and the median of their times."""
    keys = ("noticed", "damaged", "same", "repeated")
    sums = {key: sum(one.controls[key] for one in board.raters) for key in keys}
    times = [one.seconds for one in board.raters if one.seconds is not None]
    return {**sums, "seconds": median(times) if times else None}


def _scales(protocol: Protocol) -> tuple[str, ...]:
    """The scales of Krippendorff's α that fit the numbers."""
    whole = any(one.whole for one in protocol.scales)
    return ("nominal", "ordinal") if whole else ("interval",)
