"""Members of a project: users with a role in it."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.accounts.log import record
from tertium.serve.accounts.roles import Role
from tertium.serve.accounts.users import user_named
from tertium.serve.errors import ConflictError, NotFoundError
from tertium.serve.store.schema import Membership, Project, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A user of a project."""

    name: str
    role: str
    disabled: bool


def members(session: Session, project_id: int) -> tuple[Member, ...]:
    """All members of a project by name."""
    rows = session.execute(
        select(User.name, Membership.role, User.disabled_at)
        .join(Membership, Membership.user_id == User.id)
        .where(Membership.project_id == project_id)
        .order_by(User.name)
    )
    return tuple(
        Member(name=name, role=role, disabled=disabled_at is not None)
        for name, role, disabled_at in rows
    )


def set_role(session: Session, actor: str, project_id: int, name: str, role: Role) -> Member:
    """Make a user a member, or give a member another role."""
    user = user_named(session, name)
    _lock(session, project_id)
    found = _membership(session, project_id, user.id)
    if found is None:
        session.add(Membership(project_id=project_id, user_id=user.id, role=role))
    else:
        if role != "owner":
            _keep_an_owner(session, found)
        found.role = role
    record(session, actor, "set role", project_id=project_id, target=name, detail=role)
    return Member(name=user.name, role=role, disabled=user.disabled_at is not None)


def remove_member(session: Session, actor: str, project_id: int, name: str) -> None:
    """Let a user see a project no more. What the user did there stays."""
    user = user_named(session, name)
    _lock(session, project_id)
    found = _membership(session, project_id, user.id)
    if found is None:
        raise NotFoundError(f"member {name!r}: found none in this project")
    _keep_an_owner(session, found)
    session.delete(found)
    record(session, actor, "remove member", project_id=project_id, target=name)


def _lock(session: Session, project_id: int) -> None:
    """Let those who change the members of a project wait for each other."""
    query = select(Project.id).where(Project.id == project_id)
    session.execute(query.with_for_update(key_share=True))


def _membership(session: Session, project_id: int, user_id: int) -> Membership | None:
    return session.scalar(
        select(Membership).where(Membership.project_id == project_id, Membership.user_id == user_id)
    )


def _keep_an_owner(session: Session, leaving: Membership) -> None:
    """A project without an owner could not be given one by anybody in it."""
    owners = session.scalars(
        select(Membership.id).where(
            Membership.project_id == leaving.project_id, Membership.role == "owner"
        )
    ).all()
    if list(owners) == [leaving.id]:
        raise ConflictError("role: found the only owner, expected another one first")
