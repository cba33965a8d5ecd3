"""Users, their roles in projects, and their logins. Users are disabled, never deleted."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import bindparam, delete, or_, select
from sqlalchemy.orm import Session

from tertium.errors import OptionError
from tertium.serve.accounts.callers import ANONYMOUS, Caller, Role
from tertium.serve.accounts.log import record
from tertium.serve.accounts.tokens import (
    hash_password,
    new_token,
    password_fits,
    revoke_tokens,
    token_hash,
)
from tertium.serve.errors import ConflictError, NotFoundError, UnknownCallerError
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import ApiToken, Link, LoginSession, Membership, Project, User, now

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A user of a project."""

    name: str
    role: str
    disabled: bool


def members(session: Session, project_id: int) -> tuple[Member, ...]:
    """All members of a project by name."""
    rows = session.execute(
        select(User.name, Membership.role, User.disabled_at)
        .join(Membership, Membership.user_id == User.id)
        .where(Membership.project_id == project_id)
        .order_by(User.name)
    )
    return tuple(
        Member(name=name, role=role, disabled=disabled_at is not None)
        for name, role, disabled_at in rows
    )


def set_role(session: Session, actor: str, project_id: int, name: str, role: Role) -> Member:
    """Make a user a member, or give a member another role."""
    user = user_named(session, name)
    _lock(session, project_id)
    found = _membership(session, project_id, user.id)
    if found is None:
        session.add(Membership(project_id=project_id, user_id=user.id, role=role))
    else:
        if role != "owner":
            _keep_an_owner(session, found)
        found.role = role
    record(session, actor, "set role", project_id=project_id, target=name, detail=role)
    return Member(name=user.name, role=role, disabled=user.disabled_at is not None)


def remove_member(session: Session, actor: str, project_id: int, name: str) -> None:
    """Let a user see a project no more. What the user did there stays."""
    user = user_named(session, name)
    _lock(session, project_id)
    found = _membership(session, project_id, user.id)
    if found is None:
        raise NotFoundError(f"member {name!r}: found none in this project")
    _keep_an_owner(session, found)
    session.delete(found)
    record(session, actor, "remove member", project_id=project_id, target=name)


def _lock(session: Session, project_id: int) -> None:
    """Let those who change the members of a project wait for each other."""
    query = select(Project.id).where(Project.id == project_id)
    session.execute(query.with_for_update(key_share=True))


def _membership(session: Session, project_id: int, user_id: int) -> Membership | None:
    return session.scalar(
        select(Membership).where(Membership.project_id == project_id, Membership.user_id == user_id)
    )


def _keep_an_owner(session: Session, leaving: Membership) -> None:
    """A project without an owner could not be given one by anybody in it."""
    owners = session.scalars(
        select(Membership.id).where(
            Membership.project_id == leaving.project_id, Membership.role == "owner"
        )
    ).all()
    if list(owners) == [leaving.id]:
        raise ConflictError("role: found the only owner, expected another one first")


DAYS: Final = 14
"""A login holds this long."""


def log_in(store: Store, name: str, password: str) -> str:
    """The token of a new session."""
    user_id = check_password(store, name, password)
    with store.writing() as session:
        token = begin_session(session, user_id=user_id)
        record(session, name, "log in")
    return token


def check_password(store: Store, name: str, password: str) -> int:
    """The user's number; a wrong name and a wrong password are told alike."""
    with store.reading() as session:
        user = session.scalar(select(User).where(User.name == name, User.disabled_at.is_(None)))
    # Outside of any transaction: the hash is slow on purpose.
    if not password_fits(password, user.password_hash if user else None) or user is None:
        raise UnknownCallerError("login: name or password is wrong")
    return user.id


def begin_session(
    session: Session, *, user_id: int | None = None, link_id: int | None = None
) -> str:
    """A new session of a user or of a link; old ones that ended are swept away."""
    session.execute(delete(LoginSession).where(LoginSession.expires_at < now()))
    token = new_token()
    session.add(
        LoginSession(
            token_hash=token_hash(token),
            user_id=user_id,
            link_id=link_id,
            expires_at=now() + timedelta(days=DAYS),
        )
    )
    return token


def end_session(session: Session, token: str) -> None:
    """Log out: the token is dead at once."""
    session.execute(delete(LoginSession).where(LoginSession.token_hash == token_hash(token)))


def open_link(session: Session, token: str) -> tuple[str, Link, Project]:
    """The token of a new session by a link, and where the link leads."""
    row = session.execute(
        select(Link, Project)
        .join(Project, Project.id == Link.project_id)
        .where(
            Link.token_hash == token_hash(token),
            Link.revoked_at.is_(None),
            Link.expires_at > now(),
            Project.deleted_at.is_(None),
        )
    ).one_or_none()
    if row is None:
        raise NotFoundError("link: unknown, expired or revoked; ask for a new one")
    link, project = row
    return begin_session(session, link_id=link.id), link, project


_OF_USER: Final = (User.id, User.name, User.admin)
_OF_LINK: Final = (Link.id, Link.project_id, Link.campaign_id, Link.role)
# Every request asks this: it is put together once.
_BY_COOKIE: Final = (
    select(*_OF_USER, *_OF_LINK)
    .select_from(LoginSession)
    .outerjoin(User, User.id == LoginSession.user_id)
    .outerjoin(Link, Link.id == LoginSession.link_id)
    .where(
        LoginSession.token_hash == bindparam("hashed"),
        LoginSession.expires_at > bindparam("moment"),
        or_(User.id.is_(None), User.disabled_at.is_(None)),
        or_(Link.id.is_(None), Link.revoked_at.is_(None) & (Link.expires_at > bindparam("moment"))),
    )
)
_BY_TOKEN: Final = (
    select(*_OF_USER, ApiToken.id, ApiToken.scope)
    .join(ApiToken, ApiToken.user_id == User.id)
    .where(
        ApiToken.token_hash == bindparam("hashed"),
        ApiToken.revoked_at.is_(None),
        ApiToken.expires_at > bindparam("moment"),
        User.disabled_at.is_(None),
    )
)


def caller_of_cookie(session: Session, token: str) -> Caller:
    """Whom a session stands for; a link that was revoked stands for nobody at once."""
    values = {"hashed": token_hash(token), "moment": now()}
    row = session.execute(_BY_COOKIE, values).one_or_none()
    if row is None:
        return ANONYMOUS
    user_id, name, admin, link_id, project_id, campaign_id, role = row
    if user_id is not None:
        return Caller(actor=name, user_id=user_id, admin=admin, session_hash=str(values["hashed"]))
    if link_id is None:
        return ANONYMOUS
    return Caller(
        actor=f"link {link_id}",
        link_id=link_id,
        link_project_id=project_id,
        link_campaign_id=campaign_id,
        link_role=role,
    )


def caller_of_token(session: Session, token: str) -> Caller:
    """Whom a token of the API stands for."""
    values = {"hashed": token_hash(token), "moment": now()}
    row = session.execute(_BY_TOKEN, values).one_or_none()
    if row is None:
        return ANONYMOUS
    user_id, name, admin, token_id, scope = row
    return Caller(
        actor=name,
        user_id=user_id,
        admin=admin,
        token_id=token_id,
        scope=scope,  # type: ignore[arg-type]  # services write no other words
    )
