"""Best, k best, all and how many: searches that lattices and forests share.

Both are hypergraphs to these functions. A lattice's arc is a hyperedge from its source, the only
tail, to its target, the head; the start is an axiom that needs no edge.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from typing import TypeAlias

import numpy as np

from tertium.decode.structures.arrays import Floats, Integers

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
