"""Tables of rating by people: campaigns, what is shown to whom, and events."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tertium.serve.store.base import Base, Key, link_to, now


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
