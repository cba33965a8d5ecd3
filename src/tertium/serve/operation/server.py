"""A running server: one address, a graceful stop."""

import asyncio
import signal
import socket
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, OptionError
from tertium.serve.accounts.users import any_users
from tertium.serve.operation.logs import set_up_logs
from tertium.serve.operation.settings import Settings, is_loopback
from tertium.serve.store.connection import Store

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

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
    import uvicorn

    from tertium.serve.operation.connections import (
        ConnectionTable,
        DeadlineProtocol,
        accept_connections,
        raise_descriptor_limit,
    )

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
