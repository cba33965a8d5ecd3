"""What a token or a link made ends with it, and a new password ends tokens."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from fastapi import Request
from fastapi.testclient import TestClient

from tertium.serve.accounts.tokens import make_token
from tertium.serve.accounts.users import add_user, set_password
from tertium.serve.store.schema import now
from tertium.serve.web.access import Needs
from tertium.serve.web.api.jobs import follow_job
from tests.support.commands import PATIENCE
from tests.support.serve.site import Site

PASSWORD = "correct horse"
LINKS = "/api/v1/projects/own/links"


def program(site: Site, token: str) -> TestClient:
    """A program that acts by a token."""
    client = TestClient(site.app, headers={"authorization": f"Bearer {token}"})
    client.portal = site.portal
    return client


def token_of(maker: TestClient, **about: object) -> str:
    made = maker.post("/api/v1/tokens", json=about)
    assert made.status_code == 201, made.text
    token: str = made.json()["token"]
    return token


def opened(site: Site, address: str) -> TestClient:
    """A browser that has followed a link."""
    client = site.client()
    assert client.get(address.removeprefix("http://testserver")).status_code == 303
    return client


def sees(client: TestClient) -> bool:
    return client.get("/api/v1/projects/own").status_code == 200


def test_a_token_that_made_others_ends_them_all(any_site: Site) -> None:
    owner = any_site.client("owner")
    parent = owner.post("/api/v1/tokens", json={"scope": "full"}).json()
    child = token_of(program(any_site, parent["token"]), scope="full")
    grandchild = token_of(program(any_site, child), scope="read")
    link = program(any_site, child).post(LINKS, json={"role": "editor"}).json()["address"]
    guest = opened(any_site, link)
    second = guest.post(LINKS, json={"role": "reader"}).json()["address"]
    reader = opened(any_site, second)
    programs = [program(any_site, one) for one in (parent["token"], child, grandchild)]
    assert all(map(sees, [*programs, guest, reader]))
    owner.delete(f"/api/v1/tokens/{parent['kept']['id']}")
    assert not any(map(sees, [*programs, guest, reader]))
    assert any_site.client().get(second.removeprefix("http://testserver")).status_code == 404
    assert sees(owner)


def test_a_link_that_made_links_ends_them(site: Site) -> None:
    owner = site.client("owner")
    made = owner.post(LINKS, json={"role": "editor"}).json()
    editor = opened(site, made["address"])
    child = editor.post(LINKS, json={"role": "editor"}).json()["address"]
    rater = editor.post(
        f"/api/v1/projects/own/campaigns/{site.world.own['campaign']}/raters", json={}
    ).json()["address"]
    guest = opened(site, child)
    assert sees(guest)
    owner.delete(f"{LINKS}/{made['link']['id']}")
    assert not sees(guest)
    assert site.client().get(rater.removeprefix("http://testserver")).status_code == 404


def test_a_child_expires_with_its_parent(site: Site) -> None:
    owner = site.client("owner")
    parent = program(site, token_of(owner, scope="full", days=2))
    child = parent.post("/api/v1/tokens", json={"days": 300}).json()["kept"]
    link = parent.post(LINKS, json={"role": "reader", "days": 300}).json()["link"]
    latest = (now() + timedelta(days=2, minutes=5)).isoformat()
    assert child["expires_at"] < latest
    assert link["expires_at"] < latest


@pytest.mark.parametrize(
    ("scope", "read", "change", "grant"),
    [("read", 200, 403, 403), ("write", 200, 200, 403), ("full", 200, 200, 201)],
)
def test_scopes_bound_what_a_token_may_do(
    site: Site, scope: str, read: int, change: int, grant: int
) -> None:
    client = program(site, token_of(site.client("owner"), scope=scope))
    assert client.get("/api/v1/projects/own").status_code == read
    changed = client.patch("/api/v1/projects/own", json={"note": "n"})
    assert changed.status_code == change
    assert client.post("/api/v1/tokens", json={"scope": "read"}).status_code == grant
    assert client.post(LINKS, json={"role": "reader"}).status_code == grant


def test_a_new_token_cannot_let_others_in_unless_asked(site: Site) -> None:
    client = program(site, token_of(site.client("owner")))
    refused = client.post(LINKS, json={"role": "reader"})
    assert refused.status_code == 403
    assert "found a token of scope write, expected full" in refused.json()["error"]


@pytest.mark.parametrize("keep", [True, False])
def test_a_new_password_ends_tokens_unless_they_are_kept(site: Site, keep: bool) -> None:
    with site.store.writing() as session:
        ann = add_user(session, "tests", "ann", PASSWORD)
        token, _ = make_token(session, "ann", ann.id)
        set_password(session, "tests", "ann", "another horse", keep_tokens=keep)
    status = program(site, token).get("/api/v1/tokens").status_code
    assert status == (200 if keep else 401)


def test_a_bad_token_is_told_so(site: Site) -> None:
    answer = program(site, "wrong").get("/api/v1/tokens")
    assert answer.status_code == 401
    assert answer.json()["error"].startswith("token: unknown, expired or revoked")
    assert program(site, "wrong").get("/metrics").status_code == 401


def test_a_stream_ends_when_the_link_that_opened_it_is_revoked(site: Site) -> None:
    owner = site.client("owner")
    made = owner.post(LINKS, json={"role": "reader"}).json()
    cookie = opened(site, made["address"]).cookies["tertium"]
    job = int(site.world.own["job"])
    request = Request(
        {
            "type": "http",
            "app": site.app,
            "method": "GET",
            "path": f"/api/v1/projects/own/jobs/{job}/events",
            "query_string": b"",
            "path_params": {"project": "own", "job": str(job)},
            "headers": [(b"cookie", f"tertium={cookie}".encode()), (b"host", b"testserver")],
            "state": {},
        }
    )

    async def follow() -> list[object]:
        answer = follow_job(request, Needs("reader")(request), "own", job)
        assert isinstance(answer.body_iterator, AsyncIterator)
        first = await anext(answer.body_iterator)
        owner.delete(f"{LINKS}/{made['link']['id']}")
        rest = asyncio.wait_for(_rest(answer.body_iterator), PATIENCE)
        return [first, *await rest]

    async def _rest(events: AsyncIterator[object]) -> list[object]:
        return [event async for event in events]

    assert len(asyncio.run(follow())) == 1
