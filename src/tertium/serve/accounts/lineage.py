"""Tokens and links that others made: a child lives no longer than its parent, and ends with it.

A program with a token can make tokens and links, and the holder of an editor's link can make links.
What they make names its parent, expires with it at the latest, and is revoked with it.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import Caller
from tertium.serve.store.base import now
from tertium.serve.store.schema import ApiToken, Link, LoginSession


def expiry(session: Session, maker: Caller | None, days: int) -> datetime:
    """When a child made now for so many days expires: with its parent at the latest."""
    ends = [now() + timedelta(days=days)]
    if maker is not None and maker.token_id is not None:
        ends += session.scalars(select(ApiToken.expires_at).where(ApiToken.id == maker.token_id))
    if maker is not None and maker.link_id is not None:
        ends += session.scalars(select(Link.expires_at).where(Link.id == maker.link_id))
    return min(ends)


def revoke(session: Session, *, tokens: Iterable[int] = (), links: Iterable[int] = ()) -> None:
    """End tokens and links, everything made by them, and all sessions by those links."""
    waiting_tokens, waiting_links = set(tokens), set(links)
    ended_tokens: set[int] = set()
    ended_links: set[int] = set()
    while waiting_tokens or waiting_links:
        ended_tokens |= waiting_tokens
        ended_links |= waiting_links
        child_tokens = select(ApiToken.id).where(ApiToken.parent_token_id.in_(waiting_tokens))
        child_links = select(Link.id).where(
            Link.parent_token_id.in_(waiting_tokens) | Link.parent_link_id.in_(waiting_links)
        )
        waiting_tokens = set(session.scalars(child_tokens)) - ended_tokens
        waiting_links = set(session.scalars(child_links)) - ended_links
    for statement in (
        update(ApiToken).where(ApiToken.id.in_(ended_tokens), ApiToken.revoked_at.is_(None)),
        update(Link).where(Link.id.in_(ended_links), Link.revoked_at.is_(None)),
    ):
        session.execute(statement.values(revoked_at=now()))
    session.execute(delete(LoginSession).where(LoginSession.link_id.in_(ended_links)))
