"""Who rates: somebody with a link of their own, a member with an account, or whoever is here."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import Caller
from tertium.serve.accounts.tokens import make_link, revoke_link
from tertium.serve.errors import ConflictError, NotFoundError, RequestError
from tertium.serve.rating.campaigns import LOCK, campaign_of
from tertium.serve.store.schema import Campaign, Link, Rater, now

LONGEST_LABEL: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterView:
    """A rater, as organisers see one; a rater with an account has no link."""

    id: int
    label: str
    link_id: int | None
    expires_at: datetime | None
    active: bool
    """Whether the link still lets the rater in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """A new rater; the token is shown this once."""

    rater: RaterView
    token: str


def invite(
    session: Session,
    actor: str,
    project_id: int,
    campaign_id: int,
    *,
    label: str = "",
    days: int = 30,
    maker: Caller | None = None,
) -> Invited:
    """A link for one more rater, with a label that exports call the rater by."""
    campaign = campaign_of(session, project_id, campaign_id, lock=True)
    label = label.strip() or _free_label(session, campaign)
    _check_label(label)
    if _labelled(session, campaign, label) is not None:
        raise ConflictError(
            f"label: the campaign has a rater {label!r}, expected another label (a rater whose "
            "link is lost gets a new one)"
        )
    made = Rater(campaign_id=campaign_id, label=label)
    session.add(made)
    return _linked(session, actor, campaign, made, days=days, maker=maker)


def renew_link(
    session: Session,
    actor: str,
    project_id: int,
    campaign_id: int,
    rater_id: int,
    *,
    days: int = 30,
    maker: Caller | None = None,
) -> Invited:
    """Another link for a rater who lost the first, which ends; what was rated and given stays."""
    campaign = campaign_of(session, project_id, campaign_id, lock=True)
    rater = session.get(Rater, rater_id)
    if rater is None or rater.campaign_id != campaign.id:
        raise NotFoundError(f"rater {rater_id}: found none in this campaign")
    if rater.link_id is None:
        raise ConflictError(
            f"rater {rater.label!r}: comes with an account, expected one who was invited by a link"
        )
    revoke_link(session, actor, project_id, rater.link_id)
    return _linked(session, actor, campaign, rater, days=days, maker=maker)


def _linked(
    session: Session,
    actor: str,
    campaign: Campaign,
    rater: Rater,
    *,
    days: int,
    maker: Caller | None,
) -> Invited:
    token, link = make_link(
        session,
        actor,
        campaign.project_id,
        "rater",
        campaign_id=campaign.id,
        label=rater.label,
        days=days,
        maker=maker,
    )
    rater.link_id = link.id
    session.flush()
    return Invited(
        rater=RaterView(
            id=rater.id, label=rater.label, link_id=link.id, expires_at=link.expires_at, active=True
        ),
        token=token,
    )


def raters(session: Session, campaign: Campaign) -> tuple[RaterView, ...]:
    """All raters of a campaign in the order they were invited in."""
    rows = session.execute(
        select(Rater, Link)
        .outerjoin(Link, Link.id == Rater.link_id)
        .where(Rater.campaign_id == campaign.id)
        .order_by(Rater.id)
    ).all()
    found = []
    for rater, link in rows:
        # The types cannot say it, but an outer join may have found none.
        alive = link is None or (link.revoked_at is None and link.expires_at > now())
        found.append(
            RaterView(
                id=rater.id,
                label=rater.label,
                link_id=rater.link_id,
                expires_at=None if link is None else link.expires_at,
                active=alive,
            )
        )
    return tuple(found)


# Statements are put together once: every save of every rater needs one of them.
_OF_CAMPAIGN: Final = select(Rater).where(Rater.campaign_id == bindparam("campaign"))
_BY_LINK: Final = _OF_CAMPAIGN.where(Rater.link_id == bindparam("link"))
_BY_USER: Final = _OF_CAMPAIGN.where(Rater.user_id == bindparam("user"))
_BY_LABEL: Final = _OF_CAMPAIGN.where(
    Rater.link_id.is_(None), Rater.user_id.is_(None), Rater.label == bindparam("label")
)


def find_rater(session: Session, caller: Caller, campaign: Campaign) -> Rater | None:
    """The caller as a rater of this campaign, None before the first visit."""
    if caller.link_id is not None:
        return session.scalar(_BY_LINK, {"campaign": campaign.id, "link": caller.link_id})
    if caller.user_id is not None:
        return session.scalar(_BY_USER, {"campaign": campaign.id, "user": caller.user_id})
    return session.scalar(_BY_LABEL, {"campaign": campaign.id, "label": caller.actor})


def rater_of(session: Session, caller: Caller, campaign: Campaign) -> Rater:
    """The caller as a rater, made on the first visit of somebody who was not invited by name."""
    found = find_rater(session, caller, campaign)
    if found is not None:
        return found
    session.get(Campaign, campaign.id, with_for_update=LOCK)
    found = find_rater(session, caller, campaign)
    if found is not None:
        return found
    label = caller.actor
    if _labelled(session, campaign, label) is not None:
        label = _free_label(session, campaign)
    made = Rater(
        campaign_id=campaign.id, link_id=caller.link_id, user_id=caller.user_id, label=label
    )
    session.add(made)
    session.flush()
    return made


def _labelled(session: Session, campaign: Campaign, label: str) -> Rater | None:
    return session.scalar(
        select(Rater).where(Rater.campaign_id == campaign.id, Rater.label == label)
    )


def _free_label(session: Session, campaign: Campaign) -> str:
    taken = set(session.scalars(select(Rater.label).where(Rater.campaign_id == campaign.id)))
    number = len(taken) + 1
    while f"rater{number}" in taken:
        number += 1
    return f"rater{number}"


def _check_label(label: str) -> None:
    if len(label) > LONGEST_LABEL or any(not one.isprintable() for one in label):
        raise RequestError(
            f"label: found {label[:40]!r}, expected one line of at most {LONGEST_LABEL} characters"
        )
