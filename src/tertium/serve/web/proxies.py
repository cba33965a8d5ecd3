"""What a proxy changes of a request: the client's address, the scheme, the path.

`Forwarded` undoes it, once, before everything else. Behind it all paths are those of the routes,
``scope["client"]`` is the client that the rate limits count, and ``scope["scheme"]`` is what the
browser speaks. Links to pages are made with `Settings.root_path`.
"""

import logging
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tertium.serve.operation.settings import Settings

LOG: Final = logging.getLogger("tertium.serve.connections")
SCHEMES: Final = frozenset({"http", "https"})


class Forwarded:
    """Believes trusted proxies, and takes the root path off, whether the proxy left it or not."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._proxies = settings.proxies
        self._root = settings.root_path
        self._secure = settings.secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = dict(scope)
            self._read_headers(scope)
            self._strip_root(scope)
            send = self._with_location(scope, send)
        await self._app(scope, receive, send)

    def _read_headers(self, scope: Scope) -> None:
        address, port = scope.get("client") or ("", 0)
        headers = Headers(scope=scope)
        chain = ", ".join(headers.getlist("x-forwarded-for"))
        if address in self._proxies:
            if chain:
                scope["client"] = (self._client(chain, address), port)
            scheme = headers.get("x-forwarded-proto", "").strip().lower()
            if scheme in SCHEMES:
                scope["scheme"] = scheme
        elif chain and self._secure:
            LOG.warning(
                "X-Forwarded-For ignored: start with '--trusted-proxy %s' if that is your proxy",
                address,
            )

    def _client(self, chain: str, address: str) -> str:
        """The last address that no trusted proxy has: those before it the client may make up."""
        for hop in reversed([part.strip() for part in chain.split(",")]):
            if not hop:
                break
            address = _without_port(hop)
            if address not in self._proxies:
                break
        return address

    def _strip_root(self, scope: Scope) -> None:
        path: str = scope["path"]
        if not self._root or (path != self._root and not path.startswith(f"{self._root}/")):
            return
        scope["path"] = path[len(self._root) :] or "/"
        raw: bytes = scope.get("raw_path") or b""
        if raw.startswith(self._root.encode()):
            scope["raw_path"] = raw[len(self._root) :] or b"/"

    def _with_location(self, scope: Scope, send: Send) -> Send:
        """Redirect to a path below the root, whichever host and scheme the proxy asked by."""

        async def send_with_location(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                target = urlsplit(headers.get("location", ""))
                own = target.netloc in {"", Headers(scope=scope).get("host", "")}
                if target.path.startswith("/") and own:
                    path = self._root + target.path
                    headers["location"] = urlunsplit(("", "", path, target.query, ""))
            await send(message)

        return send_with_location


def _without_port(hop: str) -> str:
    """An address of the chain; some proxies write ``192.0.2.1:4711`` or ``[2001:db8::1]:4711``."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
