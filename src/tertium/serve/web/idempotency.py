"""A request that may be sent twice, while it is under way.

The key is written in the same transaction as the change, so that a change is made once even where
the server is killed before it answers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Final

from python_multipart.multipart import parse_options_header
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tertium.serve.errors import ConflictError
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Idempotency, now
from tertium.serve.web.errors import answer

HOURS: Final = 24
"""A key is remembered this long."""


class ContentDigest:
    """The hash of a body without the boundary of its form, which a client draws anew each time."""

    def __init__(self, boundary: bytes = b"") -> None:
        self._boundary = boundary
        self._hash = sha256()
        self._rest = b""

    def update(self, block: bytes) -> None:
        """Take the next bytes."""
        if not self._boundary:
            self._hash.update(block)
            return
        *whole, rest = (self._rest + block).split(self._boundary)
        for part in whole:
            self._hash.update(part)
        # The end may be the beginning of a boundary.
        held = min(len(rest), len(self._boundary) - 1)
        self._hash.update(rest[: len(rest) - held])
        self._rest = rest[len(rest) - held :]

    def hexdigest(self) -> str:
        """The hash of everything so far."""
        found = self._hash.copy()
        found.update(self._rest)
        return found.hexdigest()


class Replay(Exception):  # noqa: N818 - not an error: the answer that was given before
    """The request was answered before; this is how."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.body = body


@dataclass(slots=True, kw_only=True)
class Pending:
    """A request with a key, which has not been answered yet."""

    key: str
    path: str
    digest: ContentDigest = field(default_factory=ContentDigest)
    actor: str = ""
    secret: bool = False
    stored: bool = False

    def admit(self, session: Session, actor: str, *, secret: bool) -> None:
        """Note whose request it is; raise the answer if it was given before.

        ``secret`` says that the answer will show a secret, and must not be stored.
        """
        self.actor, self.secret = actor, secret
        known = session.scalar(
            select(Idempotency).where(
                Idempotency.actor == actor,
                Idempotency.key == self.key,
                Idempotency.created_at > now() - timedelta(hours=HOURS),
            )
        )
        if known is None:
            return
        if (known.path, known.body_sha256) != (self.path, self.digest.hexdigest()):
            raise ConflictError(
                "Idempotency-Key: found another request with it, expected a new key"
            )
        if secret:
            raise ConflictError(
                "Idempotency-Key: the change was made, and its answer is shown only once; "
                "revoke what it made and send a new request"
            )
        if known.status is None:
            raise ConflictError("Idempotency-Key: the change was made, but its answer is not known")
        raise Replay(known.status, known.body or b"")

    @contextmanager
    def writing(self, store: Store) -> Iterator[Session]:
        """A session that stores the key together with the first change."""
        try:
            with store.writing() as session:
                if not self.stored:
                    self._store(session)
                yield session
        except IntegrityError as error:
            if "idempotency" in str(error.orig):
                raise ConflictError("Idempotency-Key: the same request is under way") from None
            raise
        self.stored = True

    def _store(self, session: Session) -> None:
        old = now() - timedelta(hours=HOURS)
        session.execute(delete(Idempotency).where(Idempotency.created_at < old))
        session.add(
            Idempotency(
                key=self.key,
                actor=self.actor,
                path=self.path,
                body_sha256=self.digest.hexdigest(),
            )
        )
        session.flush()


LONGEST: Final = 200
LARGEST: Final = 1_000_000
"""Bytes of an answer that is stored."""


class Once:
    """Follows a request with a key: hashes what comes, stores what is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = Headers(scope=scope).get("idempotency-key") if scope["type"] == "http" else None
        if key is None or scope["method"] not in {"POST", "PUT", "PATCH", "DELETE"}:
            await self._app(scope, receive, send)
            return
        if not 1 <= len(key) <= LONGEST or not key.isprintable():
            refused = answer(
                Request(scope), 400, f"Idempotency-Key: expected 1 to {LONGEST} plain characters"
            )
            await refused(scope, receive, send)
            return
        pending = Pending(
            key=key,
            path=f"{scope['method']} {scope['path']}",
            digest=ContentDigest(_boundary(scope)),
        )
        await self._follow(scope, receive, send, pending)

    async def _follow(self, scope: Scope, receive: Receive, send: Send, pending: Pending) -> None:
        scope.setdefault("state", {})["pending"] = pending
        status, body, whole = 500, b"", True

        async def hashing() -> Message:
            message = await receive()
            pending.digest.update(message.get("body", b""))
            return message

        async def noting(message: Message) -> None:
            nonlocal status, body, whole
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body" and not pending.secret:
                body += message.get("body", b"")
                whole = whole and len(body) <= LARGEST
                if not message.get("more_body") and pending.stored and whole:
                    # Before the last block is sent: the caller may ask again at once.
                    await run_in_threadpool(_note, scope["app"].state.store, pending, status, body)
            await send(message)

        await self._app(scope, hashing, noting)


async def replay(_request: Request, given: Exception) -> Response:
    """The answer that was given before, as exception handlers make it."""
    assert isinstance(given, Replay)  # noqa: S101 - as it was registered
    headers = {"idempotency-replayed": "true"}
    kind = "application/json" if given.body else None
    return Response(given.body, given.status, headers, kind)


def _note(store: Store, pending: Pending, status: int, body: bytes) -> None:
    with store.writing() as session:
        session.execute(
            update(Idempotency)
            .where(Idempotency.actor == pending.actor, Idempotency.key == pending.key)
            .values(status=status, body=body)
        )


def _boundary(scope: Scope) -> bytes:
    """What separates the parts of a form, nothing for other bodies."""
    kind, options = parse_options_header(Headers(scope=scope).get("content-type"))
    return options.get(b"boundary", b"") if kind == b"multipart/form-data" else b""
