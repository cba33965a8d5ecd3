"""Users: added at the command line or by an administrator, disabled, never deleted."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tertium.errors import OptionError
from tertium.serve.accounts.log import record
from tertium.serve.accounts.secrets import hash_password
from tertium.serve.accounts.tokens import revoke_tokens
from tertium.serve.errors import ConflictError, NotFoundError
from tertium.serve.store.base import now
from tertium.serve.store.schema import LoginSession, User

NAME: Final = re.compile(r"[\w.@+-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user, as others may see one."""

    id: int
    name: str
    admin: bool
    created_at: datetime
    disabled: bool


def any_users(session: Session) -> bool:
    """Whether accounts were made, so that everybody has to log in."""
    return session.scalar(select(User.id).limit(1)) is not None


def add_user(
    session: Session, actor: str, name: str, password: str, *, admin: bool = False
) -> Person:
    """Make an account; the first one is an administrator's, or nobody could do everything."""
    admin = admin or not any_users(session)
    name = unicodedata.normalize("NFC", name)
    if not NAME.fullmatch(name):
        raise OptionError(
            f"user {name!r}: expected 1 to 64 letters, digits or any of . @ + - _ for a name"
        )
    if session.scalar(select(User.id).where(User.name == name)) is not None:
        raise ConflictError(f"user {name}: exists already, expected another name")
    user = User(name=name, password_hash=hash_password(password), admin=admin)
    session.add(user)
    session.flush()
    record(session, actor, "add user", target=name, detail="admin" if admin else "")
    return _person(user)


def users(session: Session) -> tuple[Person, ...]:
    """All users by name."""
    return tuple(map(_person, session.scalars(select(User).order_by(User.name))))


def set_password(
    session: Session, actor: str, name: str, password: str, *, keep_tokens: bool = False
) -> Person:
    """Give a new password, and end all logins by the old one; tokens, too, unless they are kept."""
    user = user_named(session, name)
    user.password_hash = hash_password(password)
    end_logins(session, user.id)
    if not keep_tokens:
        revoke_tokens(session, user.id)
    record(session, actor, "set password", target=name)
    return _person(user)


def disable_user(
    session: Session, actor: str, name: str, *, disabled: bool | None = True
) -> Person:
    """Let a user in no more, or let one in again; None changes nothing. What a user did stays."""
    user = user_named(session, name)
    if disabled is None:
        return _person(user)
    user.disabled_at = now() if disabled else None
    end_logins(session, user.id)
    record(session, actor, "disable user" if disabled else "enable user", target=name)
    return _person(user)


def end_logins(session: Session, user_id: int) -> None:
    """End all sessions of a user."""
    session.execute(delete(LoginSession).where(LoginSession.user_id == user_id))


def user_named(session: Session, name: str) -> User:
    """The user of a name."""
    user = session.scalar(select(User).where(User.name == unicodedata.normalize("NFC", name)))
    if user is None:
        raise NotFoundError(f"user {name!r}: found none of this name")
    return user


def _person(user: User) -> Person:
    return Person(
        id=user.id,
        name=user.name,
        admin=user.admin,
        created_at=user.created_at,
        disabled=user.disabled_at is not None,
    )
