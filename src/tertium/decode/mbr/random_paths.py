"""Independent samples of a lattice's paths or a forest's derivations."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from tertium.decode.structures.arrays import Floats, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.search import Hypergraph
from tertium.errors import OptionError


def sampled_texts(
    space: Lattice | Forest,
    size: int,
    *,
    seed: int,
    scale: float = 1.0,
    weights: Weights = None,
) -> list[str]:
    """Texts of paths drawn with probability ∝ exp(scale · model score), with replacement."""
    if size < 1:
        raise OptionError(f"samples: found {size}, expected at least 1")
    if not (np.isfinite(scale) and scale >= 0):
        raise OptionError(f"scale: found {scale:g}, expected a number, 0 or more")
    graph = space.hypergraph()
    edges = sampled_edges(graph, scale * space.edge_scores(weights), size, seed)
    return [space.of_edges(some).text for some in edges]


def sampled_edges(graph: Hypergraph, values: Floats, size: int, seed: int) -> Iterator[list[int]]:
    """Edges of derivations, from the goal down, left before right.

    An edge is chosen among those into its node by its share of their inside sums, so the
    probability of a whole derivation is exactly its share of all.
    """
    shares = cumulative_shares(graph, values)
    rng = np.random.default_rng(seed)
    draws = iter(rng.random(0).tolist())
    for _ in range(size):
        edges: list[int] = []
        open_nodes = [graph.goal]
        while open_nodes:
            node = open_nodes.pop()
            if not graph.edges[node]:
                continue  # the axiom
            draw = next(draws, None)
            if draw is None:
                draws = iter(rng.random(4096).tolist())
                draw = next(draws)
            place = min(bisect_right(shares[node], draw), len(shares[node]) - 1)
            edge = graph.edges[node][place]
            edges.append(edge)
            open_nodes += reversed(graph.tails[edge])
        yield edges


def cumulative_shares(graph: Hypergraph, values: Floats) -> list[list[float]]:
    """For each node the running sums of its edges' probabilities."""
    numbers = values.tolist()
    sums = [0.0] * len(graph.edges)
    shares: list[list[float]] = []
    for node, edges in enumerate(graph.edges):
        scores = np.array([numbers[e] + sum(sums[t] for t in graph.tails[e]) for e in edges])
        if len(scores):
            top = float(scores.max())
            weights = np.exp(scores - top)
            sums[node] = top + float(np.log(weights.sum()))
            shares.append(list(accumulate((weights / weights.sum()).tolist())))
        else:
            shares.append([])
    return shares
