"""Two servers on one PostgreSQL: what one is asked, the other's workers do."""

import json
import signal
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tertium.serve.demo import fill_demo
from tertium.serve.store.check import check_store
from tertium.serve.store.connection import Store
from tests.support.serve.processes import Running, served
from tests.support.serve.waiting import wait_until

pytestmark = pytest.mark.slow

PROJECT = "api/v1/projects/sample"
AUDIT = f"{PROJECT}/test-sets/sample/audit"


def asked(server: Running, path: str, body: Any = None) -> Any:
    request = urllib.request.Request(  # noqa: S310
        f"{server.address}{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=600) as answer:  # noqa: S310
        return json.loads(answer.read())


def is_done(server: Running, job: int) -> bool:
    return bool(asked(server, f"{PROJECT}/jobs/{job}")["state"] == "done")


def test_they_share_the_queue_and_survive_each_other(postgres_store: Store, tmp_path: Path) -> None:
    fill_demo(postgres_store)
    folders = [tmp_path / name for name in ("first", "second", "third")]
    for folder in folders:
        folder.mkdir()
    place = ("--store", postgres_store.address)
    with served(folders[0], *place, "--workers", "0") as first:
        jobs = [asked(first, AUDIT, {})["id"] for _ in range(2)]
        assert {asked(first, f"{PROJECT}/jobs/{one}")["state"] for one in jobs} == {"queued"}
        with served(folders[1], *place, "--workers", "1") as second:
            wait_until(lambda: asked(first, f"{PROJECT}/jobs/{jobs[0]}")["state"] != "queued")
            # The second server and whoever works for it are gone in the midst of it.
            second.process.kill()
        with served(folders[2], *place, "--workers", "1") as third:
            for one in jobs:
                wait_until(partial(is_done, first, one))
            assert asked(third, f"{PROJECT}/jobs/{jobs[0]}")["result"]["audit"]
            third.process.send_signal(signal.SIGTERM)
            assert third.process.wait() == 0
        first.process.send_signal(signal.SIGTERM)
        assert first.process.wait() == 0
    assert check_store(postgres_store).problems == ()
