"""Requests that may be sent twice: ``Idempotency-Key`` gives the second the first's answer.

The caller is authenticated first: `access.Needs` looks the key up once it has let the caller in.
Answers that show a secret are never stored.
"""

from typing import Final

from python_multipart.multipart import parse_options_header
from sqlalchemy import update
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Idempotency
from tertium.serve.web.errors import answer
from tertium.serve.web.pending import ContentDigest, Pending, Replay

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
