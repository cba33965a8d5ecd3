"""What lattices and forests have in common: edges with features, and searches over them.

Best, k best, all and how many are searched for in hypergraphs, which both are to these functions.
A lattice's arc is a hyperedge from its source, the only tail, to its target, the head; the start
is an axiom that needs no edge.
"""

import heapq
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice, pairwise
from typing import ClassVar, Self, TypeAlias

import numpy as np

from tertium.decode.structures.arrays import (
    Floats,
    Integers,
    Path,
    Weights,
    chosen_weights,
    default_weights,
    distinct,
    integers,
    no_numbers,
    table,
)
from tertium.decode.structures.nbest import NBest

Chain: TypeAlias = tuple[int, "Chain"] | None
"""A linked list: items that share their beginnings share its memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypergraph:
    """The edges into each node, and the tails of each edge; nodes are numbered bottom-up."""

    edges: list[list[int]]
    tails: list[list[int]]
    axiom: int | None = None

    @classmethod
    def of_arcs(cls, nodes: int, sources: Integers, targets: Integers) -> "Hypergraph":
        """A lattice, whose node 0 is the start."""
        tails = [[source] for source in sources.tolist()]
        return cls(edges=grouped(nodes, targets), tails=tails, axiom=0)

    @classmethod
    def of_hyperedges(
        cls, nodes: int, heads: Integers, offsets: Integers, tails: Integers
    ) -> "Hypergraph":
        """A forest."""
        bounds, all_tails = offsets.tolist(), tails.tolist()
        pairs = pairwise(bounds)
        return cls(
            edges=grouped(nodes, heads), tails=[all_tails[begin:end] for begin, end in pairs]
        )

    @property
    def goal(self) -> int:
        """The node that stands for everything."""
        return len(self.edges) - 1


def grouped(nodes: int, heads: Integers) -> list[list[int]]:
    """The numbers of the edges into each node."""
    groups: list[list[int]] = [[] for _ in range(nodes)]
    for edge, head in enumerate(heads.tolist()):
        groups[head].append(edge)
    return groups


def inside(graph: Hypergraph, values: Floats) -> tuple[list[float], list[int]]:
    """The best score of each node and the edge that gives it (Viterbi; ties: the first edge)."""
    numbers = values.tolist()
    scores = [float("-inf")] * len(graph.edges)
    best = [-1] * len(graph.edges)
    for node, edges in enumerate(graph.edges):
        if node == graph.axiom:
            scores[node] = 0.0
        for edge in edges:
            score = numbers[edge]
            for tail in graph.tails[edge]:
                score += scores[tail]
            if score > scores[node]:
                scores[node], best[node] = score, edge
    return scores, best


def best_edges(graph: Hypergraph, values: Floats) -> list[int]:
    """The edges of the best derivation, from the goal down, left before right."""
    _, best = inside(graph, values)
    edges, open_nodes = [], [graph.goal]
    while open_nodes:
        edge = best[open_nodes.pop()]
        if edge >= 0:  # else the axiom
            edges.append(edge)
            open_nodes += reversed(graph.tails[edge])
    return edges


def ranked_edges(graph: Hypergraph, values: Floats) -> Iterator[list[int]]:
    """The edges of all derivations, the best derivation first, each when it is asked for.

    Best-first search from the goal down. What an unfinished derivation can still get is known
    exactly from `inside`, so the derivations come out in order and nothing is expanded that
    does not belong to one of them.
    """
    scores, _ = inside(graph, values)
    numbers = values.tolist()
    ticket = count()
    # Score with the open nodes at their best, ticket (ties: first come), edges, open nodes.
    heap: list[tuple[float, int, Chain, Chain]] = [
        (-scores[graph.goal], next(ticket), None, (graph.goal, None))
    ]
    while heap:
        cost, _, done, waiting = heapq.heappop(heap)
        open_nodes = _without(graph.axiom, waiting)
        if open_nodes is None:
            yield _unchained(done)
            continue
        node, rest = open_nodes
        for edge in graph.edges[node]:
            tails = graph.tails[edge]
            score = numbers[edge] + sum(scores[tail] for tail in tails)
            following = rest
            for tail in reversed(tails):
                following = (tail, following)
            item = (cost + scores[node] - score, next(ticket), (edge, done), following)
            heapq.heappush(heap, item)


def all_edges(graph: Hypergraph) -> Iterator[list[int]]:
    """The edges of every derivation, in no order of merit, each when it is asked for."""
    waiting: list[tuple[Chain, Chain]] = [(None, (graph.goal, None))]
    while waiting:
        done, first = waiting.pop()
        open_nodes = _without(graph.axiom, first)
        if open_nodes is None:
            yield _unchained(done)
            continue
        node, rest = open_nodes
        for edge in reversed(graph.edges[node]):
            following = rest
            for tail in reversed(graph.tails[edge]):
                following = (tail, following)
            waiting.append(((edge, done), following))


def derivation_count(graph: Hypergraph) -> int:
    """How many derivations there are, exactly."""
    counts = [0] * len(graph.edges)
    for node, edges in enumerate(graph.edges):
        total = int(node == graph.axiom)
        for edge in edges:
            product = 1
            for tail in graph.tails[edge]:
                product *= counts[tail]
            total += product
        counts[node] = total
    return counts[graph.goal]


def _without(axiom: int | None, chain: Chain) -> Chain:
    """The nodes that are still to be derived: the start needs no edge."""
    while chain is not None and chain[0] == axiom:
        chain = chain[1]
    return chain


def _unchained(chain: Chain) -> list[int]:
    edges = []
    while chain is not None:
        edge, chain = chain
        edges.append(edge)
    edges.reverse()
    return edges


def total_features(features: Floats, edges: list[int]) -> Floats:
    """The sum over the edges, an edge as often as it occurs."""
    total: Floats = features[np.array(edges, dtype=np.int64)].sum(axis=0)
    return total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Graph(ABC):
    """Words on edges, and the model's score of a path: the sum of its edges' features · weights."""

    COLUMNS: ClassVar[tuple[str, ...]]
    """The fields of whole numbers; the first has one for each edge."""
    SHAPE: ClassVar[tuple[str, ...]]
    """Those of them that make two graphs differ, whatever the order of their vocabularies."""
    EDGE: ClassVar[str]

    vocabulary: tuple[str, ...] = field(repr=False)
    feature_names: tuple[str, ...] = ()
    features: Floats = field(default_factory=no_numbers, repr=False)
    weights: Floats = field(default_factory=no_numbers, repr=False)
    nodes: int
    name: str

    def __post_init__(self) -> None:
        location = self.name
        names = distinct(self.feature_names, "feature names", location)
        columns = {name: integers(getattr(self, name), name, location) for name in self.COLUMNS}
        edges = len(columns[self.COLUMNS[0]])
        fixed: dict[str, object] = {
            **columns,
            "vocabulary": distinct(self.vocabulary, "vocabulary", location),
            "feature_names": names,
            "features": table(self.features, edges, names, location, self.EDGE),
            "weights": default_weights(self.weights, names, location),
        }
        for key, value in fixed.items():
            object.__setattr__(self, key, value)
        self._check()

    @abstractmethod
    def _check(self) -> None:
        """That the form is canonical."""

    @abstractmethod
    def hypergraph(self) -> Hypergraph:
        """The edges by where they lead to, for the searches that lattices and forests share."""

    @abstractmethod
    def of_edges(self, edges: Sequence[int], weights: Weights = None) -> Path:
        """What edges of the hypergraph, from the goal down, say and score."""

    @abstractmethod
    def _spoken(self) -> tuple[int | str, ...]:
        """What the edges say with words as such, for the order of a vocabulary means nothing."""

    @abstractmethod
    def to_dot(self) -> str:
        """The graph in Graphviz' language."""

    def edge_scores(self, weights: Weights = None) -> Floats:
        """Features · weights of every edge; the default weights where none are given."""
        chosen = chosen_weights(weights, self.feature_names, self.weights)
        scores: Floats = self.features @ chosen
        return scores

    def with_weights(self, weights: Weights) -> Self:
        """The same with other default weights."""
        return replace(self, weights=chosen_weights(weights, self.feature_names, self.weights))

    def _scored(self, words: Sequence[str], edges: Sequence[int], weights: Weights) -> Path:
        """A path that says these words, with the sum of its edges' features."""
        features = total_features(self.features, list(edges))
        chosen = chosen_weights(weights, self.feature_names, self.weights)
        return Path(
            words=tuple(words),
            score=float(features @ chosen),
            features=features,
            edges=tuple(edges),
        )

    def best(self, weights: Weights = None) -> Path:
        """The path that the model scores highest (Viterbi)."""
        return self.of_edges(best_edges(self.hypergraph(), self.edge_scores(weights)), weights)

    def ranked(self, weights: Weights = None) -> Iterator[Path]:
        """All paths, the best first, each when it is asked for."""
        for edges in ranked_edges(self.hypergraph(), self.edge_scores(weights)):
            yield self.of_edges(edges, weights)

    def paths(self) -> Iterator[Path]:
        """All paths in no order of merit; there may be more than anybody can wait for."""
        for edges in all_edges(self.hypergraph()):
            yield self.of_edges(edges)

    def count_paths(self) -> int:
        """How many paths there are, exactly."""
        return derivation_count(self.hypergraph())

    def n_best(self, size: int, weights: Weights = None, *, segment: int = 0) -> NBest:
        """The best paths; the same text may come from several of them."""
        paths = list(islice(self.ranked(weights), size))
        shape = len(paths), len(self.feature_names)
        return NBest(
            segment=segment,
            hypotheses=tuple(path.text for path in paths),
            feature_names=self.feature_names,
            features=np.array([path.features for path in paths]).reshape(shape),
            scores=np.array([path.score for path in paths]),
        )

    def to_svg(self) -> str:
        """A drawing; the program ``dot`` of Graphviz must be there."""
        from tertium.decode.structures.drawing import svg_of

        return svg_of(self.to_dot())

    def _repr_html_(self) -> str:
        from tertium.decode.structures.drawing import html_of

        return html_of(self.to_dot(), repr(self))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return (
            self.nodes == other.nodes
            and self.feature_names == other.feature_names
            and self._spoken() == other._spoken()
            and all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in (*self.SHAPE, "features", "weights")
            )
        )

    def __hash__(self) -> int:
        return hash((self.nodes, len(self.features), self.feature_names, self._spoken()))
