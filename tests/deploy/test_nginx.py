"""`deploy/nginx.conf` before a real server, with a real nginx, on loopback."""

import json
import ssl
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")

from tertium.serve.accounts.users import add_user
from tertium.serve.store.connection import open_store
from tests.support.serve.nginx import NGINX, OPENSSL, proxied
from tests.support.serve.processes import served

PATIENCE = 120
PASSWORD = "correct horse"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(NGINX is None, reason="no nginx on this machine"),
    pytest.mark.skipif(OPENSSL is None, reason="no openssl on this machine"),
]


class Visitor:
    """A browser at an address of its own; all of 127.0.0.0/8 is this machine."""

    def __init__(self, port: int, source: str, certificate: Path) -> None:
        self._origin = f"https://localhost:{port}"
        self._port = port
        self._source = source
        self._context = ssl.create_default_context(cafile=str(certificate))
        self._cookie = ""

    def ask(self, method: str, path: str, value: object = None) -> tuple[HTTPResponse, str]:
        """The answer and its body; cookies are kept."""
        connection = HTTPSConnection(
            "localhost",
            self._port,
            timeout=PATIENCE,
            source_address=(self._source, 0),
            context=self._context,
        )
        headers = {"origin": self._origin, "x-forwarded-for": "192.0.2.77"}  # made up
        if self._cookie:
            headers["cookie"] = self._cookie
        body = None if value is None else json.dumps(value)
        if body:
            headers["content-type"] = "application/json"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        self._cookie = answer.headers.get("set-cookie", self._cookie).partition(";")[0]
        connection.close()
        return answer, text

    def log_in(self, root: str, password: str) -> tuple[int, str]:
        """The status and what is said."""
        answer, text = self.ask(
            "POST", f"{root}/api/v1/session", {"name": "ann", "password": password}
        )
        return answer.status, text


@pytest.mark.parametrize("root", ["", "/tertium"])
def test_a_team_works_behind_nginx(tmp_path: Path, root: str) -> None:
    """Login at a port of its own, cookies, redirects, streams; limits by the client's address."""
    store = open_store(tmp_path / "team.db")
    with store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    store.close()
    flags = ["--store", str(tmp_path / "team.db"), "--workers", "0", "--secure"]
    flags += ["--trusted-proxy", "127.0.0.1", *(["--root-path", root] if root else [])]
    with (
        served(tmp_path, *flags) as server,
        proxied(tmp_path, server.address, root) as (port, certificate),
    ):
        ann = Visitor(port, "127.0.0.2", certificate)
        answer, _ = ann.ask("GET", f"{root}/account")
        assert answer.headers["location"] == f"{root}/login?next={root}/account"
        # The origin has a port, which `$host` would drop.
        assert ann.log_in(root, PASSWORD) == (204, "")
        answer, text = ann.ask("GET", f"{root}/account")
        assert answer.status == 200
        assert f'href="{root}/static/serve.css"' in text
        assert ann.ask("GET", f"{root}/static/serve.css")[0].status == 200
        answer, text = ann.ask("POST", f"{root}/api/v1/projects", {"name": "News"})
        assert answer.status == 201
        link = f"{root}/api/v1/projects/{json.loads(text)['slug']}/links"
        made = json.loads(ann.ask("POST", link, {"role": "reader"})[1])
        assert made["address"].startswith(f"https://localhost:{port}{root}/l/")
        # One guesser uses up the limit of one address, whatever header it makes up. Guesses come
        # at once: on a busy machine the limit would recover between them.
        with ThreadPoolExecutor(30) as pool:
            guesses = pool.map(
                lambda _: Visitor(port, "127.0.0.3", certificate).log_in(root, "wrong")[0],
                range(30),
            )
            assert set(guesses) == {401, 429}
        assert Visitor(port, "127.0.0.4", certificate).log_in(root, "wrong")[0] == 401
