"""Who sends a request, and what a role, a scope or a link lets a caller do."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from tertium.serve.store.schema import Membership, Project

Role = Literal["owner", "editor", "rater", "reader"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

Need = Literal["public", "user", "admin", "member", "reader", "rater", "editor", "owner"]
"""What a route asks for. ``user`` is anybody with an account, ``member`` anybody of the project;
the rest are roles, of which a higher one is always enough."""

ENOUGH: Final[dict[Need, frozenset[Role]]] = {
    "member": frozenset(ROLES),
    "reader": frozenset({"owner", "editor", "reader"}),
    "rater": frozenset({"owner", "editor", "rater"}),
    "editor": frozenset({"owner", "editor"}),
    "owner": frozenset({"owner"}),
}
"""Neither of rater and reader includes the other: raters are blind."""

Scope = Literal["read", "write", "full"]
"""What a token may do of what its user may do: look; change things; also let others in."""
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A user, the holder of a link, or nobody known.

    ``local`` is the person at this machine, where no accounts were made: owner of everything.
    """

    actor: str
    """How the log and the store name the caller: ``ann``, ``link 12`` or ``local``."""
    user_id: int | None = None
    admin: bool = False
    local: bool = False
    session_hash: str | None = None
    token_id: int | None = None
    scope: Scope = "full"
    link_id: int | None = None
    link_project_id: int | None = None
    link_campaign_id: int | None = None
    link_role: Role | None = None

    @property
    def known(self) -> bool:
        """Whether anything is known of the caller."""
        return self.local or self.user_id is not None or self.link_id is not None

    @property
    def identity(self) -> str:
        """Whose request it is, whichever of the user's sessions or tokens it comes by."""
        if self.user_id is not None:
            return f"user {self.user_id}"
        return self.actor

    @property
    def trusted(self) -> bool:
        """Whether the caller may do everything."""
        return self.local or self.admin


ANONYMOUS: Final = Caller(actor="")
LOCAL: Final = Caller(actor="local", local=True)


# Every request to a project asks this: it is put together once.
_PLACE: Final = (
    select(Project.id, Membership.role)
    .outerjoin(
        Membership,
        (Membership.project_id == Project.id) & (Membership.user_id == bindparam("user_id")),
    )
    .where(Project.slug == bindparam("slug"), Project.deleted_at.is_(None))
)


def place_of(session: Session, caller: Caller, slug: str) -> tuple[int, Role] | None:
    """The project of this name and the caller's role in it, None where there is no such pair."""
    values = {"slug": slug, "user_id": caller.user_id or 0}
    row = session.execute(_PLACE, values).one_or_none()
    if row is None:
        return None
    project_id: int = row[0]
    role: Role | None = row[1]  # type: ignore[assignment]  # services write no other words
    if caller.trusted:
        role = "owner"
    elif caller.link_id is not None:
        role = caller.link_role if caller.link_project_id == project_id else None
    return None if role is None else (project_id, role)
