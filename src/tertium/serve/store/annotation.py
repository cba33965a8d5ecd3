"""Tables of annotated names: events and files, which are only ever added."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tertium.serve.store.base import Base, Hash, Key, link_to, now


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
