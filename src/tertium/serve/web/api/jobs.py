"""Jobs of a project, and what the server is."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import StreamingResponse
from sqlalchemy import text
from starlette.concurrency import run_in_threadpool

from tertium.serve.errors import RequestError
from tertium.serve.queue import JobView, cancel, file_of, job_of, jobs, retry
from tertium.serve.web.access import PUBLIC, Access, After, Identifier, Limit, Needs, Slug, needs
from tertium.version import __version__

router = APIRouter(tags=["jobs"])

PAUSE: Final = 0.3
"""Seconds between two looks at a job that is followed."""
QUIET: Final = 50
"""Looks without news after which a word is sent, so that nobody on the way hangs up."""


@router.get("/projects/{project}/jobs")
def list_jobs(
    access: Annotated[Access, needs("reader")],
    project: Slug,
    after: After = None,
    limit: Limit = 50,
) -> tuple[JobView, ...]:
    """The jobs of a project, the newest first."""
    with access.reading() as session:
        return jobs(session, access.project_id, after=after, limit=limit)


@router.get("/projects/{project}/jobs/{job}")
def one_job(access: Annotated[Access, needs("reader")], project: Slug, job: Identifier) -> JobView:
    """How far a job is."""
    with access.reading() as session:
        return job_of(session, access.project_id, job)


@router.post("/projects/{project}/jobs/{job}/cancel")
def cancel_job(
    access: Annotated[Access, needs("editor")], project: Slug, job: Identifier
) -> JobView:
    """End a job that waits or runs."""
    with access.writing() as session:
        return cancel(session, access.actor, access.project_id, job)


@router.post("/projects/{project}/jobs/{job}/retry")
def retry_job(
    access: Annotated[Access, needs("editor")], project: Slug, job: Identifier
) -> JobView:
    """Let a job that failed or was cancelled be done again."""
    with access.writing() as session:
        return retry(session, access.actor, access.project_id, job)


@router.get(
    "/projects/{project}/jobs/{job}/file",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def job_file(
    access: Annotated[Access, needs("reader")], project: Slug, job: Identifier
) -> Response:
    """What a job made, as a file."""
    with access.reading() as session:
        name, data = file_of(session, access.project_id, job)
    return Response(
        data,
        media_type="application/octet-stream",
        headers={"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"},
    )


@router.get(
    "/projects/{project}/jobs/{job}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
def follow_job(
    request: Request, access: Annotated[Access, needs("reader")], project: Slug, job: Identifier
) -> StreamingResponse:
    """The job whenever something about it changes, as server-sent events, until it is over."""

    def look() -> JobView:
        allowed = Needs("reader")(request)  # again at every look: access may have ended meanwhile
        with allowed.reading() as session:
            return job_of(session, allowed.project_id, job)

    look()  # one that does not exist is an answer, not a stream
    return StreamingResponse(_events(request, look), media_type="text/event-stream")


async def _events(request: Request, look: Callable[[], JobView]) -> AsyncIterator[str]:
    seen = None
    quiet = 0
    while not request.app.state.stopping.is_set():
        try:
            found = await run_in_threadpool(look)
        except RequestError:
            return
        quiet += 1
        if found != seen:
            yield f"data: {json.dumps(jsonable_encoder(found))}\n\n"
            quiet = 0
        elif quiet % QUIET == 0:
            yield ": nothing new\n\n"
        if found.over:
            return
        seen = found
        await asyncio.sleep(PAUSE)


about_router = APIRouter(tags=["about"])


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The server's version, and who is logged in."""

    version: str
    caller: str
    admin: bool


@about_router.get("/about")
def about(access: Annotated[Access, PUBLIC]) -> About:
    """The server's version, and who the caller is ('' for nobody)."""
    with access.reading() as session:
        session.execute(text("SELECT 1"))
    return About(version=__version__, caller=access.actor, admin=access.caller.trusted)


@about_router.get("/openapi.json", include_in_schema=False)
def openapi(request: Request, _access: Annotated[Access, PUBLIC]) -> dict[str, Any]:
    """The document of the API."""
    document: dict[str, Any] = request.app.openapi()
    return document
