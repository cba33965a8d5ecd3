"""The API of campaigns and raters: blind, once, and unmoved by odd input."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.serve.site import Site

ODD: list[Any] = [
    None, True, "", "\x00", "\ud800", "A" * 5000, -1, 10**40, 1e308, [], {}, [[]], {"A": None},
    {"A": {"da": 10**30}}, {"A": {"da": [1]}}, {"A": {"da": {"x": 1}}}, {"\ud800": {"da": 1}},
    {"A": {"\x00": 1}}, {"A": {"da": 50, "more": 1}}, {"B": {"da": 50}},
]  # fmt: skip


def mine(site: Site) -> str:
    own = site.world.own
    return f"/api/v1/projects/own/campaigns/{own['campaign']}/mine"


def rated(number: int, value: object, key: str = "") -> dict[str, Any]:
    return {"events": [{"key": key or f"k{number}", "number": number, "action": "rate",
                        "seconds": 2, "values": {"A": {"da": value}}}]}  # fmt: skip


def send(client: TestClient, path: str, body: object) -> Any:
    """As some program might, with half of a pair of surrogates where it likes."""
    return client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})


def test_a_rater_sees_no_name_whatever_is_asked(any_site: Site) -> None:
    client = any_site.client("campaign link")
    base, seen = mine(any_site), []
    seen += [client.get(base), client.post(f"{base}/next")]
    assert seen[1].json()["page"]["outputs"].keys() == {"A"}
    for number in (1, 2, 3):
        seen += [
            client.get(f"{base}/items/{number}"),
            send(client, f"{base}/events", rated(number, 50)),
        ]
    assert all(one.status_code == 200 for one in seen)
    seen += [client.get(f"{base}/items/99"), send(client, f"{base}/events", rated(1, 500))]
    campaign = base.removesuffix("/mine")
    for path in ("", "/raters", "/dashboard", "/exports", "/exports/ratings.tsv"):
        seen.append(client.get(campaign + path))
        assert seen[-1].status_code == 403
    seen.append(client.get(campaign.removeprefix("/api/v1") + "/rate"))
    for one in seen:
        assert "elm" not in one.text
        assert "somebody" not in one.text  # another rater
        assert "regular" not in one.text  # what kind of item it is
        assert "degraded" not in one.text


@pytest.mark.parametrize("values", ODD, ids=range(len(ODD)))
def test_odd_values_are_refused_and_nothing_is_stored(site: Site, values: Any) -> None:
    client = site.client("rater")
    base = mine(site)
    body = rated(1, 1)
    body["events"][0]["values"] = values
    found = send(client, f"{base}/events", body)
    assert found.status_code in {400, 422}
    assert set(found.json()) == {"error", "place"}
    assert client.get(f"{base}/items/1").json()["state"] == "open"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("key", ""), ("key", "a b"), ("key", "\x00"), ("key", "k" * 101), ("key", 5),
        ("number", 0), ("number", -1), ("number", 2**40), ("number", "one"), ("number", 1.5),
        ("action", "eat"), ("action", None), ("seconds", -1), ("seconds", 1e9),
        ("seconds", "soon"), ("more", 1),
    ],
)  # fmt: skip
def test_odd_events_are_refused(site: Site, name: str, value: Any) -> None:
    body = rated(1, 1)
    body["events"][0][name] = value
    assert send(site.client("rater"), f"{mine(site)}/events", body).status_code == 422


@pytest.mark.parametrize(
    "settings",
    [
        {"instructions": "\ud800"}, {"instructions": "a\x00b"},
        {"tutorial": [{"outputs": ["\ud800"]}]},
        {"assignment": {"a": 1}}, {"show": [[]]}, {"redundancy": 10**30}, {"degraded": "x"},
        {"\ud800": 1}, {"tutorial": {}}, {"tutorial": [5]},
    ],
    ids=str,
)  # fmt: skip
def test_odd_settings_are_refused(site: Site, settings: Any) -> None:
    body = {"name": "odd", "protocol": "esa", "test_set": "news-own", "settings": settings}
    found = send(site.client("editor"), "/api/v1/projects/own/campaigns", body)
    assert found.status_code in {400, 422}, found.text
    assert "error" in found.json()


def test_the_same_events_at_the_same_time_are_stored_once(any_site: Site) -> None:
    base = mine(any_site)
    client = any_site.client("campaign link")

    def save(_: int) -> int:
        return int(send(client, f"{base}/events", rated(1, 70)).status_code)

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(save, range(12))) == {200}
    campaign = base.removesuffix("/mine")
    events = any_site.client("owner").get(f"{campaign}/exports/events.jsonl").text.splitlines()
    mine_only = [one for one in map(json.loads, events) if one["rater"] != "somebody"]
    assert len(mine_only) == 1


def test_two_first_visits_at_once_make_one_rater(any_site: Site) -> None:
    own = any_site.world.own
    base = f"/api/v1/projects/own/campaigns/{own['campaign']}"
    made = any_site.client("owner").post(f"{base}/raters", json={"label": "Ann"}).json()
    token = made["address"].rpartition("/")[2]
    client = any_site.client()
    assert client.get(f"/l/{token}").status_code == 303

    def visit(_: int) -> tuple[int, int]:
        found = client.post(f"{base}/mine/next")
        return found.status_code, found.json()["progress"]["assigned"]

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(visit, range(12))) == {(200, 3)}
    raters = any_site.client("owner").get(f"{base}/raters").json()
    assert [one["label"] for one in raters].count("Ann") == 1


def test_a_lost_link_is_replaced_and_work_goes_on(site: Site) -> None:
    owner = site.client("owner")
    base = f"/api/v1/projects/own/campaigns/{site.world.own['campaign']}"
    made = owner.post(f"{base}/raters", json={"label": "Ann"}).json()
    first = site.client()
    first.get(f"/l/{made['address'].rpartition('/')[2]}")
    page = first.post(f"{base}/mine/next").json()["page"]
    event = {"key": "k", "number": page["number"], "action": "skip", "seconds": 1}
    assert first.post(f"{base}/mine/events", json={"events": [event]}).status_code == 200
    again = owner.post(f"{base}/raters", json={"label": "Ann"})
    assert again.status_code == 409
    assert "a rater whose link is lost gets a new one" in again.json()["error"]
    rater = made["rater"]["id"]
    renewed = owner.post(f"{base}/raters/{rater}/link", json={"days": 2})
    assert renewed.status_code == 201
    assert renewed.json()["rater"]["id"] == rater
    assert renewed.json()["rater"]["label"] == "Ann"
    # The lost link and who came by it are out; the new one goes on after what was done.
    assert first.post(f"{base}/mine/next").status_code == 401
    assert site.client().get(f"/l/{made['address'].rpartition('/')[2]}").status_code == 404
    second = site.client()
    assert second.get(f"/l/{renewed.json()['address'].rpartition('/')[2]}").status_code == 303
    progress = second.post(f"{base}/mine/next").json()["progress"]
    assert (progress["done"], progress["next"]) == (1, 2)
    # After the link was revoked, too; but not for somebody with an account, or of elsewhere.
    owner.delete(f"/api/v1/projects/own/links/{renewed.json()['rater']['link_id']}")
    assert second.post(f"{base}/mine/next").status_code == 401
    assert owner.post(f"{base}/raters/{rater}/link", json={}).status_code == 201
    listed = owner.get(f"{base}/raters").json()
    account = next(one["id"] for one in listed if one["link_id"] is None)
    refused = owner.post(f"{base}/raters/{account}/link", json={})
    assert refused.status_code == 409
    assert "comes with an account" in refused.json()["error"]
    foreign = site.world.foreign["rater"]
    assert owner.post(f"{base}/raters/{foreign}/link", json={}).status_code == 404


def test_links_for_a_list_of_raters_come_at_once_or_not_at_all(site: Site) -> None:
    owner = site.client("owner")
    base = f"/api/v1/projects/own/campaigns/{site.world.own['campaign']}"
    made = owner.post(f"{base}/raters/links", json={"labels": ["Ann", "=1+1", "Bo, B"]}).json()
    rows = list(csv.reader(made["csv"].splitlines()))
    addresses = [one["address"] for one in made["invited"]]
    assert rows == [
        ["label", "link"],
        *map(list, zip(["Ann", "'=1+1", "Bo, B"], addresses, strict=True)),
    ]
    assert len(set(addresses)) == 3
    before = len(owner.get(f"{base}/raters").json())
    refused = owner.post(f"{base}/raters/links", json={"labels": ["Cem", "Ann"]})
    assert refused.status_code == 409
    assert len(owner.get(f"{base}/raters").json()) == before


def test_a_draft_is_changed_opened_and_closed(site: Site) -> None:
    client = site.client("editor")
    home = "/api/v1/projects/own/campaigns"
    body = {"name": "Second", "protocol": "esa", "test_set": "news-own", "seed": 5}
    made = client.post(home, json=body)
    assert made.status_code == 201
    one = f"{home}/{made.json()['id']}"
    assert made.json()["state"] == "draft"
    assert client.post(home, json=body).status_code == 409
    page = f"/projects/own/campaigns/{made.json()['id']}"
    assert "Before it opens" in client.get(page).text
    found = client.patch(one, json={"settings": {"context": 0}, "state": "open"}).json()
    assert (found["state"], found["settings"]["context"], found["items"]) == ("open", 0, 6)
    assert "Before it opens" not in client.get(page).text
    assert client.patch(one, json={"settings": {"context": 1}}).status_code == 409
    assert client.patch(one, json={"state": "closed"}).json()["state"] == "closed"
    assert client.patch(one, json={"state": "draft"}).status_code == 422
    # A closed campaign gives nothing out, and says so.
    assert client.post(f"{one}/mine/next").json() == {
        "progress": {"assigned": 0, "done": 0, "next": None, "last": None, "finished": False},
        "page": None,
        "me": client.post(f"{one}/mine/next").json()["me"],
    }
    assert client.get(f"{one}/exports/ratings.tsv").status_code == 409
    for name, status in (("no such set", 404), ("", 404)):
        wrong = {**body, "name": "Third", "test_set": name}
        assert client.post(home, json=wrong).status_code == status
    assert client.post(home, json={**body, "name": "4", "outputs": [99999]}).status_code == 404
