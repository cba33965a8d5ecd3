"""To and from the automata of OpenFst, by the package kaldifst (extra ``fst``)."""

from importlib import import_module
from typing import Any

from tertium.decode.structures.lattice import Lattice
from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint


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
