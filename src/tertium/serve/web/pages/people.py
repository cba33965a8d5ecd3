"""Pages of people: members and links of a project, accounts, one's own account, the log."""

from typing import Annotated

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from tertium.serve.accounts.links import links
from tertium.serve.accounts.log import entries
from tertium.serve.accounts.members import members
from tertium.serve.accounts.roles import ROLES
from tertium.serve.accounts.tokens import tokens
from tertium.serve.accounts.users import users
from tertium.serve.evaluation.projects import project_view
from tertium.serve.web.access import Access, After, Slug, needs
from tertium.serve.web.rendering import render

router = APIRouter()


@router.get("/projects/{project}/people")
def people(access: Annotated[Access, needs("editor")], project: Slug) -> HTMLResponse:
    """Members and links of a project."""
    with access.reading() as session:
        return render(
            access,
            "people.html",
            project=project_view(session, access.project_id),
            members=members(session, access.project_id),
            links=links(session, access.project_id),
            roles=ROLES,
        )


@router.get("/projects/{project}/log")
def log(
    access: Annotated[Access, needs("owner")], project: Slug, after: After = None
) -> HTMLResponse:
    """Who changed what in a project."""
    with access.reading() as session:
        return render(
            access,
            "log.html",
            project=project_view(session, access.project_id),
            entries=entries(session, project_id=access.project_id, before=after),
        )


@router.get("/users")
def accounts(access: Annotated[Access, needs("admin")]) -> HTMLResponse:
    """All accounts, for administrators."""
    with access.reading() as session:
        return render(access, "users.html", users=users(session))


@router.get("/log")
def whole_log(access: Annotated[Access, needs("admin")], after: After = None) -> HTMLResponse:
    """Who changed what on this server, for administrators."""
    with access.reading() as session:
        return render(access, "log.html", project=None, entries=entries(session, before=after))


@router.get("/account")
def account(access: Annotated[Access, needs("user")]) -> HTMLResponse:
    """One's own password and tokens."""
    with access.reading() as session:
        return render(access, "account.html", tokens=tokens(session, access.caller.user_id or 0))
