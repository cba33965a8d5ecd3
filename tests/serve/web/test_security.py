"""What every request passes, and the headers of every answer."""

from collections.abc import Iterator
from http.client import HTTPConnection
from threading import Event, Lock, Thread
from types import SimpleNamespace

import pytest
from fastapi import Request, Response
from fastapi.testclient import TestClient
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from tertium.serve.accounts import tokens
from tertium.serve.accounts.users import add_user
from tertium.serve.errors import TooOftenError
from tertium.serve.settings import Settings, is_loopback
from tertium.serve.store.connection import Store
from tertium.serve.web import errors
from tertium.serve.web.access import MOST, Buckets
from tertium.serve.web.app import make_app
from tertium.serve.web.middleware import CALLERS
from tests.support.commands import PATIENCE
from tests.support.serve.listening import listening
from tests.support.serve.site import Site

PASSWORD = "correct horse"


def browser(store: Store, host: str = "127.0.0.1:8090", **settings: object) -> TestClient:
    app = make_app(store, Settings(**settings))  # type: ignore[arg-type]
    return TestClient(
        app,
        base_url=f"http://{host}",
        headers={"origin": f"http://{host}"},
        follow_redirects=False,
    )


def test_every_answer_is_guarded(site: Site) -> None:
    for path in ("/", "/login", "/none", "/api/v1/projects", "/static/serve.css", "/l/none"):
        headers = site.client("owner").get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        expected = "no-cache" if path.startswith("/static/") else "no-store"
        assert headers["cache-control"] == expected


@pytest.mark.parametrize(
    ("path", "compressed"),
    [
        ("/projects/own", True),
        ("/api/v1/openapi.json", True),
        ("/static/forms.js", True),
        ("/log?after=1000", True),
        ("/log?words=anything", False),
        ("/api/v1/projects/own?q=secret", False),
        ("/health", False),  # too small
    ],
)
def test_what_repeats_no_words_of_the_request_is_compressed(
    site: Site, path: str, compressed: bool
) -> None:
    client = site.client("admin")
    packed = client.get(path, headers={"accept-encoding": "gzip"})
    plain = client.get(path, headers={"accept-encoding": "identity"})
    assert (packed.status_code, packed.content) == (200, plain.content)
    assert packed.headers.get("content-encoding") == ("gzip" if compressed else None)
    assert "content-encoding" not in plain.headers


def test_secrets_are_not_compressed(site: Site) -> None:
    token = {"label": "x" * 200, "days": 1}
    made = site.client("owner").post(
        "/api/v1/tokens", json=token, headers={"accept-encoding": "gzip"}
    )
    assert made.status_code == 201
    assert "content-encoding" not in made.headers


def test_login_in_a_browser(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    client = browser(sqlite_store)
    assert client.get("/").headers["location"] == "/login?next=/"
    assert "Log in" in client.get("/login").text
    wrong = client.post("/api/v1/session", json={"name": "ann", "password": "wrong horse"})
    assert (wrong.status_code, wrong.json()["error"]) == (401, "login: name or password is wrong")
    right = client.post("/api/v1/session", json={"name": "ann", "password": PASSWORD})
    assert right.status_code == 204
    assert "secure" not in right.headers["set-cookie"].lower()
    assert "ann" in client.get("/").text
    assert client.delete("/api/v1/session").status_code == 204
    assert client.get("/api/v1/projects").status_code == 401


def test_cookies_are_for_https_alone_where_it_is_used(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    client = browser(sqlite_store, secure=True)
    answer = client.post("/api/v1/session", json={"name": "ann", "password": PASSWORD})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-tertium=")
    for word in ("Secure", "HttpOnly", "SameSite=lax", "Path=/"):
        assert word in cookie
    assert "strict-transport-security" in answer.headers


def test_an_open_server_is_closed_by_the_first_account(sqlite_store: Store) -> None:
    client = browser(sqlite_store, open=True)
    assert client.post("/api/v1/projects", json={"name": "P"}).status_code == 201
    assert client.get("/api/v1/about").json()["caller"] == "local"
    with sqlite_store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    assert client.get("/api/v1/projects").status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8090", "192.0.2.1", "localhost.x"])
def test_an_open_server_is_not_fooled_by_names(sqlite_store: Store, host: str) -> None:
    """A name of another site may point at this machine: its pages would be of our origin."""
    client = browser(sqlite_store, host, open=True)
    for answer in (client.get("/"), client.post("/api/v1/projects", json={"name": "P"})):
        assert answer.status_code == 403


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "127.0.0.1:8090", "[::1]:8090"])
def test_an_open_server_has_many_names(sqlite_store: Store, host: str) -> None:
    assert browser(sqlite_store, host, open=True).get("/").status_code == 200


def test_a_program_with_a_token_needs_no_origin(site: Site) -> None:
    token = site.client("owner").post("/api/v1/tokens", json={}).json()["token"]
    program = TestClient(site.app, headers={"authorization": f"Bearer {token}"})
    assert program.post("/api/v1/projects", json={"name": "By program"}).status_code == 201
    assert program.get("/api/v1/projects/foreign").status_code == 404
    wrong = TestClient(site.app, headers={"authorization": "Bearer nonsense"})
    assert wrong.get("/api/v1/projects").status_code == 401


def test_a_cookie_without_an_origin_changes_nothing(site: Site) -> None:
    """Every browser says where a change comes from."""
    client = site.client("owner")
    del client.headers["origin"]
    assert client.post("/api/v1/projects", json={"name": "P"}).status_code == 403
    answer = client.post(
        "/api/v1/projects", json={"name": "P"}, headers={"sec-fetch-site": "same-origin"}
    )
    assert answer.status_code == 201


def test_what_is_too_large_is_refused(sqlite_store: Store) -> None:
    client = browser(sqlite_store, open=True, body_limit=1000, upload_limit=5000)
    body = {"name": "P", "note": "x" * 1000}
    answer = client.post("/api/v1/projects", json=body)
    assert answer.status_code == 413
    assert answer.json()["error"] == "body: found more than 1000 bytes, expected fewer"

    def pieces() -> Iterator[bytes]:
        yield b'{"name": "P", "note": "'
        for _ in range(20):
            yield b"x" * 100
        yield b'"}'

    answer = client.post(
        "/api/v1/projects", content=pieces(), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 413
    assert client.get("/api/v1/projects").json() == []


def test_a_length_that_is_no_number_is_no_mistake_of_ours(sqlite_store: Store) -> None:
    client = browser(sqlite_store, open=True)
    for length in ("-1", "x", "１０", "9" * 30):
        answer = client.request(
            "GET", "/api/v1/about", headers=[(b"content-length", length.encode())]
        )
        assert answer.status_code in {200, 413}


def test_too_many_requests_are_refused(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    client = browser(sqlite_store, requests_per_minute=8, logins_per_minute=2)
    body = {"name": "ann", "password": "wrong horse"}
    statuses = [client.post("/api/v1/session", json=body).status_code for _ in range(3)]
    assert statuses == [401, 401, 429]
    statuses = [client.get("/health").status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]


def test_made_up_cookies_do_not_hide_an_address(sqlite_store: Store) -> None:
    client = browser(sqlite_store, requests_per_minute=1)
    statuses = [
        client.get("/health", headers={"cookie": f"tertium={number}"}).status_code
        for number in range(3 * CALLERS)
    ]
    assert statuses[:CALLERS] == [200] * CALLERS
    assert 429 in statuses  # as time passes, a few more are allowed


def test_one_name_is_not_guessed_from_many_addresses(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    app = make_app(sqlite_store, Settings(logins_per_minute=2))
    statuses = []
    for number in range(7):
        client = TestClient(app, client=(f"192.0.2.{number}", 1))
        body = {"name": "ann", "password": "wrong horse"}
        statuses.append(client.post("/api/v1/session", json=body).status_code)
    assert statuses == [401] * 6 + [429]
    other = TestClient(app, client=("192.0.2.99", 1))
    body = {"name": "bo", "password": "wrong horse"}
    assert other.post("/api/v1/session", json=body).status_code == 401


def test_buckets_fill_up_again() -> None:
    clock = iter([0.0, 0.0, 0.0, 0.0, 30.0, 30.0])
    buckets = Buckets(2, clock=lambda: next(clock))
    taken = [buckets.take(one) for one in ("a", "a", "a", "b", "a", "a")]
    assert taken == [True, True, False, True, True, False]


def test_buckets_are_bounded() -> None:
    buckets = Buckets(1)
    assert buckets.take("first")
    for number in range(MOST):
        buckets.take(str(number))
    assert buckets.take("first")  # was forgotten


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("[::1]", True),
        ("localhost", True), ("0.0.0.0", False),  # noqa: S104
        ("::", False), ("192.0.2.1", False),
        ("example.com", False), ("", False), ("localhost.example.com", False),
    ],
)  # fmt: skip
def test_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_guesses_at_the_old_password_are_limited(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    client = browser(sqlite_store, logins_per_minute=3)
    login = {"name": "ann", "password": PASSWORD}
    assert client.post("/api/v1/session", json=login).status_code == 204
    guess = {"old": "wrong horse", "new": "another horse"}
    statuses = [client.put("/api/v1/session/password", json=guess).status_code for _ in range(5)]
    assert statuses == [401, 401, 401, 429, 429]


def test_guesses_from_elsewhere_do_not_lock_the_owner_out(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    app = make_app(sqlite_store, Settings(logins_per_minute=2))
    login = {"name": "ann", "password": PASSWORD}
    owner = TestClient(app, client=("192.0.2.200", 1))
    assert owner.post("/api/v1/session", json=login).status_code == 204
    for number in range(20):
        client = TestClient(app, client=(f"192.0.2.{number}", 1))
        client.post("/api/v1/session", json={"name": "ann", "password": "wrong horse"})
    again = TestClient(app, client=("192.0.2.200", 2))
    assert again.post("/api/v1/session", json=login).status_code == 204
    stranger = TestClient(app, client=("192.0.2.201", 1))
    assert stranger.post("/api/v1/session", json=login).status_code == 429


def test_password_checks_share_a_bounded_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    running, most, refused = 0, 0, 0
    lock, enough = Lock(), Event()

    def verify(_hashed: str, _password: str) -> bool:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        enough.wait(PATIENCE)
        with lock:
            running -= 1
        return True

    def check() -> None:
        nonlocal refused
        try:
            tokens.password_fits("correct horse", "-")
        except TooOftenError:
            with lock:
                refused += 1
                if refused == 60 - tokens.AT_ONCE - tokens.WAITING:
                    enough.set()

    monkeypatch.setattr(tokens, "HASHER", SimpleNamespace(verify=verify))
    threads = [Thread(target=check) for _ in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert (most, refused) == (tokens.AT_ONCE, 60 - tokens.AT_ONCE - tokens.WAITING)


class NativeError(Exception):
    """What a driver says."""

    def __init__(self, text: str, sqlstate: str | None = None) -> None:
        super().__init__(text)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (IntegrityError("", {}, NativeError("duplicate key value", "23505")), 409),
        (IntegrityError("", {}, NativeError("UNIQUE constraint failed: user.name")), 409),
        (IntegrityError("", {}, NativeError("NOT NULL constraint failed: user.name")), 500),
        (OperationalError("", {}, NativeError("connection refused")), 503),
        (PoolTimeoutError("QueuePool limit of size 10 overflow 20 reached"), 503),
        (OperationalError("", {}, NativeError("database or disk is full")), 507),
        (OperationalError("", {}, NativeError("could not extend file", "53100")), 507),
        (OSError(28, "No space left on device"), 507),
        (OSError(5, "Input/output error"), 500),
        (ZeroDivisionError(), 500),
    ],
    ids=str,
)
def test_what_stores_and_disks_say_becomes_a_status(
    sqlite_store: Store, error: Exception, status: int
) -> None:
    app = make_app(sqlite_store, Settings(open=True))

    def fail(_request: Request) -> Response:
        raise error

    app.router.add_route("/api/v1/failing", fail)
    client = TestClient(app, base_url="http://127.0.0.1:8090")
    answer = client.get("/api/v1/failing")
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "place"}
    assert (answer.headers.get("retry-after") is not None) == (status == 503)


def test_a_connection_survives_an_error_of_the_server(sqlite_store: Store) -> None:
    app = make_app(sqlite_store, Settings(open=True))

    def fail(_request: Request) -> Response:
        raise ZeroDivisionError

    app.router.add_route("/failing", fail)
    with listening(app) as address:
        connection = HTTPConnection(address.removeprefix("http://").rstrip("/"), timeout=PATIENCE)
        for path, status in (("/failing", 500), ("/health", 200)):
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            assert (answer.status, answer.will_close) == (status, False)
        connection.close()


def test_a_nul_in_a_path_is_not_found(any_site: Site) -> None:
    for path in ("/l/a%00b", "/projects/%00", "/api/v1/projects/own%00"):
        assert any_site.client("owner").get(path).status_code == 404


def test_health_tells_of_a_store_that_is_away(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser(sqlite_store)
    assert client.get("/health").status_code == 200
    monkeypatch.setattr("tertium.serve.web.pages.projects.LEAST_ROOM", 1 << 62)
    assert client.get("/health").status_code == 507

    def fail(_self: Store) -> Iterator[None]:
        raise OperationalError("", {}, NativeError("connection refused"))

    monkeypatch.setattr(Store, "reading", fail)
    answer = client.get("/health")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, errors.RETRY_AFTER)
