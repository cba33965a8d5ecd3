"""Secrets that let people and programs in: passwords, tokens of the API, links.

All are random or salted, hashed at rest, expiring and revocable. A program with a token can make
tokens and links, and the holder of an editor's link can make links. What they make names its
parent, expires with it at the latest, and is revoked with it.

Whoever makes a child holds a shared lock on the parent's row until the child is stored, and whoever
revokes takes each generation's lock before looking for its children: a child is found by the
revocation, or is not made.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from secrets import token_urlsafe
from threading import BoundedSemaphore
from typing import Any, Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy import Select, delete, select, update
from sqlalchemy.orm import Session

from tertium.errors import OptionError
from tertium.plurals import counted
from tertium.serve.accounts.callers import SCOPES, Caller, Role, Scope
from tertium.serve.accounts.log import record
from tertium.serve.errors import (
    ForbiddenError,
    NotFoundError,
    RequestError,
    TooOftenError,
    UnknownCallerError,
)
from tertium.serve.store.schema import ApiToken, Campaign, Link, LoginSession, now

SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 1000
"""Characters of a password."""
HASHER = PasswordHasher()
"""Slow on purpose, and each hash takes 64 MiB."""
AT_ONCE: Final = 2
WAITING: Final = 16
"""Hashes that are made at the same time, and that wait for their turn; more are refused."""
_ADMITTED: Final = BoundedSemaphore(AT_ONCE + WAITING)
_RUNNING: Final = BoundedSemaphore(AT_ONCE)
BYTES: Final = 32
"""Random bytes of a token."""


def new_token() -> str:
    """A token that cannot be guessed."""
    return token_urlsafe(BYTES)


def token_hash(token: str) -> str:
    """What the store keeps of a token.

    Rows are found by this hash: how long the search takes tells nothing of the token itself.
    """
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def hash_password(password: str) -> str:
    """An Argon2 hash; a password that is too short is refused."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise OptionError(
            f"password: found {counted(len(password), 'character')}, "
            f"expected {SHORTEST_PASSWORD} to {LONGEST_PASSWORD}"
        )
    with _turn():
        return HASHER.hash(password)


def password_fits(password: str, hashed: str | None) -> bool:
    """Whether it is the password; takes as long where there is no such user."""
    try:
        with _turn():
            HASHER.verify(hashed if hashed is not None else _nobodys(), password[:LONGEST_PASSWORD])
    except (VerifyMismatchError, InvalidHashError):
        return False
    return hashed is not None


@contextmanager
def _turn() -> Iterator[None]:
    """A place in the bounded pool: many guesses at once take neither all memory nor all threads."""
    if not _ADMITTED.acquire(blocking=False):
        raise TooOftenError("password: found too many checks at once; try again soon")
    try:
        with _RUNNING:
            yield
    finally:
        _ADMITTED.release()


@cache
def _nobodys() -> str:
    return HASHER.hash(new_token())


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


LONGEST_LIFE: Final = 366
"""Days that a token or a link may live."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenView:
    """What is kept of a token."""

    id: int
    label: str
    scope: str
    created_at: datetime
    expires_at: datetime
    revoked: bool


def make_token(
    session: Session,
    actor: str,
    user_id: int,
    *,
    label: str = "",
    days: int = 90,
    scope: Scope = "write",
    maker: Caller | None = None,
) -> tuple[str, TokenView]:
    """A new token, which is shown this once, and what is stored of it.

    ``maker`` is the caller who makes it: a token that makes another is its parent, which the child
    neither outlives nor exceeds.
    """
    if maker is not None and SCOPES.index(scope) > SCOPES.index(maker.scope):
        raise ForbiddenError(f"scope: found {scope}, expected at most {maker.scope}, the maker's")
    if not 1 <= days <= LONGEST_LIFE:
        raise RequestError(f"days: found {days}, expected 1 to {LONGEST_LIFE}")
    token = new_token()
    kept = ApiToken(
        token_hash=token_hash(token),
        user_id=user_id,
        parent_token_id=None if maker is None else maker.token_id,
        scope=scope,
        label=label,
        expires_at=expiry(session, maker, days),
    )
    session.add(kept)
    session.flush()
    record(session, actor, "make token", target=str(kept.id))
    return token, _view(kept)


def tokens(session: Session, user_id: int) -> tuple[TokenView, ...]:
    """The tokens of a user, the newest first."""
    query = select(ApiToken).where(ApiToken.user_id == user_id).order_by(ApiToken.id.desc())
    return tuple(map(_view, session.scalars(query)))


def revoke_token(session: Session, actor: str, user_id: int, token_id: int) -> TokenView:
    """End a token, and whatever was made with it, at once."""
    kept = session.get(ApiToken, token_id)
    if kept is None or kept.user_id != user_id:
        raise NotFoundError(f"token {token_id}: found none of yours")
    if kept.revoked_at is None:
        revoke(session, tokens=[token_id])
        record(session, actor, "revoke token", target=str(token_id))
    return _view(kept)


def revoke_tokens(session: Session, user_id: int) -> None:
    """End all tokens of a user, and whatever was made with them."""
    query = select(ApiToken.id).where(ApiToken.user_id == user_id)
    revoke(session, tokens=session.scalars(query).all())


def _view(kept: ApiToken) -> TokenView:
    return TokenView(
        id=kept.id,
        label=kept.label,
        scope=kept.scope,
        created_at=kept.created_at,
        expires_at=kept.expires_at,
        revoked=kept.revoked_at is not None,
    )


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
    if not 1 <= days <= LONGEST_LIFE:
        raise RequestError(f"days: found {days}, expected 1 to {LONGEST_LIFE}")
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
