"""What every request passes first: host, origin, size, rate; and the headers of every answer."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tertium.serve.operation.settings import Settings, is_loopback
from tertium.serve.web.errors import answer
from tertium.serve.web.limits import Buckets

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
FILES: Final = ("multipart/form-data", "application/octet-stream", "text/plain")
"""What uploads come as; any other body is small."""
CALLERS: Final = 50
"""As many may share one address, behind a proxy or in one house."""
PORTS: Final = {"http": ":80", "https": ":443"}
"""What browsers leave out of an origin, and some proxies write into the host."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """Refuses what comes from other sites, is too large or too often; adds headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._buckets = Buckets(settings.requests_per_minute)
        self._addresses = Buckets(CALLERS * settings.requests_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        refused = self._refusal(scope)
        if refused is not None:
            status, sentence = refused
            response = answer(Request(scope), status, sentence)
            await response(scope, receive, send_with_headers)
            return
        await self._app(scope, self._limited(scope, receive), send_with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if "\0" in scope["path"]:  # no name has one, and PostgreSQL takes none
            return 404, "path: found nothing here"
        # Another site whose name was pointed at this machine would be of the same origin.
        if self._settings.open and not is_loopback(urlsplit(f"//{host}").hostname or ""):
            return 403, "host: found another name, expected localhost or 127.0.0.1"
        if scope["method"] not in SAFE and not same_site(headers, host, self._settings.cookie):
            return 403, self._other_origin(scope, headers, host)
        if not self._settings.open and not self._in_time(scope, headers):
            return 429, "requests: found too many in a minute, expected fewer; try again soon"
        if int(_digits(headers.get("content-length"))) > self._limit(headers):
            return 413, f"body: found more than {self._limit(headers)} bytes, expected fewer"
        return None

    def _other_origin(self, scope: Scope, headers: Headers, host: str) -> str:
        """Both origins: where a proxy changes the host, they show that it did."""
        scheme = "https" if self._settings.secure else scope["scheme"]
        found = headers.get("origin") or headers.get("sec-fetch-site") or "none"
        cure = "; a proxy has to pass on the Host header with its port" if host else ""
        return f"origin: found {found[:200]}, expected {scheme}://{host[:200]}{cure}"

    def _in_time(self, scope: Scope, headers: Headers) -> bool:
        address = (scope.get("client") or ("",))[0]
        secret = headers.get("authorization") or headers.get("cookie") or ""
        caller = sha256(secret.encode()).hexdigest() if secret else address
        # Whoever makes up a new cookie for each request is still at one address.
        return self._addresses.take(address) and self._buckets.take(caller)

    def _limit(self, headers: Headers) -> int:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        return self._settings.upload_limit if kind in FILES else self._settings.body_limit

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Count what arrives: a length that was promised may be wrong, or not be promised."""
        limit = self._limit(Headers(scope=scope))
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit:
                raise HTTPException(413, f"body: found more than {limit} bytes, expected fewer")
            return message

        return counted

    def _add_headers(self, headers: MutableHeaders, path: str) -> None:
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        if self._settings.secure:
            headers.setdefault("strict-transport-security", "max-age=31536000")
        # Nothing of a person's pages is kept by anybody on the way.
        headers.setdefault(
            "cache-control", "no-cache" if path.startswith("/static/") else "no-store"
        )


def same_site(headers: Headers, host: str, cookie: str) -> bool:
    """Whether a change comes from this site, or from a program that is no browser.

    Browsers say where a request comes from; one that has our cookie and does not say is refused.
    """
    fetched_from = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if fetched_from is not None and fetched_from not in {"same-origin", "none"}:
        return False
    if origin is not None:
        scheme, netloc = urlsplit(origin)[:2]
        return scheme in PORTS and netloc == host.removesuffix(PORTS[scheme])
    return fetched_from is not None or f"{cookie}=" not in headers.get("cookie", "")


def _digits(text: str | None) -> str:
    return text if text is not None and text.isascii() and text.isdigit() else "0"
