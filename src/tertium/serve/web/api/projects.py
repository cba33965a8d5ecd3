"""Projects, their members and their links."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tertium.serve.accounts.callers import Role
from tertium.serve.accounts.log import LogLine, entries
from tertium.serve.accounts.tokens import LONGEST_LIFE, Invitation, links, make_link, revoke_link
from tertium.serve.accounts.users import Member, members, remove_member, set_role
from tertium.serve.evaluation.projects import (
    ProjectView,
    change_project,
    create_project,
    delete_project,
    project_view,
    projects,
)
from tertium.serve.evaluation.words import LONGEST_SLUG, SLUG
from tertium.serve.web.access import (
    HIGHEST,
    Access,
    After,
    Identifier,
    Limit,
    Line,
    Note,
    Slug,
    link_address,
    needs,
)

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


people_router = APIRouter(tags=["people"])

UserName = Annotated[str, Path(max_length=64, pattern=r"^[\w.@+-]+$")]


class NewRole(BaseModel):
    """The role that a user is to have."""

    model_config = ConfigDict(extra="forbid")
    role: Role


class NewLink(BaseModel):
    """Whom a link is for, and for how long."""

    model_config = ConfigDict(extra="forbid")
    role: Literal["editor", "rater", "reader"]
    campaign: Annotated[int, Field(ge=1, le=HIGHEST)] | None = None
    label: Annotated[Note, Field(max_length=200)] = ""
    days: Annotated[int, Field(ge=1, le=LONGEST_LIFE)] = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeLink:
    """A new link; its address is shown this once."""

    address: str
    link: Invitation


@people_router.get("/projects/{project}/members")
def list_members(access: Annotated[Access, needs("editor")], project: Slug) -> tuple[Member, ...]:
    """The users of a project and their roles."""
    with access.reading() as session:
        return members(session, access.project_id)


@people_router.put("/projects/{project}/members/{user}")
def put_member(
    access: Annotated[Access, needs("owner", grants=True)],
    project: Slug,
    user: UserName,
    new: NewRole,
) -> Member:
    """Make a user a member, or give a member another role."""
    with access.writing() as session:
        return set_role(session, access.actor, access.project_id, user, new.role)


@people_router.delete("/projects/{project}/members/{user}", status_code=204)
def drop_member(
    access: Annotated[Access, needs("owner", grants=True)], project: Slug, user: UserName
) -> None:
    """Let a user see a project no more."""
    with access.writing() as session:
        remove_member(session, access.actor, access.project_id, user)


@people_router.get("/projects/{project}/links")
def list_links(access: Annotated[Access, needs("editor")], project: Slug) -> tuple[Invitation, ...]:
    """The links of a project; their tokens are not kept."""
    with access.reading() as session:
        return links(session, access.project_id)


@people_router.post("/projects/{project}/links", status_code=201)
def new_link(
    request: Request,
    access: Annotated[Access, needs("editor", grants=True, secret=True)],
    project: Slug,
    new: NewLink,
) -> MadeLink:
    """Make a link that lets whoever has it into the project, or one campaign of it."""
    with access.writing() as session:
        token, link = make_link(
            session,
            access.actor,
            access.project_id,
            new.role,
            campaign_id=new.campaign,
            label=new.label,
            days=new.days,
            maker=access.caller,
        )
    return MadeLink(address=link_address(request, token), link=link)


@people_router.delete("/projects/{project}/links/{link}")
def end_link(
    access: Annotated[Access, needs("editor", grants=True)], project: Slug, link: Identifier
) -> Invitation:
    """Revoke a link; whoever is in by it is out at once."""
    with access.writing() as session:
        return revoke_link(session, access.actor, access.project_id, link)


@people_router.get("/projects/{project}/log")
def project_log(
    access: Annotated[Access, needs("owner")],
    project: Slug,
    after: After = None,
    limit: Limit = 100,
) -> tuple[LogLine, ...]:
    """Who changed what in a project, the newest first."""
    with access.reading() as session:
        return entries(session, project_id=access.project_id, before=after, limit=limit)
