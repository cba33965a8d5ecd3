"""Logging in and out."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, StringConstraints

from tertium.serve.accounts.secrets import LONGEST
from tertium.serve.accounts.sessions import DAYS, end_session, log_in
from tertium.serve.operation.settings import Settings
from tertium.serve.web.access import PUBLIC, Access, Line, address_of
from tertium.serve.web.limits import PasswordGate

router = APIRouter(tags=["session"])


class Login(BaseModel):
    """Name and password."""

    model_config = ConfigDict(extra="forbid")
    name: Line
    password: Annotated[str, StringConstraints(max_length=LONGEST)]


@router.post("/session", status_code=204)
def begin(
    request: Request, login: Login, response: Response, access: Annotated[Access, PUBLIC]
) -> None:
    """Log in; the answer sets a cookie."""
    gate: PasswordGate = request.app.state.passwords
    with gate.attempt(login.name, address_of(request)):
        token = log_in(access.store, login.name, login.password)
    set_cookie(response, access.settings, token)


@router.delete("/session", status_code=204)
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
