"""Logins, accounts, tokens and the log."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tertium.serve.accounts.callers import Scope
from tertium.serve.accounts.log import LogLine, entries
from tertium.serve.accounts.tokens import (
    LONGEST_LIFE,
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    TokenView,
    make_token,
    revoke_token,
    tokens,
)
from tertium.serve.accounts.users import (
    DAYS,
    NAME,
    Person,
    add_user,
    check_password,
    disable_user,
    end_session,
    log_in,
    set_password,
    users,
)
from tertium.serve.errors import ConflictError
from tertium.serve.settings import Settings
from tertium.serve.web.access import (
    PUBLIC,
    Access,
    After,
    Identifier,
    Limit,
    Line,
    Note,
    PasswordGate,
    address_of,
    needs,
)
from tertium.serve.web.api.projects import UserName

login_router = APIRouter(tags=["session"])


class Login(BaseModel):
    """Name and password."""

    model_config = ConfigDict(extra="forbid")
    name: Line
    password: Annotated[str, StringConstraints(max_length=LONGEST_PASSWORD)]


@login_router.post("/session", status_code=204)
def begin(
    request: Request, login: Login, response: Response, access: Annotated[Access, PUBLIC]
) -> None:
    """Log in; the answer sets a cookie."""
    gate: PasswordGate = request.app.state.passwords
    with gate.attempt(login.name, address_of(request)):
        token = log_in(access.store, login.name, login.password)
    set_cookie(response, access.settings, token)


@login_router.delete("/session", status_code=204)
def end(request: Request, response: Response, access: Annotated[Access, PUBLIC]) -> None:
    """Log out; the cookie is worth nothing afterwards."""
    token = request.cookies.get(access.settings.cookie)
    if token:
        with access.writing() as session:
            end_session(session, token)
    response.delete_cookie(
        access.settings.cookie,
        path=access.settings.cookie_path,
        httponly=True,
        samesite="lax",
        secure=access.settings.secure,
    )


def set_cookie(response: Response, settings: Settings, token: str) -> None:
    """Hand a session to a browser, out of reach of scripts and of other sites' changes."""
    response.set_cookie(
        settings.cookie,
        token,
        max_age=DAYS * 24 * 3600,
        path=settings.cookie_path,
        httponly=True,
        samesite="lax",
        secure=settings.secure,
    )


router = APIRouter(tags=["users"])

Password = Annotated[
    str, StringConstraints(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)
]


class NewUser(BaseModel):
    """A new account."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, StringConstraints(pattern=f"^{NAME.pattern}$")]
    password: Password
    admin: bool = False


class UserChange(BaseModel):
    """What is to be changed; what is left out stays."""

    model_config = ConfigDict(extra="forbid")
    password: Password | None = None
    keep_tokens: bool = False
    disabled: bool | None = None


class NewPassword(BaseModel):
    """A new password for oneself."""

    model_config = ConfigDict(extra="forbid")
    old: Annotated[str, StringConstraints(max_length=LONGEST_PASSWORD)]
    new: Password
    keep_tokens: bool = False


class NewToken(BaseModel):
    """What a token is for, and for how long."""

    model_config = ConfigDict(extra="forbid")
    label: Annotated[Note, Field(max_length=200)] = ""
    days: Annotated[int, Field(ge=1, le=LONGEST_LIFE)] = 90
    scope: Scope = "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeToken:
    """A new token, which is shown this once."""

    token: str
    kept: TokenView


@router.get("/users")
def list_users(access: Annotated[Access, needs("admin")]) -> tuple[Person, ...]:
    """All accounts."""
    with access.reading() as session:
        return users(session)


@router.post("/users", status_code=201)
def new_user(access: Annotated[Access, needs("admin", grants=True)], new: NewUser) -> Person:
    """Make an account."""
    with access.writing() as session:
        return add_user(session, access.actor, new.name, new.password, admin=new.admin)


@router.patch("/users/{user}")
def change_user(
    access: Annotated[Access, needs("admin", grants=True)], user: UserName, change: UserChange
) -> Person:
    """Give an account a new password, disable it, or enable it again."""
    if user == access.actor and change.disabled:
        raise ConflictError("disabled: found your own account, expected another")
    with access.writing() as session:
        if change.password is not None:
            set_password(
                session, access.actor, user, change.password, keep_tokens=change.keep_tokens
            )
        return disable_user(session, access.actor, user, disabled=change.disabled)


@router.get("/log")
def whole_log(
    access: Annotated[Access, needs("admin")], after: After = None, limit: Limit = 100
) -> tuple[LogLine, ...]:
    """Who changed what on this server, the newest first."""
    with access.reading() as session:
        return entries(session, before=after, limit=limit)


@router.put("/session/password", status_code=204)
def change_password(
    request: Request,
    access: Annotated[Access, needs("user", grants=True)],
    change: NewPassword,
) -> None:
    """Give oneself a new password; all logins end, this one too, and tokens unless kept."""
    _user_id(access)
    gate: PasswordGate = request.app.state.passwords
    with gate.attempt(access.actor, address_of(request), logged_in=True):
        check_password(access.store, access.actor, change.old)
    with access.writing() as session:
        set_password(
            session, access.actor, access.actor, change.new, keep_tokens=change.keep_tokens
        )


@router.get("/tokens")
def list_tokens(access: Annotated[Access, needs("user")]) -> tuple[TokenView, ...]:
    """The caller's tokens."""
    with access.reading() as session:
        return tokens(session, access.caller.user_id or 0)


@router.post("/tokens", status_code=201)
def new_token(
    access: Annotated[Access, needs("user", grants=True, secret=True)], new: NewToken
) -> MadeToken:
    """Make a token by which a program acts for the caller, as far as its scope goes."""
    user_id = _user_id(access)
    with access.writing() as session:
        token, kept = make_token(
            session,
            access.actor,
            user_id,
            label=new.label,
            days=new.days,
            scope=new.scope,
            maker=access.caller,
        )
    return MadeToken(token=token, kept=kept)


@router.delete("/tokens/{api_token}")
def end_token(
    access: Annotated[Access, needs("user", grants=True)], api_token: Identifier
) -> TokenView:
    """Revoke a token of the caller."""
    with access.writing() as session:
        return revoke_token(session, access.actor, access.caller.user_id or 0, api_token)


def _user_id(access: Access) -> int:
    if access.caller.user_id is None:
        raise ConflictError("account: found none, expected one; add it by 'tertium serve user add'")
    return access.caller.user_id
