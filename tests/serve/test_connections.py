"""Slow, half-open and too many connections: the server answers others, and its log stays small."""

import json
import logging
import socket
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")

from tertium.serve.server import ConnectionTable, OncePerMinute
from tertium.serve.settings import Settings
from tests.support.commands import python
from tests.support.serve.processes import Running, served

unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of descriptors")
PATIENCE = 120
"""Seconds that a loaded machine may take for what is done at once."""
HALF_HEADERS = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
HALF_BODY = (
    b"POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\n"
    b"content-length: 100\r\n\r\n{"
)
HALF_FORM = HALF_BODY.replace(b"application/json", b"multipart/form-data; boundary=x")
WHOLE = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def quick_server(folder: Path, *flags: str) -> Iterator[Running]:
    """A server that may open 128 files and waits a second for each request."""
    store = ("--store", str(folder / "team.db"), "--workers", "0")
    with served(folder, *store, "--request-timeout", "1", *flags, descriptors=(128, 128)) as server:
        yield server


def connected(server: Running, text: bytes = b"") -> socket.socket:
    """A connection that has sent a text."""
    parts = urlsplit(server.address)
    connection = socket.create_connection((parts.hostname, parts.port or 0), PATIENCE)
    connection.sendall(text)
    return connection


def received(connection: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    text = b""
    try:
        while block := connection.recv(65536):
            text += block
    except ConnectionResetError:
        pass
    return text


def healthy(server: Running) -> bool:
    with urllib.request.urlopen(f"{server.address}health", timeout=PATIENCE) as answer:  # noqa: S310
        return bool(answer.read() == b"ok\n")


@unix
@pytest.mark.slow
@pytest.mark.parametrize("text", [b"", HALF_HEADERS], ids=["nothing sent", "half of the headers"])
def test_a_flood_of_half_open_connections_does_not_stop_the_server(
    tmp_path: Path, text: bytes
) -> None:
    """More of them than the process has descriptors; others are answered all the while."""
    with quick_server(tmp_path) as server, ExitStack() as opened:
        flood = []
        for number in range(300):
            flood.append(opened.enter_context(connected(server)))
            try:
                flood[-1].sendall(text)
            except OSError:
                continue  # it made room for a later one already
            if number % 50 == 49:
                assert healthy(server)
        for connection in flood:
            assert received(connection) in {b"", TIMED_OUT}
        assert healthy(server)
        log = server.log.read_text(encoding="utf-8")
        assert len(log) < 10_000
        records = [json.loads(line) for line in log.splitlines()]
        warnings = [record["message"] for record in records if record["level"] != "info"]
        assert len(warnings) == len(set(warnings))


TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


@unix
@pytest.mark.slow
def test_requests_have_deadlines(tmp_path: Path) -> None:
    with quick_server(tmp_path) as server:
        # Headers, on a new connection and on one that was used before.
        with connected(server, HALF_HEADERS) as connection:
            assert received(connection) == TIMED_OUT
        with connected(server, WHOLE + HALF_HEADERS) as connection:
            answers = received(connection)
            assert answers.startswith(b"HTTP/1.1 200 OK")
            assert answers.endswith(b"ok\n" + TIMED_OUT)
        # A byte now and then does not extend the deadline of headers, nor of a body by much.
        for text in (HALF_HEADERS + b"x-slow: ", HALF_BODY, HALF_FORM):
            with connected(server, text) as connection:
                connection.settimeout(0.2)
                answer = b""
                for _ in range(PATIENCE * 5):
                    try:
                        connection.sendall(b" ")
                        answer = connection.recv(1000)
                        break
                    except TimeoutError:
                        continue
                    except OSError:
                        break
                else:
                    pytest.fail("the connection was never closed")
                assert answer in {b"", TIMED_OUT}
        assert healthy(server)
        log = server.log.read_text(encoding="utf-8")
        assert "Traceback" not in log
        assert "did not come in time" in log


@unix
@pytest.mark.slow
def test_a_body_that_keeps_coming_is_not_cut_off(tmp_path: Path) -> None:
    """Longer than the deadline, but at more than 1,000 bytes a second."""
    body = json.dumps({"name": "Slow", "note": "x" * 15_000}).encode()
    head = (
        f"POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\n"
        f"connection: close\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    with quick_server(tmp_path) as server, connected(server, head.encode()) as connection:
        for start in range(0, len(body), 5000):
            connection.sendall(body[start : start + 5000])
            time.sleep(0.6)
        assert received(connection).startswith(b"HTTP/1.1 201 Created")


@unix
@pytest.mark.slow
def test_an_address_has_a_limit_of_connections(tmp_path: Path) -> None:
    """The one that has waited longest makes room; a busy one stays."""
    with (
        quick_server(tmp_path, "--connections-per-address", "2") as server,
        connected(server, HALF_BODY) as busy,
        connected(server, HALF_HEADERS) as waiting,
    ):
        assert healthy(server)
        assert received(waiting) in {b"", TIMED_OUT}
        assert received(busy) == TIMED_OUT


EXHAUSTED = """
import asyncio, itertools, logging, os, resource, socket
from tertium.serve import server as connections
from tertium.serve.settings import Settings

listener = socket.create_server(("127.0.0.1", 0))
listener.setblocking(False)
client = socket.create_connection(listener.getsockname())  # accepted by the system, not by us
messages = []
handler = logging.Handler()
handler.emit = lambda record: messages.append(record.getMessage())
connections.LOG.addHandler(handler)
connections.LOG.propagate = False

class Greeting(asyncio.Protocol):
    def connection_made(self, transport):
        transport.write(b"hello")
        transport.close()

async def main():
    table = connections.ConnectionTable.for_descriptors(1000, Settings())
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    held = []
    try:
        while True:
            held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        pass
    accepting = asyncio.create_task(
        connections.accept_connections(listener, table, Greeting)
    )
    await asyncio.sleep(2.2 * connections.PAUSE)
    failed = len(messages)
    for descriptor in held:
        os.close(descriptor)
    client.setblocking(False)
    said = await asyncio.get_running_loop().sock_recv(client, 100)
    accepting.cancel()
    print(set(messages), 1 <= failed <= 4, said)

asyncio.run(main())
"""


@unix
def test_accepting_pauses_where_there_is_no_descriptor() -> None:
    """And goes on once there is; a loop that spins would have logged thousands of times."""
    ended = python("-c", EXHAUSTED)
    assert ended.out == "{'connection not accepted: Too many open files'} True b'hello'\n", (
        ended.err
    )


@unix
def test_the_limit_of_descriptors_is_raised() -> None:
    code = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 200))\n"
        "from tertium.serve.server import raise_descriptor_limit\n"
        "print(raise_descriptor_limit(), resource.getrlimit(resource.RLIMIT_NOFILE))\n"
    )
    assert python("-c", code).out == "200 (200, 200)\n"


@pytest.mark.parametrize(("descriptors", "capacity"), [(1, 1), (128, 64), (1024, 768)])
def test_descriptors_are_left_for_the_store(descriptors: int, capacity: int) -> None:
    table = ConnectionTable.for_descriptors(descriptors, Settings())
    assert vars(table)["_capacity"] == capacity


def test_a_message_is_logged_once_a_minute() -> None:
    moment = 0.0
    once = OncePerMinute(lambda: moment)

    def shown(message: str, level: int = logging.WARNING) -> dict[str, object] | None:
        record = logging.LogRecord("asyncio", level, "", 0, message, (), None)
        return vars(record) if once.filter(record) else None

    assert shown("no descriptor")
    assert shown("no descriptor") is None
    assert shown("another")
    assert shown("started", logging.INFO)
    assert shown("started", logging.INFO)
    moment = 59.0
    assert shown("no descriptor") is None
    moment = 61.0
    later = shown("no descriptor")
    assert later is not None
    assert later["suppressed"] == 2
