"""Accounts: for administrators all of them, for everybody their own."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tertium.serve.accounts.log import Entry, entries
from tertium.serve.accounts.secrets import LONGEST, SHORTEST
from tertium.serve.accounts.sessions import check_password
from tertium.serve.accounts.tokens import LONGEST as LONGEST_TOKEN
from tertium.serve.accounts.tokens import TokenView, make_token, revoke_token, tokens
from tertium.serve.accounts.users import (
    NAME,
    Person,
    add_user,
    disable_user,
    set_password,
    users,
)
from tertium.serve.errors import ConflictError
from tertium.serve.web.access import Access, After, Identifier, Limit, Note, needs
from tertium.serve.web.api.people import UserName

router = APIRouter(tags=["users"])

Password = Annotated[str, StringConstraints(min_length=SHORTEST, max_length=LONGEST)]


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
    disabled: bool | None = None


class NewPassword(BaseModel):
    """A new password for oneself."""

    model_config = ConfigDict(extra="forbid")
    old: Annotated[str, StringConstraints(max_length=LONGEST)]
    new: Password


class NewToken(BaseModel):
    """What a token is for, and for how long."""

    model_config = ConfigDict(extra="forbid")
    label: Annotated[Note, Field(max_length=200)] = ""
    days: Annotated[int, Field(ge=1, le=LONGEST_TOKEN)] = 90


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
def new_user(access: Annotated[Access, needs("admin")], new: NewUser) -> Person:
    """Make an account."""
    with access.writing() as session:
        return add_user(session, access.actor, new.name, new.password, admin=new.admin)


@router.patch("/users/{user}")
def change_user(
    access: Annotated[Access, needs("admin")], user: UserName, change: UserChange
) -> Person:
    """Give an account a new password, disable it, or enable it again."""
    if user == access.actor and change.disabled:
        raise ConflictError("disabled: found your own account, expected another")
    with access.writing() as session:
        if change.password is not None:
            set_password(session, access.actor, user, change.password)
        return disable_user(session, access.actor, user, disabled=change.disabled)


@router.get("/log")
def whole_log(
    access: Annotated[Access, needs("admin")], after: After = None, limit: Limit = 100
) -> tuple[Entry, ...]:
    """Who changed what on this server, the newest first."""
    with access.reading() as session:
        return entries(session, before=after, limit=limit)


@router.put("/session/password", status_code=204)
def change_password(access: Annotated[Access, needs("user")], change: NewPassword) -> None:
    """Give oneself a new password; all logins end, this one too."""
    _user_id(access)
    check_password(access.store, access.actor, change.old)
    with access.writing() as session:
        set_password(session, access.actor, access.actor, change.new)


@router.get("/tokens")
def list_tokens(access: Annotated[Access, needs("user")]) -> tuple[TokenView, ...]:
    """The caller's tokens."""
    with access.reading() as session:
        return tokens(session, access.caller.user_id or 0)


@router.post("/tokens", status_code=201)
def new_token(access: Annotated[Access, needs("user")], new: NewToken) -> MadeToken:
    """Make a token by which a program acts for the caller."""
    user_id = _user_id(access)
    with access.writing() as session:
        token, kept = make_token(session, access.actor, user_id, label=new.label, days=new.days)
    return MadeToken(token=token, kept=kept)


@router.delete("/tokens/{api_token}")
def end_token(access: Annotated[Access, needs("user")], api_token: Identifier) -> TokenView:
    """Revoke a token of the caller."""
    with access.writing() as session:
        return revoke_token(session, access.actor, access.caller.user_id or 0, api_token)


def _user_id(access: Access) -> int:
    if access.caller.user_id is None:
        raise ConflictError("account: found none, expected one; add it by 'tertium serve user add'")
    return access.caller.user_id
