"""Forests in canonical form, from hyperedges as they come."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from tertium.decode.structures.arrays import Floats, Integers, Weights
from tertium.decode.structures.canonical import Frame, Place, topological
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.numbering import Numbers, feature_table
from tertium.errors import InputError


def build_forest(
    edges: Iterable[Sequence[Any]],
    *,
    goal: Hashable,
    feature_names: Sequence[str] | None,
    weights: Weights,
    name: str,
    trim: bool,
) -> Forest:
    """See `Forest.build`."""
    rows = [(*edge, None)[:3] for edge in edges]
    nodes, words = Numbers(), Numbers()
    heads = [nodes[row[0]] for row in rows]
    tails = [[nodes[one] for one in row[1] if not isinstance(one, str)] for row in rows]
    if not rows:
        raise InputError(f"{name}: no hyperedges, expected one at least")
    symbols = []
    for row in rows:
        places = iter(range(len(row[1])))
        symbols.append(
            [words[one] if isinstance(one, str) else -1 - next(places) for one in row[1]]
        )
    names, features = feature_table([row[2] for row in rows], feature_names)
    things = nodes.things()
    return assemble_forest(
        nodes=len(nodes),
        heads=heads,
        tails=tails,
        symbols=symbols,
        features=features,
        goal=_goal(nodes, heads, tails, name) if goal is None else _known(nodes, goal, name),
        frame=Frame(
            vocabulary=words.things(),
            feature_names=names,
            weights=weights,
            name=name,
            place=lambda node: f"{name}: node {things[node]}",
            trim=trim,
        ),
    )


def assemble_forest(
    *,
    nodes: int,
    heads: list[int],
    tails: list[list[int]],
    symbols: list[list[int]],
    features: Floats,
    goal: int,
    frame: Frame,
) -> Forest:
    """Number the nodes bottom-up, sort the hyperedges by their heads."""
    kept, order = _bottom_up(nodes, heads, tails, goal, frame.place, trim=frame.trim)
    numbers = {node: number for number, node in enumerate(order)}
    kept.sort(key=lambda edge: numbers[heads[edge]])
    used = Numbers()
    flat = [symbol if symbol < 0 else used[symbol] for edge in kept for symbol in symbols[edge]]
    return Forest(
        **frame.fields(used.things()),
        heads=np.array([numbers[heads[edge]] for edge in kept], dtype=np.int32),
        symbol_offsets=_offsets([len(symbols[edge]) for edge in kept]),
        symbols=np.array(flat, dtype=np.int32),
        tail_offsets=_offsets([len(tails[edge]) for edge in kept]),
        tails=np.array([numbers[tail] for edge in kept for tail in tails[edge]], dtype=np.int32),
        features=features[kept],
        nodes=len(order),
    )


def _bottom_up(
    nodes: int, heads: list[int], tails: list[list[int]], goal: int, place: Place, *, trim: bool
) -> tuple[list[int], list[int]]:
    """The hyperedges of derivations of the goal, and the nodes so that tails precede heads."""
    derived = _derivable(nodes, heads, tails)
    kept = [
        edge
        for edge, head in enumerate(heads)
        if derived[head] and all(derived[t] for t in tails[edge])
    ]
    needed = _needed(nodes, heads, tails, kept, goal)
    if not derived[goal]:
        raise InputError(f"{place(goal)}: no derivation of the goal, expected one at least")
    if not trim:
        for node in range(nodes):
            if not (derived[node] and needed[node]):
                what = "not part of a derivation of the goal" if derived[node] else "no derivation"
                raise InputError(f"{place(node)}: {what}, expected every node to be in one")
    kept = [edge for edge in kept if needed[heads[edge]]]
    alive = [derived[node] and needed[node] for node in range(nodes)]
    if all(tail < heads[edge] for edge in kept for tail in tails[edge]):
        return kept, [node for node in range(nodes) if alive[node]]
    return kept, _sorted_nodes(nodes, heads, tails, kept, alive, place)


def _derivable(nodes: int, heads: list[int], tails: list[list[int]]) -> list[bool]:
    """Which nodes have at least one finite derivation."""
    waiting_for = [len(some) for some in tails]
    users: list[list[int]] = [[] for _ in range(nodes)]
    for edge, some in enumerate(tails):
        for tail in some:
            users[tail].append(edge)
    derived = [False] * nodes
    ready = [edge for edge, count in enumerate(waiting_for) if not count]
    while ready:
        head = heads[ready.pop()]
        if derived[head]:
            continue
        derived[head] = True
        for edge in users[head]:
            waiting_for[edge] -= 1
            if not waiting_for[edge]:
                ready.append(edge)
    return derived


def _needed(
    nodes: int, heads: list[int], tails: list[list[int]], kept: list[int], goal: int
) -> list[bool]:
    """Which nodes the goal is made from."""
    into: dict[int, list[int]] = {}
    for edge in kept:
        into.setdefault(heads[edge], []).append(edge)
    needed = [False] * nodes
    needed[goal] = True
    waiting = [goal]
    while waiting:
        for edge in into.get(waiting.pop(), ()):
            for tail in tails[edge]:
                if not needed[tail]:
                    needed[tail] = True
                    waiting.append(tail)
    return needed


def _sorted_nodes(  # noqa: PLR0917 (a graph is a handful of lists)
    nodes: int,
    heads: list[int],
    tails: list[list[int]],
    kept: list[int],
    alive: list[bool],
    place: Place,
) -> list[int]:
    pairs = [(tail, heads[edge]) for edge in kept for tail in tails[edge]]
    sources, targets = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    order = topological(nodes, sources, targets, place)
    return [node for node in order.tolist() if alive[node]]


def _offsets(sizes: list[int]) -> Integers:
    return np.cumsum([0, *sizes], dtype=np.int32)


def _goal(nodes: Numbers, heads: list[int], tails: list[list[int]], name: str) -> int:
    used = {tail for some in tails for tail in some}
    tops = [head for head in dict.fromkeys(heads) if head not in used]
    if len(tops) != 1:
        found = ", ".join(str(nodes.things()[top]) for top in tops[:5]) or "none"
        raise InputError(f"{name}: goal: found {found}, expected one node that is nobody's tail")
    return tops[0]


def _known(nodes: Numbers, goal: Hashable, name: str) -> int:
    if goal not in nodes:
        raise InputError(f"{name}: goal {goal!r}: found no hyperedge with it, expected some")
    return nodes[goal]
