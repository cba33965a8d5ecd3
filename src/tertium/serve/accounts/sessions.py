"""Logins: a random token in a cookie or a header, and who it stands for."""

from datetime import timedelta
from typing import Final

from sqlalchemy import bindparam, delete, or_, select
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import ANONYMOUS, Caller
from tertium.serve.accounts.log import record
from tertium.serve.accounts.secrets import new_token, password_fits, token_hash
from tertium.serve.errors import NotFoundError, UnknownCallerError
from tertium.serve.store.base import now
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import ApiToken, Link, LoginSession, Project, User

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
