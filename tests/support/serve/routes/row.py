"""A row of the table of all routes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tertium.serve.accounts.callers import Need

Values = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A route, what it needs, and a request that whoever may use it sends with success.

    Args:
        method: ``GET``, ``POST``, …
        path: the path as the route declares it, with the names of its parts in braces.
        need: who may use it.
        ok: the status of success.
        body: what is sent as JSON: a value, or a function of the parts of the path.
        files: what is sent as a form with files, likewise.
        query: what follows the path after ``?``.
        everywhere: parts of the path that belong to no project, such as a user.
        other: parts of the path that another value of the world is taken for.
    """

    method: str
    path: str
    need: Need
    ok: int = 200
    body: Any = None
    files: Callable[[Values], dict[str, Any]] | None = None
    data: Any = None
    query: str = ""
    everywhere: tuple[str, ...] = ()
    other: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def address(self, values: Values) -> str:
        """Where the request goes."""
        parts = {**values, **{name: values[value] for name, value in self.other.items()}}
        return self.path.format_map(parts) + self.query

    def content(self, values: Values) -> dict[str, Any]:
        """What the request has in it."""
        found: dict[str, Any] = {}
        if self.body is not None:
            found["json"] = self.body(values) if callable(self.body) else self.body
        if self.files is not None:
            found["files"] = self.files(values)
        if self.data is not None:
            found["data"] = self.data(values) if callable(self.data) else self.data
        return found
