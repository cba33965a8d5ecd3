"""What the native search refuses, and where it ends."""

import numpy as np
import pytest

from tertium import _native
from tertium.decode import Forest, Lattice
from tertium.decode.oracle.candidates import native_forest
from tertium.decode.oracle.oracles import oracle
from tests.support.decoding.oracle_search import grr, whole


def test_far_costs_and_long_lattices_do_not_overflow() -> None:
    """Weights beyond what one number can hold are kept as two."""
    lattice = Lattice.build([(0, 1, "a"), (0, 1, "b"), (0, 2, "c"), (1, 2, "c")])
    for alpha in (1e6, 1e12, 1e99):
        found = oracle(lattice, "b c", grr(alpha=alpha))
        assert (found.text, found.best.score) == ("b c", 100.0)
    arcs = [(place, place + 1, word, -1.0) for place in range(9000) for word in ("a", "b")]
    long = Lattice.build(arcs)
    assert oracle(long, "b b b").best.score == pytest.approx(100 * (6 - 8997) / 6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sources": [1, 0]}, "sorted by source"),
        ({"targets": [0, 2]}, "go forward"),
        ({"targets": [1, 3]}, "go forward"),
        ({"scores": [0.0, np.nan]}, "not finite"),
        ({"scores": [0.0]}, "unequal length"),
        ({"scores": [1e308, 1e308]}, "too large"),
    ],
)
def test_native_lattices_are_checked(change: dict[str, list[float]], message: str) -> None:
    arrays: dict[str, list[float]] = {"sources": [0, 1], "targets": [1, 2], "labels": [0, 1]}
    scores = np.array(change.pop("scores", [0.0, 0.0]))
    columns = {name: np.array(value, dtype=np.int32) for name, value in (arrays | change).items()}
    with pytest.raises(ValueError, match=message):
        _native.OracleLattice(3, **columns, scores=scores).best(
            whole(0), k=1, alpha=1, beta=0, count=1
        )


def test_a_lattice_has_a_node() -> None:
    with pytest.raises(ValueError, match="0 nodes, expected at least one"):
        _native.OracleLattice(0, whole(), whole(), whole(), np.zeros(0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"heads": [1, 0]}, "sorted by head"),
        ({"symbols": [0, -2, 1]}, "tails before heads"),
        ({"tails": [1]}, "tails before heads"),
        ({"symbol_offsets": [0, 2, 1]}, "offsets"),
        ({"tail_offsets": [0, 1]}, "offsets"),
        ({"scores": [np.inf, 0.0]}, "not finite"),
    ],
)
def test_native_forests_are_checked(change: dict[str, list[float]], message: str) -> None:
    arrays: dict[str, list[float]] = {
        "heads": [0, 1],
        "symbol_offsets": [0, 1, 3],
        "symbols": [0, 1, -1],
        "tail_offsets": [0, 0, 1],
        "tails": [0],
    }
    scores = np.array(change.pop("scores", [0.0, 0.0]))
    columns = {name: np.array(value, dtype=np.int32) for name, value in (arrays | change).items()}
    with pytest.raises(ValueError, match=message):
        _native.OracleForest(2, **columns, scores=scores)


def test_too_long_yields_are_refused() -> None:
    """Each node says the one below twice: 2^1100 words."""
    edges: list[tuple[int, list[str | int]]] = [(0, ["a"])]
    edges += [(node, [node - 1, node - 1]) for node in range(1, 1101)]
    forest = Forest.build(edges)
    with pytest.raises(ValueError, match="too long"):
        native_forest(forest).best(whole(0), k=4, alpha=1, beta=0, count=1)
