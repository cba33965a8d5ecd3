"""Every page of the demonstration, at both sizes and in both themes, held against WCAG 2.2 AA.

What is checked is what a program can tell: the rules of axe-core, what those leave open (see
`barriers.js`), and that nothing is wider than the page.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

import tests.support.serve
from tests.support.axe import violations
from tests.support.serve.processes import Running, served
from tests.support.serve.visits import NARROW, WIDE, fits, too_wide, visiting

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SET = "/projects/sample/test-sets/sample"
PAGES = (
    "/",
    "/login",
    "/users",
    "/log",
    "/account",
    "/projects/sample",
    "/projects/sample/results",
    "/projects/sample/people",
    "/projects/sample/settings",
    "/projects/sample/jobs",
    "/projects/sample/log",
    "/projects/sample/search?q=house",
    "/projects/sample/explain",
    "/projects/sample/new-test-set",
    "/projects/sample/campaigns",
    "/projects/sample/campaigns/1",
    "/projects/sample/campaigns/1/rate",
    SET,
    f"{SET}?sort=4",
    f"{SET}/compare",
    f"{SET}/segments",
    f"{SET}/settings",
    f"{SET}/systems/1",
    f"{SET}/names",
    f"{SET}/names/reference-1?annotator=annotator-1",
)
FAULTS = (Path(tests.support.serve.__path__[0]) / "barriers.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("demo")
    flags = ("--demo", "--store", str(folder / "demo.db"), "--workers", "0")
    with served(folder, *flags) as running:
        yield home(running)


def home(running: Running) -> str:
    parts = urlsplit(running.address)
    return f"{parts.scheme}://{parts.netloc}"


def settle(page: Page, path: str) -> None:
    """Wait until scripts have filled the page, where there are any."""
    if path.endswith(("/compare", "/segments", "/rate")) or "/names/" in path:
        page.wait_for_selector("html[data-ready=yes]")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [{**WIDE, "height": 800}, NARROW], ids=["wide", "narrow"])
def test_no_page_has_a_barrier(
    browser: Browser, address: str, size: dict[str, int], scheme: str
) -> None:
    faults = {}
    with visiting(browser, address, viewport=size, color_scheme=scheme) as page:
        for path in PAGES:
            page.goto(f"{address}{path}")
            settle(page, path)
            found = page.evaluate(FAULTS) + violations(page)
            if not fits(page):
                found.append(f"too wide: {too_wide(page)}")
            if found:
                faults[path] = found
    assert faults == {}


def test_pages_are_there_without_scripts(browser: Browser, address: str) -> None:
    with visiting(browser, address, viewport=WIDE, java_script_enabled=False) as page:
        page.goto(f"{address}/projects/sample")
        page.click(".tabs >> text=Results")
        assert page.locator("#score-table tbody tr").count() == 5
        page.click("text=Compare two")
        assert page.locator("table.forest tbody tr").count() == 4
        page.click("summary >> text=Scores, p-values and method")
        assert page.locator("text=What the evidence words mean").is_visible()


def test_the_keyboard_reaches_content_tabs_and_search(browser: Browser, address: str) -> None:
    with visiting(browser, address, viewport=WIDE) as page:
        page.goto(f"{address}/projects/sample")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        page.wait_for_url("**#main")
        page.keyboard.press("/")
        page.keyboard.type("guesthouse")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert page.locator("main .tag").count() > 0


@pytest.mark.parametrize("path", ["/projects/sample", SET, f"{SET}/compare"])
def test_pages_fit_from_right_to_left_and_print_in_light(
    browser: Browser, address: str, path: str
) -> None:
    with visiting(browser, address, viewport=NARROW, color_scheme="dark") as page:
        page.goto(f"{address}{path}")
        settle(page, path)
        page.evaluate("document.documentElement.dir = 'rtl'")
        assert fits(page), too_wide(page)
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
        assert not page.locator(".tabs").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_that_is_not_there_has_no_barrier(
    browser: Browser, address: str, scheme: str
) -> None:
    with visiting(browser, address, refused=1, viewport=NARROW, color_scheme=scheme) as page:
        page.goto(f"{address}/projects/none")
        assert page.evaluate(FAULTS) + violations(page) == []


def test_planted_barriers_are_found(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(
        """<h1>a</h1><h3 id="x">b</h3><input id="x" placeholder="c"><button></button><h1>d</h1>
        <svg width="200" height="50"><rect width="200" height="50" fill="#fff"/>
        <text y="20" fill="#777">nearly</text></svg><section aria-labelledby="y"></section>
        <p style="color: #aaa; background: #fff">pale</p><ul><p>no item</p></ul>
        <nav><a href="#x"></a></nav><details><summary>more</summary><input></details>
        <button style="width: 12px; height: 12px">-</button><button>+</button>
        <div style="overflow: auto; height: 20px"><p>1</p><p>2</p><p>3</p></div>"""
    )
    own = " ".join(page.evaluate(FAULTS))
    rules = {one.split(":")[0] for one in violations(page)}
    page.close()
    for words in (
        "no label: input",
        "no name: nav",
        "not one h1",
        "contrast 4.48: text",
        "id twice: x",
        "no #y",
    ):
        assert words in own
    assert rules >= {
        "button-name",
        "color-contrast",
        "heading-order",
        "html-has-lang",
        "label",
        "landmark-one-main",
        "link-name",
        "list",
        "region",
        "scrollable-region-focusable",
        "target-size",
    }
