"""Who may use a route, and how often: every route takes ``needs(…)`` or ``PUBLIC``.

A project that the caller may not see is not found; whoever is not logged in is asked to. Whatever
route asks for a password, its check stands inside `PasswordGate.attempt`.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import Annotated, Any, Final

from fastapi import Depends, Path, Query, Request
from fastapi.dependencies.models import Dependant
from pydantic import StringConstraints
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import (
    ANONYMOUS,
    ENOUGH,
    LOCAL,
    SCOPES,
    Caller,
    Need,
    Role,
    place_of,
)
from tertium.serve.accounts.users import any_users, caller_of_cookie, caller_of_token
from tertium.serve.errors import ForbiddenError, NotFoundError, TooOftenError, UnknownCallerError
from tertium.serve.settings import Settings
from tertium.serve.store.connection import Store
from tertium.serve.web.idempotency import Pending

MOST: Final = 20_000
"""Callers that are remembered; who has not come for longest is forgotten."""
NAMES_TO_ADDRESSES: Final = 3
"""One name may be tried so many times as often as one address may try."""


class Buckets:
    """One bucket for each caller, of ``per_minute`` requests."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._size = per_minute
        self._clock = clock
        self._lock = Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> bool:
        """Whether one more is allowed."""
        moment = self._clock()
        with self._lock:
            left, before = self._left.pop(caller, (float(self._size), moment))
            left = min(self._size, left + (moment - before) * self._size / 60)
            allowed = left >= 1
            self._left[caller] = (left - 1 if allowed else left, moment)
            if len(self._left) > MOST:
                self._left.popitem(last=False)
        return allowed


class PasswordGate:
    """Password checks, limited by address and by name.

    Guesses at one name may come from many addresses, so that names have a limit, too. It must not
    lock the owner out: an address where this name has logged in before, and a caller who is logged
    in already, have a limit of their own, which guesses from elsewhere do not use up.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._addresses = Buckets(per_minute, clock)
        self._names = Buckets(NAMES_TO_ADDRESSES * per_minute, clock)
        self._familiar = Buckets(per_minute, clock)
        self._lock = Lock()
        self._pairs: OrderedDict[str, None] = OrderedDict()

    @contextmanager
    def attempt(self, name: str, address: str, *, logged_in: bool = False) -> Iterator[None]:
        """Check the password inside: too many attempts are an error, a success is remembered."""
        pair = f"{name}\n{address}"
        with self._lock:
            familiar = logged_in or pair in self._pairs
        if familiar:
            allowed = self._familiar.take(pair)
        else:
            allowed = self._addresses.take(address) and self._names.take(name)
        if not allowed:
            raise TooOftenError("login: found too many attempts; try again in a minute")
        yield
        with self._lock:
            self._pairs[pair] = None
            self._pairs.move_to_end(pair)
            if len(self._pairs) > MOST:
                self._pairs.popitem(last=False)


HIGHEST: Final = 2**31 - 1
Identifier = Annotated[int, Path(ge=1, le=HIGHEST)]
"""The number of a row, in a path."""
Slug = Annotated[str, Path(max_length=64, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""The name of a project or a test set, in a path."""
Limit = Annotated[int, Query(ge=1, le=500, description="at most this many")]
After = Annotated[int | None, Query(ge=0, le=HIGHEST, description="the id of the last one seen")]
# No control characters: PostgreSQL keeps no NUL, and a line break is no part of a name.
Line = Annotated[
    str,
    StringConstraints(
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$",
    ),
]
"""A name: one line with something in it."""
Note = Annotated[str, StringConstraints(max_length=20_000, pattern=r"^[^\x00]*$")]
"""Some lines, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a route is handed: who calls, with which role, and the store."""

    store: Store
    settings: Settings
    caller: Caller
    role: Role | None = None
    project_id: int = 0
    project: str = ""
    pending: Pending | None = None

    @property
    def actor(self) -> str:
        """How the log names the caller."""
        return self.caller.actor

    @property
    def campaign_id(self) -> int | None:
        """The only campaign that the caller may see, None for all of the project."""
        return self.caller.link_campaign_id

    def reading(self) -> AbstractContextManager[Session]:
        """A session that sees one state of the store."""
        return self.store.reading()

    def writing(self) -> AbstractContextManager[Session]:
        """A session whose changes are kept all or none."""
        return self.store.writing() if self.pending is None else self.pending.writing(self.store)

    def may(self, need: Need) -> bool:
        """Whether the caller's role in this project is enough, such as to show a button."""
        return self.role in ENOUGH.get(need, ())


SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Needs:
    """The dependency that lets a caller in, or says no.

    ``grants`` is for routes that decide who gets in, which only a token of full scope may use;
    ``secret`` for those whose answer shows a secret, which is stored nowhere.
    """

    need: Need
    grants: bool = False
    secret: bool = False

    def __call__(self, request: Request) -> Access:
        """Find the caller, the project of the path and the caller's role in it."""
        store: Store = request.app.state.store
        settings: Settings = request.app.state.settings
        with store.reading() as session:
            caller = _caller(session, request, settings)
            request.state.actor = caller.actor
            plain = Access(store=store, settings=settings, caller=caller)
            if self.need == "public":
                return plain
            if not caller.known:
                raise UnknownCallerError(_unknown(request))
            self._check_scope(request, caller)
            if self.need in {"user", "admin"}:
                if not caller.trusted and (self.need == "admin" or caller.user_id is None):
                    raise ForbiddenError(f"{request.url.path}: expected a login as {self.need}")
                allowed = plain
            else:
                allowed = self._of_project(session, request, plain)
            # Only now: a caller without the right is not told how the request was answered before.
            pending: Pending | None = getattr(request.state, "pending", None)
            if pending is None:
                return allowed
            pending.admit(session, caller.identity, secret=self.secret)
            return replace(allowed, pending=pending)

    def _check_scope(self, request: Request, caller: Caller) -> None:
        needed = "full" if self.grants else "read" if request.method in SAFE else "write"
        if SCOPES.index(caller.scope) < SCOPES.index(needed):
            raise ForbiddenError(
                f"{request.url.path}: found a token of scope {caller.scope}, expected {needed}"
            )

    def _of_project(self, session: Session, request: Request, plain: Access) -> Access:
        slug = request.path_params["project"]
        place = place_of(session, plain.caller, slug)
        only = plain.caller.link_campaign_id
        # A link to one campaign opens this campaign, and nothing else of its project.
        beside = only is not None and request.path_params.get("campaign") != str(only)
        if place is None or beside:
            raise NotFoundError(f"{request.url.path}: found nothing here")
        project_id, role = place
        if role not in ENOUGH[self.need]:
            raise ForbiddenError(f"{request.url.path}: found role {role}, expected {self.need}")
        return replace(plain, role=role, project_id=project_id, project=slug)


def needs(need: Need, *, grants: bool = False, secret: bool = False) -> Any:
    """What a route takes to know its caller, as type of a parameter in ``Annotated``."""
    return Depends(Needs(need, grants, secret))


PUBLIC: Final = needs("public")
"""The dependency of a route for everybody, logged in or not."""


def needs_of(route: Any) -> Needs | None:
    """What a route asks for, None where it was forgotten."""
    found = [one.call for one in _all(route.dependant) if isinstance(one.call, Needs)]
    return found[0] if len(found) == 1 else None


def address_of(request: Request) -> str:
    """Where a request comes from."""
    return "" if request.client is None else request.client.host


def link_address(request: Request, token: str) -> str:
    """What the holder of a link opens."""
    settings: Settings = request.app.state.settings
    scheme = "https" if settings.secure else request.base_url.scheme
    base = str(request.base_url.replace(scheme=scheme)).rstrip("/")
    return f"{base}{settings.root_path}/l/{token}"


def _all(dependant: Dependant) -> Iterator[Dependant]:
    for one in dependant.dependencies:
        yield one
        yield from _all(one)


def _unknown(request: Request) -> str:
    if request.headers.get("authorization"):
        return "token: unknown, expired or revoked; expected 'Authorization: Bearer TOKEN'"
    return "login: found none, expected a login, a token or a link"


def _caller(session: Session, request: Request, settings: Settings) -> Caller:
    header = request.headers.get("authorization", "")
    scheme, _, token = header.partition(" ")
    if scheme.lower() == "bearer":
        return caller_of_token(session, token.strip())
    cookie = request.cookies.get(settings.cookie)
    caller = caller_of_cookie(session, cookie) if cookie else ANONYMOUS
    # Accounts that are made while an open server runs close it at once.
    if not caller.known and settings.open and not any_users(session):
        return LOCAL
    return caller
