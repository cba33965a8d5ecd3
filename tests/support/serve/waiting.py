"""Waiting for what is sure to come."""

import time
from collections.abc import Callable

from tests.support.commands import PATIENCE


def wait_until(come: Callable[[], object], pause: float = 0.02) -> None:
    """Return as soon as it is so."""
    end = time.monotonic() + PATIENCE
    while not come():
        assert time.monotonic() < end, "did not come"
        time.sleep(pause)
