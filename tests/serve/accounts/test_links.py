import pytest

from tertium.serve.accounts.callers import ANONYMOUS
from tertium.serve.accounts.tokens import links, make_link, revoke_link
from tertium.serve.accounts.users import caller_of_cookie, open_link
from tertium.serve.errors import NotFoundError, RequestError
from tests.support.serve.site import Site


def test_a_link_lets_in_until_it_is_revoked(any_site: Site) -> None:
    own = int(any_site.world.own["project_id"])
    with any_site.store.writing() as session:
        token, link = make_link(session, "owner", own, "reader", label="guests")
        cookie, _, project = open_link(session, token)
        caller = caller_of_cookie(session, cookie)
    assert project.slug == "own"
    assert (caller.link_id, caller.link_role, caller.user_id) == (link.id, "reader", None)
    assert not caller.trusted
    with any_site.store.writing() as session:
        assert revoke_link(session, "owner", own, link.id).revoked
    with any_site.store.writing() as session:
        assert caller_of_cookie(session, cookie) == ANONYMOUS
        with pytest.raises(NotFoundError, match="unknown, expired or revoked"):
            open_link(session, token)
        assert any(one.id == link.id and one.revoked for one in links(session, own))


def test_an_expired_link_is_dead(any_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    own = int(any_site.world.own["project_id"])
    with any_site.store.writing() as session:
        token, _ = make_link(session, "owner", own, "reader", days=1)
        cookie = open_link(session, token)[0]
    from datetime import timedelta

    from tertium.serve.accounts import users
    from tertium.serve.store.schema import now

    monkeypatch.setattr(users, "now", lambda: now() + timedelta(days=2))
    with any_site.store.writing() as session:
        assert caller_of_cookie(session, cookie) == ANONYMOUS
        with pytest.raises(NotFoundError):
            open_link(session, token)


@pytest.mark.parametrize("days", [0, -1, 367])
def test_links_do_not_live_for_ever(site: Site, days: int) -> None:
    with site.store.writing() as session, pytest.raises(RequestError, match="expected 1 to 366"):
        make_link(session, "owner", 1, "reader", days=days)


def test_links_that_are_refused(site: Site) -> None:
    own, foreign = site.world.own, site.world.foreign
    with site.store.writing() as session:
        with pytest.raises(RequestError, match="found owner"):
            make_link(session, "owner", int(own["project_id"]), "owner")
        with pytest.raises(NotFoundError):
            make_link(
                session,
                "owner",
                int(own["project_id"]),
                "rater",
                campaign_id=int(foreign["campaign"]),
            )
        with pytest.raises(NotFoundError):
            revoke_link(session, "owner", int(own["project_id"]), int(foreign["link"]))


def test_a_browser_follows_a_link_and_is_out_when_it_is_revoked(site: Site) -> None:
    made = site.client("editor").post("/api/v1/projects/own/links", json={"role": "reader"}).json()
    guest = site.client()
    answer = guest.get(made["address"])
    assert (answer.status_code, answer.headers["location"]) == (303, "/projects/own")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert guest.get("/projects/own").status_code == 200
    assert guest.get("/projects/own/people").status_code == 403
    assert guest.get("/projects/foreign").status_code == 404
    site.client("editor").delete(f"/api/v1/projects/own/links/{made['link']['id']}")
    assert guest.get("/api/v1/projects/own").status_code == 401
    assert guest.get(made["address"]).status_code == 404


def test_a_link_to_a_campaign_leads_there(site: Site) -> None:
    campaign = int(site.world.own["campaign"])
    made = site.client("editor").post(
        "/api/v1/projects/own/links", json={"role": "rater", "campaign": campaign}
    )
    answer = site.client().get(made.json()["address"])
    assert answer.headers["location"] == f"/projects/own/campaigns/{campaign}/rate"
