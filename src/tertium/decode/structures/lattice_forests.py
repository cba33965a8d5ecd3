"""Lattices as forests, and back: a forest that grows only to the right is a lattice.

A phrase-based decoder's hypergraph has at most one tail a hyperedge, which comes first: the
translation so far, followed by the words of one more phrase.
"""

import numpy as np

from tertium.decode.structures.arrays import Frame
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import EMPTY, Lattice, assemble_lattice
from tertium.errors import InputError


def is_left_branching(forest: Forest) -> bool:
    """Whether every hyperedge has one tail at most, in front of its words."""
    arities = np.diff(forest.tail_offsets)
    if (arities > 1).any():
        return False
    begins = forest.symbol_offsets[:-1][arities == 1]
    return bool((forest.symbols[begins] == -1).all())


def forest_to_lattice(forest: Forest) -> Lattice:
    """The same paths; a phrase becomes a chain of arcs, the first of which has its features."""
    if not is_left_branching(forest):
        raise InputError(
            f"{forest.name}: found hyperedges with several tails, or words before a tail, "
            "expected a forest that is a lattice"
        )
    sources, targets, labels, owners = [], [], [], []
    first = _start_of(forest)
    start, states = (forest.nodes, forest.nodes + 1) if first is None else (first, forest.nodes)
    for edge, head in enumerate(forest.heads.tolist()):
        if head == first:
            continue
        tails = forest.edge_tails(edge)
        words = [symbol for symbol in forest.edge_symbols(edge) if symbol >= 0] or [EMPTY]
        source = tails[0] if tails else start
        for index, word in enumerate(words):
            last = index == len(words) - 1
            sources.append(source)
            targets.append(head if last else states)
            labels.append(word)
            owners.append(EMPTY if index else edge)
            if not last:
                source, states = states, states + 1
    # The row behind the last is that of arcs inside a phrase, which have no features.
    rows = np.concatenate((forest.features, np.zeros((1, len(forest.feature_names)))))
    goal = forest.nodes - 1
    return assemble_lattice(
        states=states,
        sources=np.array(sources, dtype=np.int64),
        targets=np.array(targets, dtype=np.int64),
        labels=np.array(labels, dtype=np.int64),
        features=rows[owners],
        start=start,
        finals={goal: np.zeros(len(forest.feature_names))},
        frame=Frame(
            vocabulary=forest.vocabulary,
            feature_names=forest.feature_names,
            weights=forest.weights,
            name=forest.name,
            place=lambda state: f"{forest.name}: node {state}",
        ),
    )


def _start_of(forest: Forest) -> int | None:
    """The node that stands for the start, which one hyperedge makes of nothing; if there is one."""
    leaves = np.flatnonzero(np.diff(forest.tail_offsets) == 0)
    if len(leaves) != 1:
        return None
    edge, head = int(leaves[0]), int(forest.heads[leaves[0]])
    says = forest.edge_symbols(edge) or forest.features[edge].any()
    return None if says or np.count_nonzero(forest.heads == head) > 1 else head


def lattice_to_forest(lattice: Lattice) -> Forest:
    """The same paths: an arc becomes a hyperedge from its source, with one word or none."""
    order = np.argsort(lattice.targets, kind="stable")
    heads = lattice.targets[order]
    spoken = (lattice.labels[order] != EMPTY).astype(np.int64)
    # The start needs a hyperedge of its own that says nothing.
    sizes = np.concatenate(([0], 1 + spoken))
    symbols = np.full(int(sizes.sum()), -1)
    ends = np.cumsum(sizes)
    symbols[(ends[1:] - 1)[spoken == 1]] = lattice.labels[order][spoken == 1]
    arcs = len(heads)
    return Forest(
        vocabulary=lattice.vocabulary,
        heads=np.concatenate(([0], heads)).astype(np.int32),
        symbol_offsets=np.concatenate(([0], ends)).astype(np.int32),
        symbols=symbols.astype(np.int32),
        tail_offsets=np.concatenate(([0], np.arange(arcs + 1))).astype(np.int32),
        tails=lattice.sources[order],
        feature_names=lattice.feature_names,
        features=np.concatenate(
            (np.zeros((1, len(lattice.feature_names))), lattice.features[order])
        ),
        weights=lattice.weights,
        nodes=lattice.nodes,
        name=lattice.name,
    )
