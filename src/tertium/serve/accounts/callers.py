"""Who sends a request."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.accounts.roles import Role
from tertium.serve.store.schema import Membership


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
    link_id: int | None = None
    link_project_id: int | None = None
    link_campaign_id: int | None = None
    link_role: Role | None = None

    @property
    def known(self) -> bool:
        """Whether anything is known of the caller."""
        return self.local or self.user_id is not None or self.link_id is not None

    @property
    def trusted(self) -> bool:
        """Whether the caller may do everything."""
        return self.local or self.admin


ANONYMOUS: Final = Caller(actor="")
LOCAL: Final = Caller(actor="local", local=True)


def role_in(session: Session, caller: Caller, project_id: int) -> Role | None:
    """The caller's role in a project, None where it is none of the caller's business."""
    if caller.trusted:
        return "owner"
    if caller.link_id is not None:
        return caller.link_role if caller.link_project_id == project_id else None
    role: Role | None = session.scalar(
        select(Membership.role).where(
            Membership.project_id == project_id, Membership.user_id == caller.user_id
        )
    )
    return role
