"""Logs for programs: one JSON object on a line, never a text, a password or a token."""

import asyncio
import errno
import json
import logging
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tertium.errors import InputError, OptionError
from tertium.serve.accounts.users import any_users
from tertium.serve.memory import limit_arenas
from tertium.serve.settings import Settings, TrustedProxies, is_loopback
from tertium.serve.store.connection import Store

if TYPE_CHECKING:
    from fastapi import FastAPI


KNOWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}

MINUTE: Final = 60
CAUSED_BY_CLIENTS: Final = ("tertium.serve.connections", "uvicorn.error", "asyncio")
"""Loggers whose records a client can cause as often as it likes."""


class JsonLines(logging.Formatter):
    """A record as JSON: time, level, message, and what was given as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        values = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in KNOWN},
        }
        if record.exc_info:
            values["error"] = self.formatException(record.exc_info)
        return json.dumps(values, ensure_ascii=False, default=str)


class OncePerMinute(logging.Filter):
    """Lets a message through once a minute, with how often it was suppressed since.

    For what clients cause at will: connections that are refused, requests that are no HTTP.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._shown: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is the first of its kind in a minute."""
        if record.levelno < logging.WARNING:
            return True
        key = (record.name, str(record.msg))
        moment = self._clock()
        shown, suppressed = self._shown.get(key, (moment - MINUTE, 0))
        if moment - shown < MINUTE:
            self._shown[key] = (shown, suppressed + 1)
            return False
        self._shown[key] = (moment, 0)
        if suppressed:
            record.suppressed = suppressed
        return True


def set_up_logs(level: int = logging.INFO) -> None:
    """Write logs of the server and its workers to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("tertium.serve").setLevel(level)
    for name in CAUSED_BY_CLIENTS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, OncePerMinute) for one in logger.filters):
            logger.addFilter(OncePerMinute())


LOG: Final = logging.getLogger("tertium.serve.connections")

BODY_RATE: Final = 1000
"""Bytes of a body that extend its deadline by a second."""
STALLED: Final = 120
"""Seconds that a client may leave its answer unread."""
RESERVED: Final = 256
"""Descriptors for the store, workers and files; at most half of what the process may open."""
MOST_DESCRIPTORS: Final = 65_536
PAUSE: Final = 0.5
"""Seconds before accepting is tried again."""
EXHAUSTED: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
TIMED_OUT: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def raise_descriptor_limit() -> int:
    """Let the process open as many files as the system allows it; the number."""
    try:
        import resource
    except ImportError:  # Windows, where sockets are not counted among files
        return MOST_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # macOS allows less than it says
        return soft
    return wanted


class ConnectionTable:
    """The open connections: how many of each address, and which have waited longest.

    Args:
        capacity: connections of all addresses.
        per_address: connections of one address.
        proxies: addresses without a limit of their own.
    """

    def __init__(self, *, capacity: int, per_address: int, proxies: TrustedProxies) -> None:
        self._capacity = capacity
        self._per_address = per_address
        self._proxies = proxies
        self._addresses: dict[DeadlineProtocol, str] = {}
        self._counts: Counter[str] = Counter()
        self._waiting: dict[DeadlineProtocol, None] = {}  # the longest first

    @classmethod
    def for_descriptors(cls, descriptors: int, settings: Settings) -> "ConnectionTable":
        """A table for a process that may open so many files."""
        return cls(
            capacity=max(1, descriptors - min(RESERVED, descriptors // 2)),
            per_address=settings.connections_per_address,
            proxies=settings.proxies,
        )

    def admits(self, address: str) -> bool:
        """Whether one more may come from an address, after another made room if one has to."""
        limited = address not in self._proxies
        if limited and self._counts[address] >= self._per_address and not self.evict(address):
            LOG.warning("connection refused: too many of one address", extra={"address": address})
            return False
        if len(self._addresses) >= self._capacity and not self.evict():
            LOG.warning("connection refused: too many", extra={"open": len(self._addresses)})
            return False
        return True

    def evict(self, address: str | None = None) -> bool:
        """Close the connection that has waited longest, of all or of an address, if any waits."""
        for protocol in self._waiting:
            if address is None or self._addresses[protocol] == address:
                LOG.warning(
                    "waiting connection closed to make room",
                    extra={"address": self._addresses[protocol], "open": len(self._addresses)},
                )
                self.remove(protocol)
                protocol.transport.abort()
                return True
        return False

    def add(self, protocol: "DeadlineProtocol", address: str) -> None:
        """Count a new connection."""
        self._addresses[protocol] = address
        self._counts[address] += 1
        self._waiting[protocol] = None

    def remove(self, protocol: "DeadlineProtocol") -> None:
        """Forget a connection that was closed, once or twice."""
        self._waiting.pop(protocol, None)
        address = self._addresses.pop(protocol, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def set_busy(self, protocol: "DeadlineProtocol", *, busy: bool) -> None:
        """Note whether a request is being answered, so that nothing else takes its connection."""
        if busy:
            self._waiting.pop(protocol, None)
        elif protocol in self._addresses:
            self._waiting.setdefault(protocol)


class DeadlineProtocol(H11Protocol):
    """HTTP/1.1 whose clients have to finish what they begin."""

    def __init__(self, *args: Any, table: ConnectionTable, timeout: float, **options: Any) -> None:
        super().__init__(*args, **options)
        self._table = table
        self._timeout = timeout
        self._timer: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._receives_body = False
        self._began = 0.0
        self._received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for headers."""
        super().connection_made(transport)
        self._table.add(self, self.client[0] if self.client else "")
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        self._table.remove(self)
        self._stop_timer()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what comes; the first byte of a later request starts its clock."""
        self._received += len(data)
        if self._timer is None and not self._busy:
            self._start_timer()
        super().data_received(data)
        self._update()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._update(answered=True)

    def pause_writing(self) -> None:
        """Give the client some time to read."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALLED, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    @property
    def _busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _update(self, *, answered: bool = False) -> None:
        """Start and stop the clock, as the events so far say."""
        if self.transport.is_closing():
            return
        self._table.set_busy(self, busy=self._busy)
        receives_body = self._busy and self.cycle.more_body
        if receives_body and not self._receives_body:
            self._start_timer()
        elif self._busy and not receives_body:
            self._stop_timer()
        elif answered and not self._busy:
            # The keep-alive timeout runs, unless the rest of a body or a next request has begun.
            self._stop_timer()
            if self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]:
                self._start_timer()
        self._receives_body = receives_body

    def _start_timer(self) -> None:
        self._stop_timer()
        self._began = self.loop.time()
        self._received = 0
        self._timer = self.loop.call_later(self._timeout, self._check)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        """Close a connection whose request did not come in time."""
        if self._receives_body:
            if self.flow.read_paused or self.cycle.waiting_for_100_continue:
                self._start_timer()  # it is the application that lets the client wait
                return
            left = self._began + self._timeout + self._received / BODY_RATE - self.loop.time()
            if left > 0:
                self._timer = self.loop.call_later(left, self._check)
                return
        self._timer = None
        LOG.warning(
            "connection closed: the request did not come in time",
            extra={
                "address": self.client[0] if self.client else "",
                "part": "body" if self._receives_body else "headers",
            },
        )
        self._table.remove(self)
        if self.transport.get_write_buffer_size():
            self.transport.abort()
            return
        if not (self._receives_body and self.cycle.response_started):
            self.transport.write(TIMED_OUT)
        self.transport.close()


async def accept_connections(
    listener: socket.socket, table: ConnectionTable, protocol: Callable[[], asyncio.Protocol]
) -> None:
    """Hand each connection to a protocol of its own, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        try:
            connection, address = await loop.sock_accept(listener)
        except OSError as error:
            if error.errno in EXHAUSTED:
                LOG.error("connection not accepted: %s", error.strerror)  # noqa: TRY400 - no fault of the code
                # The descriptor of what is closed is free in the loop's next turn.
                await asyncio.sleep(0 if table.evict() else PAUSE)
            continue  # else: the client went away before
        if not table.admits(address[0]):
            connection.close()
            continue
        try:
            await loop.connect_accepted_socket(protocol, connection)
        except OSError as error:
            LOG.warning("connection not accepted: %s", error.strerror)
            connection.close()


GRACE = 10
"""Seconds that requests under way may take when the server is told to stop."""


def checked_settings(store: Store, settings: Settings) -> Settings:
    """Settings that are safe for this store: open on loopback only, and without accounts."""
    with store.reading() as session:
        accounts = any_users(session)
    if not is_loopback(settings.host) and not accounts:
        raise OptionError(
            f"host {settings.host}: found no accounts in {store.name}, expected one before others "
            "can reach the server; add it by 'tertium serve user add NAME --admin'"
        )
    if settings.secure and not accounts:
        raise OptionError(
            f"--secure: found no accounts in {store.name}, expected one before a proxy lets others "
            "in; add it by 'tertium serve user add NAME --admin'"
        )
    return replace(settings, open=is_loopback(settings.host) and not accounts)


def run_server(store: Store, settings: Settings, *, announce: Callable[[str], object]) -> None:
    """Serve until SIGINT or SIGTERM, then finish what is under way.

    Args:
        store: what is served.
        settings: how; port 0 takes any that is free.
        announce: is told the address as soon as it can be asked.
    """
    from tertium.serve.web.app import make_app

    limit_arenas()
    settings = checked_settings(store, settings)
    listener = _listener(settings)
    port = listener.getsockname()[1]
    settings = replace(settings, port=port)
    set_up_logs()
    server = make_server(make_app(store, settings), listener)
    # uvicorn raises the signal once more when it has stopped; by then it has been heeded.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    announce(f"http://{host}:{port}{settings.root_path}/")
    server.run(sockets=[listener])


def make_server(app: "FastAPI", listener: socket.socket, **options: Any) -> "uvicorn.Server":
    """A server for an application; run it with ``server.run([listener])``.

    Args:
        app: as ``make_app`` makes it.
        listener: where connections come from.
        options: further ones of ``uvicorn.Config``.
    """
    settings: Settings = app.state.settings
    table = ConnectionTable.for_descriptors(raise_descriptor_limit(), settings)

    class Server(uvicorn.Server):
        """Accepts by a loop of our own, and tells those who follow a job that the server stops."""

        accepting: asyncio.Task[None]

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=[])
            listener.setblocking(False)
            make_protocol = partial(
                DeadlineProtocol,
                config=self.config,
                server_state=self.server_state,
                app_state=self.lifespan.state,
                table=table,
                timeout=settings.request_timeout,
            )
            self.accepting = asyncio.create_task(accept_connections(listener, table, make_protocol))

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            self.accepting.cancel()
            await super().shutdown(sockets)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            app.state.stopping.set()
            super().handle_exit(sig, frame)

    usual = {
        "loop": "asyncio",
        "http": DeadlineProtocol,
        "ws": "none",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,  # `web.proxies` reads them
        "timeout_graceful_shutdown": GRACE,
    }
    return Server(uvicorn.Config(app, **{**usual, **options}))


def _listener(settings: Settings) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        raise InputError(
            f"{settings.host}:{settings.port}: cannot be listened at: {error.strerror}"
        ) from None
