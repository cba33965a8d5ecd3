"""Projects: list, make, change, hide."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, StringConstraints

from tertium.serve.evaluation.projects import (
    ProjectView,
    change_project,
    create_project,
    delete_project,
    project_view,
    projects,
)
from tertium.serve.evaluation.words import LONGEST_SLUG, SLUG
from tertium.serve.web.access import Access, Line, Note, Slug, needs

router = APIRouter(tags=["projects"])


class NewProject(BaseModel):
    """What a new project is called; its address is made of the name if none is given."""

    model_config = ConfigDict(extra="forbid")
    name: Line
    slug: Annotated[str, StringConstraints(max_length=LONGEST_SLUG, pattern=f"^{SLUG}$")] | None = (
        None
    )
    note: Note = ""


class ProjectChange(BaseModel):
    """What is to be changed; what is left out stays."""

    model_config = ConfigDict(extra="forbid")
    name: Line | None = None
    note: Note | None = None


@router.get("/projects")
def list_projects(access: Annotated[Access, needs("user")]) -> tuple[ProjectView, ...]:
    """The projects that the caller may see."""
    with access.reading() as session:
        return projects(session, access.caller)


@router.post("/projects", status_code=201)
def make_project(access: Annotated[Access, needs("user")], new: NewProject) -> ProjectView:
    """Make a project; the caller is its owner."""
    with access.writing() as session:
        return create_project(session, access.caller, new.name, slug=new.slug, note=new.note)


@router.get("/projects/{project}")
def one_project(access: Annotated[Access, needs("reader")], project: Slug) -> ProjectView:
    """One project."""
    with access.reading() as session:
        return project_view(session, access.project_id)


@router.patch("/projects/{project}")
def edit_project(
    access: Annotated[Access, needs("editor")], project: Slug, change: ProjectChange
) -> ProjectView:
    """Give a project another name or note."""
    with access.writing() as session:
        return change_project(
            session, access.caller, access.project_id, name=change.name, note=change.note
        )


@router.delete("/projects/{project}", status_code=204)
def hide_project(access: Annotated[Access, needs("owner")], project: Slug) -> None:
    """Hide a project; nothing of it is deleted from the store."""
    with access.writing() as session:
        delete_project(session, access.caller, access.project_id)
