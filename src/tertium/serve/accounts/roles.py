"""The roles of a project, and what is enough for what."""

from typing import Final, Literal, get_args

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
