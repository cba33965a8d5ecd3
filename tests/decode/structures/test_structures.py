"""N-best lists, lattices and forests: canonical, checked, searched exactly."""

import math
import os
import re
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.decode import Forest, Lattice, NBest
from tertium.decode.structures.lattice_forests import is_left_branching
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tests.support.lattice_strategies import forests, lattices, random_forest, random_lattice

LATTICE: dict[str, Any] = {
    "vocabulary": ("a", "b"),
    "sources": [0, 0, 1],
    "targets": [1, 1, 2],
    "labels": [0, 1, -1],
    "feature_names": ("lm",),
    "features": [[1.0], [2.0], [3.0]],
    "nodes": 3,
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"targets": [1, 1, 3]}, "arc 2: found it from node 1 to 3, expected it to go forward"),
        ({"targets": [1, 1, 0]}, "arc 2: found it from node 1 to 0, expected it to go forward"),
        ({"sources": [0, 0, -1]}, "arc 2: found it from node -1 to 2"),
        ({"sources": [1, 0, 0], "targets": [2, 1, 1]}, "unsorted arcs"),
        ({"labels": [0, 1, 2]}, "a label outside of the 2 words"),
        ({"labels": [0, 1, -2]}, "a label outside of the 2 words"),
        ({"labels": [0, 1]}, "found 3, 3 and 2, expected one length"),
        ({"nodes": 4}, "node 3: no arc leads to it"),
        ({"sources": [0, 0, 0], "targets": [1, 2, 2]}, "node 1: no arc leaves it"),
        ({"nodes": 0}, "found 0 nodes"),
        ({"features": [[1.0], [2.0]]}, r"features: found an array of shape \(2, 1\)"),
        ({"features": [[1.0], [math.nan], [3.0]]}, "arc 1: feature lm: found nan"),
        ({"features": [[1.0], [math.inf], [3.0]]}, "arc 1: feature lm: found inf"),
        ({"vocabulary": ("a", "a")}, "vocabulary: found 'a' twice"),
        ({"vocabulary": "ab"}, "vocabulary: found one string"),
        ({"weights": [1.0, 2.0]}, "weights: found 2, expected 1"),
        ({"weights": [math.nan]}, "weights: found NaN"),
        ({"sources": [0.0, 0.5, 1.0]}, "sources: found an array of float64"),
        ({"sources": [0, 0, 2**40]}, "sources: found a number of more than 31 bits"),
    ],
)
def test_a_lattice_is_checked(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Lattice(**{**LATTICE, **change})


FOREST: dict[str, Any] = {
    "vocabulary": ("a", "b"),
    "heads": [0, 1],
    "symbol_offsets": [0, 2, 5],
    "symbols": [0, 1, -1, 0, -2],
    "tail_offsets": [0, 0, 2],
    "tails": [0, 0],
    "nodes": 2,
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tails": [0, 1]}, "hyperedge 1: found tail 1 of head 1, expected tails before heads"),
        ({"tails": [0, -1]}, "hyperedge 1: found tail -1"),
        ({"heads": [1, 0]}, "heads: expected them sorted"),
        ({"heads": [0, 2]}, "heads: expected them sorted, within 2 nodes"),
        ({"symbols": [0, 2, -1, 0, -2]}, "a symbol outside of the vocabulary"),
        ({"symbols": [0, 1, -1, 0, -1]}, "hyperedge 1: expected each of its 2 tails"),
        ({"symbols": [0, 1, -1, 0, -3]}, "hyperedge 1: expected each of its 2 tails"),
        ({"symbols": [0, -1, -1, 0, -2]}, "hyperedge 0: expected each of its 0 tails"),
        ({"symbol_offsets": [0, 5]}, "symbol_offsets: expected 3 numbers from 0 to 5"),
        ({"symbol_offsets": [0, 6, 5]}, "symbol_offsets: found them falling"),
        ({"tail_offsets": [0, 0, 1]}, "tail_offsets: expected 3 numbers from 0 to 2"),
        ({"nodes": 3}, "node 2: no hyperedge derives it"),
        ({"nodes": 0}, "found 0 nodes"),
        ({"heads": [1, 1], "tails": [0, 0]}, "node 0: no hyperedge derives it"),
        (
            {"tails": [], "tail_offsets": [0, 0, 0], "symbols": [0, 1, 0, 0, 0]},
            "node 0: nobody's tail",
        ),
    ],
)
def test_a_forest_is_checked(change: dict[str, Any], message: str) -> None:
    Forest(**FOREST)
    with pytest.raises(InputError, match=message):
        Forest(**{**FOREST, **change})


@pytest.mark.parametrize(
    ("arcs", "finals", "message"),
    [
        ([(0, 1, "a"), (1, 0, "b"), (1, 2, "c")], [2], "state [01]: on a cycle"),
        ([(0, 0, "a"), (0, 1, "b")], [1], "state 0: on a cycle"),
        ([(0, 1, "a"), (7, 1, "b")], [1], "state 7: the start does not reach it"),
        ([(0, 1, "a"), (0, 2, "b")], [1], "state 2: leads to no final state"),
        ([(0, 1, "a"), (2, 3, "b")], [3], "state 3: the start does not reach it"),
        ([(0, 1, "a")], [9], "final state 9: no arc has it"),
        ([(0, 1, "a")], [], "no final state"),
        ([(0, 1, "a", float("nan"))], [1], "feature score: found nan"),
    ],
)
def test_building_a_lattice_names_the_state(
    arcs: list[Any], finals: list[int], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Lattice.build(arcs, finals=finals)


@pytest.mark.parametrize(
    ("edges", "goal", "message"),
    [
        ([(0, ["a"]), (1, [0]), (1, [0, 2]), (2, [2])], 1, "node 2: no derivation"),
        ([(0, [1]), (1, [0])], 1, "node 1: no derivation of the goal"),
        ([(0, ["a", 1]), (1, ["b"]), (1, [0])], 0, "node [01]: on a cycle"),
        ([(0, ["a"]), (1, ["b"])], None, "goal: found 0, 1, expected one node"),
        ([(0, ["a"]), (1, ["b"])], 1, "node 0: not part of a derivation of the goal"),
        ([(0, ["a"])], 5, "goal 5: found no hyperedge with it"),
        ([], None, "no hyperedges"),
    ],
)
def test_building_a_forest_names_the_node(edges: list[Any], goal: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Forest.build(edges, goal=goal)


def test_trimming_leaves_out_what_is_on_no_path() -> None:
    arcs = [(0, 1, "a"), (0, 2, "b"), (7, 1, "c"), (2, 3, "d"), (3, 2, "e")]
    assert [path.text for path in Lattice.build(arcs, finals=[1], trim=True).paths()] == ["a"]
    edges = [(0, ["a"]), (1, [0, "b"]), (2, [3]), (3, [2]), (4, ["c"])]
    assert [one.text for one in Forest.build(edges, goal=1, trim=True).derivations()] == ["a b"]


def test_final_states_become_one() -> None:
    arcs = [("s", "t", "a", {"lm": 1.0}), ("t", "u", "b", {"tm": 2.0})]
    lattice = Lattice.build(arcs, finals={"t": {"lm": 4.0}, "u": None})
    assert lattice.nodes == 4
    assert [(path.text, path.score) for path in lattice.paths()] == [("a", 5.0), ("a b", 3.0)]
    alone = Lattice.build(arcs, finals=["u"])
    assert (alone.nodes, alone.arcs) == (3, 2)


def test_a_single_state_is_the_empty_path() -> None:
    lattice = Lattice.build([])
    assert (lattice.nodes, lattice.count_paths(), lattice.best().words) == (1, 1, ())
    assert lattice.n_best(3).hypotheses == ("",)
    assert lattice.to_forest().best().words == ()


def texts(structure: Lattice | Forest) -> list[tuple[str, float]]:
    return sorted((path.text, path.score) for path in structure.paths())


@given(lattices(), st.randoms(use_true_random=False))
def test_the_order_of_states_does_not_matter(lattice: Lattice, random: Any) -> None:
    names = random.sample(range(100), lattice.nodes)
    columns = (lattice.sources, lattice.targets, lattice.words, lattice.features)
    arcs = [
        (names[source], names[target], word, row)
        for source, target, word, row in zip(*columns, strict=True)
    ]
    random.shuffle(arcs)
    again = Lattice.build(
        arcs,
        start=names[0],
        finals=[names[-1]],
        feature_names=lattice.feature_names,
        weights=lattice.weights,
    )
    assert texts(again) == texts(lattice)


@pytest.mark.slow
@given(forests(), st.randoms(use_true_random=False))
def test_the_order_of_nodes_does_not_matter(forest: Forest, random: Any) -> None:
    names = random.sample(range(100), forest.nodes)
    edges = []
    for edge, head in enumerate(forest.heads):
        tails = forest.edge_tails(edge)
        symbols = [
            names[tails[-1 - symbol]] if symbol < 0 else forest.vocabulary[symbol]
            for symbol in forest.edge_symbols(edge)
        ]
        edges.append((names[head], symbols, forest.features[edge]))
    random.shuffle(edges)
    again = Forest.build(
        edges, goal=names[-1], feature_names=forest.feature_names, weights=forest.weights
    )
    assert texts(again) == texts(forest)


@given(st.one_of(lattices(), forests()))
def test_searches_agree_with_the_list_of_all_paths(structure: Lattice | Forest) -> None:
    paths = list(structure.paths())
    best = max(path.score for path in paths)
    assert structure.count_paths() == len(paths)
    assert structure.best().score == best
    ranked = structure.n_best(len(paths) + 5)
    assert len(ranked) == len(paths)
    assert ranked.scores is not None
    assert ranked.scores.tolist() == sorted((path.score for path in paths), reverse=True)
    assert sorted(zip(ranked.hypotheses, ranked.scores.tolist(), strict=True)) == texts(structure)
    assert np.array_equal(ranked.features @ structure.weights, ranked.scores)


@given(lattices(), numbers := st.tuples(st.integers(-3, 3), st.integers(-3, 3)))
def test_other_weights_find_other_paths(lattice: Lattice, weights: tuple[int, int]) -> None:
    scores = [float(path.features @ np.array(weights)) for path in lattice.paths()]
    assert lattice.best(weights).score == max(scores)
    named = dict(zip(lattice.feature_names, weights, strict=True))
    assert lattice.with_weights(named).best().score == max(scores)


@given(lattices())
def test_a_lattice_is_a_forest_and_back(lattice: Lattice) -> None:
    forest = lattice.to_forest()
    assert is_left_branching(forest)
    assert texts(forest) == texts(lattice)
    assert texts(forest.to_lattice()) == texts(lattice)


def test_phrases_become_chains() -> None:
    edges = [(0, []), (1, [0, "a", "b", "c"], 1.0), (1, [0], 2.0), (2, [1, "d"], 4.0)]
    lattice = Forest.build(edges).to_lattice()
    assert texts(lattice) == [("a b c d", 5.0), ("d", 6.0)]
    with pytest.raises(InputError, match="expected a forest that is a lattice"):
        Forest.build([(0, ["a"]), (1, ["b", 0])]).to_lattice()


def test_long_and_deep_structures_need_no_recursion() -> None:
    size = 5_000
    arcs = [(state, state + 1, "a", float(arc)) for state in range(size) for arc in range(2)]
    lattice = Lattice.build(arcs)
    assert lattice.count_paths() == 2**size
    assert lattice.best().score == size
    forest = Forest.build([(0, ["a"]), *((node, ["b", node - 1]) for node in range(1, 3000))])
    assert len(forest.best().words) == 3000
    assert len(next(forest.ranked()).words) == 3000


def test_sums_are_of_all_occurrences_of_an_edge() -> None:
    forest = Forest.build([(0, ["a"], 1.0), (1, [0, 0], 0.5)])
    assert forest.best().score == 2.5
    assert forest.best().edges == (1, 0, 0)


def test_values_do_not_change() -> None:
    mine = np.array([0, 0, 1], dtype=np.int32)
    lattice = Lattice(**{**LATTICE, "sources": mine})
    for array in (lattice.sources, lattice.features, lattice.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    mine[0] = 1  # the caller's array is the caller's
    assert lattice.sources[0] == 0
    with pytest.raises(AttributeError):
        lattice.nodes = 7  # type: ignore[misc]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, 2.0], "found 2, expected 1"),
        ({"tm": 1.0}, "found tm, expected some of the features lm"),
        ([math.inf], "found NaN or infinity"),
    ],
)
def test_weights_that_do_not_fit(weights: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Lattice(**LATTICE).best(weights)


LIST = NBest(
    segment=3,
    hypotheses=("a", "b", "a"),
    feature_names=("lm", "tm"),
    features=[[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]],  # type: ignore[arg-type]
    scores=[-1.0, -2.0, -3.0],  # type: ignore[arg-type]
)


def test_an_n_best_list() -> None:
    assert LIST.top(2).hypotheses == ("a", "b")
    assert LIST.top(99) == LIST
    assert LIST.model_scores().tolist() == [-1.0, -2.0, -3.0]
    assert LIST.model_scores({"tm": 2.0}).tolist() == [0.0, 4.0, 0.0]
    reranked = LIST.reranked([1.0, 1.0])
    assert reranked.hypotheses == ("a", "b", "a")
    assert reranked.model_scores().tolist() == [3.0, 2.0, 1.0]
    merged = LIST.merged()
    assert merged.hypotheses == ("a", "b")
    assert merged.scores is not None
    assert merged.scores[0] == pytest.approx(math.log(math.exp(-1) + math.exp(-3)), abs=1e-15)
    assert merged.features.tolist() == [[1.0, 0.0], [0.0, 2.0]]
    assert merged.merged() is merged
    assert list(LIST) == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"segment": -1}, "segment: found -1"),
        ({"hypotheses": "ab"}, "hypotheses: found one string"),
        ({"scores": [1.0]}, "segment 0: found 1 score, expected 2"),
        ({"scores": [1.0, math.nan]}, "segment 0: hypothesis 1: found score nan"),
        ({"feature_names": ("lm",)}, r"found an array of shape \(2, 2\)"),
        ({"features": [[0.0, math.inf], [0.0, 0.0]]}, "hypothesis 0: feature tm: found inf"),
    ],
)
def test_an_n_best_list_is_checked(change: dict[str, Any], message: str) -> None:
    whole = {
        "segment": 0,
        "hypotheses": ("a", "b"),
        "feature_names": ("lm", "tm"),
        "features": np.zeros((2, 2)),
    }
    with pytest.raises(InputError, match=message):
        NBest(**{**whole, **change})


def test_structures_print_usefully() -> None:
    lattice = Lattice.build([(0, 1, "a", -1.0), (0, 1, "", 0.0)], name="dev: line 3")
    assert repr(lattice) == "<Lattice dev: line 3: 2 nodes, 2 arcs, 1 word, 1 feature>"
    assert str(lattice).endswith("  0 → 1  a  -1\n  0 → 1  ε  0")
    forest = Forest.build([(0, ["a"]), (1, [0, "b", 0])])
    assert "2 nodes, 2 hyperedges, arity 2" in repr(forest)
    assert str(forest).endswith("  0 ← a  0\n  1 ← [0] b [0]  0")
    assert "segment 3: 3 hypotheses, 2 features\n  -1  a" in str(LIST)
    assert "<td>a</td>" in LIST._repr_html_()
    assert "more arcs" in str(random_lattice(np.random.default_rng(1), nodes=20, arcs=40))
    assert "more hyperedges" in str(random_forest(np.random.default_rng(1), nodes=20, edges=9))


def test_drawings_without_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    lattice = Lattice.build([(0, 1, 'say "\\', -1.0)])
    dot = lattice.to_dot()
    assert '  0 -> 1 [label="say \\"\\\\ / -1"];' in dot
    with pytest.raises(MissingExtraError, match=r"install Graphviz, or use to_dot\(\)"):
        lattice.to_svg()
    assert "<pre>digraph lattice" in lattice._repr_html_()
    forest = Forest.build([(0, ["a"]), (1, [0, "b", 0])])
    assert "  e1 -> 1;\n  0 -> e1;\n  0 -> e1;\n}" in forest.to_dot()
    large = random_lattice(np.random.default_rng(1), nodes=100, arcs=500)
    assert "too large to draw" in large._repr_html_()


def test_drawings_with_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "dot"
    program.write_text('#!/bin/sh\necho "<?xml?><svg>$(wc -l) $1</svg>"\n', encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    forest = Forest.build([(0, ["a"])])
    assert forest.to_svg() == "<?xml?><svg>7 -Tsvg</svg>\n"
    assert "</p><svg>7 -Tsvg</svg>" in forest._repr_html_()


@given(lattices())
def test_openfst_finds_the_same_best_path(lattice: Lattice) -> None:
    kaldifst = pytest.importorskip("kaldifst")
    fst = lattice.to_openfst()
    shortest = kaldifst.shortest_path(fst)
    assert Lattice.from_openfst(shortest).best().score == pytest.approx(
        lattice.best().score, abs=1e-4
    )
    again = Lattice.from_openfst(fst)
    assert [path[0] for path in texts(again)] == [path[0] for path in texts(lattice)]
    assert [path[1] for path in texts(again)] == pytest.approx(
        [path[1] for path in texts(lattice)], abs=1e-4
    )


def test_openfst_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "kaldifst", None)
    with pytest.raises(MissingExtraError, match=re.escape(install_hint("fst"))):
        Lattice.build([]).to_openfst()
