"""Tuning on lattices and forests: envelopes over all their paths, by the convex-hull semiring.

Macherey et al. 2008 for lattices, Kumar et al. 2009 for forests.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.errors import InputError
from tertium.tune.merged_lists import feature_table
from tertium.tune.surfaces import Envelopes, Surface, Vectors
from tertium.tune.weight_vectors import union_of

Graph: TypeAlias = Lattice | Forest


class GraphSurface(Surface):
    """All paths of one lattice or forest for each segment.

    Hypotheses are numbered as searches come upon them.
    """

    __slots__ = ("_found", "_owners", "_spread", "_texts", "graphs")

    def __init__(
        self,
        graphs: Sequence[Graph],
        references: Sequence[str | Sequence[str]],
        sources: Sequence[str] | None = None,
    ) -> None:
        names = union_of(graph.feature_names for graph in graphs)
        super().__init__(names, references, sources)
        if len(graphs) != self.segments:
            raise InputError(f"graphs: found {len(graphs)}, expected {self.segments} (references)")
        self.graphs = tuple(graphs)
        self._found = _native.GraphHypotheses([_native_graph(graph, names) for graph in graphs])
        self._texts: list[str] = []
        self._owners = np.zeros(0, dtype=np.int32)
        self._spread = _spread(graphs, names)

    def __len__(self) -> int:
        return len(self._texts)

    def envelopes(self, points: Vectors, directions: Vectors) -> Envelopes:
        try:
            result = self._found.envelopes(points, directions)
        except ValueError as error:
            raise InputError(f"graphs: {error}") from None
        owners, offsets, words = self._found.since(len(self._texts))
        self._owners = np.concatenate([self._owners, owners])
        numbers = words.tolist()
        for owner, (begin, end) in zip(owners, pairwise(offsets.tolist()), strict=True):
            vocabulary = self.graphs[owner].vocabulary
            self._texts.append(" ".join(vocabulary[number] for number in numbers[begin:end]))
        return result

    def texts(self, numbers: Sequence[int]) -> list[str]:
        return [self._texts[number] for number in numbers]

    def owners(self) -> NDArray[np.int32]:
        return self._owners

    def spread(self) -> NDArray[np.float64]:
        """The standard deviation over edges."""
        return self._spread


def _spread(graphs: Sequence[Graph], names: tuple[str, ...]) -> NDArray[np.float64]:
    features = np.concatenate([feature_table(graph, names) for graph in graphs])
    with np.errstate(over="ignore", invalid="ignore"):
        deviations = features.std(axis=0)
    return np.where((deviations > 0) & np.isfinite(deviations), deviations, 1.0)


def _native_graph(graph: Graph, names: tuple[str, ...]) -> _native.DerivationGraph:
    features = feature_table(graph, names)
    if isinstance(graph, Forest):
        return _native.DerivationGraph(
            graph.nodes,
            graph.heads,
            graph.tail_offsets,
            graph.tails,
            graph.symbol_offsets,
            graph.symbols,
            features,
        )
    # An arc is a hyperedge that says what its source says, then its word; the start says nothing.
    order = np.argsort(graph.targets, kind="stable")
    worded = (graph.labels[order] != EMPTY).astype(np.int32)
    symbol_offsets = np.cumsum([0, 0, *(1 + worded)], dtype=np.int32)
    symbols = np.full(symbol_offsets[-1], -1, dtype=np.int32)
    symbols[symbol_offsets[1:-1][worded == 1] + 1] = graph.labels[order][worded == 1]
    return _native.DerivationGraph(
        graph.nodes,
        np.concatenate([[0], graph.targets[order]]).astype(np.int32),
        np.concatenate([[0], np.arange(len(order) + 1)]).astype(np.int32),
        np.ascontiguousarray(graph.sources[order]),
        symbol_offsets,
        symbols,
        np.concatenate([np.zeros((1, len(names))), features[order]]),
    )
