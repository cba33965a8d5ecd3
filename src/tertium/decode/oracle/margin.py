"""The part of a structure that is within a margin of the model's best score."""

from typing import TypeVar, cast

import numpy as np

from tertium.decode.formats.table import Structure
from tertium.decode.oracle.candidates import native_forest, native_lattice
from tertium.decode.structures.arrays import Floats, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import OptionError

S = TypeVar("S", bound=Structure)

ROUNDING = 1e-12
"""Relative: sums of the same scores differ by their order."""


def distances(structure: Structure, weights: Weights = None) -> Floats:
    """How far below the model's best score is the best that goes this way.

    For each hypothesis of a list; for each arc of a lattice or hyperedge of a forest, the best
    path or derivation with it (forward-backward with maxima).
    """
    if isinstance(structure, NBest):
        merits = structure.model_scores(weights)
    elif isinstance(structure, Lattice):
        merits = native_lattice(structure, weights).merits()
    else:
        merits = native_forest(structure, weights).merits()
    if not len(merits):
        return np.zeros(0)
    below: Floats = merits.max() - merits
    return below


def within(structure: S, margin: float, weights: Weights = None) -> S:
    """What is at most so far below the best; the best itself is always left."""
    if not margin >= 0:
        raise OptionError(f"margin: found {margin:g}, expected a number, 0 or more")
    below = distances(structure, weights)
    # The same path can have scores that differ in the last digits from arc to arc.
    largest = float(abs(_scores(structure, weights)).sum())
    near = below <= margin + ROUNDING * (1 + largest)
    if near.all():
        return structure
    part: Structure
    if isinstance(structure, NBest):
        part = structure.take(np.flatnonzero(near).tolist())
    elif isinstance(structure, Lattice):
        part = _lattice_part(structure, near)
    else:
        part = _forest_part(structure, near)
    return cast("S", part)


def _scores(structure: Structure, weights: Weights) -> Floats:
    if isinstance(structure, NBest):
        return np.zeros(0)
    return structure.edge_scores(weights)


def _renumbered(nodes: int, used: np.ndarray) -> tuple[np.ndarray, int]:
    """New numbers of the nodes in use, in the old order."""
    alive = np.zeros(nodes, dtype=bool)
    alive[used] = True
    return (np.cumsum(alive) - 1).astype(np.int32), int(alive.sum())


def _lattice_part(lattice: Lattice, kept: np.ndarray) -> Lattice:
    ends = np.concatenate((lattice.sources[kept], lattice.targets[kept]))
    numbers, nodes = _renumbered(lattice.nodes, ends)
    return Lattice(
        vocabulary=lattice.vocabulary,
        sources=numbers[lattice.sources[kept]],
        targets=numbers[lattice.targets[kept]],
        labels=lattice.labels[kept],
        feature_names=lattice.feature_names,
        features=lattice.features[kept],
        nodes=nodes,
        weights=lattice.weights,
        name=lattice.name,
    )


def _forest_part(forest: Forest, kept: np.ndarray) -> Forest:
    numbers, nodes = _renumbered(forest.nodes, forest.heads[kept])

    def rows(offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        sizes = np.diff(offsets)
        chosen = np.repeat(kept, sizes)
        return np.concatenate(([0], np.cumsum(sizes[kept]))).astype(np.int32), chosen

    symbol_offsets, symbols = rows(forest.symbol_offsets)
    tail_offsets, tails = rows(forest.tail_offsets)
    return Forest(
        vocabulary=forest.vocabulary,
        heads=numbers[forest.heads[kept]],
        symbol_offsets=symbol_offsets,
        symbols=forest.symbols[symbols],
        tail_offsets=tail_offsets,
        tails=numbers[forest.tails[tails]],
        feature_names=forest.feature_names,
        features=forest.features[kept],
        weights=forest.weights,
        nodes=nodes,
        name=forest.name,
    )
