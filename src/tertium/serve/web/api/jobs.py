"""Jobs of a project: look, follow live, cancel, retry, fetch what they made."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from tertium.serve.errors import RequestError
from tertium.serve.jobs.queue import JobView, cancel, file_of, job_of, jobs, retry
from tertium.serve.web.access import Access, After, Identifier, Limit, Needs, Slug, needs

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
