"""How often one caller may ask: a bucket of requests that fills up again."""

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

MOST: Final = 20_000
"""Callers that are remembered; who has not come for longest is forgotten."""


class Buckets:
    """One bucket for each caller, of ``per_minute`` requests."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._size = per_minute
        self._clock = clock
        self._lock = Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> bool:
        """Whether one more is allowed."""
        moment = self._clock()
        with self._lock:
            left, before = self._left.pop(caller, (float(self._size), moment))
            left = min(self._size, left + (moment - before) * self._size / 60)
            allowed = left >= 1
            self._left[caller] = (left - 1 if allowed else left, moment)
            if len(self._left) > MOST:
                self._left.popitem(last=False)
        return allowed
