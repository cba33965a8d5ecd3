"""What lattices and forests have in common: edges with features, and the paths over them."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar, Self

import numpy as np

from tertium.decode.structures.arrays import (
    Floats,
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
from tertium.decode.structures.search import (
    Hypergraph,
    all_edges,
    best_edges,
    derivation_count,
    ranked_edges,
    total_features,
)


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
        place = self.name
        names = distinct(self.feature_names, "feature names", place)
        columns = {name: integers(getattr(self, name), name, place) for name in self.COLUMNS}
        edges = len(columns[self.COLUMNS[0]])
        fixed: dict[str, object] = {
            **columns,
            "vocabulary": distinct(self.vocabulary, "vocabulary", place),
            "feature_names": names,
            "features": table(self.features, edges, names, place, self.EDGE),
            "weights": default_weights(self.weights, names, place),
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
        found = list(islice(self.ranked(weights), size))
        shape = len(found), len(self.feature_names)
        return NBest(
            segment=segment,
            hypotheses=tuple(path.text for path in found),
            feature_names=self.feature_names,
            features=np.array([path.features for path in found]).reshape(shape),
            scores=np.array([path.score for path in found]),
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
