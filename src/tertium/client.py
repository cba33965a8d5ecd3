"""A thin client of ``tertium serve``: what its API does, from Python, with the standard library.

>>> client = Client("http://127.0.0.1:8090")
>>> client.address
'http://127.0.0.1:8090'
"""

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener
from uuid import uuid4

from tertium.errors import InputError, OptionError, TertiumError
from tertium.version import __version__

TOKEN: Final = "TERTIUM_TOKEN"  # noqa: S105 (the name of a variable)
"""The environment variable that has the token."""
BLOCK: Final = 1 << 16
ATTEMPTS: Final = 4
"""How often a request that found nobody is sent; its key makes sure that it is done once."""
BUSY: Final = frozenset({429, 502, 503, 504})
OVER: Final = frozenset({"done", "failed", "cancelled"})
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})

Files = Sequence[tuple[str, str, "bytes | Path"]]
"""Field, the file's name, and its bytes or where they are."""


class ServerError(TertiumError):
    """What the server said no to, or that nobody answers; ``status`` is 0 then."""

    def __init__(self, sentence: str, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True)
class Client:
    """A server at an address; ``token`` is by default that of the variable ``TERTIUM_TOKEN``.

    Every answer is the JSON of the API as it is. A token is sent by HTTPS, or to this machine.
    """

    address: str
    token: str | None = field(default=None, repr=False)
    timeout: float = 600.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise OptionError(
                f"address: found {self.address!r}, expected one such as http://127.0.0.1:8090"
            )
        object.__setattr__(self, "address", self.address.rstrip("/"))
        if self.token is None:
            object.__setattr__(self, "token", os.environ.get(TOKEN) or None)
        if self.token and parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise OptionError(
                f"address: found {self.address} with a token, which everybody on the way could "
                "read, expected https://"
            )

    def projects(self) -> Any:
        """The projects that the caller may see."""
        return self.ask("GET", "/projects")

    def create_project(self, name: str, *, note: str = "", slug: str | None = None) -> Any:
        """A new project, of which the caller is the owner."""
        return self.ask("POST", "/projects", {"name": name, "note": note, "slug": slug})

    def test_sets(self, project: str) -> Any:
        """The test sets of a project."""
        return self.ask("GET", _sets(project))

    def create_test_set(
        self,
        project: str,
        name: str,
        references: Sequence[str | Path],
        *,
        sources: str | Path | None = None,
        documents: str | Path | None = None,
        metrics: Sequence[str] = (),
        **about: str,
    ) -> Any:
        """A new test set of files; ``about`` may have languages, licence, note and slug."""
        files = [("references", Path(reference).name, Path(reference)) for reference in references]
        for role, path in (("sources", sources), ("documents", documents)):
            if path is not None:
                files.append((role, Path(path).name, Path(path)))
        fields = {"name": name, **about, **({"metrics": ",".join(metrics)} if metrics else {})}
        return self.send(_sets(project), fields, files)

    def push(
        self,
        project: str,
        test_set: str,
        output: str | Path | Sequence[str],
        *,
        system: str | None = None,
        note: str = "",
        tags: Sequence[str] = (),
        key: str | None = None,
    ) -> Any:
        """Send a system's output: a file in any format, or a list of its segments.

        With a ``key`` of your own, such as the step of a run, the same call does nothing twice.
        """
        if isinstance(output, str | Path):
            path = Path(output)
            files: Files = [("file", path.name, path)]
        else:
            if system is None:
                raise OptionError("system: found none beside a list, expected a name")
            lines = [" ".join(text.splitlines()) for text in output]
            text = "".join(f"{line}\n" for line in lines)
            files = [("file", "output.txt", text.encode())]
        fields = {"system": system or "", "note": note, "tags": ",".join(tags)}
        return self.send(f"{_set(project, test_set)}/outputs", fields, files, key=key)

    def push_scores(
        self,
        project: str,
        test_set: str,
        file: str | Path,
        *,
        name: str = "",
        system: str = "",
    ) -> Any:
        """Send scores that another program computed, a number for every segment."""
        fields = {"name": name, "system": system}
        files = [("file", Path(file).name, Path(file))]
        return self.send(f"{_set(project, test_set)}/scores", fields, files)

    def leaderboard(self, project: str, test_set: str) -> Any:
        """All systems with scores, intervals, rank clusters, and the answer in words."""
        return self.ask("GET", f"{_set(project, test_set)}/leaderboard")

    def systems(self, project: str, test_set: str) -> Any:
        """The systems with all their outputs."""
        return self.ask("GET", f"{_set(project, test_set)}/systems")

    def compare(self, project: str, test_set: str, first: int, second: int) -> Any:
        """The verdict on the second output beside the first, by their numbers in the store."""
        return self.ask("GET", f"{_set(project, test_set)}/comparison/{first}/{second}")

    def search(self, project: str, test_set: str, query: str = "", **how: Any) -> Any:
        """Segments that have a text somewhere; ``how`` may have order, metric, skip and limit."""
        asked = urlencode({"q": query, **how}, doseq=True)
        return self.ask("GET", f"{_set(project, test_set)}/segments?{asked}")

    def audit(self, project: str, test_set: str) -> Any:
        """Audit the newest outputs, wait, and give what was found."""
        job = self.ask("POST", f"{_set(project, test_set)}/audit", {})
        return self.wait(project, job["id"])["result"]

    def report(self, project: str, test_set: str) -> bytes:
        """Make the report of the newest outputs, wait, and give its HTML."""
        job = self.ask("POST", f"{_set(project, test_set)}/report", {})
        self.wait(project, job["id"])
        path = f"/projects/{quote(project, safe='')}/jobs/{job['id']}/file"
        return self._fetched("GET", path, {}, None)

    def wait(self, project: str, job: int, *, pause: float = 0.5) -> Any:
        """A job when it is over; one that failed is an error."""
        end = time.monotonic() + self.timeout
        while True:
            status = self.ask("GET", f"/projects/{quote(project, safe='')}/jobs/{job}")
            if status["state"] == "done":
                return status
            if status["state"] in OVER:
                raise ServerError(f"job {job}: {status['state']}: {status['message']}")
            if time.monotonic() > end:
                raise ServerError(f"job {job}: not done after {self.timeout:g} seconds")
            time.sleep(pause)

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Any request of the API, ``path`` without ``/api/v1``; gives the JSON of the answer."""
        headers, data = {}, None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body).encode()
        answer = self._fetched(method, path, headers, data)
        return json.loads(answer) if answer else None

    def send(
        self, path: str, fields: Mapping[str, str], files: Files, *, key: str | None = None
    ) -> Any:
        """A form with files, which are read piece by piece; sent again if nobody answered."""
        form = _Form(fields, files)
        headers = {
            "content-type": f"multipart/form-data; boundary={form.boundary}",
            "content-length": str(form.size),
            "idempotency-key": key or uuid4().hex,
        }
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return json.loads(self._fetched("POST", path, headers, form))
            except ServerError as error:
                if attempt == ATTEMPTS or error.status not in {0, *BUSY}:
                    raise
                time.sleep(min(self.timeout, 0.5 * 2**attempt))
        raise AssertionError  # the last attempt has raised

    def _fetched(self, method: str, path: str, headers: Mapping[str, str], data: Any) -> bytes:
        request = Request(  # noqa: S310 (the scheme was checked)
            f"{self.address}/api/v1{path}",
            data=data,
            method=method,
            headers={"user-agent": f"tertium/{__version__}", **headers},
        )
        if self.token:
            request.add_unredirected_header("authorization", f"Bearer {self.token}")
        try:
            with _opener(self.address).open(request, timeout=self.timeout) as answer:
                content: bytes = answer.read()
                return content
        except HTTPError as error:
            raise ServerError(f"{self.address}: {_sentence(error)}", error.code) from None
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", None) or error
            raise ServerError(
                f"{self.address}: found nobody ({reason}), expected a server"
            ) from None


class _Form:
    """A form with files as a stream that can be read again and again, of a known size."""

    def __init__(self, fields: Mapping[str, str], files: Files) -> None:
        # The same form is the same bytes: a key that is sent again knows its request by them.
        told = repr((dict(fields), [(name, file) for name, file, _ in files]))
        self.boundary = sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        self._parts: list[tuple[bytes, bytes | Path]] = []
        for name, value in fields.items():
            self._parts.append((self._head(name), value.encode()))
        for name, file, data in files:
            if isinstance(data, Path) and not data.is_file():
                raise InputError(f"{data}: found no file, expected one to send")
            self._parts.append((self._head(name, file), data))
        self._end = f"--{self.boundary}--\r\n".encode()
        sizes = (
            len(head) + (data.stat().st_size if isinstance(data, Path) else len(data)) + 2
            for head, data in self._parts
        )
        self.size = sum(sizes) + len(self._end)

    def __iter__(self) -> Iterator[bytes]:
        for head, data in self._parts:
            yield head
            if isinstance(data, Path):
                with data.open("rb") as stream:
                    while block := stream.read(BLOCK):
                        yield block
            else:
                yield data
            yield b"\r\n"
        yield self._end

    def _head(self, name: str, file: str | None = None) -> bytes:
        told = "" if file is None else f'; filename="{_quoted(file)}"'
        return (
            f'--{self.boundary}\r\ncontent-disposition: form-data; name="{name}"{told}\r\n\r\n'
        ).encode()


def _quoted(name: str) -> str:
    """A file's name as browsers write it into a form."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


class _NoRedirect(HTTPRedirectHandler):
    """Another address might be somebody else's."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _opener(address: str) -> OpenerDirector:
    own = urlsplit(address).hostname in LOOPBACK
    handlers: list[Any] = [_NoRedirect(), *([ProxyHandler({})] if own else [])]
    return build_opener(*handlers)


def _sentence(error: HTTPError) -> str:
    """What the server says in its answer."""
    try:
        return str(json.loads(error.read())["error"])
    except (ValueError, KeyError, TypeError, OSError):
        return f"found the answer {error.code}, expected that of a tertium server"


def _sets(project: str) -> str:
    return f"/projects/{quote(project, safe='')}/test-sets"


def _set(project: str, test_set: str) -> str:
    return f"{_sets(project)}/{quote(test_set, safe='')}"
