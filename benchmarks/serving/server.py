"""`tertium serve` as a process that can be killed, and a plain client of it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

PATIENCE = 300.0
"""Seconds to wait for a server that starts."""


WORDS = "the port of Rostock will grow by two new berths and a rail terminal until 2029"


IDLE = 2.0
"""Seconds after which a connection is not used again."""


class NotAnsweredError(Exception):
    """The server was gone before it answered, or said that its store is."""


class RefusedError(Exception):
    """The server answered, and said no."""


@dataclass(slots=True)
class Server:
    """A server at one port, over one store, started again whenever it is told to."""

    place: str
    log: Path
    workers: int = 1
    port: int = 0
    process: "subprocess.Popen[str] | None" = None

    def __post_init__(self) -> None:
        if not self.port:
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.port = free.getsockname()[1]

    def start(self) -> None:
        """Start it, and return when it listens."""
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tertium", "serve", "--store", self.place,
                 "--port", str(self.port), "--workers", str(self.workers)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )  # fmt: skip
        if not self._first_line().startswith("http://"):
            raise SystemExit(f"the server did not start: {self.log.read_text(encoding='utf-8')}")

    def kill(self, which: str) -> None:
        """End the server, its workers, or both by SIGKILL; a server that is gone is started."""
        workers = children(self._running.pid)
        if which != "workers":
            self._running.kill()
            self._running.communicate()
        if which != "server":
            for one in workers:
                _kill(one)
        if which != "workers":
            self.start()

    def stop(self) -> int:
        """Let it stop by itself; its status."""
        self._running.send_signal(signal.SIGTERM)
        self._running.communicate()
        return self._running.returncode

    def memory(self) -> int:
        """Bytes that the server and its workers hold."""
        return sum(self.memories())

    def memories(self) -> tuple[int, int]:
        """Bytes that the server holds, and bytes that its workers hold."""
        number = self._running.pid
        return _resident(number), sum(map(_resident, children(number)))

    def processor(self) -> float:
        """Seconds that processors have worked for the server itself."""
        stat = Path(f"/proc/{self._running.pid}/stat").read_text(encoding="utf-8")
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @property
    def _running(self) -> "subprocess.Popen[str]":
        if self.process is None:
            raise SystemExit("server: was not started")
        return self.process

    def _first_line(self) -> str:
        return "" if self._running.stdout is None else self._running.stdout.readline()


def _kill(number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)


def children(number: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(fields[1]) == number:
            found.append(int(path.parent.name))
    return found


def _resident(number: int) -> int:
    try:
        pages = Path(f"/proc/{number}/statm").read_text(encoding="utf-8").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@dataclass(slots=True)
class Client:
    """One person's connection, kept open."""

    port: int
    cookie: str = ""
    _connection: HTTPConnection | None = field(default=None, repr=False)
    _used: float = 0.0

    def get(self, path: str) -> bytes:
        """A page, as a browser asks for it."""
        return self._ask("GET", path, None, {})[0]

    def follow(self, link: str) -> None:
        """Come in by a link."""
        _, headers = self._ask("GET", urlsplit(link).path, None, {})
        self.cookie = next(
            value.partition(";")[0] for name, value in headers if name.lower() == "set-cookie"
        )

    def send(self, method: str, path: str, body: Any = None, *, key: str = "") -> Any:
        """The answer to a request with JSON."""
        headers = {"content-type": "application/json"} if body is not None else {}
        if key:
            headers["idempotency-key"] = key
        data = None if body is None else json.dumps(body).encode()
        answer, _ = self._ask(method, path, data, headers)
        return json.loads(answer) if answer else None

    def upload(
        self, path: str, fields: dict[str, str], files: dict[str, bytes], *, key: str = ""
    ) -> Any:
        """The answer to a form with files."""
        # Sent again with its key, a form must be the same bytes.
        edge = key or uuid4().hex
        parts = []
        for name, value in fields.items():
            parts.append(
                f'--{edge}\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}'
            )
        for name, data in files.items():
            head = f'--{edge}\r\ncontent-disposition: form-data; name="{name}"; filename="x.txt"'
            parts.append(f"{head}\r\n\r\n{data.decode()}")
        body = "\r\n".join([*parts, f"--{edge}--\r\n"]).encode()
        headers = {"content-type": f"multipart/form-data; boundary={edge}"}
        if key:
            headers["idempotency-key"] = key
        answer, _ = self._ask("POST", path, body, headers)
        return json.loads(answer)

    def patiently(self, what: Any) -> Any:
        """Ask again and again while the server is gone; what it is asked must bear that."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return what()
            except NotAnsweredError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[bytes, list[tuple[str, str]]]:
        # A server closes idle connections; a caller that returns opens a new one.
        if self._connection is not None and time.monotonic() - self._used > IDLE:
            self._connection.close()
            self._connection = None
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        sent = {"origin": f"http://127.0.0.1:{self.port}", **headers}
        if self.cookie:
            sent["cookie"] = self.cookie
        try:
            self._connection.request(method, path, body, sent)
            response = self._connection.getresponse()
            answer = response.read()
        except (OSError, HTTPException) as error:
            self._connection.close()
            self._connection = None
            raise NotAnsweredError(str(error)) from None
        self._used = time.monotonic()
        if response.status == 503:
            raise NotAnsweredError(f"{method} {path}: 503 {answer[:300]!r}")
        if response.status >= 400:
            raise RefusedError(f"{method} {path}: {response.status} {answer[:300]!r}")
        return answer, response.getheaders()


def lines(segments: int, seed: int) -> Iterator[str]:
    """Some text of about twenty words a line."""
    words = WORDS.split()
    for number in range(segments):
        shift = (number * 7 + seed) % len(words)
        yield f"{number} {' '.join(words[shift:] + words[:shift])} {number * seed % 997}"


def text(segments: int, seed: int) -> bytes:
    """The same as a file."""
    return "".join(f"{line}\n" for line in lines(segments, seed)).encode()
