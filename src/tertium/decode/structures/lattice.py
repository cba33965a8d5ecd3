"""Lattices: all the paths from a start to an end, with a word and features on each arc."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tertium.decode.structures.arrays import Integers, Weights
from tertium.decode.structures.graph import Graph
from tertium.decode.structures.path import Path
from tertium.decode.structures.search import Hypergraph
from tertium.errors import InputError
from tertium.plurals import counted

if TYPE_CHECKING:
    from tertium.decode.structures.forest import Forest

EMPTY = -1
"""The label of an arc without a word."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lattice(Graph):
    """An acyclic word graph in canonical form, which is checked.

    Nodes 0 … ``nodes`` − 1 are in topological order; 0 is the start, the last one the only final
    node; every node is on a path. Arcs are sorted by their sources. A label is an index into the
    vocabulary, or −1 for the empty word. The model's score of a path is the sum of its arcs'
    features · weights, higher is better: a cost has the default weight −1.

    >>> lattice = Lattice.build([(0, 1, "a", -1.0), (0, 1, "b", -0.5), (1, 2, "c", 0.0)])
    >>> print(lattice.best())
    -0.5  b c
    """

    COLUMNS: ClassVar[tuple[str, ...]] = ("sources", "targets", "labels")
    SHAPE: ClassVar[tuple[str, ...]] = ("sources", "targets")
    EDGE: ClassVar[str] = "arc"

    sources: Integers = field(repr=False)
    targets: Integers = field(repr=False)
    labels: Integers = field(repr=False)
    name: str = "lattice"

    def _check(self) -> None:
        _check(self)

    @classmethod
    def build(
        cls,
        arcs: Iterable[Sequence[Any]],
        *,
        start: Hashable = None,
        finals: Mapping[Any, Any] | Iterable[Hashable] | None = None,
        feature_names: Sequence[str] | None = None,
        weights: Weights = None,
        name: str = "lattice",
        trim: bool = False,
    ) -> "Lattice":
        """The canonical form of arcs ``(source, target, word[, features])``.

        States can be anything hashable, an empty word is ``""`` or ``None``; features are a
        number, several, or a mapping from names. The start is the source of the first arc, the
        final states those without arcs, unless told; final states can have features. Several
        final states, and features of final states, become arcs with the empty word.
        """
        from tertium.decode.structures.lattice_builder import build_lattice

        return build_lattice(
            arcs,
            start=start,
            finals=finals,
            feature_names=feature_names,
            weights=weights,
            name=name,
            trim=trim,
        )

    @property
    def arcs(self) -> int:
        """How many arcs there are."""
        return len(self.sources)

    @property
    def words(self) -> tuple[str, ...]:
        """The word of each arc; the empty word is an empty string."""
        vocabulary = (*self.vocabulary, "")  # EMPTY is the last one
        return tuple(vocabulary[label] for label in self.labels.tolist())

    def hypergraph(self) -> Hypergraph:
        """The arcs by their targets, for the searches that lattices share with forests."""
        return Hypergraph.of_arcs(self.nodes, self.sources, self.targets)

    def path(self, arcs: Sequence[int], weights: Weights = None) -> Path:
        """What a path over these arcs says and scores."""
        labels = (self.labels[np.asarray(arcs, dtype=np.int64)]).tolist()
        words = [self.vocabulary[label] for label in labels if label != EMPTY]
        return self._scored(words, arcs, weights)

    def of_edges(self, edges: Sequence[int], weights: Weights = None) -> Path:
        """See `Graph.of_edges`."""
        return self.path(edges[::-1], weights)

    def _spoken(self) -> tuple[int | str, ...]:
        return self.words

    def to_forest(self) -> "Forest":
        """The same paths as a forest: an arc is a hyperedge from its source."""
        from tertium.decode.structures.lattice_forests import lattice_to_forest

        return lattice_to_forest(self)

    def to_dot(self) -> str:
        """The lattice in Graphviz' language."""
        from tertium.decode.structures.drawing import lattice_dot

        return lattice_dot(self)

    def to_openfst(self, symbols: Any = None) -> Any:
        """A ``kaldifst.StdVectorFst`` with the negative scores as costs (extra ``fst``)."""
        from tertium.decode.structures.openfst import to_openfst

        return to_openfst(self, symbols)

    @classmethod
    def from_openfst(cls, fst: Any, *, name: str = "fst") -> "Lattice":
        """The lattice of a ``kaldifst.StdVectorFst`` (extra ``fst``)."""
        from tertium.decode.structures.openfst import from_openfst

        return from_openfst(fst, name=name)

    def __repr__(self) -> str:
        return (
            f"<Lattice {self.name}: {counted(self.nodes, 'node')}, {counted(self.arcs, 'arc')}, "
            f"{counted(len(self.vocabulary), 'word')}, "
            f"{counted(len(self.feature_names), 'feature')}>"
        )

    def __str__(self) -> str:
        lines = [repr(self)]
        scores = self.edge_scores()
        rows = zip(self.sources, self.targets, self.words, scores, strict=True)
        for source, target, word, score in islice(rows, 20):
            lines.append(f"  {source} → {target}  {word or 'ε'}  {score:.6g}")
        if self.arcs > 20:
            lines.append(f"  … and {self.arcs - 20} more arcs")
        return "\n".join(lines)


def _check(lattice: Lattice) -> None:
    """That the form is canonical. Once the arcs go forward, degrees say that all is reachable."""
    place, nodes = lattice.name, lattice.nodes
    sources, targets, labels = lattice.sources, lattice.targets, lattice.labels
    if not len(sources) == len(targets) == len(labels):
        found = f"{len(sources)}, {len(targets)} and {len(labels)}"
        raise InputError(f"{place}: sources, targets, labels: found {found}, expected one length")
    if nodes < 1:
        raise InputError(f"{place}: found {counted(nodes, 'node')}, expected at least the start")
    for arc in np.flatnonzero((sources < 0) | (targets >= nodes) | (sources >= targets))[:1]:
        raise InputError(
            f"{place}: arc {arc}: found it from node {sources[arc]} to {targets[arc]}, "
            f"expected it to go forward within {counted(nodes, 'node')} (Lattice.build sorts them)"
        )
    if (np.diff(sources) < 0).any():
        raise InputError(f"{place}: found unsorted arcs, expected them sorted by source")
    if ((labels < EMPTY) | (labels >= len(lattice.vocabulary))).any():
        raise InputError(
            f"{place}: found a label outside of the {counted(len(lattice.vocabulary), 'word')}"
        )
    for node in np.flatnonzero(np.bincount(targets, minlength=nodes)[1:] == 0)[:1] + 1:
        raise InputError(f"{place}: node {node}: no arc leads to it, expected a path to each")
    for node in np.flatnonzero(np.bincount(sources, minlength=nodes)[:-1] == 0)[:1]:
        raise InputError(f"{place}: node {node}: no arc leaves it, only the last may be final")
