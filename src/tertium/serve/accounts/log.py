"""The log of changes: who did what, when. Never a text, a password or a token."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.store.schema import LogEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One line of the log."""

    id: int
    at: datetime
    actor: str
    action: str
    target: str
    detail: str


def record(
    session: Session,
    actor: str,
    action: str,
    *,
    project_id: int | None = None,
    target: str = "",
    detail: str = "",
) -> None:
    """Add a line; it is kept if the change itself is kept."""
    session.add(
        LogEntry(actor=actor, action=action, project_id=project_id, target=target, detail=detail)
    )


def entries(
    session: Session, *, project_id: int | None = None, before: int | None = None, limit: int = 100
) -> tuple[LogLine, ...]:
    """The newest lines first, of one project or of all; ``before`` is the last one seen."""
    query = select(LogEntry).order_by(LogEntry.id.desc()).limit(limit)
    if project_id is not None:
        query = query.where(LogEntry.project_id == project_id)
    if before is not None:
        query = query.where(LogEntry.id < before)
    return tuple(
        LogLine(
            id=one.id,
            at=one.at,
            actor=one.actor,
            action=one.action,
            target=one.target,
            detail=one.detail,
        )
        for one in session.scalars(query)
    )
