"""All tables: accounts, test sets and outputs, ratings, names, jobs.

A column that is added here needs a migration in `tertium.serve.store.migrations.versions`.
"""

from datetime import UTC, datetime
from typing import Annotated, Any

from sqlalchemy import (
    CheckConstraint,
    DateTime,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import JSON, TypeDecorator


def now() -> datetime:
    """This moment, with its zone."""
    return datetime.now(UTC)


class Time(TypeDecorator[datetime]):
    """A moment in UTC; SQLite keeps no zone, so it is added where a value is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a time of an unknown zone, which would be wrong by hours somewhere."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"time {value}: found no zone, expected one")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Say that it is UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The tables; constraints have names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - as SQLAlchemy wants it
        datetime: Time,
        bytes: LargeBinary,
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON,
        list[str]: JSON,
        list[int]: JSON,
        str: String,
    }


Key = Annotated[int, mapped_column(primary_key=True)]
Hash = Annotated[str, mapped_column(String(64))]
"""A SHA-256 in hexadecimal digits."""


def link_to(column: str, *, index: bool = True, nullable: bool = False) -> Any:
    """A column that names a row of another table."""
    return mapped_column(ForeignKey(column), index=index, nullable=nullable)


class User(Base):
    """Somebody with a password."""

    __tablename__ = "user"
    id: Mapped[Key]
    name: Mapped[str] = mapped_column(unique=True)
    password_hash: Mapped[str]
    admin: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=now)
    disabled_at: Mapped[datetime | None]


class Project(Base):
    """What a team works on. A deleted project is hidden, and nothing of it is lost."""

    __tablename__ = "project"
    id: Mapped[Key]
    slug: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    note: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime] = mapped_column(default=now)
    deleted_at: Mapped[datetime | None]


class Membership(Base):
    """The role of a user in a project."""

    __tablename__ = "membership"
    __table_args__ = (UniqueConstraint("project_id", "user_id"),)
    id: Mapped[Key]
    project_id: Mapped[int] = link_to("project.id")
    user_id: Mapped[int] = link_to("user.id")
    role: Mapped[str]


class Link(Base):
    """An address that lets whoever has it into a project, or one campaign, with one role."""

    __tablename__ = "link"
    id: Mapped[Key]
    token_hash: Mapped[Hash] = mapped_column(unique=True)
    project_id: Mapped[int] = link_to("project.id")
    campaign_id: Mapped[int | None] = link_to("campaign.id", nullable=True)
    parent_token_id: Mapped[int | None]
    parent_link_id: Mapped[int | None]
    role: Mapped[str]
    label: Mapped[str] = mapped_column(default="")
    created_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]


class LoginSession(Base):
    """A browser that was let in, by a password or by a link."""

    __tablename__ = "login_session"
    id: Mapped[Key]
    token_hash: Mapped[Hash] = mapped_column(unique=True)
    user_id: Mapped[int | None] = link_to("user.id", nullable=True)
    link_id: Mapped[int | None] = link_to("link.id", nullable=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]


class ApiToken(Base):
    """A token by which a program acts for a user."""

    __tablename__ = "api_token"
    id: Mapped[Key]
    token_hash: Mapped[Hash] = mapped_column(unique=True)
    user_id: Mapped[int] = link_to("user.id")
    parent_token_id: Mapped[int | None]
    scope: Mapped[str] = mapped_column(default="full", server_default="full")
    label: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]


class LogEntry(Base):
    """Who changed what, and when; rows are only ever added."""

    __tablename__ = "log_entry"
    id: Mapped[Key]
    at: Mapped[datetime] = mapped_column(default=now, index=True)
    actor: Mapped[str]
    action: Mapped[str]
    project_id: Mapped[int | None] = link_to("project.id", nullable=True)
    target: Mapped[str] = mapped_column(default="")
    detail: Mapped[str] = mapped_column(default="")


class StoredText(Base):
    """A column of text, kept once however often it is sent; ``data`` is zlib of JSON."""

    __tablename__ = "text"
    id: Mapped[Key]
    sha256: Mapped[Hash] = mapped_column(unique=True)
    lines: Mapped[int]
    data: Mapped[bytes]


class TestSet(Base):
    """Segments with references, and what is known of them."""

    __test__ = False  # no test, whatever pytest takes its name for
    __tablename__ = "test_set"
    __table_args__ = (UniqueConstraint("project_id", "slug"),)
    id: Mapped[Key]
    project_id: Mapped[int] = link_to("project.id")
    slug: Mapped[str]
    name: Mapped[str]
    source_language: Mapped[str] = mapped_column(default="")
    target_language: Mapped[str] = mapped_column(default="")
    licence: Mapped[str] = mapped_column(default="")
    note: Mapped[str] = mapped_column(default="")
    segments: Mapped[int]
    sources_text_id: Mapped[int | None] = link_to("text.id", nullable=True)
    documents_text_id: Mapped[int | None] = link_to("text.id", nullable=True)
    genres_text_id: Mapped[int | None] = link_to("text.id", nullable=True)
    keys: Mapped[bytes | None] = mapped_column(deferred=True)
    """What names the segments in files that tell it, so that outputs can be put in order."""
    metrics: Mapped[list[str]] = mapped_column(default=lambda: ["bleu", "chrf", "ter"])
    created_at: Mapped[datetime] = mapped_column(default=now)
    deleted_at: Mapped[datetime | None]


class StoredReference(Base):
    """One of the references of a test set, in the order of ``position``."""

    __tablename__ = "reference"
    __table_args__ = (UniqueConstraint("test_set_id", "position"),)
    id: Mapped[Key]
    test_set_id: Mapped[int] = link_to("test_set.id")
    name: Mapped[str]
    position: Mapped[int]
    text_id: Mapped[int] = link_to("text.id")


class StoredSystem(Base):
    """A system under evaluation; its outputs over time are ``Output``s."""

    __tablename__ = "system"
    __table_args__ = (UniqueConstraint("test_set_id", "name"),)
    id: Mapped[Key]
    test_set_id: Mapped[int] = link_to("test_set.id")
    name: Mapped[str]
    tags: Mapped[list[str]] = mapped_column(default=list)
    note: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime] = mapped_column(default=now)
    deleted_at: Mapped[datetime | None]


class Output(Base):
    """What a system said at one time, numbered from 1; never changed after it was sent."""

    __tablename__ = "output"
    __table_args__ = (UniqueConstraint("system_id", "number"),)
    id: Mapped[Key]
    system_id: Mapped[int] = link_to("system.id")
    number: Mapped[int]
    text_id: Mapped[int] = link_to("text.id")
    sha256: Mapped[Hash]
    uploaded_at: Mapped[datetime] = mapped_column(default=now)
    uploaded_by: Mapped[str]
    note: Mapped[str] = mapped_column(default="")
    tags: Mapped[list[str]] = mapped_column(default=list)
    deleted_at: Mapped[datetime | None]


class StoredScore(Base):
    """Rows of a metric's additive statistics, of which every comparison is made.

    ``rows`` has ``segments`` × ``columns`` float64 values, little-endian, row by row.
    """

    __tablename__ = "score"
    __table_args__ = (UniqueConstraint("output_id", "spec", "version"),)
    id: Mapped[Key]
    output_id: Mapped[int] = link_to("output.id")
    spec: Mapped[str]
    version: Mapped[str]
    signature: Mapped[str]
    columns: Mapped[int]
    rows: Mapped[bytes]
    value: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Campaign(Base):
    """People rate outputs of one test set under one protocol."""

    __tablename__ = "campaign"
    __table_args__ = (
        UniqueConstraint("project_id", "name"),
        CheckConstraint("state IN ('draft', 'open', 'closed')", name="state"),
    )
    id: Mapped[Key]
    project_id: Mapped[int] = link_to("project.id")
    test_set_id: Mapped[int] = link_to("test_set.id")
    name: Mapped[str]
    protocol: Mapped[str]
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    state: Mapped[str] = mapped_column(default="draft")
    seed: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(default=now)


class CampaignOutput(Base):
    """An output that is rated in a campaign."""

    __tablename__ = "campaign_output"
    __table_args__ = (UniqueConstraint("campaign_id", "output_id"),)
    id: Mapped[Key]
    campaign_id: Mapped[int] = link_to("campaign.id")
    output_id: Mapped[int] = link_to("output.id")
    position: Mapped[int]


class Rater(Base):
    """Somebody who rates in a campaign, let in by a link or an account."""

    __tablename__ = "rater"
    __table_args__ = (UniqueConstraint("campaign_id", "label"),)
    id: Mapped[Key]
    campaign_id: Mapped[int] = link_to("campaign.id")
    link_id: Mapped[int | None] = link_to("link.id", nullable=True)
    user_id: Mapped[int | None] = link_to("user.id", nullable=True)
    label: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)


class RatingItem(Base):
    """What is shown at once: segments of some outputs."""

    __tablename__ = "rating_item"
    __table_args__ = (
        CheckConstraint("kind IN ('regular', 'tutorial', 'repeated', 'degraded')", name="kind"),
        UniqueConstraint("campaign_id", "position"),
    )
    id: Mapped[Key]
    campaign_id: Mapped[int] = link_to("campaign.id")
    kind: Mapped[str] = mapped_column(default="regular")
    document: Mapped[str | None]
    segments: Mapped[list[int]]
    outputs: Mapped[list[Any]]
    detail: Mapped[dict[str, Any]] = mapped_column(default=dict)
    position: Mapped[int]


class Assignment(Base):
    """An item that a rater is to rate, in the order of ``position``."""

    __tablename__ = "assignment"
    __table_args__ = (
        UniqueConstraint("rater_id", "item_id"),
        UniqueConstraint("rater_id", "position"),
    )
    id: Mapped[Key]
    campaign_id: Mapped[int] = link_to("campaign.id")
    rater_id: Mapped[int] = link_to("rater.id", index=False)
    item_id: Mapped[int] = link_to("rating_item.id")
    position: Mapped[int]
    assigned_at: Mapped[datetime] = mapped_column(default=now)


class RatingEvent(Base):
    """What a rater did with an item; the current rating is the last event."""

    __tablename__ = "rating_event"
    __table_args__ = (
        CheckConstraint("action IN ('rate', 'undo', 'skip')", name="action"),
        UniqueConstraint("client_key"),
        Index("ix_rating_event_rater_item", "rater_id", "item_id"),
    )
    id: Mapped[Key]
    item_id: Mapped[int] = link_to("rating_item.id")
    rater_id: Mapped[int] = link_to("rater.id", index=False)
    action: Mapped[str]
    values: Mapped[dict[str, Any]] = mapped_column(default=dict)
    seconds: Mapped[float]
    at: Mapped[datetime] = mapped_column(default=now)
    client_key: Mapped[str]


class AnnotationEvent(Base):
    """A name was added to a text, taken from it, or given another type."""

    __tablename__ = "annotation_event"
    __table_args__ = (
        CheckConstraint("target_kind IN ('source', 'reference', 'output')", name="target_kind"),
        CheckConstraint("action IN ('add', 'remove', 'retype')", name="action"),
        UniqueConstraint("client_key"),
        Index("ix_annotation_event_target", "test_set_id", "target_kind", "target_id"),
    )
    id: Mapped[Key]
    test_set_id: Mapped[int] = link_to("test_set.id", index=False)
    target_kind: Mapped[str]
    target_id: Mapped[int]
    annotator: Mapped[str]
    segment: Mapped[int]
    action: Mapped[str]
    start: Mapped[int]
    end: Mapped[int]
    type: Mapped[str]
    was: Mapped[str | None]
    """The type before, where it was given another one."""
    origin: Mapped[str]
    at: Mapped[datetime] = mapped_column(default=now)
    client_key: Mapped[str]


class AnnotationFile(Base):
    """A file of names as it was sent: what nobody changes since then is given out as it was."""

    __tablename__ = "annotation_file"
    __table_args__ = (
        CheckConstraint("target_kind IN ('source', 'reference', 'output')", name="target_kind"),
        CheckConstraint("format IN ('muc', 'conll', 'jsonl')", name="format"),
        Index("ix_annotation_file_target", "test_set_id", "target_kind", "target_id"),
    )
    id: Mapped[Key]
    test_set_id: Mapped[int] = link_to("test_set.id", index=False)
    target_kind: Mapped[str]
    target_id: Mapped[int]
    annotator: Mapped[str]
    name: Mapped[str]
    format: Mapped[str]
    sha256: Mapped[Hash]
    data: Mapped[bytes]
    """The file, compressed by zlib."""
    sent_by: Mapped[str]
    at: Mapped[datetime] = mapped_column(default=now)


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
    result_file: Mapped[bytes | None] = mapped_column(deferred=True)
    """Megabytes, such as a report: read only where the file itself is asked for."""
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


__all__ = [
    "AnnotationEvent",
    "AnnotationFile",
    "ApiToken",
    "Assignment",
    "Base",
    "Campaign",
    "CampaignOutput",
    "Idempotency",
    "Job",
    "Link",
    "LogEntry",
    "LoginSession",
    "Membership",
    "Output",
    "Project",
    "Rater",
    "RatingEvent",
    "RatingItem",
    "StoredReference",
    "StoredScore",
    "StoredSystem",
    "StoredText",
    "TestSet",
    "User",
]
