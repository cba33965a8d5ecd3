"""A function of every item, by a cluster: workers may die or dawdle, items are done once."""

from asyncio import CancelledError as AwaitCancelledError
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from importlib import import_module
from statistics import median
from time import monotonic
from typing import Any, Final, Generic, TypeVar

from tertium.errors import TertiumError

Item = TypeVar("Item")
Result = TypeVar("Result")

RETRIES: Final = 3
"""How often what failed for no fault of the data is tried again."""
DAWDLING: Final = 4.0
"""So many times as long as others took is too long; a second worker then tries as well."""
SHORTEST: Final = 2.0
"""Seconds that nobody is hurried for."""
GLANCE: Final = 0.5
"""Seconds between looks at the workers."""
DESERTED: Final = 60.0
"""Seconds without any worker after which nobody is waited for."""
FETCHING: Final = 15.0
"""Seconds in which a worker must hand over what it has finished."""


@dataclass(slots=True, kw_only=True)
class Mapping(Generic[Item, Result]):
    """What is to be done with items, and how far it is.

    So many items are with the cluster at a time as keep it busy: what is done is fetched and let
    go of at once. ``told`` names an item in an error.
    """

    client: Any
    task: Callable[[Item], Result]
    told: Callable[[Item], str]
    dawdling: float = DAWDLING
    shortest: float = SHORTEST
    _running: dict[Any, tuple[int, float]] = field(default_factory=dict)
    _seconds: list[float] = field(default_factory=list)
    _doubled: set[int] = field(default_factory=set)

    def results(self, items: Sequence[Item]) -> Iterator[tuple[Item, Result]]:
        """Every item and what became of it, as they are done."""
        try:
            yield from self._results(items)
        except (OSError, CancelledError, AwaitCancelledError) as error:
            # Dask's own errors of lost connections are of the first kind.
            raise _deserted(f"the scheduler gone ({_line(error)})") from None

    def _results(self, items: Sequence[Item]) -> Iterator[tuple[Item, Result]]:
        wait = import_module("distributed").wait  # untyped

        waiting = iter(enumerate(items))
        done: set[int] = set()
        seen = monotonic()
        while len(done) < len(items):
            if self._fill(waiting):
                seen = monotonic()
            elif monotonic() - seen > DESERTED:
                raise _deserted(f"no worker for {DESERTED:g} s")
            try:
                with self.client.as_current():
                    finished = wait(list(self._running), GLANCE, "FIRST_COMPLETED").done
            except TimeoutError:
                if len(done) + len({place for place, _ in self._running.values()}) == len(items):
                    self._hurry(items)
                continue
            for future in finished:
                place, started = self._running.pop(future)
                if place in done:
                    continue
                try:
                    result = self._result(future, items[place])
                except TimeoutError:
                    self._submit_elsewhere(place, items[place], future)
                    continue
                self._seconds.append(monotonic() - started)
                done.add(place)
                self._forget(place)
                yield items[place], result

    def _fill(self, waiting: Iterator[tuple[int, Item]]) -> int:
        """Give the cluster items until it has enough for a while; say how many threads it has."""
        threads: int = sum(self.client.nthreads().values())
        room = max(4, 3 * threads) - len(self._running)
        for _, (place, item) in zip(range(room), waiting, strict=False):
            self._submit(place, item)
        return threads

    def _submit(self, place: int, item: Item, **where: Any) -> None:
        future = self.client.submit(self.task, item, pure=False, retries=RETRIES, **where)
        self._running[future] = (place, monotonic())

    def _result(self, future: Any, item: Item) -> Result:
        if future.status == "error":
            error = future.exception()
            raise TertiumError(
                f"{self.told(item)}: {_reason(error)}, expected a worker to finish it"
            ) from None
        if future.status != "finished":
            raise _deserted("the scheduler gone")
        result: Result = future.result(timeout=FETCHING)
        return result

    def _submit_elsewhere(self, place: int, item: Item, future: Any) -> None:
        """Try again what a worker has done and does not hand over: it may stand still."""
        silent = set(self.client.who_has([future]).get(future.key, ()))
        others = [worker for worker in self.client.nthreads() if worker not in silent]
        future.cancel()
        self._submit(place, item, workers=others or None)

    def _hurry(self, items: Sequence[Item]) -> None:
        """Let idle workers try, too, what takes one much longer than the others took."""
        if not self._seconds:
            return
        limit = max(self.shortest, self.dawdling * median(self._seconds))
        late = {
            place: future
            for future, (place, started) in self._running.items()
            if monotonic() - started > limit and place not in self._doubled
        }
        if not late:
            return
        busy = self.client.processing()
        idle = [worker for worker, keys in busy.items() if not keys]
        for worker, place in zip(idle, late, strict=False):
            self._doubled.add(place)
            self._submit(place, items[place], workers=[worker], allow_other_workers=False)

    def _forget(self, place: int) -> None:
        """Nobody needs to finish what somebody else has finished."""
        for future in [one for one, (other, _) in self._running.items() if other == place]:
            del self._running[future]
            future.cancel()


def _deserted(found: str) -> TertiumError:
    return TertiumError(f"cluster: found {found}, expected it to the end of the work")


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _reason(error: BaseException) -> str:
    """What a worker died of, in one line."""
    if type(error).__name__ == "KilledWorker":
        return "found every worker killed that had it (is there too little memory?)"
    return f"{type(error).__name__}: {_line(error)}"
