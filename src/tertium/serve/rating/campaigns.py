"""Campaigns: made as a draft, opened, closed, never deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tertium.plurals import counted
from tertium.serve.accounts.log import record
from tertium.serve.errors import ConflictError, NotFoundError, RequestError
from tertium.serve.rating.items import constituents_of, make_items
from tertium.serve.rating.material import material_of
from tertium.serve.rating.protocols import protocol_named
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.store.schema import (
    Campaign,
    CampaignOutput,
    Output,
    RatingItem,
    StoredSystem,
    TestSet,
)

MOST_OUTPUTS: Final = 200
MOST_ITEMS: Final = 500_000
LONGEST_NAME: Final = 200
LOCK: Final = {"key_share": True}
"""How writers of a campaign lock its row: others may add rows that merely name it meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignView:
    """A campaign, as its organisers see it."""

    id: int
    name: str
    protocol: str
    state: str
    test_set: str
    systems: tuple[str, ...]
    settings: dict[str, Any]
    seed: int
    items: int
    created_at: datetime


def campaigns(session: Session, project_id: int) -> tuple[CampaignView, ...]:
    """All campaigns of a project, the newest first."""
    query = select(Campaign).where(Campaign.project_id == project_id).order_by(Campaign.id.desc())
    return tuple(view(session, one) for one in session.scalars(query))


def campaign_of(
    session: Session, project_id: int, campaign_id: int, *, lock: bool = False
) -> Campaign:
    """One campaign, if it is this project's; ``lock`` lets other writers of it wait."""
    found = session.get(Campaign, campaign_id, with_for_update=LOCK if lock else False)
    if found is None or found.project_id != project_id:
        raise NotFoundError(f"campaign {campaign_id}: found none in this project")
    return found


def create_campaign(
    session: Session,
    actor: str,
    project_id: int,
    *,
    name: str,
    protocol: str,
    test_set: str,
    outputs: Sequence[int] | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> CampaignView:
    """Make a draft; ``outputs`` are ids, None takes the newest output of every system."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or "/" in name:
        raise RequestError(
            f"name: found {name[:40]!r}, expected 1 to {LONGEST_NAME} characters without '/'"
        )
    if session.scalar(
        select(Campaign.id).where(Campaign.project_id == project_id, Campaign.name == name)
    ):
        raise ConflictError(f"name: the project has a campaign {name!r}, expected another name")
    protocol_named(protocol)
    checked = CampaignSettings.of(settings or {})
    tests = session.scalar(
        select(TestSet).where(TestSet.project_id == project_id, TestSet.slug == test_set)
    )
    if tests is None:
        raise NotFoundError(f"test set {test_set!r}: found none in this project")
    chosen = _outputs(session, tests, outputs)
    made = Campaign(
        project_id=project_id,
        test_set_id=tests.id,
        name=name,
        protocol=protocol,
        settings=checked.to_dict(),
        state="draft",
        seed=seed,
    )
    session.add(made)
    session.flush()
    session.add_all(
        CampaignOutput(campaign_id=made.id, output_id=output, position=position)
        for position, output in enumerate(chosen, 1)
    )
    session.flush()
    record(session, actor, "create campaign", project_id=project_id, target=str(made.id))
    return view(session, made)


def _outputs(session: Session, tests: TestSet, wanted: Sequence[int] | None) -> list[int]:
    """The ids of outputs of a test set, checked; by default the newest of every system."""
    rows = session.execute(
        select(Output.id, StoredSystem.id)
        .join(StoredSystem, StoredSystem.id == Output.system_id)
        .where(StoredSystem.test_set_id == tests.id)
        .order_by(StoredSystem.id, Output.number)
    ).all()
    if wanted is None:
        newest = {system: output for output, system in rows}
        found = list(newest.values())
    else:
        known = {output for output, _ in rows}
        for one in wanted:
            if one not in known:
                raise NotFoundError(f"output {one}: found none in test set {tests.slug}")
        found = list(dict.fromkeys(wanted))
    if not 1 <= len(found) <= MOST_OUTPUTS:
        raise ConflictError(
            f"test set {tests.slug}: found {counted(len(found), 'output')}, expected 1 to "
            f"{MOST_OUTPUTS}"
        )
    return found


def change_state(
    session: Session, actor: str, project_id: int, campaign_id: int, state: str
) -> CampaignView:
    """Open or close a campaign; when it first opens, its items are made."""
    campaign = campaign_of(session, project_id, campaign_id, lock=True)
    if state not in {"open", "closed"}:
        raise RequestError(f"state: found {state[:40]!r}, expected open or closed")
    if campaign.state == "draft" and state == "closed":
        raise ConflictError("state: found a draft, expected it to be opened before it is closed")
    if campaign.state == "draft":
        _open(session, campaign)
    campaign.state = state
    record(session, actor, f"{state} campaign", project_id=project_id, target=str(campaign_id))
    session.flush()
    return view(session, campaign)


def _open(session: Session, campaign: Campaign) -> None:
    material = material_of(session, campaign)
    settings = CampaignSettings.of(campaign.settings)
    if "reference" in settings.show and material.reference is None:
        raise ConflictError("show: found reference, but the test set has none; expected source")
    if settings.show == ("source",) and material.sources is None:
        raise ConflictError("show: found source, but the test set has none; expected reference")
    protocol = protocol_named(campaign.protocol)
    constituents = constituents_of(protocol, settings, material)
    segments = len(constituents) if protocol.constituents else material.segments
    most = min(segments, settings.segments or segments) * len(material.outputs)
    if most > MOST_ITEMS:
        raise ConflictError(
            f"campaign: {counted(most, 'item')}, expected at most {MOST_ITEMS}; choose fewer "
            "segments"
        )
    make_items(session, campaign, protocol, settings, material, constituents=constituents)


def change_settings(
    session: Session,
    actor: str,
    project_id: int,
    campaign_id: int,
    settings: Mapping[str, Any],
) -> CampaignView:
    """Give a draft other settings; later, raters would see different things."""
    campaign = campaign_of(session, project_id, campaign_id, lock=True)
    if campaign.state != "draft":
        raise ConflictError(f"settings: the campaign is {campaign.state}, expected a draft")
    campaign.settings = CampaignSettings.of({**campaign.settings, **settings}).to_dict()
    record(session, actor, "change campaign", project_id=project_id, target=str(campaign_id))
    return view(session, campaign)


def view(session: Session, campaign: Campaign) -> CampaignView:
    """What organisers see of a campaign."""
    slug = session.scalars(select(TestSet.slug).where(TestSet.id == campaign.test_set_id)).one()
    systems = session.scalars(
        select(StoredSystem.name)
        .join(Output, Output.system_id == StoredSystem.id)
        .join(CampaignOutput, CampaignOutput.output_id == Output.id)
        .where(CampaignOutput.campaign_id == campaign.id)
        .order_by(CampaignOutput.position)
    )
    items = session.scalar(
        select(func.count())
        .select_from(RatingItem)
        .where(RatingItem.campaign_id == campaign.id, RatingItem.kind == "regular")
    )
    return CampaignView(
        id=campaign.id,
        name=campaign.name,
        protocol=campaign.protocol,
        state=campaign.state,
        test_set=slug,
        systems=tuple(systems),
        settings=dict(campaign.settings),
        seed=campaign.seed,
        items=items or 0,
        created_at=campaign.created_at,
    )
