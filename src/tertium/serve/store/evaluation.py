"""Tables of what is evaluated: texts, test sets, systems, their outputs and scores."""

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tertium.serve.store.base import Base, Hash, Key, link_to, now


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
