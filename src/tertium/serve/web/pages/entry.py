"""The way in: login, links, and whether the server is well."""

from pathlib import Path as FilePath
from shutil import disk_usage
from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from tertium.serve.accounts.sessions import open_link
from tertium.serve.web.access import PUBLIC, Access, needs
from tertium.serve.web.api.session import set_cookie
from tertium.serve.web.errors import RETRY_AFTER, store_problem
from tertium.serve.web.rendering import render

router = APIRouter()

LEAST_ROOM: Final = 50_000_000
"""Bytes below which a disk counts as full: SQLite needs some to write its log."""


@router.get("/health")
def health(access: Annotated[Access, PUBLIC]) -> PlainTextResponse:
    """Whether the server answers, reaches its store, and has room to write."""
    try:
        with access.reading() as session:
            session.execute(text("SELECT 1"))
    except SQLAlchemyError as error:
        problem = store_problem(error)
        if problem is None:
            raise
        status, sentence = problem
        return PlainTextResponse(f"{sentence}\n", status, {"retry-after": RETRY_AFTER})
    if access.store.sqlite and disk_usage(FilePath(access.store.name).parent).free < LEAST_ROOM:
        return PlainTextResponse("store: found no room on its disk\n", 507)
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
