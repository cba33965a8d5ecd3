"""Envelopes of lattices and forests, against those of all their paths one by one."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from tertium import _native
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.errors import InputError
from tertium.metrics.ngram.bleu import Bleu
from tertium.text.tokenizers import Tokenizer
from tertium.tune import GraphSurface, SearchOptions, mert
from tests.oracles.decoding import mert as oracle
from tests.support.decoding.tuning import drawn_forest, drawn_lattice, drawn_vector

NONE = Tokenizer.parse("none")
MOST_PATHS = 60  # comparing all pairs takes its time


def edges_of(graph: Lattice | Forest) -> list[oracle.Edge]:
    if isinstance(graph, Forest):
        return [
            (
                int(graph.heads[edge]),
                graph.edge_tails(edge),
                graph.edge_symbols(edge),
                graph.features[edge].tolist(),
            )
            for edge in range(graph.edges)
        ]
    rows = zip(
        graph.sources.tolist(),
        graph.targets.tolist(),
        graph.labels.tolist(),
        graph.features.tolist(),
        strict=True,
    )
    start: oracle.Edge = (0, [], [], [0.0] * len(graph.feature_names))
    arcs: list[oracle.Edge] = [
        (target, [source], [-1] if label < 0 else [-1, label], features)
        for source, target, label, features in rows
    ]
    return [start, *arcs]


def check(
    graph: Lattice | Forest, point: tuple[float, float], direction: tuple[float, float]
) -> None:
    paths = sorted(set(oracle.derivations(edges_of(graph), graph.nodes - 1)))
    surface = GraphSurface([graph], ["a b"])
    offsets, starts, numbers = surface.envelopes(np.array([point]), np.array([direction]))
    texts = surface.texts(numbers.tolist())
    assert offsets.tolist() == [0, len(starts)]
    assert starts[0] == -np.inf
    assert (np.diff(starts) > 0).all()
    assert all(one != other for one, other in pairwise(texts))
    features = [row for _, row in paths]
    for step in oracle.steps_to_try(oracle.crossings([features], point, direction)):
        weights = [w + step * Fraction(d) for w, d in zip(point, direction, strict=True)]
        scores = [oracle.dot(row, weights) for row in features]
        best = {
            " ".join(graph.vocabulary[word] for word in words)
            for (words, _), score in zip(paths, scores, strict=True)
            if score == max(scores)
        }
        at = np.searchsorted(starts, float(step), side="right") - 1
        assert texts[at] in best, step


@pytest.mark.slow
@pytest.mark.parametrize("make", [drawn_lattice, drawn_forest])
@pytest.mark.parametrize("first", range(0, 2000, 500))
def test_envelopes_equal_those_of_all_paths(
    make: Callable[[Random], Lattice | Forest], first: int
) -> None:
    checked = 0
    for seed in range(first, first + 500):
        draw = Random(seed)
        graph = make(draw)
        if graph.count_paths() <= MOST_PATHS:
            check(graph, drawn_vector(draw), drawn_vector(draw))
            checked += 1
    assert checked > 450


def ladder(length: int) -> Lattice:
    """Two words to choose from at every step."""
    arcs = [
        (n, n + 1, word, (float(word == "a"), n + 1.0))
        for n in range(length)
        for word in ("a", "b")
    ]
    return Lattice.build(arcs, feature_names=("x", "y"))


def test_best_is_the_viterbi_path() -> None:
    lattice = ladder(5)
    surface = GraphSurface([lattice], ["a b a b a"])
    for weights in ([1.0, 0.0], [-1.0, 2.0]):
        (number,) = surface.best(np.array([weights]))[0]
        assert surface.texts([number]) == [" ".join(lattice.best(weights).words)]


@pytest.mark.slow
def test_depth_is_no_problem() -> None:
    words = 50_000
    edges = [(0, ["a"], 1.0), *((n, [n - 1, "a"], 1.0) for n in range(1, words))]
    surface = GraphSurface([Forest.build(edges)], ["a"])
    (number,) = surface.best(np.array([[1.0]]))[0]
    assert len(surface.texts([number])[0].split()) == words


def test_hypotheses_have_one_number_each() -> None:
    surface = GraphSurface([ladder(3), ladder(3)], ["a a a", "b b b"])
    points = np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]])
    chosen = surface.best(points)
    assert chosen.tolist() == [[0, 1], [2, 3], [0, 1]]
    assert surface.owners().tolist() == [0, 1, 0, 1]
    assert surface.texts(range(4)) == ["a a a", "a a a", "b b b", "b b b"]
    metric = Bleu(tokenizer=NONE, order=1)
    assert surface.rows(metric)[:, 0].tolist() == [3, 0, 0, 3]


def test_tuning_finds_the_word_that_is_asked_for() -> None:
    surface = GraphSurface([ladder(4)], ["b b b b"])
    metric = Bleu(tokenizer=NONE)
    found = mert(surface, metric, [1.0, 0.0], SearchOptions(restarts=0))
    assert found.runs[0].scores[0] == 0
    assert found.score == pytest.approx(100)
    assert found.weights[0] < 0


def test_graphs_may_have_different_features() -> None:
    one = Lattice.build([(0, 1, "a", {"x": 1.0}), (0, 1, "b", {"x": 0.0})])
    other = Lattice.build([(0, 1, "a", {"y": 1.0}), (0, 1, "b", {"y": 0.0})])
    surface = GraphSurface([one, other], ["b", "a"])
    assert surface.feature_names == ("x", "y")
    found = mert(surface, Bleu(tokenizer=NONE, order=1), [1.0, -1.0], SearchOptions(restarts=0))
    assert found.runs[0].scores[0] == 0
    assert found.score == pytest.approx(100)
    assert found.weights[0] < 0 <= found.weights[1]


def test_the_number_of_graphs_must_fit() -> None:
    with pytest.raises(InputError, match=r"graphs: found 1, expected 2 \(references\)"):
        GraphSurface([ladder(1)], ["a", "b"])


def native(**changes: object) -> _native.DerivationGraph:
    """One node, one edge with one word, and one feature."""
    whole: dict[str, object] = {
        "nodes": 1,
        "heads": [0],
        "tail_offsets": [0, 0],
        "tails": [],
        "symbol_offsets": [0, 1],
        "symbols": [0],
    }
    whole |= changes
    nodes = whole.pop("nodes")
    columns = {name: np.array(value, dtype=np.int32) for name, value in whole.items()}
    edges = len(columns["heads"])
    return _native.DerivationGraph(nodes, **columns, features=np.ones((edges, 1)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": 0}, "no node"),
        ({"nodes": 2}, "no derivation of the goal"),
        ({"heads": [1]}, "a head that is no node"),
        ({"heads": [-1]}, "a head that is no node"),
        ({"tail_offsets": [0, 1], "tails": [0]}, "not below its head"),
        ({"tail_offsets": [0, 1]}, "offsets that do not fit"),
        ({"symbol_offsets": [0, 2]}, "offsets that do not fit"),
        ({"symbol_offsets": [0]}, "offsets that do not fit"),
        ({"symbols": [-1]}, "a symbol for a missing tail"),
        ({"symbols": [-(2**31)]}, "a symbol for a missing tail"),
    ],
)
def test_native_refuses_damaged_graphs(changes: dict[str, object], message: str) -> None:
    assert len(_native.GraphHypotheses([native()])) == 0
    with pytest.raises(ValueError, match=message):
        native(**changes)


def test_overflow_is_an_error() -> None:
    lattice = Lattice.build([(0, 1, "a", 1e308), (1, 2, "a", 1e308)])
    with pytest.raises(InputError, match="graphs: edge 2: found a model score that is not finite"):
        GraphSurface([lattice], ["a"]).best(np.array([[1.0]]))
