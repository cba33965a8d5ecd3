"""The way in: login, links, and whether the server is well."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from sqlalchemy import text

from tertium.serve.accounts.sessions import open_link
from tertium.serve.web.access import PUBLIC, Access, needs
from tertium.serve.web.api.session import set_cookie
from tertium.serve.web.rendering import render

router = APIRouter()


@router.get("/health")
def health(access: Annotated[Access, PUBLIC]) -> PlainTextResponse:
    """Whether the server answers and reaches its store."""
    with access.reading() as session:
        session.execute(text("SELECT 1"))
    return PlainTextResponse("ok\n")


@router.get("/metrics")
def metrics(request: Request, _access: Annotated[Access, needs("admin")]) -> Response:
    """Numbers for Prometheus, which comes with the token of an administrator."""
    return Response(request.app.state.metrics.text(), media_type="text/plain; version=0.0.4")


@router.get("/login")
def login(access: Annotated[Access, PUBLIC]) -> HTMLResponse:
    """Where name and password are asked for."""
    return render(access, "login.html")


@router.get("/l/{token}")
def follow_link(
    access: Annotated[Access, PUBLIC], token: Annotated[str, Path(max_length=200)]
) -> Response:
    """Let in whoever has a link, and lead to where it is for."""
    with access.writing() as session:
        cookie, link, project = open_link(session, token)
        place = f"/projects/{project.slug}"
        if link.campaign_id is not None:
            place += f"/campaigns/{link.campaign_id}"
            place += "/rate" if link.role == "rater" else ""
    response = RedirectResponse(place, 303)
    set_cookie(response, access.settings, cookie)
    return response
