"""Forests: all the derivations that a grammar, or a phrase-based decoder, found for a segment."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tertium.decode.structures.arrays import (
    Floats,
    Frame,
    Integers,
    Numbers,
    Path,
    Place,
    Weights,
    feature_table,
    topological,
)
from tertium.decode.structures.graph import Graph, Hypergraph
from tertium.decode.structures.lattice import Lattice
from tertium.errors import InputError
from tertium.plurals import counted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Forest(Graph):
    """A hypergraph of derivations in canonical form, which is checked.

    Nodes 0 … ``nodes`` − 1 are bottom-up: the tails of a hyperedge come before its head. The last
    node is the goal; every node is part of a derivation. Hyperedges are sorted by their heads.
    A hyperedge's target side are its symbols: a word's index in the vocabulary, or −1 − k for
    what its k-th tail says; each tail is used once. The model's score of a derivation is the sum
    of its hyperedges' features · weights, higher is better.

    >>> forest = Forest.build([(0, ["a"], -1.0), (0, ["b"], -2.0), (1, [0, "c", 0], 0.0)])
    >>> print(forest.best(), forest.count_derivations())
    -2  a c a 4
    """

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "heads",
        "symbol_offsets",
        "symbols",
        "tail_offsets",
        "tails",
    )
    SHAPE: ClassVar[tuple[str, ...]] = ("heads", "symbol_offsets", "tail_offsets", "tails")
    EDGE: ClassVar[str] = "hyperedge"

    heads: Integers = field(repr=False)
    symbol_offsets: Integers = field(repr=False)
    symbols: Integers = field(repr=False)
    tail_offsets: Integers = field(repr=False)
    tails: Integers = field(repr=False)
    name: str = "forest"

    def _check(self) -> None:
        _check(self)

    @classmethod
    def build(
        cls,
        edges: Iterable[Sequence[Any]],
        *,
        goal: Hashable = None,
        feature_names: Sequence[str] | None = None,
        weights: Weights = None,
        name: str = "forest",
        trim: bool = False,
    ) -> "Forest":
        """The canonical form of hyperedges ``(head, symbols[, features])``.

        Among the symbols a string is a word; anything else is a node, so nodes can be numbers
        or tuples. Features are a number, several, or a mapping from names. The goal is the only
        node that is nobody's tail, unless told. ``trim`` leaves out what is in no derivation.
        """
        return build_forest(
            edges, goal=goal, feature_names=feature_names, weights=weights, name=name, trim=trim
        )

    @property
    def edges(self) -> int:
        """How many hyperedges there are."""
        return len(self.heads)

    @property
    def arity(self) -> int:
        """The largest number of tails."""
        return int(np.diff(self.tail_offsets).max(initial=0))

    def hypergraph(self) -> Hypergraph:
        """The hyperedges by their heads, for the searches that lattices and forests share."""
        return Hypergraph.of_hyperedges(self.nodes, self.heads, self.tail_offsets, self.tails)

    def edge_symbols(self, edge: int) -> list[int]:
        """The target side of a hyperedge: a word's index, or −1 − k for the k-th tail."""
        begin, end = self.symbol_offsets[edge : edge + 2]
        symbols: list[int] = self.symbols[begin:end].tolist()
        return symbols

    def edge_tails(self, edge: int) -> list[int]:
        """The nodes a hyperedge is made from."""
        begin, end = self.tail_offsets[edge : edge + 2]
        tails: list[int] = self.tails[begin:end].tolist()
        return tails

    def derivation(self, edges: Sequence[int], weights: Weights = None) -> Path:
        """What a derivation says and scores; its hyperedges from the goal down, left to right."""
        waiting: list[list[str]] = []
        for edge in reversed(edges):
            # All that lies below comes later in the list: its words are on the stack already.
            parts = [waiting.pop() for _ in self.edge_tails(edge)]
            words: list[str] = []
            for symbol in self.edge_symbols(edge):
                if symbol < 0:
                    words += parts[-1 - symbol]
                else:
                    words.append(self.vocabulary[symbol])
            waiting.append(words)
        if len(waiting) != 1:
            raise InputError(f"{self.name}: found hyperedges {list(edges)}, expected a derivation")
        return self._scored(waiting[0], edges, weights)

    def of_edges(self, edges: Sequence[int], weights: Weights = None) -> Path:
        """See `Graph.of_edges`."""
        return self.derivation(edges, weights)

    derivations = Graph.paths
    count_derivations = Graph.count_paths

    def to_lattice(self) -> Lattice:
        """The same paths as a lattice, if no hyperedge has more than one tail, in front."""
        from tertium.decode.structures.lattice_forests import forest_to_lattice

        return forest_to_lattice(self)

    def to_dot(self) -> str:
        """The forest in Graphviz' language."""
        from tertium.decode.structures.drawing import forest_dot

        return forest_dot(self)

    def _spoken(self) -> tuple[int | str, ...]:
        return tuple(
            symbol if symbol < 0 else self.vocabulary[symbol] for symbol in self.symbols.tolist()
        )

    def __repr__(self) -> str:
        return (
            f"<Forest {self.name}: {counted(self.nodes, 'node')}, {self.edges} hyperedges, "
            f"arity {self.arity}, {counted(len(self.vocabulary), 'word')}, "
            f"{counted(len(self.feature_names), 'feature')}>"
        )

    def __str__(self) -> str:
        lines = [repr(self)]
        scores = self.edge_scores()
        lines += (
            f"  {self.heads[edge]} ← {self.edge_text(edge)}  {scores[edge]:.6g}"
            for edge in range(min(self.edges, 20))
        )
        if self.edges > 20:
            lines.append(f"  … and {self.edges - 20} more hyperedges")
        return "\n".join(lines)

    def edge_text(self, edge: int) -> str:
        """The target side of a hyperedge, nodes in brackets."""
        tails = self.edge_tails(edge)
        return " ".join(
            f"[{tails[-1 - symbol]}]" if symbol < 0 else self.vocabulary[symbol]
            for symbol in self.edge_symbols(edge)
        )


def _check(forest: Forest) -> None:
    """That the form is canonical. Tails before heads: then degrees say that all is derivable."""
    location, nodes, edges = forest.name, forest.nodes, forest.edges
    heads, tails, symbols = forest.heads, forest.tails, forest.symbols
    if nodes < 1:
        raise InputError(f"{location}: found {counted(nodes, 'node')}, expected at least the goal")
    for name, offsets, size in (
        ("symbol_offsets", forest.symbol_offsets, len(symbols)),
        ("tail_offsets", forest.tail_offsets, len(tails)),
    ):
        if len(offsets) != edges + 1 or offsets[0] != 0 or offsets[-1] != size:
            raise InputError(
                f"{location}: {name}: expected {counted(edges + 1, 'number')} from 0 to {size}"
            )
        if (np.diff(offsets) < 0).any():
            raise InputError(f"{location}: {name}: found them falling, expected them to rise")
    if ((heads < 0) | (heads >= nodes)).any() or (np.diff(heads) < 0).any():
        raise InputError(
            f"{location}: heads: expected them sorted, within {counted(nodes, 'node')}"
        )
    owners = np.repeat(np.arange(edges), np.diff(forest.tail_offsets))
    for place_of_tail in np.flatnonzero((tails < 0) | (tails >= heads[owners]))[:1]:
        edge = owners[place_of_tail]
        raise InputError(
            f"{location}: hyperedge {edge}: found tail {tails[place_of_tail]} of head "
            f"{heads[edge]}, "
            "expected tails before heads (Forest.build sorts them)"
        )
    if (symbols >= len(forest.vocabulary)).any():
        raise InputError(f"{location}: found a symbol outside of the vocabulary")
    _check_tail_symbols(forest)
    for node in np.flatnonzero(np.bincount(heads, minlength=nodes) == 0)[:1]:
        raise InputError(f"{location}: node {node}: no hyperedge derives it, expected one at least")
    for node in np.flatnonzero(np.bincount(tails, minlength=nodes)[:-1] == 0)[:1]:
        raise InputError(f"{location}: node {node}: nobody's tail, only the last may be the goal")


def _check_tail_symbols(forest: Forest) -> None:
    """That each hyperedge has each of its tails among its symbols exactly once."""
    owners = np.repeat(np.arange(forest.edges), np.diff(forest.symbol_offsets))
    negative = forest.symbols < 0
    owners, numbers = owners[negative], -1 - forest.symbols[negative].astype(np.int64)
    arities = np.diff(forest.tail_offsets)
    wrong = numbers >= arities[owners]
    used = np.bincount((forest.tail_offsets[owners] + numbers)[~wrong], minlength=len(forest.tails))
    if wrong.any() or (used != 1).any():
        edge = int(
            owners[wrong][0]
            if wrong.any()
            else np.searchsorted(forest.tail_offsets, np.argmax(used != 1), side="right") - 1
        )
        raise InputError(
            f"{forest.name}: hyperedge {edge}: expected each of its "
            f"{arities[edge]} tails among its symbols exactly once"
        )


# Forests in canonical form, from hyperedges as they come.


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
    tails = [[nodes[item] for item in row[1] if not isinstance(item, str)] for row in rows]
    if not rows:
        raise InputError(f"{name}: no hyperedges, expected one at least")
    symbols = []
    for row in rows:
        places = iter(range(len(row[1])))
        symbols.append(
            [words[item] if isinstance(item, str) else -1 - next(places) for item in row[1]]
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
