"""Finished parts of any work, kept one by one as they come."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from tertium.errors import InputError
from tertium.scale.engine.folder import PartFolder
from tertium.scale.engine.mapping import Mapping


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
    told = {one.number: folder.part(one.number, one.state) for one in partitions}
    place = str(folder.path)
    return {number: known_again(one, place) for number, one in told.items() if one is not None}


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
    states = {one.number: one.state() if folder.lasts else [] for one in partitions}
    known: dict[int, Made] = {}
    mapping: Mapping[Some, tuple[Made, bytes | None]] = Mapping(
        client=client, task=task, told=lambda one: one.name
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
