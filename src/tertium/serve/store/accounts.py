"""Tables of people: accounts, roles, logins, tokens, links, and the log of what was done."""

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tertium.serve.store.base import Base, Hash, Key, link_to, now


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
