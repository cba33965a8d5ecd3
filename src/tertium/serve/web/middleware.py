"""What every request passes: proxies, log and metrics, limits, security headers."""

import gzip
import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import func, select
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tertium.serve.settings import Settings, is_loopback
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import (
    AnnotationEvent,
    Job,
    Output,
    Project,
    RatingEvent,
    StoredText,
    TestSet,
    User,
)
from tertium.serve.web.access import Buckets
from tertium.serve.web.errors import answer

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


CONNECTIONS_LOG: Final = logging.getLogger("tertium.serve.connections")
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
            CONNECTIONS_LOG.warning(
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


COUNTED = {
    "projects": Project,
    "test_sets": TestSet,
    "outputs": Output,
    "texts": StoredText,
    "users": User,
    "rating_events": RatingEvent,
    "annotation_events": AnnotationEvent,
}


class Metrics:
    """The numbers of one server; routes are named by their pattern, never by what was asked."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "tertium_requests",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "tertium_request_seconds",
            "Time until the answer was sent, by route.",
            ("method", "route"),
            registry=self._registry,
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60),
        )
        self._registry.register(StoreNumbers(store))

    def saw(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        """All numbers, in Prometheus' words."""
        return generate_latest(self._registry)


class StoreNumbers(Collector):
    """What is in the store, counted whenever somebody asks."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing: the store is not asked before somebody wants to know."""
        return iter(())

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The numbers."""
        with self._store().reading() as session:
            states = session.execute(select(Job.state, func.count()).group_by(Job.state)).all()
            counts = {
                name: session.scalar(select(func.count()).select_from(table)) or 0
                for name, table in COUNTED.items()
            }
        jobs = GaugeMetricFamily("tertium_jobs", "Jobs by state.", labels=["state"])
        for state, number in states:
            jobs.add_metric([state], number)
        yield jobs
        rows = GaugeMetricFamily("tertium_stored", "Rows in the store by kind.", labels=["kind"])
        for name, number in counts.items():
            rows.add_metric([name], number)
        yield rows


REQUESTS_LOG: Final = logging.getLogger("tertium.serve.requests")
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
            REQUESTS_LOG.info(
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


LEAST_COMPRESSED: Final = 1_000
MOST_COMPRESSED: Final = 4_000_000
"""Bytes of an answer; larger ones would let everybody else wait for the processor."""
COMPRESSED: Final = ("text/html", "text/css", "text/javascript", "text/plain", "application/json")
"""Types that shrink. Streams of events are not among them: each event is to arrive at once."""
PLAIN_QUERY: Final = re.compile(rb"(?:[a-z_]+=[0-9]*(?:&|$))*")


def takes_gzip(headers: Mapping[str, str]) -> bool:
    """Whether a client understands gzip.

    >>> takes_gzip({"accept-encoding": "br, gzip;q=0.8"})
    True
    >>> takes_gzip({"accept-encoding": "gzip;q=0"})
    False
    """
    for entry in headers.get("accept-encoding", "").lower().split(","):
        name, _, quality = entry.partition(";")
        if name.strip() == "gzip":
            return quality.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


class Compress:
    """Compresses answers that have nothing of the request's own words in them.

    The length of a compressed answer tells whether words that an attacker lets a victim's browser
    send also stand elsewhere in it (BREACH). So only ``GET`` is compressed, and only where its
    query is made of numbers; what shows a secret answers ``POST`` and stays as it is.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] != "http"
            or scope["method"] != "GET"
            or not PLAIN_QUERY.fullmatch(scope["query_string"])
            or not takes_gzip(Headers(scope=scope))
        ):
            await self._app(scope, receive, send)
            return
        start: Message | None = None

        async def compressing(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message  # until the body shows whether it is compressed
                return
            if start is not None:
                body = message.get("body", b"")
                whole = not message.get("more_body", False)
                if whole and _shrinks(Headers(raw=start["headers"]), len(body)):
                    body = await run_in_threadpool(gzip.compress, body, 5, mtime=0)
                    headers = MutableHeaders(scope=start)
                    headers["content-encoding"] = "gzip"
                    headers["content-length"] = str(len(body))
                    headers.add_vary_header("accept-encoding")
                    if "etag" in headers:  # of other bytes
                        headers["etag"] = f"W/{headers['etag'].removeprefix('W/')}"
                    message = {**message, "body": body}
                await send(start)
                start = None
            await send(message)

        await self._app(scope, receive, compressing)


def _shrinks(headers: Headers, size: int) -> bool:
    return (
        LEAST_COMPRESSED <= size <= MOST_COMPRESSED
        and "content-encoding" not in headers
        and headers.get("content-type", "").partition(";")[0] in COMPRESSED
    )
