"""Projects: made, renamed, hidden."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import Caller
from tertium.serve.accounts.log import record
from tertium.serve.errors import NotFoundError
from tertium.serve.evaluation.words import free_slug, name_of
from tertium.serve.store.schema import Membership, Project, now


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectView:
    """A project, as its members see it."""

    id: int
    slug: str
    name: str
    note: str
    created_at: datetime


def projects(session: Session, caller: Caller) -> tuple[ProjectView, ...]:
    """The projects that the caller may see, by name."""
    query = select(Project).where(Project.deleted_at.is_(None)).order_by(Project.name, Project.id)
    if caller.link_id is not None:
        query = query.where(Project.id == caller.link_project_id)
    elif not caller.trusted:
        query = query.join(Membership).where(Membership.user_id == caller.user_id)
    return tuple(map(_view, session.scalars(query)))


def project_view(session: Session, project_id: int) -> ProjectView:
    """One project."""
    return _view(_existing(session, project_id))


def create_project(
    session: Session, caller: Caller, name: str, *, slug: str | None = None, note: str = ""
) -> ProjectView:
    """Make a project, of which the caller is the owner."""
    made = _added(session, name, slug, note)
    if caller.user_id is not None:
        session.add(Membership(project_id=made.id, user_id=caller.user_id, role="owner"))
    record(session, caller.actor, "create project", project_id=made.id, target=made.slug)
    return _view(made)


def change_project(
    session: Session,
    caller: Caller,
    project_id: int,
    *,
    name: str | None = None,
    note: str | None = None,
) -> ProjectView:
    """Give another name or note; the address stays."""
    found = _existing(session, project_id, lock=True)
    if name is not None:
        found.name = name_of(name, "name")
    if note is not None:
        found.note = note
    record(session, caller.actor, "change project", project_id=project_id, target=found.slug)
    return _view(found)


def delete_project(session: Session, caller: Caller, project_id: int) -> None:
    """Hide a project and free its address; its texts and ratings stay in the store."""
    found = _existing(session, project_id, lock=True)
    record(session, caller.actor, "delete project", project_id=project_id, target=found.slug)
    found.deleted_at = now()
    found.slug = f"{found.slug}~{found.id}"


def _added(session: Session, name: str, slug: str | None, note: str) -> Project:
    """A new row at an address that no other has, also where another server took it meanwhile."""
    while True:
        made = Project(
            name=name_of(name, "name"),
            slug=free_slug(name, slug, lambda one: _taken(session, one), "project"),
            note=note,
        )
        try:
            with session.begin_nested():
                session.add(made)
        except IntegrityError:
            if not _taken(session, made.slug):
                raise
        else:
            return made


def _taken(session: Session, slug: str) -> bool:
    return session.scalar(select(Project.id).where(Project.slug == slug)) is not None


def _existing(session: Session, project_id: int, *, lock: bool = False) -> Project:
    found = session.get(Project, project_id, with_for_update=lock)
    if found is None or found.deleted_at is not None:
        raise NotFoundError(f"project {project_id}: found none")
    return found


def _view(row: Project) -> ProjectView:
    return ProjectView(
        id=row.id, slug=row.slug, name=row.name, note=row.note, created_at=row.created_at
    )
