"""Tables of work to be done, and of requests that were answered already."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tertium.serve.store.base import Base, Hash, Key, link_to, now


class Job(Base):
    """Work for a worker process, and what came of it."""

    __tablename__ = "job"
    __table_args__ = (
        CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled')", name="state"
        ),
        Index("ix_job_state_id", "state", "id"),
    )
    id: Mapped[Key]
    kind: Mapped[str]
    project_id: Mapped[int | None] = link_to("project.id", nullable=True)
    payload: Mapped[dict[str, Any]] = mapped_column(default=dict)
    state: Mapped[str] = mapped_column(default="queued")
    progress: Mapped[float] = mapped_column(default=0.0)
    message: Mapped[str] = mapped_column(default="")
    result: Mapped[dict[str, Any] | None]
    result_file: Mapped[bytes | None]
    result_name: Mapped[str | None]
    attempts: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str | None]
    cancel_asked: Mapped[bool] = mapped_column(default=False)
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)
    started_at: Mapped[datetime | None]
    heartbeat_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]


class Idempotency(Base):
    """An answer that is given again when the same request comes again."""

    __tablename__ = "idempotency"
    __table_args__ = (UniqueConstraint("actor", "key"),)
    id: Mapped[Key]
    key: Mapped[str]
    actor: Mapped[str]
    path: Mapped[str]
    body_sha256: Mapped[Hash]
    status: Mapped[int | None]
    body: Mapped[bytes | None]
    created_at: Mapped[datetime] = mapped_column(default=now, index=True)
