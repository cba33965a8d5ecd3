"""Requests that may be sent twice: ``Idempotency-Key`` gives the second the first's answer."""

from datetime import timedelta
from hashlib import sha256
from typing import Final

from sqlalchemy import select, update
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tertium.serve.store.base import now
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Idempotency
from tertium.serve.web.errors import answer
from tertium.serve.web.pending import HOURS, Pending

LONGEST: Final = 200
LARGEST: Final = 1_000_000
"""Bytes of an answer that is kept."""


class Once:
    """Answers a request whose key is known as it was answered before."""

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
        store: Store = scope["app"].state.store
        pending = Pending(key=key, actor=_secret(scope), path=f"{scope['method']} {scope['path']}")
        known = await run_in_threadpool(_known, store, pending)
        if known is not None:
            response = await _again(scope, receive, pending, known)
            await response(scope, receive, send)
            return
        await self._first(scope, receive, send, pending)

    async def _first(self, scope: Scope, receive: Receive, send: Send, pending: Pending) -> None:
        scope.setdefault("state", {})["pending"] = pending
        status, body, kept_whole = 500, b"", True

        async def hashing() -> Message:
            message = await receive()
            pending.digest.update(message.get("body", b""))
            return message

        async def noting(message: Message) -> None:
            nonlocal status, body, kept_whole
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body":
                body += message.get("body", b"")
                kept_whole = kept_whole and len(body) <= LARGEST
                if not message.get("more_body") and pending.kept and kept_whole:
                    # Before the last piece is sent: who has the answer may ask again at once.
                    await run_in_threadpool(_note, scope["app"].state.store, pending, status, body)
            await send(message)

        await self._app(scope, hashing, noting)


async def _again(scope: Scope, receive: Receive, pending: Pending, known: Idempotency) -> Response:
    more = True
    while more:
        message = await receive()
        pending.digest.update(message.get("body", b""))
        more = message.get("more_body", False)
    request = Request(scope)
    if (known.path, known.body_sha256) != (pending.path, pending.digest.hexdigest()):
        return answer(
            request, 409, "Idempotency-Key: found another request with it, expected a new key"
        )
    if known.status is None:
        return answer(
            request, 409, "Idempotency-Key: the change was made, but its answer is not known"
        )
    headers = {"idempotency-replayed": "true"}
    kind = "application/json" if known.body else None
    return Response(known.body or b"", known.status, headers, kind)


def _known(store: Store, pending: Pending) -> Idempotency | None:
    with store.reading() as session:
        return session.scalar(
            select(Idempotency).where(
                Idempotency.actor == pending.actor,
                Idempotency.key == pending.key,
                Idempotency.created_at > now() - timedelta(hours=HOURS),
            )
        )


def _note(store: Store, pending: Pending, status: int, body: bytes) -> None:
    with store.writing() as session:
        session.execute(
            update(Idempotency)
            .where(Idempotency.actor == pending.actor, Idempotency.key == pending.key)
            .values(status=status, body=body)
        )


def _secret(scope: Scope) -> str:
    """Whose key it is: known by token or cookie, of which only a hash is kept."""
    headers = Headers(scope=scope)
    secret = headers.get("authorization") or headers.get("cookie") or ""
    return sha256(secret.encode()).hexdigest() if secret else "local"
