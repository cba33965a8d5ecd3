"""One line in the log and one number more for every request."""

import logging
import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tertium.serve.operation.metrics import Metrics

LOG: Final = logging.getLogger("tertium.serve.requests")
API: Final = "/api/v1"


class Watch:
    """Notes method, route, status, time and caller; never a path, which may have a token in it."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            seconds = time.perf_counter() - started
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = route_of(scope)
            self._metrics.saw(method=method, route=route, status=status, seconds=seconds)
            LOG.info(
                "request",
                extra={
                    "method": method,
                    "route": route,
                    "status": status,
                    "milliseconds": round(seconds * 1000, 1),
                    "caller": scope.get("state", {}).get("actor", ""),
                },
            )


METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def route_of(scope: Scope) -> str:
    """The pattern of the route that answered, such as ``/l/{token}``."""
    if scope["path"].startswith("/static/"):
        return "/static"
    path: str | None = getattr(scope.get("route"), "path", None)
    if path is None:
        return "none"
    prefix = API if scope["path"].startswith(f"{API}/") and not path.startswith(API) else ""
    return prefix + path
