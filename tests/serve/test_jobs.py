from datetime import timedelta
from threading import Thread

import pytest
from sqlalchemy import select, update

from tertium.serve.errors import ConflictError, NotFoundError
from tertium.serve.queue import (
    ATTEMPTS,
    KINDS,
    SILENCE,
    JobOutcome,
    JobView,
    beat,
    cancel,
    claim,
    enqueue,
    fail,
    file_of,
    finish,
    job_of,
    jobs,
    release,
    requeue_orphans,
    retry,
)
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Job, Project, now
from tertium.serve.workers import work_once
from tests.support.serve.kinds import TESTED


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, place in TESTED.items():
        monkeypatch.setitem(KINDS, name, place)


@pytest.fixture
def project_id(store: Store) -> int:
    with store.writing() as session:
        project = Project(slug="p", name="P")
        session.add(project)
        session.flush()
    return project.id


def added(store: Store, project_id: int, kind: str = "count_up", **payload: object) -> int:
    with store.writing() as session:
        return enqueue(session, "ann", kind, dict(payload), project_id=project_id).id


def seen(store: Store, project_id: int, job_id: int) -> JobView:
    with store.reading() as session:
        return job_of(session, project_id, job_id)


def silence(store: Store) -> None:
    """Let all workers have been silent for too long."""
    with store.writing() as session:
        before = now() - timedelta(seconds=SILENCE + 5)
        session.execute(update(Job).where(Job.state == "running").values(heartbeat_at=before))


def test_jobs_are_done_in_order(store: Store, project_id: int) -> None:
    numbers = [added(store, project_id, to=to) for to in (3, 5)]
    assert work_once(store, "w")
    first, second = (seen(store, project_id, one) for one in numbers)
    assert (first.state, first.progress, first.result) == ("done", 1.0, {"sum": 3})
    assert first.over
    assert first.ended_at is not None
    assert (second.state, second.attempts) == ("queued", 0)
    assert work_once(store, "w")
    assert not work_once(store, "w")
    with store.reading() as session:
        assert file_of(session, project_id, numbers[1]) == ("sum.txt", b"sum")
        assert [one.id for one in jobs(session, project_id)] == numbers[::-1]
        assert [one.id for one in jobs(session, project_id, after=numbers[1])] == numbers[:1]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("complain", "text: found none, expected some"),
        ("break_down", "the server made a mistake; its log says more"),
        ("unheard_of", "the server made a mistake; its log says more"),
    ],
)
def test_what_goes_wrong_is_told(store: Store, project_id: int, kind: str, message: str) -> None:
    job = added(store, project_id, kind)
    work_once(store, "w")
    found = seen(store, project_id, job)
    assert (found.state, found.message) == ("failed", message)
    with store.reading() as session, pytest.raises(NotFoundError, match="found no file"):
        file_of(session, project_id, job)
    with store.writing() as session:
        assert retry(session, "ann", project_id, job).state == "queued"


def test_each_job_is_taken_once(store: Store, project_id: int) -> None:
    expected = {added(store, project_id, to=1) for _ in range(40)}
    taken: list[int] = []

    def take(worker: str) -> None:
        while (claimed := claim(store, worker)) is not None:
            taken.append(claimed.id)

    threads = [Thread(target=take, args=(f"w{number}",)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # One that others hold is passed over, so that a look may find none while some wait.
    take("last")
    assert sorted(taken) == sorted(expected)


def test_a_job_that_waits_is_cancelled_at_once(store: Store, project_id: int) -> None:
    job = added(store, project_id, to=1)
    with store.writing() as session:
        assert cancel(session, "ann", project_id, job).state == "cancelled"
    assert claim(store, "w") is None
    with pytest.raises(ConflictError, match="found it cancelled"), store.writing() as session:
        cancel(session, "ann", project_id, job)


def test_jobs_of_others_are_not_found(store: Store, project_id: int) -> None:
    job = added(store, project_id, to=1)
    for act in (cancel, retry):
        with pytest.raises(NotFoundError), store.writing() as session:
            act(session, "ann", project_id + 1, job)


def test_a_silent_worker_loses_its_job(store: Store, project_id: int) -> None:
    job = added(store, project_id, to=1)
    first = claim(store, "w1")
    assert first is not None
    assert requeue_orphans(store) == 0
    assert beat(store, first, progress=0.5, message="half") == "go on"
    assert seen(store, project_id, job).message == "half"
    silence(store)
    assert requeue_orphans(store) == 1
    second = claim(store, "w2")
    assert second is not None
    # The first one wakes up: what it has to say counts no more.
    assert beat(store, first) == "lost"
    assert not finish(store, first, JobOutcome(result={"by": "w1"}))
    assert not fail(store, first, "no")
    assert finish(store, second, JobOutcome(result={"by": "w2"}))
    found = seen(store, project_id, job)
    assert (found.state, found.result, found.attempts) == ("done", {"by": "w2"}, 2)


def test_a_job_that_ends_its_workers_is_given_up(store: Store, project_id: int) -> None:
    job = added(store, project_id, to=1)
    for attempt in range(ATTEMPTS):
        assert claim(store, f"w{attempt}") is not None
        silence(store)
        requeue_orphans(store)
    found = seen(store, project_id, job)
    assert (found.state, found.message) == ("failed", f"its worker ended {ATTEMPTS} times")
    assert claim(store, "w") is None


def test_a_running_job_is_asked_to_end(store: Store, project_id: int) -> None:
    job = added(store, project_id, to=1)
    claimed = claim(store, "w")
    assert claimed is not None
    with store.writing() as session:
        assert cancel(session, "ann", project_id, job).state == "running"
    assert beat(store, claimed) == "cancel"
    silence(store)
    requeue_orphans(store)
    assert seen(store, project_id, job).state == "cancelled"


def test_a_job_that_is_put_back_has_not_been_tried(store: Store, project_id: int) -> None:
    job = added(store, project_id, to=1)
    claimed = claim(store, "w")
    assert claimed is not None
    release(store, claimed)
    found = seen(store, project_id, job)
    assert (found.state, found.attempts) == ("queued", 0)
    with store.reading() as session:
        assert session.scalars(select(Job.worker)).one() is None
