"""Lattices in which a word leads from a node to one place only (Mohri 1997, tropical semiring).

Several derivations of one word sequence become one path with the best of their scores. Nodes of
the new lattice are sets of old nodes, each with how far it is behind the best of the set.
"""

from heapq import heapify, heappop, heappush
from typing import Final, TypeAlias

from tertium.decode.structures.arrays import Path, Weights
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.errors import InputError

LARGEST: Final = 2_000_000
"""Arcs of a deterministic lattice; there are lattices that would need more than memory has."""

GRAIN: Final = 2.0**-30
"""Scores that differ by less are rounded alike, so that sets that are the same are found so."""

Front: TypeAlias = dict[int, float]
"""Nodes, and the best score of coming to each."""


def determinized(lattice: Lattice, weights: Weights = None) -> Lattice:
    """The same word sequences, each on one path with its best score, the only feature.

    >>> both = Lattice.build([(0, 1, "a", 1.0), (0, 2, "a", 3.0), (1, 3, "b"), (2, 3, "b")])
    >>> [(path.text, path.score) for path in determinized(both).paths()]
    [('a b', 3.0)]
    """
    steps = _Steps(lattice, weights)
    first = steps.closed({0: 0.0})
    numbers = {_key(first): 0}
    waiting = [(0, first)]
    arcs: list[tuple[int, int, str, float]] = []
    finals: dict[int, float] = {}
    while waiting:
        number, front = waiting.pop()
        if lattice.nodes - 1 in front:
            finals[number] = front[lattice.nodes - 1]
        for word, reached in steps.by_word(front).items():
            score = max(reached.values())
            behind = {node: value - score for node, value in reached.items()}
            key = _key(behind)
            if key not in numbers:
                numbers[key] = len(numbers)
                waiting.append((numbers[key], behind))
            arcs.append((number, numbers[key], word, score))
        if len(arcs) > LARGEST:
            raise InputError(
                f"{lattice.name}: more than {LARGEST} arcs once it is deterministic, "
                "expected a smaller lattice"
            )
    if not arcs:  # nothing but the empty path
        arcs = [(0, 1, "", finals[0])]
        finals = {1: 0.0}
    return Lattice.build(
        arcs,
        start=0,
        finals={state: {"score": value} for state, value in finals.items()},
        feature_names=("score",),
        name=lattice.name,
    )


def best_path_of(lattice: Lattice, words: tuple[str, ...], weights: Weights = None) -> Path:
    """The best of the lattice's paths that say these words."""
    scores = lattice.edge_scores(weights).tolist()
    spoken, leaving = lattice.words, _leaving(lattice)
    # For each node and number of words said: the best score, and the arc and place before.
    best: dict[tuple[int, int], tuple[float, int, int]] = {(0, 0): (0.0, -1, -1)}
    for node in range(lattice.nodes):
        for said in range(len(words) + 1):
            found = best.get((node, said))
            if found is None:
                continue
            for arc in leaving[node]:
                word = spoken[arc]
                if word and (said == len(words) or word != words[said]):
                    continue
                place = (int(lattice.targets[arc]), said + bool(word))
                value = found[0] + scores[arc]
                if place not in best or value > best[place][0]:
                    best[place] = (value, arc, said)
    node, said = lattice.nodes - 1, len(words)
    if (node, said) not in best:
        raise InputError(f"{lattice.name}: found no path that says the words, expected one")
    arcs = []
    while node:
        _, arc, said = best[node, said]
        arcs.append(arc)
        node = int(lattice.sources[arc])
    return lattice.path(arcs[::-1], weights)


class _Steps:
    """Where sets of nodes lead."""

    def __init__(self, lattice: Lattice, weights: Weights) -> None:
        scores = lattice.edge_scores(weights).tolist()
        columns = (lattice.sources, lattice.targets, lattice.labels)
        self.final = lattice.nodes - 1
        self.empty: list[list[tuple[int, float]]] = [[] for _ in range(lattice.nodes)]
        self.spoken: list[list[tuple[str, int, float]]] = [[] for _ in range(lattice.nodes)]
        arcs = zip(*(column.tolist() for column in columns), scores, strict=True)
        for source, target, label, score in arcs:
            if label == EMPTY:
                self.empty[source].append((target, score))
            else:
                self.spoken[source].append((lattice.vocabulary[label], target, score))

    def closed(self, front: Front) -> Front:
        """What arcs without a word add; nodes from which nothing but those goes on drop out."""
        waiting = list(front)
        heapify(waiting)
        while waiting:  # arcs go forward, so a node that is taken has its best score
            node = heappop(waiting)
            for target, score in self.empty[node]:
                value = front[node] + score
                if target not in front:
                    heappush(waiting, target)
                    front[target] = value
                elif value > front[target]:
                    front[target] = value
        return {
            node: value for node, value in front.items() if self.spoken[node] or node == self.final
        }

    def by_word(self, front: Front) -> dict[str, Front]:
        """For each word the nodes it leads to."""
        found: dict[str, Front] = {}
        for node, value in front.items():
            for word, target, score in self.spoken[node]:
                reached = found.setdefault(word, {})
                better = value + score
                if better > reached.get(target, float("-inf")):
                    reached[target] = better
        return {word: self.closed(reached) for word, reached in found.items()}


def _key(front: Front) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((node, round(value / GRAIN)) for node, value in front.items()))


def _leaving(lattice: Lattice) -> list[list[int]]:
    arcs: list[list[int]] = [[] for _ in range(lattice.nodes)]
    for arc, source in enumerate(lattice.sources.tolist()):
        arcs[source].append(arc)
    return arcs
