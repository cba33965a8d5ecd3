"""A server in a thread of the test, which a browser can reach."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import FastAPI

from tertium.serve.server import make_server
from tests.support.serve.waiting import wait_until


@contextmanager
def listening(app: FastAPI) -> Iterator[str]:
    """The address of an application that listens on loopback, at any free port."""
    place = socket.socket()
    place.bind(("127.0.0.1", 0))
    place.listen(2048)
    server = make_server(
        app, place, log_level="warning", lifespan="off", timeout_graceful_shutdown=2
    )
    thread = threading.Thread(target=server.run, args=([place],), daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
    finally:
        app.state.stopping.set()
        server.should_exit = True
        thread.join(30)
        place.close()
