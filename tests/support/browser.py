"""A browser for tests: Debian's Chromium, driven by Playwright, or a reason to skip."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    Response,
    sync_playwright,
)

PATIENCE = 1000 * int(os.environ.get("TERTIUM_PATIENCE", "60"))
"""Milliseconds to wait for what is sure to come, however busy the machine is."""

READY = "html[data-ready=yes]"

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")

BROKEN: list[str] = []
"""What broke the pages of the test that runs; `tests/conftest.py` tells it and empties the list."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window; without its sandbox, which root may not have."""
    if PROGRAM is None:
        pytest.skip("no Chromium on this machine (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=PROGRAM, args=["--no-sandbox"], timeout=5 * PATIENCE
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass(frozen=True, slots=True)
class Watch:
    """What a page asks for and complains of; a broken page is closed, which ends every wait for it.

    Broken is a page with an uncaught exception, a script that did not load or an error on its
    console. Requests that the server refuses are on the console too, but tests expect many of them:
    they are complaints only. So are messages with one of the words that are ``expected``.
    """

    expected: tuple[str, ...] = ()
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        """Listen to a page from now on."""
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda problem: self._complain(page, f"uncaught {problem}"))
        page.on("console", lambda message: self._read_console(page, message))
        page.on("response", lambda response: self._check_script(page, response))
        page.on("requestfailed", lambda request: self._check_failure(page, request))

    def _complain(self, page: Page, sentence: str) -> None:
        self.complaints.append(sentence)
        if any(words in sentence for words in self.expected):
            return
        BROKEN.append(f"{page.url}: {sentence}")
        if not page.is_closed():
            page.close(reason=sentence)

    def _read_console(self, page: Page, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        if message.text.startswith("Failed to load resource"):
            self.complaints.append(message.text)
        else:
            self._complain(page, message.text)

    def _check_script(self, page: Page, response: Response) -> None:
        if response.request.resource_type == "script" and response.status >= HTTPStatus.BAD_REQUEST:
            self._complain(page, f"script {response.url} was answered by {response.status}")

    def _check_failure(self, page: Page, request: Request) -> None:
        # Who leaves a page before all is loaded aborts the rest.
        if request.resource_type == "script" and request.failure != "net::ERR_ABORTED":
            self._complain(page, f"script {request.url} was not loaded: {request.failure}")


class Visit:
    """A page opened from a file, with everything it asked for and complained about."""

    def __init__(
        self, browser: Browser, path: Path, *, expected: tuple[str, ...] = (), **options: Any
    ) -> None:
        self.page: Page = browser.new_page(**options)
        self._watch = Watch(expected)
        self.requests, self.complaints = self._watch.requests, self._watch.complaints
        self._watch.follow(self.page)
        self.page.goto(path.as_uri())
        self.page.wait_for_selector(READY)

    def close(self) -> None:
        self.page.close()


@contextmanager
def visit(browser: Browser, path: Path, **options: Any) -> Iterator[Visit]:
    """Open a page, and close it when the test is done."""
    opened = Visit(browser, path, **options)
    try:
        yield opened
    finally:
        opened.close()


def found(page: Page) -> str:
    """What the page says of a search."""
    return page.inner_text("#found")
