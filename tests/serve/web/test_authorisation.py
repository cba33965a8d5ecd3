"""Every route × every role × (own, foreign, anonymous)."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from fastapi import APIRouter
from httpx2 import Response
from starlette.routing import Mount

from tertium.serve.accounts.callers import ENOUGH
from tertium.serve.settings import Settings
from tertium.serve.web.access import PUBLIC
from tertium.serve.web.api import API
from tertium.serve.web.app import declared_routes, make_app
from tertium.serve.web.pages import PAGES
from tests.support.serve.routes import ROWS
from tests.support.serve.routes.row import Row, Values
from tests.support.serve.site import Site
from tests.support.serve.world import LINKS, USERS, role_of

SAFE = {"GET", "HEAD"}
CALLERS = ("anonymous", "revoked link", *USERS, *(one for one in LINKS if one != "revoked link"))


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    declared = Counter((one.method, one.path) for one in declared_routes())
    assert declared == Counter((row.method, row.path) for row in ROWS)


MOUNTED = {"/static", "/static/report"}
"""Files that everybody may see: scripts and styles."""


def test_the_application_answers_nothing_that_the_table_lacks(site: Site) -> None:
    """Nothing is served but the routers that are held against it, and the files."""
    mounted = {one.path for one in site.app.routes if isinstance(one, Mount)}
    rest = [one for one in site.app.routes if not isinstance(one, Mount)]
    assert mounted == MOUNTED
    assert [getattr(one, "original_router", one) for one in rest] == [*API, *PAGES]


def test_a_new_route_without_a_row_is_noticed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    router = APIRouter()
    router.add_api_route("/new", lambda _access: "something", dependencies=[PUBLIC])
    monkeypatch.setattr("tertium.serve.web.app.PAGES", (*PAGES, router))
    with pytest.raises(AssertionError):
        test_every_route_has_a_row_and_every_row_a_route()
    app = make_app(site.store, Settings())
    with pytest.raises(AssertionError):
        test_the_application_answers_nothing_that_the_table_lacks(replace(site, app=app))


@pytest.mark.parametrize("path", ["/static/forms.js", "/static/report/tokens.css"])
def test_static_files_are_for_everybody(site: Site, path: str) -> None:
    for caller in CALLERS:
        assert site.client(caller).get(path).status_code == 200


def test_rows_say_what_routes_need() -> None:
    declared = {(one.method, one.path): one.need for one in declared_routes()}
    assert declared == {(row.method, row.path): row.need for row in ROWS}


def test_a_route_that_does_not_say_who_may_use_it_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    router = APIRouter()
    router.add_api_route("/secret", lambda: "all of it")
    monkeypatch.setattr("tertium.serve.web.app.PAGES", (router,))
    with pytest.raises(RuntimeError, match=r"expected needs\(…\) or PUBLIC"):
        list(declared_routes())


def test_nothing_else_answers(site: Site) -> None:
    for path in ("/docs", "/redoc", "/openapi.json", "/static/../app.py", "/static/%2e%2e/app.py"):
        assert site.client("admin").get(path).status_code == 404


def expected(row: Row, caller: str) -> int:
    """The status that a caller is answered on the own project."""
    known = caller not in {"anonymous", "revoked link"}
    if row.need == "public":
        return row.ok
    if not known:
        page = not row.path.startswith("/api/") and row.path != "/metrics"
        return 303 if page and row.method == "GET" else 401
    if row.need in {"user", "admin"}:
        enough = caller == "admin" or (row.need == "user" and caller in USERS)
        return row.ok if enough else 403
    role = role_of(caller)
    if role is None or (caller == "campaign link" and "{campaign}" not in row.path):
        return 404
    return row.ok if role in ENOUGH[row.need] else 403


def ask(site: Site, caller: str, row: Row, values: Values) -> Response:
    return site.client(caller).request(row.method, row.address(values), **row.content(values))


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_who_may_and_who_may_not(row: Row, new_site: Callable[[], Site]) -> None:
    site = new_site()
    for caller in sorted(CALLERS, key=lambda one: expected(row, one) == row.ok):
        status = expected(row, caller)
        if status == row.ok and row.method not in SAFE:
            site = new_site()  # each finds what the one before may have deleted
        found = ask(site, caller, row, site.world.own)
        assert found.status_code == status, (caller, found.text[:300])
        if status == 303 and row.ok != 303:
            assert found.headers["location"].startswith("/login?next=")
        elif status in {401, 403, 404} and status != row.ok and row.path.startswith("/api/"):
            assert set(found.json()) == {"error", "place"}


@pytest.mark.parametrize("row", [one for one in ROWS if "{project}" in one.path], ids=str)
def test_what_is_of_others_is_not_found(row: Row, site: Site) -> None:
    assert ask(site, "owner", row, site.world.foreign).status_code == 404
    assert ask(site, "anonymous", row, site.world.foreign).status_code in {303, 401}
    missing = {**site.world.own, "project": "no-such-project"}
    assert ask(site, "admin", row, missing).status_code == 404


INNER = [
    one
    for one in ROWS
    if "{project}" in one.path
    and set(re.findall(r"{(\w+)}", one.path)) - {"project", *one.everywhere}
]


@pytest.mark.parametrize("row", INNER, ids=str)
def test_parts_of_a_foreign_project_are_not_found_in_ones_own(row: Row, site: Site) -> None:
    mixed = {**site.world.foreign, "project": "own"}
    for caller in ("owner", "admin"):
        assert ask(site, caller, row, mixed).status_code == 404


OTHER_SITES: list[dict[str, str]] = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://testserver.evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "origin": "http://testserver"},
    {"origin": ""},
]


@pytest.mark.parametrize("row", [one for one in ROWS if one.method not in SAFE], ids=str)
def test_changes_from_other_sites_are_refused(row: Row, site: Site) -> None:
    values = site.world.own
    client = site.client("owner")
    for headers in OTHER_SITES:
        found = client.request(
            row.method, row.address(values), headers=headers, **row.content(values)
        )
        assert found.status_code == 403
        assert "origin: found" in found.text
