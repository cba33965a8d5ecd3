"""Fixtures shared by all tests."""

import os
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# What an assertion in there compares is to be shown, as it is for tests.
pytest.register_assert_rewrite("tests.support")

# Time limits for single examples would only measure how busy the machine is.
# Continuous integration judges a change, so it tries the same examples each time; new ones are
# looked for wherever people run the tests.
settings.register_profile("tertium", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("tertium")
# For `make check`: enough examples to notice a broken rule, too few to find a rare exception.
settings.register_profile("quick", deadline=None, max_examples=8, derandomize=True)

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser: whatever asks for the fixture of that name."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Say what broke a page, where a wait ended because the page was closed for it."""
    if "browser" not in getattr(item, "fixturenames", ()):
        return (yield)
    from tests.support.browser import BROKEN

    BROKEN.clear()
    try:
        return (yield)
    except Exception as error:
        if BROKEN:
            raise AssertionError(f"broken page {BROKEN[0]}") from error
        raise


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Chromium. One at a time, and closed before the next file: a process has one event loop."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    from tests.support.browser import chromium

    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real test sets; absent on most machines, so those tests say why they are skipped."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the folder 'shared/data' is not beside the checkout")
    return SHARED / "data"


@pytest.fixture(scope="session")
def shared_oracles() -> Path:
    """Golden outputs of other people's programs."""
    if not (SHARED / "oracles").is_dir():
        pytest.skip("the folder 'shared/oracles' is not beside the checkout")
    return SHARED / "oracles"


@pytest.fixture(autouse=True)
def _broken_pipes_are_errors() -> None:
    """As Python begins with; sacreBLEU's command, once imported, lets them end the process."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


@pytest.fixture(autouse=True)
def _heeded_interrupts() -> Iterator[None]:
    """Processes started here heed Ctrl-C, also where a shell runs the tests in the background.

    Such a shell has them ignore the signal, nohup that of a closed terminal, and what is ignored is
    inherited; what has a handler is not.
    """
    handlers: dict[int, Callable[[int, FrameType | None], object]] = {
        signal.SIGINT: signal.default_int_handler
    }
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        handlers[signal.SIGHUP] = lambda *_: None
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
