"""Pages of a server in a browser, with everything that they asked for and complained about."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

from tests.support.browser import Watch

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}


@contextmanager
def visiting(browser: Browser, address: str, *, refused: int = 0, **options: Any) -> Iterator[Page]:
    """A page that asks no other host for anything, and complains of nothing.

    ``refused`` requests are answered by an error, which browsers report.
    """
    page = browser.new_page(**options)
    watch = Watch()
    watch.follow(page)
    try:
        yield page
        refusals = [one for one in watch.complaints if one.startswith("Failed to load resource")]
        assert len(refusals) == refused
        assert [one for one in watch.complaints if one not in refusals] == []
        here = (address, "blob:", "data:")
        elsewhere = [one for one in watch.requests if not one.startswith(here)]
        assert elsewhere == []
    finally:
        page.close()


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )


def too_wide(page: Page) -> object:
    """What reaches over the edge of the page."""
    return page.evaluate(
        """[...document.querySelectorAll("main *, .topbar *")]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1
                && !one.closest(".wide, .list, .tabs"))
        .map((one) => `${one.tagName}.${one.className} ${one.id}`)"""
    )
