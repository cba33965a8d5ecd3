"""A browser for tests: Debian's Chromium, driven by Playwright, or a reason to skip."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

PATIENCE = 300_000
"""Milliseconds to wait for what is sure to come, however busy the machine is."""

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window; without its sandbox, which root may not have."""
    if PROGRAM is None:
        pytest.skip("no Chromium on this machine (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=PROGRAM, args=["--no-sandbox"], timeout=PATIENCE
        )
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """A page opened from a file, with everything it asked for and complained about."""

    def __init__(self, browser: Browser, path: Path, **options: Any) -> None:
        self.page: Page = browser.new_page(**options)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        self.page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text) if message.type == "error" else None
            ),
        )
        self.page.set_default_timeout(PATIENCE)
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready=yes]")

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
