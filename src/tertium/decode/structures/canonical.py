"""Any acyclic graph of states in the order that the algorithms need: topological, trimmed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.decode.structures.arrays import Weights, chosen_weights
from tertium.errors import InputError

Indices: TypeAlias = NDArray[np.int64]

Place: TypeAlias = Callable[[int], str]
"""Where a state is to be found, for an error: ``dev.fst: line 7: state 12``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What the numbers of a graph stand for, and what to do about states that are on no path.

    ``place`` says where a state is to be found, for errors.
    """

    vocabulary: Sequence[str]
    feature_names: tuple[str, ...]
    weights: Weights
    name: str
    place: Place
    trim: bool = False

    def fields(self, used: Iterable[int]) -> dict[str, Any]:
        """The fields of a lattice or forest that are in it; of the words those in use."""
        names = self.feature_names
        return {
            "vocabulary": tuple(self.vocabulary[word] for word in used),
            "feature_names": names,
            "weights": chosen_weights(self.weights, names, np.ones(len(names))),
            "name": self.name,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """``numbers`` are the new numbers of states, −1 for one left out; ``kept`` says which arcs."""

    numbers: Indices
    kept: Indices
    states: int


def lattice_order(  # noqa: PLR0917 (a graph is a handful of arrays)
    states: int,
    sources: Indices,
    targets: Indices,
    start: int,
    final: int,
    place: Place,
    *,
    trim: bool,
) -> Order:
    """A topological order of the states between ``start`` and ``final``, which come first and last.

    A state that the start does not reach, or that does not reach the final state, is an error,
    or left out with ``trim``.
    """
    kept = np.arange(len(sources))
    alive = np.ones(states, dtype=bool)
    forward = reached(states, sources, targets, start)
    backward = reached(states, targets, sources, final)
    if not forward[final]:
        raise InputError(f"{place(final)}: the start does not reach it, expected a path to it")
    if not (forward & backward).all():
        if not trim:
            lost = int(np.argmin(forward & backward))
            what = "leads to no final state" if forward[lost] else "the start does not reach it"
            raise InputError(f"{place(lost)}: {what}, expected every state to be on a path")
        alive = forward & backward
        kept = np.flatnonzero(alive[sources] & alive[targets])
    order = topological(states, sources[kept], targets[kept], place)
    order = order[alive[order]]
    numbers = np.full(states, -1, dtype=np.int64)
    numbers[order] = np.arange(len(order))
    return Order(numbers=numbers, kept=kept, states=len(order))


def reached(states: int, sources: Indices, targets: Indices, start: int) -> NDArray[np.bool_]:
    """Which states can be come to from ``start``."""
    found = np.zeros(states, dtype=bool)
    found[start] = True
    if (sources < targets).all() or (sources > targets).all():
        # In topological order already: one pass over the arcs in that order sees everything.
        step = 1 if (sources < targets).all() else -1
        order = np.argsort(step * sources, kind="stable")
        flags = found.tolist()
        for source, target in zip(sources[order].tolist(), targets[order].tolist(), strict=True):
            if flags[source]:
                flags[target] = True
        return np.array(flags, dtype=bool)
    begins, neighbours = adjacency(states, sources, targets)
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for other in neighbours[begins[state] : begins[state + 1]]:
            if not found[other]:
                found[other] = True
                waiting.append(other)
    return found


def topological(states: int, sources: Indices, targets: Indices, place: Place) -> Indices:
    """The states so that every arc goes forward: as they are if they do, else Kahn's order."""
    if (sources < targets).all():
        return np.arange(states)
    begins, neighbours = adjacency(states, sources, targets)
    missing = np.bincount(targets, minlength=states).tolist()
    order = [state for state in range(states) if not missing[state]]
    for state in order:  # grows while it is read
        for other in neighbours[begins[state] : begins[state + 1]]:
            missing[other] -= 1
            if not missing[other]:
                order.append(other)
    if len(order) < states:
        raise InputError(
            f"{place(_on_cycle(begins, neighbours, missing))}: on a cycle, expected none"
        )
    return np.array(order, dtype=np.int64)


def _on_cycle(begins: list[int], neighbours: list[int], missing: list[int]) -> int:
    """A state of a cycle: what is left waits for what is left, so going back comes around."""
    left = [state for state, count in enumerate(missing) if count]
    before = {
        other: state for state in left for other in neighbours[begins[state] : begins[state + 1]]
    }
    state, seen = left[0], set[int]()
    while state not in seen:
        seen.add(state)
        state = before[state]
    return state


def adjacency(states: int, sources: Indices, targets: Indices) -> tuple[list[int], list[int]]:
    """Where each state's neighbours begin, and the neighbours, as lists that are quick to read."""
    order = np.argsort(sources, kind="stable")
    begins = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=states))))
    return begins.tolist(), targets[order].tolist()
