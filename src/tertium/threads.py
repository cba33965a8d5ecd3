"""Work side by side in threads, which an interrupt ends at once."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeVar

Part = TypeVar("Part")

GRACE: Final = 0.3
"""Seconds that interrupted work may take to notice it; what takes longer is left behind."""


def side_by_side(work: Sequence[Callable[[], Part]], *, threads: int) -> list[Part]:
    """The results in order; what has not begun when one of them fails is left undone.

    After Ctrl-C nobody waits for work under way, and a program can end without it.

    >>> side_by_side([lambda: 1, lambda: 2, lambda: 3], threads=2)
    [1, 2, 3]
    """
    if min(threads, len(work)) < 2:
        return [task() for task in work]
    return _Crew(work, min(threads, len(work))).results()


class _Crew(Generic[Part]):
    def __init__(self, work: Sequence[Callable[[], Part]], size: int) -> None:
        self._work = work
        self._places = iter(range(len(work)))
        self._lock = threading.Lock()
        self._done: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()
        # Not concurrent.futures: Python waits for its threads before it ends.
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(size)]

    def results(self) -> list[Part]:
        found: dict[int, Part] = {}
        try:
            for thread in self._threads:
                thread.start()
            while len(found) < len(self._work):
                index, part, error = self._done.get()
                found[index] = part
                _raise(error)
        except Exception:
            self._begin_no_more()
            self._wait(None)
            raise
        except BaseException:
            self._begin_no_more()
            for thread in self._threads:
                _interrupt(thread)
            self._wait(GRACE)
            raise
        self._wait(None)
        return [found[place] for place in range(len(self._work))]

    def _run(self) -> None:
        with suppress(KeyboardInterrupt):  # one more, while the first was told of
            while (index := self._next()) is not None:
                try:
                    self._done.put((index, self._work[index](), None))
                except BaseException as error:  # noqa: BLE001 - raised again by who waits for it
                    self._done.put((index, None, error))
                    return

    def _next(self) -> int | None:
        with self._lock:
            return next(self._places, None)

    def _begin_no_more(self) -> None:
        with self._lock:
            self._places = iter(range(0))

    def _wait(self, seconds: float | None) -> None:
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(seconds)


def _raise(error: BaseException | None) -> None:
    if error is not None:
        raise error


def _interrupt(thread: threading.Thread) -> None:
    """Raise KeyboardInterrupt in another thread; native work there has seen the signal itself."""
    import ctypes

    if thread.ident is not None and thread.is_alive():
        number = ctypes.c_ulong(thread.ident)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(KeyboardInterrupt))
