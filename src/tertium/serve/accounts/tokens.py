"""Tokens by which programs act for a user."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import Caller
from tertium.serve.accounts.lineage import expiry, revoke
from tertium.serve.accounts.log import record
from tertium.serve.accounts.roles import SCOPES, Scope
from tertium.serve.accounts.secrets import new_token, token_hash
from tertium.serve.errors import ForbiddenError, NotFoundError, RequestError
from tertium.serve.store.schema import ApiToken

LONGEST: Final = 366
"""Days that a token may live."""


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
    if not 1 <= days <= LONGEST:
        raise RequestError(f"days: found {days}, expected 1 to {LONGEST}")
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
