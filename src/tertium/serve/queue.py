"""Jobs: a queue in the store, from which each is taken by one worker."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, Final, Protocol

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from tertium.serve.accounts.log import record
from tertium.serve.errors import ConflictError, NotFoundError
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Job, now
from tertium.suggestions import did_you_mean


class Progress(Protocol):
    """Told by a job how far it is; raises where the job is to end."""

    def __call__(self, part: float, message: str = "") -> None:
        """Say that this part of the work, 0 to 1, is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOutcome:
    """What a job gives: values in JSON, a file, or both."""

    result: dict[str, Any] | None = None
    file: bytes | None = None
    file_name: str | None = None


JobFunction = Callable[[Store, dict[str, Any], Progress], JobOutcome]

KINDS: Final[dict[str, str]] = {
    "score": "tertium.serve.evaluation.work:score_outputs",
    "audit": "tertium.serve.evaluation.work:audit_outputs",
    "report": "tertium.serve.evaluation.work:report_outputs",
    "verdict": "tertium.serve.evaluation.work:judge_outputs",
    "campaign": "tertium.serve.rating.analysis:analyse",
}
"""Kind → ``module:function``, which is imported by the worker that needs it.

A function may be run twice for one job, where a worker was killed: it must not mind. It computes
first, and keeps what it found in one ``with store.writing()`` at the end.
"""


def function_of(kind: str) -> JobFunction:
    """The function of a kind."""
    if kind not in KINDS:
        raise LookupError(did_you_mean("kind of job", kind, KINDS))
    module, _, name = KINDS[kind].partition(":")
    function: JobFunction = getattr(import_module(module), name)
    return function


ATTEMPTS: Final = 3
"""A job that has ended its worker so often is not tried again."""
BEAT: Final = 1.0
"""Seconds between two signs of life of a worker."""
SILENCE: Final = 15.0
"""Seconds without a sign of life after which a worker is taken for dead."""
LONGEST_MESSAGE: Final = 500
OVER: Final = frozenset({"done", "failed", "cancelled"})


@dataclass(frozen=True, slots=True, kw_only=True)
class JobView:
    """A job, as people of its project see it."""

    id: int
    kind: str
    state: str
    progress: float
    message: str
    result: dict[str, Any] | None
    file_name: str | None
    attempts: int
    created_by: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None

    @property
    def over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in OVER


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A job that a worker has taken."""

    id: int
    kind: str
    payload: dict[str, Any]
    worker: str


def enqueue(
    session: Session, actor: str, kind: str, payload: dict[str, Any], *, project_id: int
) -> JobView:
    """Add a job; it is there if the change that it belongs to is kept."""
    job = Job(kind=kind, project_id=project_id, payload=payload, created_by=actor)
    session.add(job)
    session.flush()
    return view(job)


def jobs(
    session: Session, project_id: int, *, after: int | None = None, limit: int = 100
) -> tuple[JobView, ...]:
    """The newest jobs of a project first; ``after`` is the last one seen."""
    query = select(Job).where(Job.project_id == project_id).order_by(Job.id.desc()).limit(limit)
    if after is not None:
        query = query.where(Job.id < after)
    return tuple(map(view, session.scalars(query)))


def job_of(session: Session, project_id: int, job_id: int) -> JobView:
    """One job of a project."""
    return view(_job(session, project_id, job_id))


def file_of(session: Session, project_id: int, job_id: int) -> tuple[str, bytes]:
    """The name and the bytes of the file that a job made."""
    job = _job(session, project_id, job_id)
    if job.result_file is None:
        raise NotFoundError(f"job {job_id}: found no file, for it is {job.state}")
    return job.result_name or f"job-{job_id}", job.result_file


def cancel(session: Session, actor: str, project_id: int, job_id: int) -> JobView:
    """End a job: at once where it waits, soon where a worker has it."""
    job = _job(session, project_id, job_id)
    session.refresh(job, with_for_update=True)  # a worker may be taking it just now
    if job.state == "queued":
        job.state, job.ended_at = "cancelled", now()
    elif job.state == "running":
        job.cancel_asked = True
    else:
        raise ConflictError(f"job {job_id}: found it {job.state}, expected queued or running")
    record(session, actor, "cancel job", project_id=project_id, target=str(job_id))
    return view(job)


def retry(session: Session, actor: str, project_id: int, job_id: int) -> JobView:
    """Let a job that failed or was cancelled be done again."""
    job = _job(session, project_id, job_id)
    session.refresh(job, with_for_update=True)
    if job.state not in {"failed", "cancelled"}:
        raise ConflictError(f"job {job_id}: found it {job.state}, expected failed or cancelled")
    job.state, job.progress, job.message = "queued", 0.0, ""
    job.attempts, job.cancel_asked, job.worker, job.ended_at = 0, False, None, None
    record(session, actor, "retry job", project_id=project_id, target=str(job_id))
    return view(job)


def claim(store: Store, worker: str) -> Claimed | None:
    """Take the oldest job that waits; on PostgreSQL nobody waits for another worker's lock."""
    with store.reading() as session:  # SQLite's one lock is not taken in vain
        if session.scalar(select(Job.id).where(Job.state == "queued").limit(1)) is None:
            return None
    with store.writing() as session:
        job = session.scalar(
            select(Job)
            .where(Job.state == "queued")
            .order_by(Job.id)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        if job is None:
            return None
        moment = _clock(store, session)
        job.state, job.worker, job.cancel_asked = "running", worker, False
        job.attempts += 1
        job.started_at = job.heartbeat_at = moment
        job.progress, job.message = 0.0, ""
        return Claimed(id=job.id, kind=job.kind, payload=job.payload, worker=worker)


def beat(
    store: Store, claimed: Claimed, *, progress: float | None = None, message: str | None = None
) -> str:
    """Give a sign of life: ``go on``, ``cancel`` or, where others have the job now, ``lost``."""
    values: dict[str, Any] = {}
    if progress is not None:
        values["progress"] = min(1.0, max(0.0, progress))
    if message is not None:
        values["message"] = message[:LONGEST_MESSAGE]
    with store.writing() as session:
        changed = session.execute(
            update(Job)
            .where(*_held(claimed))
            .values(heartbeat_at=_clock(store, session), **values)
            .returning(Job.cancel_asked)
        ).one_or_none()
    if changed is None:
        return "lost"
    return "cancel" if changed[0] else "go on"


def finish(store: Store, claimed: Claimed, outcome: JobOutcome) -> bool:
    """Keep what a job gave; False where the job is no longer the worker's."""
    return _end(
        store,
        claimed,
        state="done",
        progress=1.0,
        result=outcome.result,
        result_file=outcome.file,
        result_name=outcome.file_name,
    )


def fail(store: Store, claimed: Claimed, sentence: str) -> bool:
    """Say why a job cannot be done."""
    return _end(store, claimed, state="failed", message=sentence[:LONGEST_MESSAGE])


def cancelled(store: Store, claimed: Claimed) -> bool:
    """Say that a job was ended as it was asked."""
    return _end(store, claimed, state="cancelled")


def release(store: Store, claimed: Claimed) -> None:
    """Put a job back, because the server stops; the attempt does not count."""
    with store.writing() as session:
        session.execute(
            update(Job)
            .where(*_held(claimed))
            .values(state="queued", worker=None, progress=0.0, attempts=Job.attempts - 1)
        )


def requeue_orphans(store: Store) -> int:
    """Put back the jobs whose workers are silent; one that was tried too often has failed."""
    with store.reading() as session:
        if not session.scalars(select(Job.id).where(*_silent(store, session))).all():
            return 0
    with store.writing() as session:
        query = select(Job).where(*_silent(store, session)).with_for_update(skip_locked=True)
        orphans = session.scalars(query).all()
        for job in orphans:
            job.worker = None
            if job.cancel_asked:
                job.state, job.ended_at = "cancelled", now()
            elif job.attempts >= ATTEMPTS:
                job.state, job.ended_at = "failed", now()
                job.message = f"its worker ended {job.attempts} times"
            else:
                job.state = "queued"
    return len(orphans)


def view(job: Job) -> JobView:
    """What is shown of a job."""
    return JobView(
        id=job.id,
        kind=job.kind,
        state=job.state,
        progress=job.progress,
        message=job.message,
        result=job.result,
        file_name=job.result_name,
        attempts=job.attempts,
        created_by=job.created_by,
        created_at=job.created_at,
        started_at=job.started_at,
        ended_at=job.ended_at,
    )


def _job(session: Session, project_id: int, job_id: int) -> Job:
    job = session.scalar(select(Job).where(Job.id == job_id, Job.project_id == project_id))
    if job is None:
        raise NotFoundError(f"job {job_id}: found none in this project")
    return job


def _end(store: Store, claimed: Claimed, **values: Any) -> bool:
    with store.writing() as session:
        changed = session.execute(
            update(Job)
            .where(*_held(claimed))
            .values(ended_at=now(), worker=None, **values)
            .returning(Job.id)
        )
        return changed.one_or_none() is not None


def _held(claimed: Claimed) -> tuple[Any, ...]:
    return Job.id == claimed.id, Job.state == "running", Job.worker == claimed.worker


def _silent(store: Store, session: Session) -> tuple[Any, ...]:
    return Job.state == "running", Job.heartbeat_at < _clock(store, session) - timedelta(
        seconds=SILENCE
    )


def _clock(store: Store, session: Session) -> datetime:
    """The clock of the database: two servers may differ by more than a worker's silence."""
    if store.sqlite:
        return now()
    moment: datetime = session.scalars(select(func.clock_timestamp())).one()
    return moment
