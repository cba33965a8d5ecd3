"""The page of a project's jobs."""

from typing import Annotated

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from tertium.serve.evaluation.projects import project_view
from tertium.serve.jobs.queue import jobs
from tertium.serve.web.access import Access, Slug, needs
from tertium.serve.web.rendering import render

router = APIRouter()


@router.get("/projects/{project}/jobs")
def project_jobs(access: Annotated[Access, needs("reader")], project: Slug) -> HTMLResponse:
    """What is being computed, and what was."""
    with access.reading() as session:
        return render(
            access,
            "jobs.html",
            project=project_view(session, access.project_id),
            jobs=jobs(session, access.project_id),
        )
