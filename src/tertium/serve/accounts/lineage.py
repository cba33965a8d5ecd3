"""Tokens and links that others made: a child lives no longer than its parent, and ends with it.

A program with a token can make tokens and links, and the holder of an editor's link can make links.
What they make names its parent, expires with it at the latest, and is revoked with it.

Whoever makes a child holds a shared lock on the parent's row until the child is stored, and whoever
revokes takes each generation's lock before looking for its children: a child is found by the
revocation, or is not made.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import Caller
from tertium.serve.errors import UnknownCallerError
from tertium.serve.store.base import now
from tertium.serve.store.schema import ApiToken, Link, LoginSession


def expiry(session: Session, maker: Caller | None, days: int) -> datetime:
    """When a child made now for so many days expires: with its parent at the latest.

    The parent, or the login, may have ended since the request was let in: then there is no child.
    """
    ends = [now() + timedelta(days=days)]
    if maker is None:
        return ends[0]
    if maker.session_hash is not None:
        login = select(LoginSession.id).where(LoginSession.token_hash == maker.session_hash)
        _alive(session, login, "login: has ended, expected a new one")
    if maker.token_id is not None:
        token = select(ApiToken.expires_at).where(
            ApiToken.id == maker.token_id, ApiToken.revoked_at.is_(None)
        )
        ends.append(_alive(session, token, "token: was revoked, expected another"))
    if maker.link_id is not None:
        link = select(Link.expires_at).where(Link.id == maker.link_id, Link.revoked_at.is_(None))
        ends.append(_alive(session, link, "link: was revoked, expected another"))
    return min(ends)


def _alive(session: Session, query: Select[Any], sentence: str) -> Any:
    """What is asked of a row, which nobody may end before this transaction has ended."""
    found = session.scalar(query.with_for_update(read=True))
    if found is None:
        raise UnknownCallerError(sentence)
    return found


def revoke(session: Session, *, tokens: Iterable[int] = (), links: Iterable[int] = ()) -> None:
    """End tokens and links, everything made by them, and all sessions by those links."""
    waiting_tokens, waiting_links = set(tokens), set(links)
    ended_tokens: set[int] = set()
    ended_links: set[int] = set()
    while waiting_tokens or waiting_links:
        for table, waiting in ((ApiToken, waiting_tokens), (Link, waiting_links)):
            rows = select(table.id).where(table.id.in_(waiting)).order_by(table.id)
            session.execute(rows.with_for_update())
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
