from threading import Thread

import pytest
from sqlalchemy import select

from tertium.serve.store.schema import Idempotency
from tests.support.serve.site import Site

KEY = {"idempotency-key": "upload 7"}


def names(site: Site) -> list[str]:
    found = site.client("owner").get("/api/v1/projects").json()
    return [one["name"] for one in found if one["slug"] != "own"]


def test_the_second_gets_the_answer_of_the_first(any_site: Site) -> None:
    owner = any_site.client("owner")
    first = owner.post("/api/v1/projects", json={"name": "P"}, headers=KEY)
    second = owner.post("/api/v1/projects", json={"name": "P"}, headers=KEY)
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert "idempotency-replayed" not in first.headers
    assert second.headers["idempotency-replayed"] == "true"
    assert names(any_site) == ["P"]
    third = owner.post("/api/v1/projects", json={"name": "P"}, headers={"idempotency-key": "8"})
    assert third.json()["id"] != first.json()["id"]


def test_a_key_is_for_one_request(site: Site) -> None:
    owner = site.client("owner")
    owner.post("/api/v1/projects", json={"name": "P"}, headers=KEY)
    for answer in (
        owner.post("/api/v1/projects", json={"name": "Q"}, headers=KEY),
        owner.patch("/api/v1/projects/own", json={"name": "P"}, headers=KEY),
    ):
        assert answer.status_code == 409
        assert "found another request with it" in answer.json()["error"]
    assert names(site) == ["P"]


def test_keys_of_others_are_others(site: Site) -> None:
    for name in ("owner", "stranger"):
        answer = site.client(name).post("/api/v1/projects", json={"name": name}, headers=KEY)
        assert answer.status_code == 201
        assert answer.json()["name"] == name


def test_what_failed_may_be_tried_again(site: Site) -> None:
    owner = site.client("owner")
    taken = {"name": "P", "slug": "own"}
    assert owner.post("/api/v1/projects", json=taken, headers=KEY).status_code == 409
    assert owner.post("/api/v1/projects", json={"name": "P"}, headers=KEY).status_code == 201


def test_nothing_comes_back_for_whoever_may_not(site: Site) -> None:
    """The answer is of the caller's own request: a key is no way around the roles."""
    reader = site.client("reader")
    for _ in range(2):
        answer = reader.patch("/api/v1/projects/own", json={"name": "P"}, headers=KEY)
        assert answer.status_code == 403


def test_a_change_whose_answer_was_lost_is_not_made_again(site: Site) -> None:
    """As when the server is killed after the change and before the answer."""
    owner = site.client("owner")
    owner.post("/api/v1/projects", json={"name": "P"}, headers=KEY)
    with site.store.writing() as session:
        kept = session.scalars(select(Idempotency)).one()
        kept.status = kept.body = None
    answer = owner.post("/api/v1/projects", json={"name": "P"}, headers=KEY)
    assert (answer.status_code, names(site)) == (409, ["P"])
    assert "its answer is not known" in answer.json()["error"]


def test_two_at_once_make_one_change(any_site: Site) -> None:
    statuses: list[int] = []

    def send() -> None:
        client = any_site.client("owner")
        answer = client.post("/api/v1/projects", json={"name": "P"}, headers=KEY)
        statuses.append(answer.status_code)

    threads = [Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names(any_site) == ["P"]
    assert set(statuses) <= {201, 409}
    assert 201 in statuses


@pytest.mark.parametrize("key", ["", "x" * 201, "a\x7f"])
def test_keys_that_are_refused(site: Site, key: str) -> None:
    answer = site.client("owner").post(
        "/api/v1/projects", json={"name": "P"}, headers={"idempotency-key": key}
    )
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Idempotency-Key: expected 1 to 200")
