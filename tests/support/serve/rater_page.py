"""A rater in a browser: what was asked for, what was answered, what went wrong."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Response

from tests.support.browser import PATIENCE, READY, Watch


class RaterPage:
    """One browser with its storage; tabs of it come and go."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self._watch = Watch()
        self.requests, self.complaints = self._watch.requests, self._watch.complaints
        self.bodies: list[str] = []
        self._waiting: list[Response] = []
        context.set_default_timeout(PATIENCE)
        context.on("page", self._opened)
        context.on("response", self._answered)
        context.on("dialog", self._dialog)

    def _opened(self, page: Page) -> None:
        self._watch.follow(page)

    def _dialog(self, dialog: Dialog) -> None:
        self.complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _answered(self, response: Response) -> None:
        if "/static/" not in response.url and response.status < 300:
            self._waiting.append(response)

    def read_bodies(self) -> str:
        """Everything that was answered, as one text."""
        for response in self._waiting:
            self.bodies.append(f"{response.url} {json.dumps(response.all_headers())}")
            self.bodies.append(response.text())
        self._waiting.clear()
        return "\n".join(self.bodies)

    def open(self, address: str) -> Page:
        """A new tab, when its first item is there."""
        tab = self.context.new_page()
        tab.goto(address)
        tab.wait_for_selector(READY)
        return tab


@contextmanager
def rater_page(browser: Browser, *, narrow: bool = False, **options: Any) -> Iterator[RaterPage]:
    """A browser as wide as a desk's or a telephone's; the telephone is touched."""
    chosen: dict[str, Any] = (
        {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
        if narrow
        else {"viewport": {"width": 1280, "height": 900}}
    )
    context = browser.new_context(**{**chosen, **options})
    try:
        yield RaterPage(context)
    finally:
        context.close()


def number(tab: Page) -> str:
    """The item that is shown; empty when all are done."""
    return tab.evaluate("document.documentElement.dataset.number") or ""


def wait_for_next(tab: Page, before: str) -> None:
    """Wait until another item is shown."""
    tab.wait_for_selector(f"html[data-number]:not([data-number='{before}'])")


def wait_for_saved(tab: Page) -> None:
    """Wait until the server has everything."""
    wait_for_words(tab, "all saved")


def wait_for_words(tab: Page, words: str) -> None:
    """Wait until the page says this of what was sent."""
    tab.locator("#saved", has_text=words).wait_for()
