"""Worker processes: killed, cancelled, stopped."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.serve import queue
from tertium.serve.memory import resident_memory
from tertium.serve.queue import JobView, cancel, enqueue, job_of
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Project
from tertium.serve.workers import MOST_MEMORY
from tests.support.serve.waiting import wait_until
from tests.support.serve.workers import worker

pytestmark = pytest.mark.slow


@pytest.fixture
def added(store: Store) -> Callable[..., int]:
    with store.writing() as session:
        session.add(Project(id=1, slug="p", name="P"))

    def add(kind: str, **payload: object) -> int:
        with store.writing() as session:
            return enqueue(session, "ann", kind, dict(payload), project_id=1).id

    return add


def seen(store: Store, job: int) -> JobView:
    with store.reading() as session:
        return job_of(session, 1, job)


def test_a_killed_worker_leaves_its_job_to_another(
    store: Store, added: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, end = tmp_path / "begun", tmp_path / "end"
    job = added("wait_for", begun=str(begun), end=str(end))
    with worker(store) as first:
        wait_until(lambda: begun.exists() and begun.read_text() == "begun\n")
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert seen(store, job).state == "running"
    end.touch()
    monkeypatch.setattr(queue, "SILENCE", -5.0)  # no need to wait for it to be noticed
    assert queue.requeue_orphans(store) == 1
    with worker(store):
        wait_until(lambda: seen(store, job).over)
    found = seen(store, job)
    assert (found.state, found.result, found.attempts) == ("done", {"waited": True}, 2)
    assert begun.read_text() == "begun\n" * 2


# What heeds nothing is ended with its process, after a while: once is enough.
@pytest.mark.parametrize(
    ("store", "kind"),
    [("sqlite", "wait_for"), ("postgres", "wait_for"), ("sqlite", "sleep_on")],
    indirect=["store"],
)
def test_a_job_is_cancelled_whether_it_heeds_or_not(
    store: Store, added: Callable[..., int], tmp_path: Path, kind: str
) -> None:
    begun = tmp_path / "begun"
    job = added(kind, begun=str(begun), end=str(tmp_path / "end"))
    with worker(store):
        wait_until(begun.exists)
        with store.writing() as session:
            cancel(session, "ann", 1, job)
        wait_until(lambda: seen(store, job).over)
    assert seen(store, job).state == "cancelled"


@pytest.mark.skipif(resident_memory() == 0, reason="the system does not tell resident memory")
def test_a_worker_that_holds_much_memory_ends_after_its_job(
    store: Store, added: Callable[..., int]
) -> None:
    small, large = added("hold_memory", bytes=1), added("hold_memory", bytes=MOST_MEMORY)
    with worker(store) as process:
        assert process.wait() == 0
    assert [seen(store, job).state for job in (small, large)] == ["done", "done"]


def test_a_worker_ends_with_its_server_and_puts_its_job_back(
    store: Store, added: Callable[..., int], tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    job = added("sleep_on", begun=str(begun))
    with worker(store) as process:
        wait_until(begun.exists)
        assert process.stdin is not None
        process.stdin.close()  # as when the server is gone
        assert process.wait() == 0
    found = seen(store, job)
    assert (found.state, found.attempts) == ("queued", 0)
