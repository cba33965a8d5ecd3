"""A page that is broken ends the test that waits for it at once, and the test says why."""

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Error, Page, Route

from tests.support.browser import BROKEN, Watch

HOME = "http://broken.example/"
BROKEN_PAGES = {
    "an exception": ("<script>null.x</script>", "Cannot read properties of null"),
    "a rejected promise": ("<script>Promise.reject(Error('no'))</script>", "no"),
    "a syntax error": ("<script>if (</script>", "Unexpected end of input"),
    "a script that is not there": ("<script src=/absent.js></script>", "was answered by 404"),
    "a script that is cut off": ("<script src=/cut.js></script>", "was not loaded"),
    "a console error": ("<script>console.error('late')</script>", "late"),
}


def open_page(browser: Browser, body: str, watch: Watch) -> Page:
    def answer(route: Route) -> None:
        if route.request.url.endswith("/absent.js"):
            route.fulfill(status=404)
        elif route.request.url.endswith("/cut.js"):
            route.abort("connectionreset")
        elif route.request.url.endswith("/refused"):
            route.fulfill(status=422, body="{}")
        else:
            route.fulfill(content_type="text/html", body=f"<p>page</p>{body}")

    page = browser.new_page()
    watch.follow(page)
    page.route("**/*", answer)
    page.goto(HOME)
    return page


@pytest.mark.parametrize("fault", BROKEN_PAGES)
def test_a_wait_for_a_broken_page_ends_at_once(browser: Browser, fault: str) -> None:
    body, message = BROKEN_PAGES[fault]
    with pytest.raises(Error, match="closed"):  # by far not the whole patience
        open_page(browser, body, Watch()).wait_for_selector("#never")
    assert len(BROKEN) == 1
    assert message in BROKEN[0]
    assert BROKEN[0].startswith(HOME)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<script>console.error('known')</script>", ("known",)),
        ("<script>fetch('/refused')</script>", ()),
    ],
)
def test_what_a_test_expects_breaks_no_page(
    browser: Browser, body: str, expected: tuple[str, ...]
) -> None:
    watch = Watch(expected)
    page = open_page(browser, body, watch)
    page.wait_for_load_state("networkidle")
    assert page.inner_text("p") == "page"
    assert len(watch.complaints) == 1
    assert BROKEN == []
    page.close()
