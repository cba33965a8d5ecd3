"""Behind a proxy: under a path, and with the client's own address."""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from fastapi.testclient import TestClient

from tertium.errors import OptionError
from tertium.serve.accounts.users import add_user
from tertium.serve.settings import Settings, parse_network, parse_root_path
from tertium.serve.store.connection import Store
from tertium.serve.web.app import make_app
from tertium.serve.web.rendering import HERE
from tests.support.serve.site import Site

ROOT = "/mt/tertium"
PASSWORD = "correct horse"
PATHS = re.compile(r"^/(?!/)")
IMPORTS = re.compile(r'\bfrom "([^"]+)"')


class Links(HTMLParser):
    """Every attribute of a page that is a path: links, scripts, forms, and data for scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.paths: list[str] = []
        self.pages: list[str] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the paths of an element."""
        for name, value in attrs:
            if value is None or not PATHS.match(value):
                continue
            self.paths.append(value)
            if tag == "script" and name == "src":
                self.scripts.append(value)
            elif tag in {"a", "option"} and name in {"href", "value"}:
                self.pages.append(value)


def prefixed(site: Site, name: str, **settings: object) -> TestClient:
    """Somebody's browser at a server below a path."""
    app = make_app(site.store, Settings(root_path=ROOT, **settings))  # type: ignore[arg-type]
    client = TestClient(
        app,
        cookies={"tertium": site.world.cookies[name]},
        headers={"origin": "http://testserver"},
        follow_redirects=False,
    )
    client.portal = site.portal
    return client


def outside(paths: list[str]) -> list[str]:
    return [path for path in paths if path != ROOT and not path.startswith(f"{ROOT}/")]


@pytest.mark.parametrize("name", ["owner", "admin", "reader link", "campaign link"])
def test_no_link_leaves_the_root_path(site: Site, name: str) -> None:
    """Crawls all pages that can be reached, with their scripts and what these import."""
    client = prefixed(site, name)
    own = site.world.own
    project = f"{ROOT}/projects/{own['project']}"
    test_set = f"{project}/test-sets/{own['test_set']}"
    waiting = [
        f"{ROOT}/",
        f"{ROOT}/login",
        f"{ROOT}/none",
        f"{project}/campaigns/{own['campaign']}/rate",
        f"{project}/jobs/{own['job']}",
        f"{test_set}/names/{own['target']}",
        f"{test_set}/compare?first={own['output']}&second={own['second_output']}",
    ]
    seen: set[str] = set()
    shown = 0
    while waiting:
        path = waiting.pop()
        if path in seen or path.endswith("/events"):
            continue
        seen.add(path)
        answer = client.get(path)
        assert answer.status_code < 500, path
        if "location" in answer.headers:
            target = answer.headers["location"]
            assert outside([target]) == [], path
            waiting.append(target)
        kind = answer.headers.get("content-type", "")
        if kind.startswith("text/html"):
            links = Links(answer.text)
            assert outside(links.paths) == [], path
            waiting += [*links.pages, *links.scripts]
            shown += answer.status_code == 200
        elif "javascript" in kind:
            assert answer.status_code == 200, path
            imported = [urljoin(path, name) for name in IMPORTS.findall(answer.text)]
            assert outside(imported) == [], path
            waiting += imported
    expected = {"owner": 20, "admin": 40, "reader link": 15, "campaign link": 2}
    assert shown >= expected[name]


def test_scripts_name_no_path_of_their_own() -> None:
    """They take paths from the page, which knows where the server is."""
    for path in sorted((HERE / "static").rglob("*.js")):
        code = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert re.findall(r"[\"'`](/(?:static|api|projects|login|assets|l)\b[^\"'`]*)", code) == []


@pytest.mark.parametrize("path", ["/projects/own", f"{ROOT}/projects/own"])
def test_a_proxy_may_strip_the_root_path_or_leave_it(site: Site, path: str) -> None:
    answer = prefixed(site, "owner").get(path)
    assert answer.status_code == 200
    assert f'href="{ROOT}/projects/own/campaigns"' in answer.text


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/projects/own/", "/projects/own"),
        ("/projects/own/log?kind=x", f"/login?next={ROOT}/projects/own/log"),
    ],
)
def test_redirects_stay_below_the_root_path(site: Site, path: str, target: str) -> None:
    client = prefixed(site, "anonymous")
    assert client.get(ROOT + path).headers["location"] == ROOT + target


def test_links_to_campaigns_and_cookies_have_the_root_path(site: Site) -> None:
    client = prefixed(site, "owner")
    made = client.post(f"{ROOT}/api/v1/projects/own/links", json={"role": "reader"}).json()
    assert made["address"].startswith(f"http://testserver{ROOT}/l/")
    answer = prefixed(site, "anonymous").get(urlsplit(made["address"]).path)
    assert answer.headers["location"] == f"{ROOT}/projects/own"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("tertium=")
    assert f"Path={ROOT};" in cookie
    ended = client.delete(f"{ROOT}/api/v1/session")
    assert f"Path={ROOT};" in ended.headers["set-cookie"]


def test_secure_cookies_below_a_path_are_secure_too(site: Site) -> None:
    made = prefixed(site, "owner").post("/api/v1/projects/own/links", json={"role": "reader"})
    client = prefixed(site, "anonymous", secure=True)
    cookie = client.get(urlsplit(made.json()["address"]).path).headers["set-cookie"]
    assert cookie.startswith("__Secure-tertium=")
    assert "Secure" in cookie.split("; ")


def test_the_document_of_the_api_names_the_root_path(site: Site) -> None:
    document = prefixed(site, "owner").get(f"{ROOT}/api/v1/openapi.json").json()
    assert document["servers"] == [{"url": ROOT}]


@pytest.mark.parametrize("path", ["tertium", "/a b", "/a/../b", "//a", "/{a}", "/a?b", "/ä"])
def test_a_root_path_is_a_plain_path(path: str) -> None:
    with pytest.raises(OptionError, match=r"--root-path: found '.*', expected a path"):
        parse_root_path(path)


@pytest.mark.parametrize("path", ["/projects", "/api/x", "/static"])
def test_a_root_path_is_none_of_the_servers_own(sqlite_store: Store, path: str) -> None:
    with pytest.raises(OptionError, match="which the server's own paths begin with"):
        make_app(sqlite_store, Settings(root_path=path))


def answers_to_guesses(client: TestClient, addresses: list[str]) -> list[int]:
    """The statuses of wrong logins, each said to come from an address."""
    return [
        client.post(
            "/api/v1/session",
            json={"name": f"nobody-{number}", "password": "wrong"},
            headers={"x-forwarded-for": address},
        ).status_code
        for number, address in enumerate(addresses)
    ]


def behind(store: Store, peer: str, **settings: object) -> TestClient:
    app = make_app(store, Settings(logins_per_minute=2, **settings))  # type: ignore[arg-type]
    origin = {"origin": "http://testserver"}
    return TestClient(app, headers=origin, client=(peer, 50000), follow_redirects=False)


def test_a_trusted_proxy_tells_clients_apart(sqlite_store: Store) -> None:
    """Else all who come through it share one limit, and one guesser locks everybody out."""
    with sqlite_store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    client = behind(sqlite_store, "10.1.2.3", trusted_proxies=("10.0.0.0/8",))
    clients = [*(["192.0.2.1"] * 3), "192.0.2.2", "2001:db8::1", "192.0.2.1"]
    assert answers_to_guesses(client, clients) == [401, 401, 429, 401, 401, 429]


@pytest.mark.parametrize(
    "chain",
    ["192.0.2.{}, 198.51.100.7", "192.0.2.{}, 198.51.100.7, 10.9.9.9", "{},198.51.100.7:4711"],
)
def test_what_a_client_writes_before_the_proxy_is_not_believed(
    sqlite_store: Store, chain: str
) -> None:
    client = behind(sqlite_store, "10.1.2.3", trusted_proxies=("10.0.0.0/8",))
    assert answers_to_guesses(client, [chain.format(n) for n in range(3)]) == [401, 401, 429]


@pytest.mark.parametrize("peer", ["127.0.0.1", "192.0.2.9", "::1"])
def test_others_are_not_believed(sqlite_store: Store, peer: str) -> None:
    client = behind(sqlite_store, peer, trusted_proxies=("10.0.0.0/8",))
    assert answers_to_guesses(client, [f"192.0.2.{n}" for n in range(3)]) == [401, 401, 429]


@pytest.mark.parametrize(("peer", "scheme"), [("10.1.2.3", "https"), ("192.0.2.9", "http")])
def test_the_scheme_of_a_trusted_proxy_is_believed(site: Site, peer: str, scheme: str) -> None:
    client = behind(site.store, peer, trusted_proxies=("10.0.0.0/8",))
    client.portal = site.portal
    client.cookies = {"tertium": site.world.cookies["owner"]}
    made = client.post(
        "/api/v1/projects/own/links",
        json={"role": "reader"},
        headers={"x-forwarded-proto": "https"},
    ).json()
    assert made["address"].startswith(f"{scheme}://testserver/l/")


@pytest.mark.parametrize("network", ["10.0.0.1/8", "proxy", "", "10.0.0.0/33"])
def test_a_trusted_proxy_is_a_network(network: str) -> None:
    with pytest.raises(OptionError, match=r"--trusted-proxy: found '.*', expected an address"):
        parse_network(network)


@pytest.mark.parametrize(
    ("origin", "secure", "expected"),
    [
        ("https://evil.example", False, "found https://evil.example, expected http://testserver;"),
        ("https://mt.example", True, "found https://mt.example, expected https://testserver;"),
        ("null", False, "found null, expected http://testserver;"),
    ],
)
def test_the_error_about_an_origin_names_both(
    sqlite_store: Store, origin: str, secure: bool, expected: str
) -> None:
    app = make_app(sqlite_store, Settings(secure=secure))
    answer = TestClient(app).post("/api/v1/session", json={}, headers={"origin": origin})
    assert answer.status_code == 403
    assert answer.json()["error"].startswith(f"origin: {expected}")


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        ("https://mt.example", "mt.example:443", 422),
        ("http://mt.example", "mt.example:80", 422),
        ("https://mt.example:8443", "mt.example:8443", 422),
        ("https://mt.example:8443", "mt.example", 403),
        ("http://mt.example", "mt.example:443", 403),
        ("ftp://mt.example", "mt.example", 403),
    ],
)
def test_an_origin_leaves_the_usual_port_out(
    sqlite_store: Store, origin: str, host: str, status: int
) -> None:
    client = TestClient(make_app(sqlite_store, Settings()))
    headers = {"origin": origin, "host": host}
    assert client.post("/api/v1/session", json={}, headers=headers).status_code == status
