"""What is tuned on: the hypotheses a model can choose from, as its weights move.

A surface is made of n-best lists, those of several runs merged and each hypothesis once, or of
lattices and forests, with envelopes over all their paths by the convex-hull semiring (Macherey et
al. 2008 for lattices, Kumar et al. 2009 for forests).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System
from tertium.tune.weight_vectors import union_of

Vectors: TypeAlias = NDArray[np.float64]
"""Weights or directions, (searches, features)."""
Envelopes: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int32]]
"""Offsets, starts and hypotheses of one upper envelope for each search and segment."""

_TEXTS_AT_ONCE: Final = 50_000


class Surface(ABC):
    """Hypotheses of all segments, numbered, with their statistics under any metric.

    Statistics come from texts and references, once for each metric; graphs add hypotheses as
    searches come upon them.
    """

    __slots__ = ("_bound", "_rows", "feature_names", "references", "sources")

    def __init__(
        self,
        feature_names: Sequence[str],
        references: Sequence[str | Sequence[str]],
        sources: Sequence[str] | None = None,
    ) -> None:
        self.feature_names = tuple(feature_names)
        self.sources = None if sources is None else list(sources)
        self.references = [
            [reference] if isinstance(reference, str) else list(reference)
            for reference in references
        ]
        self._rows: dict[str, Rows] = {}
        self._bound: dict[str, Metric] = {}
        if not self.feature_names:
            raise InputError("features: found none, expected at least one to tune")

    @property
    def segments(self) -> int:
        """How many segments there are."""
        return len(self.references)

    @abstractmethod
    def __len__(self) -> int:
        """How many hypotheses are known."""

    @abstractmethod
    def envelopes(self, points: Vectors, directions: Vectors) -> Envelopes:
        """The upper envelope of every segment for every search."""

    @abstractmethod
    def texts(self, numbers: Sequence[int]) -> list[str]:
        """The texts of some hypotheses."""

    @abstractmethod
    def owners(self) -> NDArray[np.integer]:
        """The segments that the known hypotheses belong to."""

    @abstractmethod
    def spread(self) -> NDArray[np.float64]:
        """By how much each feature differs within segments; 1 for one that does not."""

    def best(self, points: Vectors) -> NDArray[np.int32]:
        """The hypotheses that the model prefers, (points, segments)."""
        _, _, hypotheses = self.envelopes(points, np.zeros_like(points))
        return hypotheses.reshape(len(points), self.segments)

    def bound(self, metric: Metric) -> Metric:
        """The metric, having seen all references if it must."""
        if metric.spec not in self._bound:
            self._bound[metric.spec] = metric.fit(self.references)
        return self._bound[metric.spec]

    def rows(self, metric: Metric) -> Rows:
        """The statistics of all known hypotheses."""
        known = self._rows.get(metric.spec)
        first = 0 if known is None else len(known)
        if known is None or first < len(self):
            fresh = self._statistics(self.bound(metric), first)
            known = fresh if known is None else np.concatenate([known, fresh])
            self._rows[metric.spec] = known
        return known

    def statistics(self, metric: Metric, texts: Sequence[str], segments: Sequence[int]) -> Rows:
        """Those of some texts, each a hypothesis for its segment."""
        corpus = Corpus(
            references=[self.references[segment] for segment in segments],
            sources=None
            if self.sources is None
            else [self.sources[segment] for segment in segments],
        )
        return metric.rows_of(System(name="hypotheses", hypotheses=texts), corpus)

    def _statistics(self, metric: Metric, first: int) -> Rows:
        owners = self.owners()
        blocks = []
        for begin in range(first, len(self), _TEXTS_AT_ONCE):
            numbers = range(begin, min(len(self), begin + _TEXTS_AT_ONCE))
            some = [int(owners[number]) for number in numbers]
            blocks.append(self.statistics(metric, self.texts(numbers), some))
        return np.ascontiguousarray(np.concatenate(blocks), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """The hypotheses of all segments in one table.

    Those of segment s are ``offsets[s]`` … ``offsets[s + 1]`` − 1.
    """

    feature_names: tuple[str, ...]
    features: Vectors = field(repr=False)
    offsets: NDArray[np.int64] = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, lists: Iterable[NBest], segments: int) -> Self:
        """Merge lists, several of which may be for the same segment.

        A hypothesis is a duplicate if text and features are the same. Features that a list does
        not have are 0.
        """
        parts = list(lists)
        names = union_of(part.feature_names for part in parts)
        pools: list[dict[tuple[str, bytes], None]] = [{} for _ in range(segments)]
        for part in parts:
            if part.segment >= segments:
                raise InputError(
                    f"n-best list: found segment {part.segment}, expected numbers from 0 to "
                    f"{segments - 1} (references)"
                )
            table = feature_table(part, names) + 0.0  # −0 is 0
            for text, row in zip(part.hypotheses, table, strict=True):
                pools[part.segment].setdefault((text, row.tobytes()))
        for segment, pool in enumerate(pools):
            if not pool:
                raise InputError(f"segment {segment}: no hypothesis, expected at least one")
        features = np.frombuffer(b"".join(row for pool in pools for _, row in pool))
        return cls(
            feature_names=names,
            features=features.reshape(sum(map(len, pools)), len(names)),
            offsets=np.cumsum([0, *map(len, pools)], dtype=np.int64),
            texts=tuple(text for pool in pools for text, _ in pool),
        )

    def __len__(self) -> int:
        return len(self.texts)


def feature_table(structure: NBest | Lattice | Forest, names: Sequence[str]) -> Vectors:
    """Features with a column for each name; those that are not there are 0."""
    if structure.feature_names == names:
        return structure.features
    places = {name: index for index, name in enumerate(names)}
    features = np.zeros((len(structure.features), len(names)))
    features[:, [places[name] for name in structure.feature_names]] = structure.features
    return features


class NBestSurface(Surface):
    """The hypotheses of n-best lists."""

    __slots__ = ("candidates",)

    def __init__(
        self,
        candidates: Candidates,
        references: Sequence[str | Sequence[str]],
        sources: Sequence[str] | None = None,
    ) -> None:
        super().__init__(candidates.feature_names, references, sources)
        self.candidates = candidates
        if len(candidates.offsets) != self.segments + 1:
            raise InputError(
                f"n-best lists: found {counted(len(candidates.offsets) - 1, 'segment')}, "
                f"expected {self.segments} (references)"
            )

    def __len__(self) -> int:
        return int(self.candidates.offsets[-1])

    def envelopes(self, points: Vectors, directions: Vectors) -> Envelopes:
        try:
            return _native.nbest_envelopes(
                self.candidates.features, self.candidates.offsets, points, directions
            )
        except ValueError as error:
            raise InputError(f"n-best lists: {error}") from None

    def texts(self, numbers: Sequence[int]) -> list[str]:
        return [self.candidates.texts[number] for number in numbers]

    def owners(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(self.segments), np.diff(self.candidates.offsets))

    def spread(self) -> NDArray[np.float64]:
        """The standard deviation within segments."""
        features, owners = self.candidates.features, self.owners()
        sizes = np.diff(self.candidates.offsets)[:, np.newaxis]
        with np.errstate(over="ignore", invalid="ignore"):
            means = np.add.reduceat(features, self.candidates.offsets[:-1]) / sizes
            deviations = np.sqrt(np.mean((features - means[owners]) ** 2, axis=0))
            # Rounding alone makes a constant feature differ a little.
            differs = deviations > 1e-12 * np.abs(features).max(axis=0)
        return np.where(differs & np.isfinite(deviations), deviations, 1.0)


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
