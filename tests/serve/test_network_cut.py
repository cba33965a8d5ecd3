"""The network between a server and its PostgreSQL is cut while people work."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import select

from tertium.serve.demo import fill_demo
from tertium.serve.store import connection
from tertium.serve.store.check import check_store
from tertium.serve.store.connection import Store, open_store
from tertium.serve.store.schema import AnnotationEvent
from tertium.serve.web.errors import RETRY_AFTER
from tests.support.serve.crowd import Caller
from tests.support.serve.processes import served
from tests.support.serve.site import Site
from tests.support.serve.waiting import wait_until
from tests.support.serve.wire import State, Wire, wire
from tests.support.serve.world import make_world

pytestmark = pytest.mark.slow

PROJECT = "/api/v1/projects/own"


@pytest.fixture
def cable(postgres_folder: Path) -> Iterator[Wire]:
    with wire(postgres_folder) as made:
        yield made


@pytest.mark.parametrize("state", ["reset", "silent"])
def test_requests_are_answered_503_until_the_network_is_back(
    state: State,
    cable: Wire,
    postgres_store: Store,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tertium.serve.store.connection.ANSWER", 1.0)
    monkeypatch.setitem(connection.NETWORK, "connect_timeout", 2)
    world = make_world(postgres_store)
    store = open_store(cable.address(str(postgres_store.url.database)), migrate=False)
    site.app.state.store = store
    owner = replace(site, store=store, world=world).client("owner")
    try:
        assert owner.get(PROJECT).status_code == 200
        cable.cut(state)
        for method, path in (("GET", PROJECT), ("GET", "/health"), ("PATCH", PROJECT)):
            body = {"note": "while the network is away"} if method == "PATCH" else None
            answer = owner.request(method, path, json=body)
            assert (answer.status_code, answer.headers["retry-after"]) == (503, RETRY_AFTER)
        page = owner.get("/projects/own")
        assert (page.status_code, page.headers["retry-after"]) == (503, RETRY_AFTER)
        cable.cut("open")
        assert owner.get("/health").status_code == 200
        found = owner.get(PROJECT).json()
        assert found["note"] == ""
        assert owner.patch(PROJECT, json={"note": "back"}).json()["note"] == "back"
    finally:
        store.close()


def test_nothing_acknowledged_is_lost_and_jobs_go_on(
    cable: Wire, postgres_store: Store, tmp_path: Path
) -> None:
    """A real server with a worker; the annotator sends again whatever was not acknowledged."""
    fill_demo(postgres_store)
    place = cable.address(str(postgres_store.url.database))
    acknowledged: list[int] = []
    refused: list[int] = []
    stop = threading.Event()
    base = "/api/v1/projects/sample"
    with served(tmp_path, "--store", place, "--workers", "1") as server:
        caller = Caller(server.address)
        names = f"{base}/test-sets/sample/names"
        target = next(
            one["key"] for one in caller.send("GET", names).body if one["kind"] == "reference"
        )

        def annotate() -> None:
            mine = Caller(server.address)
            while not stop.is_set():
                change = {"segment": 0, "start": 0, "end": 1, "type": f"X{len(acknowledged)}",
                          "action": "add", "client_key": uuid4().hex}  # fmt: skip
                reply = mine.send("POST", f"{names}/{target}/changes", {"changes": [change]})
                if reply.status == 503:
                    refused.append(int(reply.headers["retry-after"]))
                    stop.wait(0.05)
                else:
                    acknowledged.append(reply.status)
            mine.close()

        thread = threading.Thread(target=annotate)
        thread.start()
        try:
            for _ in range(3):
                wait_for_more(acknowledged)
                job = caller.send("POST", f"{base}/test-sets/sample/audit", {}).body["id"]
                cable.cut("reset")
                wait_for_more(refused)
                assert caller.send("GET", "/health").status == 503
                cable.cut("open")
                wait_until(lambda: caller.send("GET", "/health").status == 200)
            wait_until(
                lambda: caller.send("GET", f"{base}/jobs/{job}").body["state"] == "done", 0.2
            )
        finally:
            stop.set()
            thread.join()
        caller.close()
        assert server.process.poll() is None
        assert "Traceback" not in server.log.read_text(encoding="utf-8")
    with postgres_store.reading() as session:
        stored = set(session.scalars(select(AnnotationEvent.type)))
    assert set(acknowledged) == {200}
    assert {f"X{number}" for number in range(len(acknowledged))} <= stored
    assert check_store(postgres_store).problems == ()


def wait_for_more(answers: Sequence[int]) -> None:
    before = len(answers)
    wait_until(lambda: len(answers) > before)
