"""Logging in and out."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, StringConstraints

from tertium.serve.accounts.secrets import LONGEST
from tertium.serve.accounts.sessions import DAYS, end_session, log_in
from tertium.serve.errors import TooOftenError
from tertium.serve.operation.settings import Settings
from tertium.serve.web.access import PUBLIC, Access, Line

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
    # Guesses at one name may come from many addresses.
    if not request.app.state.names_tried.take(login.name):
        raise TooOftenError("login: found too many attempts for this name; try again soon")
    set_cookie(response, access.settings, log_in(access.store, login.name, login.password))


@router.delete("/session", status_code=204)
def end(request: Request, response: Response, access: Annotated[Access, PUBLIC]) -> None:
    """Log out; the cookie is worth nothing afterwards."""
    token = request.cookies.get(access.settings.cookie)
    if token:
        with access.writing() as session:
            end_session(session, token)
    response.delete_cookie(
        access.settings.cookie, httponly=True, samesite="lax", secure=access.settings.secure
    )


def set_cookie(response: Response, settings: Settings, token: str) -> None:
    """Hand a session to a browser, out of reach of scripts and of other sites' changes."""
    response.set_cookie(
        settings.cookie,
        token,
        max_age=DAYS * 24 * 3600,
        httponly=True,
        samesite="lax",
        secure=settings.secure,
    )
