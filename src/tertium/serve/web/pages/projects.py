"""Pages of projects."""

from typing import Annotated

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from tertium.serve.evaluation.projects import project_view, projects
from tertium.serve.evaluation.sets import all_test_sets
from tertium.serve.web.access import Access, Slug, needs
from tertium.serve.web.rendering import render

router = APIRouter()


@router.get("/")
def home(access: Annotated[Access, needs("user")]) -> HTMLResponse:
    """All projects that the caller may see."""
    with access.reading() as session:
        return render(access, "projects.html", projects=projects(session, access.caller))


@router.get("/projects/{project}")
def one_project(access: Annotated[Access, needs("reader")], project: Slug) -> HTMLResponse:
    """A project at a glance."""
    with access.reading() as session:
        return render(
            access,
            "project.html",
            project=project_view(session, access.project_id),
            test_sets=all_test_sets(session, access.project_id),
        )


@router.get("/projects/{project}/settings")
def settings(access: Annotated[Access, needs("editor")], project: Slug) -> HTMLResponse:
    """Name, note and the end of a project."""
    with access.reading() as session:
        return render(access, "settings.html", project=project_view(session, access.project_id))
