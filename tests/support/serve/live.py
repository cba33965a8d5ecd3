"""A server in a thread of the test, for a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from fastapi import FastAPI
from playwright.sync_api import Browser, Dialog, Page

from tertium.serve.settings import Settings
from tertium.serve.store.connection import Store
from tertium.serve.web.app import make_app
from tests.support.browser import READY, Watch
from tests.support.serve.listening import listening


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """An open server whose store can be replaced, for it takes long to start."""

    app: FastAPI
    address: str

    def show(self, store: Store) -> str:
        """Serve this store from now on; the address."""
        self.app.state.store = store
        return self.address


@contextmanager
def live_server() -> Iterator[Live]:
    """A server without a store yet."""
    app = make_app(cast("Store", None), Settings(open=True))
    with listening(app) as address:
        yield Live(app=app, address=address)


class Visitor:
    """A page with everything it asked for and complained about."""

    def __init__(self, browser: Browser, address: str, **options: Any) -> None:
        self.address = address
        self.page: Page = browser.new_page(**options)
        self._watch = Watch()
        self.requests, self.complaints = self._watch.requests, self._watch.complaints
        self._watch.follow(self.page)
        self.page.on("dialog", self._dialog)
        self.questions: list[str] = []
        self.agrees = True

    def _dialog(self, dialog: Dialog) -> None:
        """Answer a question of the page as the test wants; leave the page whatever it says."""
        if dialog.type == "alert":
            self.complaints.append(f"alert {dialog.message}")
        if dialog.type == "confirm":
            self.questions.append(dialog.message)
        if self.agrees or dialog.type == "beforeunload":
            dialog.accept()
        else:
            dialog.dismiss()

    def open(self, path: str) -> Page:
        """Go to a path, and wait until its scripts are ready."""
        self.page.goto(self.address + path)
        self.page.wait_for_selector(READY)
        return self.page

    def fault(self) -> list[str]:
        """What went wrong: complaints, requests to other hosts, and a page that is too wide."""
        strange = [one for one in self.requests if not one.startswith(self.address)]
        wide = self.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        return [*self.complaints, *strange, *(["too wide"] if wide else [])]
