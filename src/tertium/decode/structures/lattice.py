"""Lattices: all the paths from a start to an end, with a word and features on each arc."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tertium.decode.structures.arrays import (
    Floats,
    Frame,
    Indices,
    Integers,
    Numbers,
    Path,
    Weights,
    feature_table,
    lattice_order,
)
from tertium.decode.structures.graph import Graph, Hypergraph
from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint
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
        return to_openfst(self, symbols)

    @classmethod
    def from_openfst(cls, fst: Any, *, name: str = "fst") -> "Lattice":
        """The lattice of a ``kaldifst.StdVectorFst`` (extra ``fst``)."""
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
    location, nodes = lattice.name, lattice.nodes
    sources, targets, labels = lattice.sources, lattice.targets, lattice.labels
    if not len(sources) == len(targets) == len(labels):
        found = f"{len(sources)}, {len(targets)} and {len(labels)}"
        raise InputError(
            f"{location}: sources, targets, labels: found {found}, expected one length"
        )
    if nodes < 1:
        raise InputError(f"{location}: found {counted(nodes, 'node')}, expected at least the start")
    for arc in np.flatnonzero((sources < 0) | (targets >= nodes) | (sources >= targets))[:1]:
        raise InputError(
            f"{location}: arc {arc}: found it from node {sources[arc]} to {targets[arc]}, "
            f"expected it to go forward within {counted(nodes, 'node')} (Lattice.build sorts them)"
        )
    if (np.diff(sources) < 0).any():
        raise InputError(f"{location}: found unsorted arcs, expected them sorted by source")
    if ((labels < EMPTY) | (labels >= len(lattice.vocabulary))).any():
        raise InputError(
            f"{location}: found a label outside of the {counted(len(lattice.vocabulary), 'word')}"
        )
    for node in np.flatnonzero(np.bincount(targets, minlength=nodes)[1:] == 0)[:1] + 1:
        raise InputError(f"{location}: node {node}: no arc leads to it, expected a path to each")
    for node in np.flatnonzero(np.bincount(sources, minlength=nodes)[:-1] == 0)[:1]:
        raise InputError(f"{location}: node {node}: no arc leaves it, only the last may be final")


# To and from the automata of OpenFst, by the package kaldifst (extra ``fst``).


def kaldifst() -> Any:
    """The package, or an error that says how to get it."""
    try:
        return import_module("kaldifst")
    except ImportError:
        raise MissingExtraError(
            f"the package kaldifst is missing, expected for OpenFst: {install_hint('fst')}"
        ) from None


def symbol_table(lattice: Lattice) -> Any:
    """The lattice's words as a symbol table, ``<eps>`` as 0."""
    symbols = kaldifst().SymbolTable()
    symbols.add_symbol("<eps>", 0)
    for number, word in enumerate(lattice.vocabulary, 1):
        symbols.add_symbol(word, number)
    return symbols


def to_openfst(lattice: Lattice, symbols: Any = None) -> Any:
    """An acceptor over the tropical semiring: the cost of an arc is the negative model score.

    ``symbols`` numbers the words (the lattice's own table otherwise), so that several lattices
    can share one table; words it lacks are added.
    """
    library = kaldifst()
    table = symbol_table(lattice) if symbols is None else symbols
    numbers = [table.add_symbol(word) for word in lattice.vocabulary]
    fst = library.StdVectorFst()
    for _ in range(lattice.nodes):
        fst.add_state()
    fst.start = 0
    fst.set_final(lattice.nodes - 1, 0.0)
    columns = (lattice.sources, lattice.targets, lattice.labels, -lattice.edge_scores())
    for source, target, label, cost in zip(*(column.tolist() for column in columns), strict=True):
        number = 0 if label < 0 else numbers[label]
        fst.add_arc(source, library.StdArc(number, number, cost, target))
    fst.input_symbols = table
    fst.output_symbols = table
    return fst


def from_openfst(fst: Any, *, name: str = "fst") -> Lattice:
    """The output side of an acyclic automaton; costs are the only feature, with weight −1."""
    library = kaldifst()
    if fst.start < 0:
        raise InputError(f"{name}: no start state, expected one")
    table = fst.output_symbols
    arcs, finals = [], {}
    for state in range(fst.num_states):
        cost = fst.final(state).value
        if cost < float("inf"):
            finals[state] = {"cost": cost}
        for arc in library.ArcIterator(fst, state):
            word = "" if arc.olabel == 0 else str(arc.olabel)
            if word and table is not None:
                word = table.find(arc.olabel)
            arcs.append((state, arc.nextstate, word, {"cost": arc.weight.value}))
    return Lattice.build(
        arcs, start=fst.start, finals=finals, feature_names=("cost",), weights=[-1.0], name=name
    )


# Lattices in canonical form, from arcs as they come.


def assemble_lattice(
    *,
    states: int,
    sources: Indices,
    targets: Indices,
    labels: Indices,
    features: Floats,
    start: int,
    finals: Mapping[int, Floats],
    frame: Frame,
) -> Lattice:
    """Number the states, give them one final state, sort the arcs; ``finals`` have features."""
    if not finals:
        raise InputError(f"{frame.name}: no final state, expected at least one")
    sources, targets, labels = (
        np.asarray(column, dtype=np.int64) for column in (sources, targets, labels)
    )
    leaving = np.zeros(states, dtype=bool)
    leaving[sources] = True
    final = next(iter(finals))
    if len(finals) > 1 or leaving[final] or finals[final].any():
        extra = np.array(list(finals), dtype=np.int64)
        final = states
        sources = np.concatenate((sources, extra))
        targets = np.concatenate((targets, np.full(len(extra), final)))
        labels = np.concatenate((labels, np.full(len(extra), EMPTY)))
        features = np.concatenate((features, np.array(list(finals.values()))))
        states += 1
    order = lattice_order(states, sources, targets, start, final, frame.place, trim=frame.trim)
    new_sources = order.numbers[sources[order.kept]]
    arcs = order.kept[np.argsort(new_sources, kind="stable")]
    words = Numbers()
    used = [words[label] if label >= 0 else label for label in labels[arcs].tolist()]
    return Lattice(
        **frame.fields(words.things()),
        sources=order.numbers[sources[arcs]].astype(np.int32),
        targets=order.numbers[targets[arcs]].astype(np.int32),
        labels=np.array(used, dtype=np.int32),
        features=features[arcs],
        nodes=order.states,
    )


def build_lattice(
    arcs: Iterable[Sequence[Any]],
    *,
    start: Hashable,
    finals: Mapping[Any, Any] | Iterable[Hashable] | None,
    feature_names: Sequence[str] | None,
    weights: Weights,
    name: str,
    trim: bool,
) -> Lattice:
    """See `Lattice.build`."""
    rows = [(*arc, None)[:4] for arc in arcs]
    states, words = Numbers(), Numbers()
    if start is None:
        start = rows[0][0] if rows else 0
    first = states[start]
    sources = np.array([states[row[0]] for row in rows], dtype=np.int64)
    targets = np.array([states[row[1]] for row in rows], dtype=np.int64)
    labels = np.array([words[row[2]] if row[2] else EMPTY for row in rows], dtype=np.int64)
    if finals is None:
        leaving = {row[0] for row in rows}
        finals = [state for state in states.things() if state not in leaving]
    ends = dict(finals) if isinstance(finals, Mapping) else dict.fromkeys(finals)
    for state in ends:
        if state not in states:
            raise InputError(f"{name}: final state {state!r}: no arc has it, expected one that has")
    names, features = feature_table([*(row[3] for row in rows), *ends.values()], feature_names)
    things = states.things()
    return assemble_lattice(
        states=len(states),
        sources=sources,
        targets=targets,
        labels=labels,
        features=features[: len(rows)],
        start=first,
        finals={states[state]: features[len(rows) + row] for row, state in enumerate(ends)},
        frame=Frame(
            vocabulary=words.things(),
            feature_names=names,
            weights=weights,
            name=name,
            place=lambda state: (
                f"{name}: state {things[state] if state < len(things) else 'final'}"
            ),
            trim=trim,
        ),
    )
