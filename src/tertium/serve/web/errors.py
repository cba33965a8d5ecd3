"""Errors as answers: a sentence in JSON for programs, a page for people."""

import errno
import logging
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tertium.errors import LimitError, TertiumError
from tertium.serve.errors import RequestError
from tertium.serve.web.rendering import render_error

LOG: Final = logging.getLogger("tertium.serve")
RETRY_AFTER: Final = "5"
"""Seconds after which a store that was away may be back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What went wrong, in one sentence: place, found, expected."""

    error: str
    place: str | None = None


PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": Problem, "description": description}
    for status, description in {
        400: "the request cannot be fulfilled",
        401: "nobody is logged in",
        403: "the caller's role is not enough, or the request came from another site",
        404: "not found, or none of the caller's business",
        409: "clashes with what is in the store",
        413: "too large",
        422: "a value does not fit",
        429: "too many requests",
        503: "the store cannot be reached",
        507: "the store has no room",
    }.items()
}
"""Answers that any route of the API may give."""


def add_error_handlers(app: FastAPI) -> None:
    """Let each error become an answer."""
    app.add_exception_handler(TertiumError, _known)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(DBAPIError, _of_store)
    app.add_exception_handler(PoolTimeoutError, _of_store)
    app.add_exception_handler(OSError, _of_system)
    app.add_exception_handler(MemoryError, _of_memory)


class Catch:
    """Answers an unforeseen error with 500; the connection lives on for the next request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def noting(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception as error:
            if scope["type"] != "http" or started:
                raise
            response = _unknown(Request(scope), error)
            await response(scope, receive, send)


def answer(request: Request, status: int, sentence: str, place: str | None = None) -> Response:
    """The answer to a request that failed."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": sentence, "place": place}, status)
    program = "authorization" in request.headers or request.url.path == "/metrics"
    root: str = request.app.state.settings.root_path
    if status == 401 and request.method == "GET" and not program:
        return RedirectResponse(f"/login?next={quote(root + request.url.path)}", 303)
    return render_error(root, status, sentence)


async def _known(request: Request, error: Exception) -> Response:
    status = 413 if isinstance(error, LimitError) else 400
    status = error.status if isinstance(error, RequestError) else status
    sentence = str(error)
    place = sentence.partition(":")[0] if ": " in sentence else None
    return answer(request, status, sentence, place)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - as it was registered
    first = error.errors()[0]
    # What was found is not repeated: it may be long, or no text at all.
    place = ".".join(str(part) for part in first["loc"])
    place = place.encode("utf-8", "replace").decode()[:200]
    return answer(request, 422, f"{place}: {first['msg']}", place)


async def _plain(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - as it was registered
    response = answer(request, error.status_code, str(error.detail))
    response.headers.update(error.headers or {})
    return response


FULL: Final = ("53100", "disk is full", "No space left on device")
"""What PostgreSQL, SQLite and the system say where there is no room."""


def store_problem(error: Exception) -> tuple[int, str] | None:
    """The status and the sentence for a store that clashes, is full or is away; else nothing."""
    if isinstance(error, PoolTimeoutError):
        return 503, "store: has too much to do; try again soon"
    if not isinstance(error, DBAPIError):
        return None
    code = getattr(error.orig, "sqlstate", None) or ""
    text = f"{code} {error.orig}"
    if isinstance(error, IntegrityError) and (code == "23505" or "UNIQUE" in text):
        return 409, "store: found the same already, expected something new"
    if any(sign in text for sign in FULL):
        return 507, "store: found no room on its disk; nothing was changed"
    if isinstance(error, OperationalError | InterfaceError):
        return 503, "store: cannot be reached; try again soon"
    return None


async def _of_store(request: Request, error: Exception) -> Response:
    problem = store_problem(error)
    if problem is None:
        return _unknown(request, error)
    status, sentence = problem
    if status != 409:
        LOG.error("%s: %s", sentence, str(getattr(error, "orig", error)).partition("\n")[0])
    response = answer(request, status, sentence)
    if status == 503:
        response.headers["retry-after"] = RETRY_AFTER
    return response


async def _of_system(request: Request, error: Exception) -> Response:
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return answer(request, 507, "disk: found no room; nothing was changed")
    return _unknown(request, error)


async def _of_memory(request: Request, error: Exception) -> Response:
    LOG.error("%s %s: out of memory", request.method, request.url.path, exc_info=error)
    response = answer(request, 503, "memory: found too little; nothing was changed, try again soon")
    response.headers["retry-after"] = RETRY_AFTER
    return response


def _unknown(request: Request, error: Exception) -> Response:
    LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer(request, 500, "the server made a mistake; its log says more")
