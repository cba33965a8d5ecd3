"""How often one caller may ask: a bucket of requests that fills up again.

Whatever route asks for a password, its check stands inside `PasswordGate.attempt`.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from tertium.serve.errors import TooOftenError

MOST: Final = 20_000
"""Callers that are remembered; who has not come for longest is forgotten."""
NAMES_TO_ADDRESSES: Final = 3
"""One name may be tried so many times as often as one address may try."""


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


class PasswordGate:
    """Password checks, limited by address and by name.

    Guesses at one name may come from many addresses, so that names have a limit, too. It must not
    lock the owner out: an address where this name has logged in before, and a caller who is logged
    in already, have a limit of their own, which guesses from elsewhere do not use up.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._addresses = Buckets(per_minute, clock)
        self._names = Buckets(NAMES_TO_ADDRESSES * per_minute, clock)
        self._familiar = Buckets(per_minute, clock)
        self._lock = Lock()
        self._pairs: OrderedDict[str, None] = OrderedDict()

    @contextmanager
    def attempt(self, name: str, address: str, *, logged_in: bool = False) -> Iterator[None]:
        """Check the password inside: too many attempts are an error, a success is remembered."""
        pair = f"{name}\n{address}"
        with self._lock:
            familiar = logged_in or pair in self._pairs
        if familiar:
            allowed = self._familiar.take(pair)
        else:
            allowed = self._addresses.take(address) and self._names.take(name)
        if not allowed:
            raise TooOftenError("login: found too many attempts; try again in a minute")
        yield
        with self._lock:
            self._pairs[pair] = None
            self._pairs.move_to_end(pair)
            if len(self._pairs) > MOST:
                self._pairs.popitem(last=False)
