"""Pages of projects, people and jobs; login, links, and whether the server is well."""

from functools import partial
from pathlib import Path as FilePath
from shutil import disk_usage
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from tertium.serve.accounts.callers import ROLES
from tertium.serve.accounts.log import entries
from tertium.serve.accounts.tokens import links, tokens
from tertium.serve.accounts.users import members, open_link, users
from tertium.serve.evaluation.finding import search_project
from tertium.serve.evaluation.projects import projects
from tertium.serve.overview import names_of, overview
from tertium.serve.queue import jobs
from tertium.serve.web.access import PUBLIC, Access, After, Slug, needs
from tertium.serve.web.api.users import set_cookie
from tertium.serve.web.errors import RETRY_AFTER, store_problem
from tertium.serve.web.rendering import isolated, render
from tertium.serve.web.shell import OF_TEST_SET, project_shell

router = APIRouter()
Words = Annotated[str, Query(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


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
            **project_shell(session, access),
            board=(board := overview(session, access.project_id)),
            isolated=partial(isolated, names=names_of(board)),
        )


@router.get("/projects/{project}/settings")
def settings(access: Annotated[Access, needs("editor")], project: Slug) -> HTMLResponse:
    """Name, note and the end of a project."""
    with access.reading() as session:
        return render(access, "settings.html", **project_shell(session, access))


@router.get("/projects/{project}/results")
def results(access: Annotated[Access, needs("reader")], project: Slug) -> HTMLResponse:
    """The test sets whose results can be seen."""
    return _choice(access, "results", "Scores, intervals and tests of each test set.")


@router.get("/projects/{project}/segments")
def segments(access: Annotated[Access, needs("reader")], project: Slug) -> HTMLResponse:
    """The test sets whose segments can be read."""
    return _choice(access, "segments", "Texts of each test set, with the scores of every segment.")


@router.get("/projects/{project}/names")
def names(access: Annotated[Access, needs("reader")], project: Slug) -> HTMLResponse:
    """The test sets in which names can be marked."""
    return _choice(access, "names", "Names that annotators marked in the texts of each test set.")


def _choice(access: Access, tab: str, about: str) -> HTMLResponse:
    with access.reading() as session:
        return render(
            access,
            "choose.html",
            **project_shell(session, access),
            tab=tab,
            title=tab.capitalize(),
            about=about,
            suffix=OF_TEST_SET[tab],
        )


@router.get("/projects/{project}/search")
def search(
    access: Annotated[Access, needs("reader")], project: Slug, q: Words = ""
) -> HTMLResponse:
    """What has some words in its name or in its text."""
    with access.reading() as session:
        return render(
            access,
            "search.html",
            **project_shell(session, access),
            query=q,
            hits=search_project(session, access.project_id, q),
        )


@router.get("/projects/{project}/people")
def people(access: Annotated[Access, needs("editor")], project: Slug) -> HTMLResponse:
    """Members and links of a project."""
    with access.reading() as session:
        return render(
            access,
            "people.html",
            **project_shell(session, access),
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
            **project_shell(session, access),
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


@router.get("/projects/{project}/jobs")
def project_jobs(access: Annotated[Access, needs("reader")], project: Slug) -> HTMLResponse:
    """What is being computed, and what was."""
    with access.reading() as session:
        return render(
            access,
            "jobs.html",
            **project_shell(session, access),
            jobs=jobs(session, access.project_id),
        )


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
