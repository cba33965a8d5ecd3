"""Several callers who send requests to several servers at the same moment."""

import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from tests.support.commands import PATIENCE

CALLERS = 8
IDLE = 1.0
"""Seconds after which a connection is not used again: servers close those that wait."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a caller was answered."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict, repr=False)


@dataclass(slots=True)
class Caller:
    """A connection to one server, with a token or a cookie."""

    address: str
    token: str = ""
    cookie: str = ""
    _connection: HTTPConnection | None = None
    _used: float = 0.0

    def connect(self) -> None:
        """Connect beforehand, so that a race begins with the request itself."""
        if time.monotonic() - self._used > IDLE:
            self.close()
        if self._connection is None:
            self._connection = HTTPConnection(urlsplit(self.address).netloc, timeout=PATIENCE)
            self._connection.connect()
            self._used = time.monotonic()

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        form: dict[str, str] | None = None,
        files: dict[str, bytes] | None = None,
        key: str = "",
    ) -> Reply:
        """Send JSON, or a form with files; read the whole answer."""
        self.connect()
        assert self._connection is not None
        headers = {"origin": self.address.rstrip("/")}
        data = None
        if form is not None or files is not None:
            edge = uuid4().hex
            headers["content-type"] = f"multipart/form-data; boundary={edge}"
            data = _form(edge, form or {}, files or {})
        elif body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body).encode()
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        if self.cookie:
            headers["cookie"] = self.cookie
        if key:
            headers["idempotency-key"] = key
        self._connection.request(method, path, data, headers)
        response = self._connection.getresponse()
        text = response.read()
        self._used = time.monotonic()
        given = {name.lower(): value for name, value in response.getheaders()}
        parsed = text.decode()
        if given.get("content-type", "").startswith("application/json") and text:
            parsed = json.loads(text)
        return Reply(response.status, parsed, given)

    def follow(self, link: str) -> None:
        """Come in by a link, whichever server made it."""
        reply = self.send("GET", urlsplit(link).path)
        assert reply.status == 303, reply
        self.cookie = reply.headers["set-cookie"].partition(";")[0]

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def at_once(callers: Sequence[Caller], ask: Callable[[Caller, int], Reply]) -> list[Reply]:
    """Let all callers ask at the same moment; ``ask`` is told the caller and its number."""
    barrier = Barrier(len(callers))

    def run(number: int) -> Reply:
        callers[number].connect()
        barrier.wait()
        return ask(callers[number], number)

    try:
        with ThreadPoolExecutor(len(callers)) as pool:
            replies = list(pool.map(run, range(len(callers))))
    finally:
        for caller in callers:
            caller.close()
    assert [one for one in replies if one.status >= 500] == []
    return replies


def statuses(replies: Sequence[Reply]) -> list[int]:
    """The statuses, the best first."""
    return sorted(one.status for one in replies)


def _form(edge: str, form: dict[str, str], files: dict[str, bytes]) -> bytes:
    parts = [
        f'--{edge}\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in form.items()
    ]
    parts += [
        f'--{edge}\r\ncontent-disposition: form-data; name="{name}"; filename="{name}.txt"\r\n\r\n'
        .encode() + data + b"\r\n"
        for name, data in files.items()
    ]  # fmt: skip
    return b"".join([*parts, f"--{edge}--\r\n".encode()])
