"""Two servers over one store, and callers who do the same thing at the same moment.

Of what is unique there is one winner, and the others are told so by 409; of what may be repeated
nothing is lost and nothing is there twice; no answer is a 5xx.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select

from tertium.serve.accounts.tokens import make_token
from tertium.serve.accounts.users import add_user
from tertium.serve.store.check import check_store
from tertium.serve.store.connection import Store, open_store
from tertium.serve.store.schema import (
    Assignment,
    Membership,
    Output,
    Rater,
    RatingEvent,
    RatingItem,
    User,
)
from tests.support.commands import PATIENCE
from tests.support.serve.crowd import CALLERS, Caller, Reply, at_once, statuses
from tests.support.serve.postgres import address, run_sql
from tests.support.serve.processes import served

pytestmark = pytest.mark.slow

PROJECTS = "/api/v1/projects"
SHARED = f"{PROJECTS}/shared"
NEWS = f"{SHARED}/test-sets/news"
PASSWORD = "correct horse battery staple"
ONE_WINNER = [201] + [409] * (CALLERS - 1)
LINES = "".join(f"The house number {number} is small .\n" for number in range(24)).encode()
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Servers:
    """Two servers, the store of both, and an administrator's token of full scope."""

    store: Store
    addresses: tuple[str, ...]
    token: str

    def crowd(self, size: int = CALLERS) -> list[Caller]:
        """Callers, spread over the servers."""
        return [
            Caller(self.addresses[number % len(self.addresses)], self.token)
            for number in range(size)
        ]

    def ask(self, method: str, path: str, body: Any = None, **parts: Any) -> Any:
        """What one caller is answered, who succeeds."""
        caller = self.crowd(1)[0]
        reply = caller.send(method, path, body, **parts)
        caller.close()
        assert reply.status < 300, reply
        return reply.body

    def project(self) -> str:
        """The path of a new project with nothing in it."""
        slug = f"race-{next(_NUMBERS)}"
        self.ask("POST", PROJECTS, {"name": slug, "slug": slug})
        return f"{PROJECTS}/{slug}"

    def fill(self, path: str) -> None:
        """Give a project the test set ``news`` and two systems."""
        about = {"name": "News", "slug": "news", "metrics": "bleu"}
        self.ask("POST", f"{path}/test-sets", form=about,
                 files={"references": LINES, "sources": LINES})  # fmt: skip
        for name in ("elm", "oak"):
            self.ask("POST", f"{path}/test-sets/news/outputs", form={"system": name},
                     files={"file": LINES.replace(b"small", name.encode())})  # fmt: skip

    def campaign(self, *, state: str = "open", **settings: Any) -> str:
        """The path of a new campaign."""
        name = f"Race {next(_NUMBERS)}"
        body = {"name": name, "protocol": "direct-assessment", "test_set": "news",
                "settings": settings}  # fmt: skip
        made = self.ask("POST", f"{SHARED}/campaigns", body)
        path = f"{SHARED}/campaigns/{made['id']}"
        if state == "open":
            self.ask("PATCH", path, {"state": "open"})
        return path

    def raters(self, campaign: str, size: int) -> list[Caller]:
        """Callers who came in by links of their own."""
        found = self.crowd(size)
        for one in found:
            link = self.ask("POST", f"{campaign}/raters", {})["address"]
            one.token = ""
            one.follow(link)
        return found


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, _migrated_file: Path
) -> Iterator[Servers]:
    folder = tmp_path_factory.mktemp("races")
    if request.param == "sqlite":
        place = str(shutil.copy(_migrated_file, folder / "races.db"))
    else:
        sockets = request.getfixturevalue("postgres_folder")
        run_sql(sockets, "CREATE DATABASE races")
        place = address(sockets, "races")
    store = open_store(place)
    with store.writing() as session:
        admin = add_user(session, "test", "admin", PASSWORD, admin=True)
        token, _ = make_token(session, "admin", admin.id, scope="full")
    with ExitStack() as stack:
        found = []
        for name in ("first", "second"):
            (folder / name).mkdir()
            server = served(folder / name, "--store", place, "--workers", "1")
            found.append(stack.enter_context(server).address)
        made = Servers(store, tuple(found), token)
        made.ask("POST", PROJECTS, {"name": "Shared", "slug": "shared"})
        made.fill(SHARED)
        yield made
        assert check_store(store).problems == ()
        logs = [(folder / name / "server.log").read_text("utf-8") for name in ("first", "second")]
        assert [one for one in logs if "Traceback" in one] == []
    store.close()


def test_one_of_many_gets_a_slug(servers: Servers) -> None:
    body = {"name": "Same", "slug": f"same-{next(_NUMBERS)}"}
    replies = at_once(servers.crowd(), lambda caller, _: caller.send("POST", PROJECTS, body))
    assert statuses(replies) == ONE_WINNER


def test_projects_of_one_name_get_slugs_of_their_own(servers: Servers) -> None:
    body = {"name": f"Named {next(_NUMBERS)}"}
    replies = at_once(servers.crowd(), lambda caller, _: caller.send("POST", PROJECTS, body))
    assert statuses(replies) == [201] * CALLERS
    assert len({one.body["slug"] for one in replies}) == CALLERS


def test_test_sets_of_one_slug_and_of_one_name(servers: Servers) -> None:
    path = f"{servers.project()}/test-sets"

    def send(caller: Caller, form: dict[str, str]) -> Reply:
        return caller.send("POST", path, form=form, files={"references": LINES})

    same = {"name": "Set", "slug": "set"}
    replies = at_once(servers.crowd(), lambda caller, _: send(caller, same))
    assert statuses(replies) == ONE_WINNER
    replies = at_once(servers.crowd(), lambda caller, _: send(caller, {"name": "Set"}))
    assert statuses(replies) == [201] * CALLERS
    assert len({one.body["slug"] for one in replies}) == CALLERS


def test_one_of_many_gets_a_user_name(servers: Servers) -> None:
    body = {"name": f"ann{next(_NUMBERS)}", "password": PASSWORD}
    replies = at_once(servers.crowd(), lambda caller, _: caller.send("POST", "/api/v1/users", body))
    assert statuses(replies) == ONE_WINNER


def member(servers: Servers, project: str, role: str) -> str:
    name = f"member{next(_NUMBERS)}"
    servers.ask("POST", "/api/v1/users", {"name": name, "password": PASSWORD})
    if role:
        servers.ask("PUT", f"{project}/members/{name}", {"role": role})
    return name


def test_a_member_who_is_added_by_many_is_there_once(servers: Servers) -> None:
    project = servers.project()
    name = member(servers, project, "")
    replies = at_once(
        servers.crowd(),
        lambda caller, _: caller.send("PUT", f"{project}/members/{name}", {"role": "editor"}),
    )
    assert statuses(replies) == [200] * CALLERS
    with servers.store.reading() as session:
        rows = session.scalars(
            select(Membership).join(User, User.id == Membership.user_id).where(User.name == name)
        ).all()
    assert len(rows) == 1


def test_a_member_who_is_removed_by_many_is_removed_once(servers: Servers) -> None:
    project = servers.project()
    name = member(servers, project, "editor")
    replies = at_once(
        servers.crowd(), lambda caller, _: caller.send("DELETE", f"{project}/members/{name}")
    )
    assert statuses(replies) == [204] + [404] * (CALLERS - 1)


def test_owners_who_leave_at_once_leave_one_behind(servers: Servers) -> None:
    project = servers.project()
    names = ["admin", *(member(servers, project, "owner") for _ in range(CALLERS - 1))]
    replies = at_once(
        servers.crowd(),
        lambda caller, number: caller.send("DELETE", f"{project}/members/{names[number]}"),
    )
    assert statuses(replies) == [204] * (CALLERS - 1) + [409]
    left = servers.ask("GET", f"{project}/members")
    assert [one["role"] for one in left] == ["owner"]


def test_a_rating_that_is_sent_by_many_is_there_once(servers: Servers) -> None:
    campaign = servers.campaign()
    callers = same_rater(servers, campaign)
    page = callers[0].send("POST", f"{campaign}/mine/next").body["page"]
    event = rating(page)
    replies = at_once(
        callers, lambda caller, _: caller.send("POST", f"{campaign}/mine/events", event)
    )
    assert statuses(replies) == [200] * CALLERS
    assert events_of(servers, campaign) == Counter({"rate": 1})


def test_different_ratings_at_once_are_all_there(servers: Servers) -> None:
    campaign = servers.campaign()
    callers = same_rater(servers, campaign)
    page = callers[0].send("POST", f"{campaign}/mine/next").body["page"]
    replies = at_once(
        callers,
        lambda caller, number: caller.send(
            "POST", f"{campaign}/mine/events", rating(page, number * 10)
        ),
    )
    assert statuses(replies) == [200] * CALLERS
    assert events_of(servers, campaign) == Counter({"rate": CALLERS})


def test_an_undo_that_is_sent_by_many_is_there_once(servers: Servers) -> None:
    campaign = servers.campaign()
    callers = same_rater(servers, campaign)
    page = callers[0].send("POST", f"{campaign}/mine/next").body["page"]
    callers[0].send("POST", f"{campaign}/mine/events", rating(page))
    undo = {"events": [{"key": uuid4().hex, "number": page["number"], "action": "undo",
                        "seconds": 1.0}]}  # fmt: skip
    replies = at_once(
        callers, lambda caller, _: caller.send("POST", f"{campaign}/mine/events", undo)
    )
    assert statuses(replies) == [200] * CALLERS
    assert {one.body["progress"]["done"] for one in replies} == {0}
    assert events_of(servers, campaign) == Counter({"rate": 1, "undo": 1})


@pytest.mark.parametrize("assignment", ["redundant", "dynamic"])
def test_no_item_is_claimed_by_more_raters_than_asked_for(
    servers: Servers, assignment: str
) -> None:
    campaign = servers.campaign(assignment=assignment, redundancy=1, segments=24, context=0)
    callers = servers.raters(campaign, CALLERS)

    def work(caller: Caller, _number: int) -> Reply:
        """Rate until nothing is left."""
        while True:
            reply = caller.send("POST", f"{campaign}/mine/next")
            if reply.status != 200 or reply.body["page"] is None:
                return reply
            sent = caller.send("POST", f"{campaign}/mine/events", rating(reply.body["page"]))
            if sent.status != 200:
                return sent

    replies = at_once(callers, work)
    assert statuses(replies) == [200] * CALLERS
    number = int(campaign.rpartition("/")[2])
    with servers.store.reading() as session:
        query = select(RatingItem.id).where(RatingItem.campaign_id == number)
        items = set(session.scalars(query))
        given = Counter(
            session.scalars(select(Assignment.item_id).where(Assignment.campaign_id == number))
        )
    assert set(given) == items
    assert set(given.values()) == {1}
    assert events_of(servers, campaign) == Counter({"rate": len(items)})


def test_tabs_of_one_rater_that_open_at_once_are_one_rater(servers: Servers) -> None:
    campaign = servers.campaign(assignment="redundant", redundancy=1)
    number = int(campaign.rpartition("/")[2])
    link = servers.ask("POST", f"{SHARED}/links", {"role": "rater", "campaign": number})
    callers = servers.crowd()
    for one in callers:
        one.token = ""
        one.follow(link["address"])
    replies = at_once(callers, lambda caller, _: caller.send("POST", f"{campaign}/mine/next"))
    assert statuses(replies) == [200] * CALLERS
    assert len({str(one.body) for one in replies}) == 1
    with servers.store.reading() as session:
        query = select(Rater.id).where(Rater.campaign_id == number)
        assert len(session.scalars(query).all()) == 1


def test_invitations_at_once_have_labels_of_their_own(servers: Servers) -> None:
    campaign = servers.campaign()
    invite: Callable[[Caller, int], Reply] = lambda caller, _: caller.send(  # noqa: E731 - short
        "POST", f"{campaign}/raters", {}
    )
    replies = at_once(servers.crowd(), invite)
    assert statuses(replies) == [201] * CALLERS
    assert len({one.body["rater"]["label"] for one in replies}) == CALLERS
    same = {"label": "the same"}
    replies = at_once(
        servers.crowd(), lambda caller, _: caller.send("POST", f"{campaign}/raters", same)
    )
    assert statuses(replies) == ONE_WINNER


def test_a_campaign_that_many_open_has_its_items_once(servers: Servers) -> None:
    campaign = servers.campaign(state="draft")
    replies = at_once(
        servers.crowd(), lambda caller, _: caller.send("PATCH", campaign, {"state": "open"})
    )
    assert statuses(replies) == [200] * CALLERS
    assert {one.body["items"] for one in replies} == {48}


def test_one_of_many_gets_the_name_of_a_campaign(servers: Servers) -> None:
    body = {"name": "First", "protocol": "direct-assessment", "test_set": "news"}
    replies = at_once(
        servers.crowd(), lambda caller, _: caller.send("POST", f"{SHARED}/campaigns", body)
    )
    assert statuses(replies) == ONE_WINNER


def test_settings_are_not_changed_once_a_campaign_is_open(servers: Servers) -> None:
    campaign = servers.campaign(state="draft", segments=24)
    changes = ({"state": "open"}, {"settings": {"segments": 5}})
    replies = at_once(
        servers.crowd(), lambda caller, number: caller.send("PATCH", campaign, changes[number % 2])
    )
    assert set(statuses(replies)) <= {200, 409}
    seen = servers.ask("GET", campaign)
    assert seen["items"] == 2 * seen["settings"]["segments"]


def test_a_name_that_many_mark_is_there_once(servers: Servers) -> None:
    path = f"{NEWS}/names"
    target = next(one["key"] for one in servers.ask("GET", path) if one["kind"] == "reference")
    change = {"segment": 0, "start": 0, "end": 3, "type": "PERSON", "action": "add"}

    def mark(keys: list[str]) -> list[Reply]:
        return at_once(
            servers.crowd(),
            lambda caller, number: caller.send(
                "POST",
                f"{path}/{target}/changes",
                {"changes": [{**change, "client_key": keys[number]}]},
            ),
        )

    assert statuses(mark([uuid4().hex] * CALLERS)) == [200] * CALLERS
    assert statuses(mark([uuid4().hex for _ in range(CALLERS)])) == [200] * CALLERS
    events = servers.ask("GET", f"{path}/{target}/events")
    assert [(one["segment"], one["type"]) for one in events].count((0, "PERSON")) == 1


def test_different_names_at_once_are_all_there(servers: Servers) -> None:
    path = f"{NEWS}/names"
    target = next(one["key"] for one in servers.ask("GET", path) if one["kind"] == "reference")

    def mark(caller: Caller, number: int) -> Reply:
        change = {"segment": number, "start": 0, "end": 3, "type": "PLACE", "action": "add",
                  "client_key": uuid4().hex}  # fmt: skip
        return caller.send("POST", f"{path}/{target}/changes", {"changes": [change]})

    assert statuses(at_once(servers.crowd(), mark)) == [200] * CALLERS
    events = servers.ask("GET", f"{path}/{target}/events")
    segments = sorted(one["segment"] for one in events if one["type"] == "PLACE")
    assert segments == list(range(CALLERS))


def test_outputs_of_one_system_are_numbered_one_by_one(servers: Servers) -> None:
    path = NEWS
    replies = at_once(
        servers.crowd(),
        lambda caller, _: caller.send(
            "POST", f"{path}/outputs", form={"system": "yew"}, files={"file": LINES}
        ),
    )
    assert statuses(replies) == [201] * CALLERS
    numbers = sorted(one["number"] for reply in replies for one in reply.body["outputs"])
    assert numbers == list(range(1, CALLERS + 1))
    systems = [one for one in servers.ask("GET", f"{path}/systems") if one["name"] == "yew"]
    assert [len(one["outputs"]) for one in systems] == [CALLERS]


def test_an_upload_that_is_repeated_with_its_key_is_there_once(servers: Servers) -> None:
    path = NEWS
    key = uuid4().hex
    send: Callable[[Caller, int], Reply] = lambda caller, _: caller.send(  # noqa: E731 - short
        "POST", f"{path}/outputs", form={"system": "fir"}, files={"file": LINES}, key=key
    )
    replies = at_once(servers.crowd(), send)
    assert set(statuses(replies)) <= {201, 409}
    made = {one.body["outputs"][0]["id"] for one in replies if one.status == 201}
    again = at_once(servers.crowd(2), send)
    assert {one.body["outputs"][0]["id"] for one in again} == made
    assert len(made) == 1
    with servers.store.reading() as session:
        assert len(session.scalars(select(Output.id).where(Output.id.in_(made))).all()) == 1


def test_texts_that_are_new_to_all_are_stored_once(servers: Servers) -> None:
    path = NEWS
    lines = LINES.replace(b"small", uuid4().hex.encode())
    replies = at_once(
        servers.crowd(),
        lambda caller, number: caller.send(
            "POST", f"{path}/outputs", form={"system": f"tree {number}"}, files={"file": lines}
        ),
    )
    assert statuses(replies) == [201] * CALLERS
    assert len({one.body["outputs"][0]["sha256"] for one in replies}) == 1


def test_systems_that_are_renamed_alike_have_one_of_that_name(servers: Servers) -> None:
    project = servers.project()
    servers.fill(project)
    path = f"{project}/test-sets/news"
    ids = [one["id"] for one in servers.ask("GET", f"{path}/systems")]
    replies = at_once(
        servers.crowd(2),
        lambda caller, number: caller.send(
            "PATCH", f"{path}/systems/{ids[number]}", {"name": "beech"}
        ),
    )
    assert statuses(replies) == [200, 409]


def test_links_and_tokens_at_once_all_differ(servers: Servers) -> None:
    project = servers.project()
    links = at_once(
        servers.crowd(),
        lambda caller, _: caller.send("POST", f"{project}/links", {"role": "reader"}),
    )
    assert statuses(links) == [201] * CALLERS
    assert len({one.body["address"].rpartition("/")[2] for one in links}) == CALLERS
    tokens = at_once(
        servers.crowd(), lambda caller, _: caller.send("POST", "/api/v1/tokens", {"label": "x"})
    )
    assert statuses(tokens) == [201] * CALLERS
    assert len({one.body["token"] for one in tokens}) == CALLERS


def test_a_token_that_is_revoked_leaves_no_children(servers: Servers) -> None:
    for _ in range(5):
        parent = servers.ask("POST", "/api/v1/tokens", {"scope": "full"})

        def ask(caller: Caller, number: int, parent: Any = parent) -> Reply:
            if number == CALLERS // 2:
                return caller.send("DELETE", f"/api/v1/tokens/{parent['kept']['id']}")
            caller.token = parent["token"]
            return caller.send("POST", "/api/v1/tokens", {})

        replies = at_once(servers.crowd(), ask)
        assert set(statuses(replies)) <= {200, 201, 401}
        for one in replies:
            if one.status == 201:
                child = Caller(servers.addresses[0], one.body["token"])
                assert child.send("GET", PROJECTS).status == 401
                child.close()


def test_a_new_password_ends_tokens_that_are_made_meanwhile(servers: Servers) -> None:
    name = member(servers, "", "")
    callers = servers.crowd()
    for one in callers[1:]:
        one.token = ""
        reply = one.send("POST", "/api/v1/session", {"name": name, "password": PASSWORD})
        one.cookie = reply.headers["set-cookie"].partition(";")[0]

    first = Event()

    def ask(caller: Caller, number: int) -> Reply:
        if number == 0:
            first.wait(PATIENCE)
            change = {"password": f"{PASSWORD} again"}
            return caller.send("PATCH", f"/api/v1/users/{name}", change)
        made = []
        while (reply := caller.send("POST", "/api/v1/tokens", {})).status == 201:
            made.append(reply.body["token"])
            first.set()
        return Reply(reply.status, made)

    replies = at_once(callers, ask)
    assert statuses(replies) == [200] + [401] * (CALLERS - 1)
    made = [token for one in replies[1:] for token in one.body]
    for token in made:
        child = Caller(servers.addresses[0], token)
        assert child.send("GET", PROJECTS).status == 401
        child.close()


def test_a_link_that_is_revoked_by_many_is_revoked(servers: Servers) -> None:
    project = servers.project()
    made = servers.ask("POST", f"{project}/links", {"role": "reader"})
    replies = at_once(
        servers.crowd(),
        lambda caller, _: caller.send("DELETE", f"{project}/links/{made['link']['id']}"),
    )
    assert statuses(replies) == [200] * CALLERS
    assert all(one.body["revoked"] for one in replies)


def test_a_job_that_many_cancel_is_cancelled_once(servers: Servers) -> None:
    job = servers.ask("POST", f"{NEWS}/audit", {})
    replies = at_once(
        servers.crowd(),
        lambda caller, _: caller.send("POST", f"{SHARED}/jobs/{job['id']}/cancel"),
    )
    assert set(statuses(replies)) <= {200, 409}


def test_a_project_that_many_delete_is_deleted_once(servers: Servers) -> None:
    project = servers.project()
    replies = at_once(servers.crowd(), lambda caller, _: caller.send("DELETE", project))
    assert statuses(replies) == [204] + [404] * (CALLERS - 1)


def same_rater(servers: Servers, campaign: str) -> list[Caller]:
    """Tabs of one rater, at both servers."""
    link = servers.ask("POST", f"{campaign}/raters", {})["address"]
    found = servers.crowd()
    for one in found:
        one.token = ""
        one.follow(link)
    return found


def rating(page: dict[str, Any], value: int = 50) -> dict[str, Any]:
    values = {slot: {"da": value} for slot in page["outputs"]}
    return {
        "events": [
            {"key": uuid4().hex, "number": page["number"], "action": "rate", "seconds": 1.0,
             "values": values}
        ]
    }  # fmt: skip


def events_of(servers: Servers, campaign: str) -> Counter[str]:
    """How many events of each kind are in the store."""
    number = int(campaign.rpartition("/")[2])
    with servers.store.reading() as session:
        return Counter(
            session.scalars(
                select(RatingEvent.action)
                .join(RatingItem, RatingItem.id == RatingEvent.item_id)
                .where(RatingItem.campaign_id == number)
            )
        )
