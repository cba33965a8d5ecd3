"""People in a browser: the first account, members, links, tokens, the log."""

from collections.abc import Iterator

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Dialog, Page, Request

from tertium.serve.accounts.users import add_user
from tertium.serve.settings import Settings
from tertium.serve.store.connection import Store
from tertium.serve.web.app import make_app
from tests.support.serve.listening import listening
from tests.support.serve.visits import NARROW, WIDE, too_wide, visiting

pytestmark = pytest.mark.slow

HOSTILE = "<img src=x onerror=alert(1)>שלום\"'&"
PASSWORD = "correct horse"


@pytest.fixture
def address(sqlite_store: Store) -> Iterator[str]:
    with listening(make_app(sqlite_store, Settings(open=True))) as place:
        yield place


def log_in(page: Page, name: str) -> None:
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def add_account(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/users")
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    with page.expect_navigation():
        page.get_by_role("button", name="Make the account").click()


def invite(page: Page, project: str) -> str:
    """A member and a link, whose address is shown once."""
    page.goto(f"{project}/people")
    add = page.locator("form", has_text="Name of the account")
    add.locator("[name=name]").fill("nobody")
    add.get_by_role("button").click()
    assert "found none of this name" in add.locator("[role=alert]").inner_text()
    add.locator("[name=name]").fill("bo")
    with page.expect_navigation():
        add.get_by_role("button").click()
    assert page.locator("tbody tr", has_text="bo").locator("td").first.inner_text() == "reader"
    make = page.locator("form", has_text="For whom")
    make.locator("[name=label]").fill(HOSTILE)
    make.get_by_role("button", name="Make a link").click()
    link = make.get_by_label("Copy it now").input_value()
    page.reload()
    assert link not in page.content()
    assert not too_wide(page)
    return link


def remove_member(page: Page, project: str) -> None:
    """Only whoever confirms the question removes a member."""
    questions: list[str] = []
    deletions: list[str] = []

    def decline(dialog: Dialog) -> None:
        questions.append(dialog.message)
        dialog.dismiss()

    def note(request: Request) -> None:
        if request.method == "DELETE":
            deletions.append(request.url)

    page.goto(f"{project}/people")
    page.on("request", note)
    row = page.locator("tbody tr", has_text="bo")
    page.once("dialog", decline)
    row.get_by_role("button", name="Remove").click()
    page.reload()
    assert questions == ["Remove bo from this project?"]
    assert deletions == []
    assert row.count() == 1
    page.once("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        row.get_by_role("button", name="Remove").click()
    assert len(deletions) == 1
    assert row.count() == 0


def look_back(page: Page, project: str, address: str) -> None:
    """The log, a token for a program, and the way out."""
    page.goto(f"{project}/log")
    done = page.inner_text("tbody")
    for action in ("create project", "set role", "make link", "revoke link"):
        assert action in done
    assert not too_wide(page)
    page.goto(f"{address}/account")
    page.get_by_role("button", name="Make a token").click()
    token = page.get_by_label("Copy it now").input_value()
    answer_to_program = page.request.get(
        f"{address}/api/v1/about", headers={"authorization": f"Bearer {token}"}
    )
    assert answer_to_program.json()["caller"] == "ann"
    assert not too_wide(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Log out").click()
    page.goto(address)
    assert page.url.startswith(f"{address}/login")


@pytest.mark.parametrize(
    ("size", "scheme"), [(WIDE, "light"), (NARROW, "dark")], ids=["wide", "narrow"]
)
def test_from_the_first_account_to_a_guest(
    browser: Browser, address: str, size: dict[str, int], scheme: str
) -> None:
    options = {"viewport": size, "color_scheme": scheme}
    # Refused: a wrong password, and a name that is no account's.
    with visiting(browser, address, refused=2, **options) as page:
        page.goto(address)
        page.fill("[name=name]", HOSTILE)
        with page.expect_navigation():
            page.get_by_role("button", name="Make the project").click()
        project = page.url
        assert page.inner_text("h1") == HOSTILE
        add_account(page, address, "ann")  # which closes the server, to this browser too
        page.wait_for_url("**/login?next=/users")
        page.fill("[name=name]", "ann")
        page.fill("[name=password]", "wrong horse")
        page.keyboard.press("Enter")
        alert = page.wait_for_selector("[role=alert]")
        assert alert is not None
        assert alert.inner_text() == "login: name or password is wrong"
        log_in(page, "ann")
        assert page.url == f"{address}/users"
        add_account(page, address, "bo")
        assert not too_wide(page)

        link = invite(page, project)
        assert link.startswith(f"{address}/l/")

        with visiting(browser, address, refused=1, **options) as guest:
            guest.goto(link)
            assert guest.inner_text("h1") == HOSTILE
            assert guest.get_by_role("link", name="People").count() == 0
            page.once("dialog", lambda dialog: dialog.accept())
            with page.expect_navigation():
                page.get_by_role("button", name="Revoke").click()
            answer = guest.goto(project)
            assert answer is not None
            assert guest.url.startswith(f"{address}/login")
            guest.goto(link)
            assert "unknown, expired or revoked" in guest.inner_text("main")

        remove_member(page, project)
        look_back(page, project, address)


def test_light_and_dark_are_remembered(browser: Browser, address: str) -> None:
    with visiting(browser, address, color_scheme="dark") as page:
        page.goto(address)
        theme = page.locator("html")
        assert theme.get_attribute("data-theme") == "dark"
        page.click("#theme")
        assert theme.get_attribute("data-theme") == "light"
        page.reload()
        assert theme.get_attribute("data-theme") == "light"


@pytest.mark.browser
@pytest.mark.parametrize(("wanted", "reached"), [("/mt/account", "/mt/account"), ("/mail", "/mt/")])
def test_below_a_root_path_all_requests_stay_there(
    browser: Browser, sqlite_store: Store, wanted: str, reached: str
) -> None:
    """Pages, scripts, calls of the API, and where a login leads."""
    with sqlite_store.writing() as session:
        add_user(session, "tests", "ann", PASSWORD)
    app = make_app(sqlite_store, Settings(root_path="/mt"))
    with listening(app) as place, visiting(browser, f"{place}/mt/") as page:
        page.goto(f"{place}/mt/login?next={wanted}")
        log_in(page, "ann")
        assert page.url == place + reached
        page.goto(f"{place}/mt/")
        page.fill("[name=name]", "News")
        with page.expect_navigation():
            page.locator("form[data-method=POST] button").click()
        assert page.url == f"{place}/mt/projects/news"
