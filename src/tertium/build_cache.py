"""Costly results, built once for all callers."""

from collections.abc import Callable, Hashable
from threading import Lock, RLock
from typing import Any, TypeVar

Built = TypeVar("Built")


class BuildCache:
    """Results under keys, each built on first use, whichever thread asks for it.

    >>> cache = BuildCache()
    >>> cache("answer", lambda: 6 * 7), cache("answer", lambda: 0)
    (42, 42)
    >>> cache("answer", lambda: 100, enough=lambda known: known > 50)
    100
    """

    __slots__ = ("_lock", "_locks", "_made")

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._locks: dict[Hashable, Any] = {}
        self._lock = Lock()

    def __call__(
        self,
        key: Hashable,
        build: Callable[[], Built],
        *,
        enough: Callable[[Built], bool] = lambda _: True,
    ) -> Built:
        """``build()``, or what it made before for this key, if that is ``enough``.

        A caller waits while another thread builds the same key; other keys are built meanwhile, so
        ``build`` may ask for them itself.
        """
        with self._lock:
            own = self._locks.setdefault(key, RLock())
        with own:
            if key not in self._made or not enough(self._made[key]):
                self._made[key] = build()
            built: Built = self._made[key]
            return built

    def __reduce__(self) -> tuple[type["BuildCache"], tuple[()]]:
        """A copy in another process has to build for itself; locks do not travel."""
        return BuildCache, ()
