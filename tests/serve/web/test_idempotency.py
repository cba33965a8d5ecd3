from hashlib import sha256
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from tertium.serve.store.schema import Idempotency
from tertium.serve.web.app import declared_routes
from tertium.serve.web.idempotency import ContentDigest
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


def test_answers_with_secrets_are_never_stored(any_site: Site) -> None:
    owner = any_site.client("owner")
    made = owner.post("/api/v1/tokens", json={}, headers=KEY)
    assert made.status_code == 201
    with any_site.store.reading() as session:
        stored = session.scalars(select(Idempotency)).one()
        assert (stored.status, stored.body) == (None, None)
    again = owner.post("/api/v1/tokens", json={}, headers=KEY)
    assert again.status_code == 409
    assert "shown only once" in again.json()["error"]
    assert len(owner.get("/api/v1/tokens").json()) == 1


SECRETS = {"token", "address"}


def shows_a_secret(answer: dict[str, Any], schemas: dict[str, Any]) -> bool:
    """Whether what is answered, or one of a list in it, has such a field."""
    fields = schemas.get(answer.get("$ref", "").rpartition("/")[2], {}).get("properties", {})
    listed = [field["items"] for field in fields.values() if "items" in field]
    return bool(SECRETS & set(fields)) or any(shows_a_secret(one, schemas) for one in listed)


def test_routes_whose_answers_show_a_secret_say_so(site: Site) -> None:
    schema = site.client("admin").get("/api/v1/openapi.json").json()
    showing = set()
    for path, methods in schema["paths"].items():
        for method, about in methods.items():
            for status, answer in about["responses"].items():
                content = answer.get("content", {}).get("application/json", {}).get("schema", {})
                if status.startswith("2") and shows_a_secret(
                    content, schema["components"]["schemas"]
                ):
                    showing.add((method.upper(), path))
    assert len(showing) >= 3
    assert {(one.method, one.path) for one in declared_routes() if one.secret} == showing


def test_a_revoked_token_is_refused_before_any_answer_is_replayed(site: Site) -> None:
    owner = site.client("owner")
    made = owner.post("/api/v1/tokens", json={}).json()
    bearer = {"authorization": f"Bearer {made['token']}", **KEY}
    client = site.client()
    body = {"name": "P"}
    assert client.post("/api/v1/projects", json=body, headers=bearer).status_code == 201
    assert client.post("/api/v1/projects", json=body, headers=bearer).status_code == 201
    owner.delete(f"/api/v1/tokens/{made['kept']['id']}")
    assert client.post("/api/v1/projects", json=body, headers=bearer).status_code == 401


def test_whoever_lost_a_role_gets_no_old_answer(site: Site) -> None:
    editor = site.client("editor")
    change = {"note": "n"}
    first = editor.patch("/api/v1/projects/own", json=change, headers=KEY)
    site.client("owner").put("/api/v1/projects/own/members/editor", json={"role": "reader"})
    second = editor.patch("/api/v1/projects/own", json=change, headers=KEY)
    assert second.status_code == 403, first.status_code


def test_an_upload_with_another_boundary_is_the_same_request(site: Site) -> None:
    owner = site.client("owner")
    answers = []
    for boundary, text in (("one", "a b\n"), ("a-longer-boundary", "a b\n"), ("one", "a c\n")):
        body = (
            f'--{boundary}\r\ncontent-disposition: form-data; name="name"\r\n\r\nS\r\n'
            f'--{boundary}\r\ncontent-disposition: form-data; name="references"; '
            f'filename="r.txt"\r\n\r\n{text}\r\n--{boundary}--\r\n'
        )
        kind = {"content-type": f"multipart/form-data; boundary={boundary}"}
        answers.append(
            owner.post("/api/v1/projects/own/test-sets", content=body, headers={**kind, **KEY})
        )
    first, second, third = answers
    assert first.status_code == second.status_code == 201, first.text
    assert first.json() == second.json()
    assert third.status_code == 409


@given(blocks=st.lists(st.binary(max_size=12)), boundary=st.binary(min_size=1, max_size=4))
def test_a_digest_does_not_depend_on_blocks_or_boundary(
    blocks: list[bytes], boundary: bytes
) -> None:
    whole = ContentDigest(boundary)
    whole.update(b"".join(blocks))
    parts = ContentDigest(boundary)
    for block in blocks:
        parts.update(block)
    expected = sha256(b"".join(b"".join(blocks).split(boundary))).hexdigest()
    assert whole.hexdigest() == parts.hexdigest() == expected
