"""Links that let people in without an account: random, hashed, expiring, revocable."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import Caller
from tertium.serve.accounts.lineage import expiry, revoke
from tertium.serve.accounts.log import record
from tertium.serve.accounts.roles import Role
from tertium.serve.accounts.secrets import new_token, token_hash
from tertium.serve.errors import NotFoundError, RequestError
from tertium.serve.store.schema import Campaign, Link

LONGEST: Final = 366
"""Days that a link may live."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A link, as the owner of its project sees it; its token is not kept and cannot be shown."""

    id: int
    role: str
    label: str
    campaign_id: int | None
    created_by: str
    created_at: datetime
    expires_at: datetime
    revoked: bool


def make_link(
    session: Session,
    actor: str,
    project_id: int,
    role: Role,
    *,
    campaign_id: int | None = None,
    label: str = "",
    days: int = 30,
    maker: Caller | None = None,
) -> tuple[str, Invitation]:
    """A new link: its token, which is shown this once, and what is stored of it.

    ``maker`` is the caller who makes it: the link ends with the token or link that it was made by.
    """
    if not 1 <= days <= LONGEST:
        raise RequestError(f"days: found {days}, expected 1 to {LONGEST}")
    if role == "owner":
        raise RequestError("role: found owner, expected editor, rater or reader for a link")
    if campaign_id is not None:
        campaign = session.get(Campaign, campaign_id)
        if campaign is None or campaign.project_id != project_id:
            raise NotFoundError(f"campaign {campaign_id}: found none in this project")
    token = new_token()
    link = Link(
        token_hash=token_hash(token),
        project_id=project_id,
        campaign_id=campaign_id,
        parent_token_id=None if maker is None else maker.token_id,
        parent_link_id=None if maker is None else maker.link_id,
        role=role,
        label=label,
        created_by=actor,
        expires_at=expiry(session, maker, days),
    )
    session.add(link)
    session.flush()
    record(session, actor, "make link", project_id=project_id, target=str(link.id), detail=role)
    return token, _invitation(link)


def links(session: Session, project_id: int) -> tuple[Invitation, ...]:
    """All links of a project, the newest first."""
    query = select(Link).where(Link.project_id == project_id).order_by(Link.id.desc())
    return tuple(map(_invitation, session.scalars(query)))


def revoke_link(session: Session, actor: str, project_id: int, link_id: int) -> Invitation:
    """End a link, the links made with it, and all sessions by them, at once."""
    link = session.get(Link, link_id)
    if link is None or link.project_id != project_id:
        raise NotFoundError(f"link {link_id}: found none in this project")
    if link.revoked_at is None:
        revoke(session, links=[link_id])
        record(session, actor, "revoke link", project_id=project_id, target=str(link_id))
    return _invitation(link)


def _invitation(link: Link) -> Invitation:
    return Invitation(
        id=link.id,
        role=link.role,
        label=link.label,
        campaign_id=link.campaign_id,
        created_by=link.created_by,
        created_at=link.created_at,
        expires_at=link.expires_at,
        revoked=link.revoked_at is not None,
    )
