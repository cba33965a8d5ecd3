"""Finished parts of any work, kept one by one as they come."""

import json
from asyncio import CancelledError as AwaitCancelledError
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from importlib import import_module
from os import PathLike
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any, Final, Generic, Protocol, TypeVar

from tertium.errors import InputError, TertiumError
from tertium.text.output_files import drafted

# A function of every item, by a cluster: workers may die or dawdle, items are done once.

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
class PartMapping(Generic[Item, Result]):
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
                index, started = self._running.pop(future)
                if index in done:
                    continue
                try:
                    result = self._result(future, items[index])
                except TimeoutError:
                    self._submit_elsewhere(index, items[index], future)
                    continue
                self._seconds.append(monotonic() - started)
                done.add(index)
                self._forget(index)
                yield items[index], result

    def _fill(self, waiting: Iterator[tuple[int, Item]]) -> int:
        """Give the cluster items until it has enough for a while; say how many threads it has."""
        threads: int = sum(self.client.nthreads().values())
        room = max(4, 3 * threads) - len(self._running)
        for _, (place, item) in zip(range(room), waiting, strict=False):
            self._submit(place, item)
        return threads

    def _submit(self, index: int, item: Item, **where: Any) -> None:
        future = self.client.submit(self.task, item, pure=False, retries=RETRIES, **where)
        self._running[future] = (index, monotonic())

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

    def _submit_elsewhere(self, index: int, item: Item, future: Any) -> None:
        """Try again what a worker has done and does not hand over: it may stand still."""
        silent = set(self.client.who_has([future]).get(future.key, ()))
        others = [worker for worker in self.client.nthreads() if worker not in silent]
        future.cancel()
        self._submit(index, item, workers=others or None)

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
        for worker, index in zip(idle, late, strict=False):
            self._doubled.add(index)
            self._submit(index, items[index], workers=[worker], allow_other_workers=False)

    def _forget(self, index: int) -> None:
        """Nobody needs to finish what somebody else has finished."""
        for future in [running for running, (other, _) in self._running.items() if other == index]:
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


# A folder of finished parts: each is complete or not there, and all are of one run.

MANIFEST: Final = "manifest.json"


class PartFolder:
    """What a run has finished, so that another one can go on from there.

    ``identity`` is all that decides the results, by name; a folder of another run is refused. One
    without an identity is of no use to another run. What parts are made of is in files whose names
    end in ``suffix``.
    """

    def __init__(
        self, path: str | PathLike[str], identity: dict[str, Any], *, suffix: str = ".parquet"
    ) -> None:
        self.path, self.suffix = Path(path), suffix
        self.identity = json.loads(json.dumps(identity))
        self.lasts = bool(identity)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._check()
        except OSError as error:
            raise TertiumError(
                f"{path}: {error.strerror or error}, expected a folder to write into"
            ) from None

    def _check(self) -> None:
        manifest = self.path / MANIFEST
        if not manifest.exists():
            others = next(
                (child.name for child in self.path.iterdir() if child.name[:1] != "."), None
            )
            if others is not None:
                raise InputError(
                    f"{self.path}: found {others} and no {MANIFEST}, expected an empty folder or "
                    "one that an earlier run wrote"
                )
            self._write(MANIFEST, json.dumps(self.identity, ensure_ascii=False).encode())
            return
        try:
            manifest_values = json.loads(manifest.read_bytes())
            known = {key: manifest_values[key] for key in self.identity}
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{manifest}: found no sense ({error!r}), expected what an earlier run wrote"
            ) from None
        for key, expected in self.identity.items():
            if known[key] != expected:
                raise InputError(
                    f"{self.path}: {_difference(key, known[key], expected)}, as asked for now: "
                    "go on with the same, or begin in another folder"
                )

    def part(self, number: int, state: Callable[[], list[Any]]) -> dict[str, Any] | None:
        """What was kept of a part; nothing if it is not finished.

        Its files must be what they were, of which ``state`` tells.
        """
        file = self.path / f"{_name(number)}.json"
        try:
            told: dict[str, Any] = json.loads(file.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise InputError(f"{file}: {error}, expected what an earlier run wrote") from None
        if told.get("state") != (now := state()):
            raise InputError(
                f"{self.path}: {_difference('files', told.get('state'), now)}, as they are now: "
                "begin in another folder"
            )
        return dict(told["part"])

    def keep(self, number: int, told: dict[str, Any], data: bytes | None, state: list[Any]) -> None:
        """A finished part, with its summary last: a summary means that the part is complete."""
        if data is not None:
            self._write(f"{_name(number)}{self.suffix}", data)
        text = json.dumps({"state": state, "part": told}, ensure_ascii=False)
        self._write(f"{_name(number)}.json", text.encode())

    def data(self, number: int) -> Path:
        """The file of what a part is made of: rows, or lines."""
        return self.path / f"{_name(number)}{self.suffix}"

    def _write(self, name: str, data: bytes) -> None:
        with drafted(self.path / name) as stream:
            stream.write(data)


def _name(number: int) -> str:
    return f"part-{number:06}"


def _difference(key: str, found: Any, expected: Any) -> str:
    """The first place where two values differ; of lists of lists that place alone."""
    if _is_nested(found) and _is_nested(expected):
        if len(found) != len(expected):
            return f"found {len(found)} {key}, expected {len(expected)}"
        index = next(i for i, (a, b) in enumerate(zip(found, expected, strict=True)) if a != b)
        return _difference(key, found[index], expected[index])
    return f"found {key} {_shown(found)}, expected {_shown(expected)}"


def _is_nested(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, list) for row in value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class AnyPartition(Protocol):
    """Files that one worker takes at a time."""

    @property
    def number(self) -> int: ...

    @property
    def name(self) -> str: ...

    def state(self) -> list[Any]:
        """What changes when one of its files does."""
        ...


class AnyPart(Protocol):
    """What became of them, or what was wrong with them."""

    @property
    def fault(self) -> str: ...

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        ...


Some = TypeVar("Some", bound=AnyPartition)
Made = TypeVar("Made", bound=AnyPart)


def kept_parts(
    folder: PartFolder,
    partitions: Sequence[Some],
    known_again: Callable[[dict[str, Any], str], Made],
) -> dict[int, Made]:
    """What an earlier run has finished, by number."""
    told = {
        partition.number: folder.part(partition.number, partition.state) for partition in partitions
    }
    place = str(folder.path)
    return {
        number: known_again(value, place) for number, value in told.items() if value is not None
    }


def finish(
    client: Any,
    task: Callable[[Some], tuple[Made, bytes | None]],
    partitions: Sequence[Some],
    folder: PartFolder,
    *,
    skip_bad: bool,
    progress: Callable[[int], None] | None,
) -> dict[int, Made]:
    """Do what is left to do; a part with a fault is an error, or not kept."""
    states = {
        partition.number: partition.state() if folder.lasts else [] for partition in partitions
    }
    known: dict[int, Made] = {}
    mapping: PartMapping[Some, tuple[Made, bytes | None]] = PartMapping(
        client=client, task=task, told=lambda partition: partition.name
    )
    for partition, (part, data) in mapping.results(partitions):
        refuse(part.fault, skip_bad=skip_bad)
        if not part.fault:
            folder.keep(partition.number, part.to_dict(), data, states[partition.number])
        known[partition.number] = part
        if progress is not None:
            progress(1)
    return known


def refuse(fault: str, *, skip_bad: bool) -> None:
    """Stop for a fault, unless what has one is to be left out."""
    if fault and not skip_bad:
        raise InputError(fault)


def warnings_of(parts: Sequence[Any]) -> tuple[str, ...]:
    """What was left out."""
    return tuple(
        f"left out partition {part.number + 1} of {len(parts)}: {part.fault}"
        for part in parts
        if part.fault
    )
