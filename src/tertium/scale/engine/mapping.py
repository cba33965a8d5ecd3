"""A function of every item, by a cluster: workers may die or dawdle, items are done once."""

from collections.abc import Callable, Iterator, Sequence
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
        wait = import_module("distributed").wait  # untyped

        waiting = iter(enumerate(items))
        done: set[int] = set()
        while len(done) < len(items):
            self._fill(waiting, items)
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

    def _fill(self, waiting: Iterator[tuple[int, Item]], items: Sequence[Item]) -> None:
        """Give the cluster items until it has enough for a while."""
        room = max(4, 3 * sum(self.client.nthreads().values())) - len(self._running)
        for _, (place, item) in zip(range(room), waiting, strict=False):
            self._submit(place, item)

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
            raise TertiumError(
                f"{self.told(item)}: found the scheduler gone, expected it to the end"
            )
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


def _reason(error: BaseException) -> str:
    """What a worker died of, in one line."""
    if type(error).__name__ == "KilledWorker":
        return "found every worker killed that had it (is there too little memory?)"
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
