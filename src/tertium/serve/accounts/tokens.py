"""Tokens by which programs act for a user."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.accounts.log import record
from tertium.serve.accounts.secrets import new_token, token_hash
from tertium.serve.errors import NotFoundError, RequestError
from tertium.serve.store.base import now
from tertium.serve.store.schema import ApiToken

LONGEST: Final = 366
"""Days that a token may live."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenView:
    """What is kept of a token."""

    id: int
    label: str
    created_at: datetime
    expires_at: datetime
    revoked: bool


def make_token(
    session: Session, actor: str, user_id: int, *, label: str = "", days: int = 90
) -> tuple[str, TokenView]:
    """A new token, which is shown this once, and what is kept of it."""
    if not 1 <= days <= LONGEST:
        raise RequestError(f"days: found {days}, expected 1 to {LONGEST}")
    token = new_token()
    kept = ApiToken(
        token_hash=token_hash(token),
        user_id=user_id,
        label=label,
        expires_at=now() + timedelta(days=days),
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
    """End a token at once."""
    kept = session.get(ApiToken, token_id)
    if kept is None or kept.user_id != user_id:
        raise NotFoundError(f"token {token_id}: found none of yours")
    if kept.revoked_at is None:
        kept.revoked_at = now()
        record(session, actor, "revoke token", target=str(token_id))
    return _view(kept)


def _view(kept: ApiToken) -> TokenView:
    return TokenView(
        id=kept.id,
        label=kept.label,
        created_at=kept.created_at,
        expires_at=kept.expires_at,
        revoked=kept.revoked_at is not None,
    )
