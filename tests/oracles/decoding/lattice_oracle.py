"""Oracles of lattices and forests by looking at every path, and the metric as an automaton."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypeAlias

from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tests.oracles.error_rates import edit_distance
from tests.oracles.grr import Automaton, denominator

Words: TypeAlias = tuple[str, ...]
Derivation: TypeAlias = tuple[Words, tuple[int, ...]]


def lattice_paths(lattice: Lattice) -> list[Derivation]:
    """The words and arcs of every path, by recursion from the start."""
    arcs = list(zip(lattice.sources, lattice.targets, lattice.words, strict=True))

    def onward(node: int) -> Iterable[Derivation]:
        if node == lattice.nodes - 1:
            yield (), ()
            return
        for number, (source, target, word) in enumerate(arcs):
            if source == node:
                for words, rest in onward(int(target)):
                    yield ((word, *words) if word else words), (number, *rest)

    return list(onward(0))


def forest_derivations(forest: Forest) -> list[Derivation]:
    """The words and hyperedges (goal first, tails in order) of every derivation."""

    @cache
    def of_node(node: int) -> list[Derivation]:
        return [
            derivation
            for edge in range(forest.edges)
            if forest.heads[edge] == node
            for derivation in of_edge(edge)
        ]

    def of_edge(edge: int) -> list[Derivation]:
        combined: list[list[Derivation]] = [[]]
        for tail in forest.edge_tails(edge):
            combined = [[*parts, part] for parts in combined for part in of_node(tail)]
        found = []
        for parts in combined:
            words: list[str] = []
            for symbol in forest.edge_symbols(edge):
                words += parts[-1 - symbol][0] if symbol < 0 else [forest.vocabulary[symbol]]
            found.append((tuple(words), (edge, *(one for part in parts for one in part[1]))))
        return found

    return of_node(forest.nodes - 1)


def numerator(words: Words, reference: Words, k: int, alpha: float, beta: float) -> float:
    """max Σ Mₙ − αI − βD over alignments."""
    return Automaton(reference, k, alpha, beta).best_weight(words)


def segment_score(
    words: Words, references: Sequence[Words], k: int, alpha: float, beta: float
) -> float:
    """The rate of the best reference, as a percentage; references without a word give none."""
    pairs = [(numerator(words, r, k, alpha, beta), denominator(r, k)) for r in references]
    rates = [above / below for above, below in pairs if below]
    return 100 * (max(rates) if rates else 1 + max(above for above, _ in pairs))


def word_recognition_score(words: Words, references: Sequence[Words]) -> float:
    """1 − fewest edits / mean length, as a percentage."""
    edits = min(edit_distance(words, reference) for reference in references)
    length = sum(map(len, references)) / len(references)
    return 100 * (1 - edits / (length or 1))


def metric_transducer(library: Any, automaton: Automaton, words: dict[str, int]) -> Any:
    """The automaton of Chiang et al. (2008) over a whole vocabulary, as an OpenFst acceptor."""
    k, length = automaton.k, len(automaton.reference)
    fst = library.StdVectorFst()
    for _ in range((length + 1) * k):
        fst.add_state()
    fst.start = 0
    for i in range(length + 1):
        for m in range(k):
            here = i * k + m
            if i == length:
                fst.set_final(here, 0.0)
            for word, number in [(None, 0), *words.items()]:
                for (j, run), gain in automaton.transitions((i, m), word):
                    fst.add_arc(here, library.StdArc(number, number, -gain, j * k + run))
    return fst


def best_by_composition(library: Any, lattice: Lattice, automaton: Automaton) -> float:
    """The weight of the best path: lattice ∘ automaton, then the shortest path."""
    numbers = {word: place for place, word in enumerate(lattice.vocabulary, 1)}
    accepted = library.StdVectorFst()
    for _ in range(lattice.nodes):
        accepted.add_state()
    accepted.start = 0
    accepted.set_final(lattice.nodes - 1, 0.0)
    for source, target, word in zip(lattice.sources, lattice.targets, lattice.words, strict=True):
        number = numbers.get(word, 0)
        accepted.add_arc(int(source), library.StdArc(number, number, 0.0, int(target)))
    metric = metric_transducer(library, automaton, numbers)
    library.arcsort(accepted, sort_type="olabel")
    library.arcsort(metric, sort_type="ilabel")
    shortest = library.shortest_path(library.compose(accepted, metric))
    state, cost = shortest.start, 0.0
    while True:
        arcs = list(library.ArcIterator(shortest, state))
        if not arcs:
            return -float(cost + shortest.final(state).value)
        cost += arcs[0].weight.value
        state = arcs[0].nextstate
