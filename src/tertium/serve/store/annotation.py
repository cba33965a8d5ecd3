"""Table of annotated names: events that are only ever added."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tertium.serve.store.base import Base, Key, link_to, now


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
    origin: Mapped[str]
    at: Mapped[datetime] = mapped_column(default=now)
    client_key: Mapped[str]
