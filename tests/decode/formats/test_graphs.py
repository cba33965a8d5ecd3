"""Lattices and forests in all the ways decoders write them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.decode import (
    Forest,
    FormatOptions,
    Lattice,
    convert,
    format_named,
)
from tertium.decode.formats.table import Structure
from tertium.errors import InputError
from tests.support.decode_files import FOREST, paths, read_text, written
from tests.support.lattice_strategies import forests, lattices


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "((('ein',-0.25,1),('dieses',-0.5,1),('haus',-1,2),),(('haus',-2,1),),)",
            [("dieses haus", -2.5), ("ein haus", -2.25), ("haus", -1.0)],
        ),
        ("( ( ( 'sí' , 0 , 1 ) ) )", [("sí", 0.0)]),
        ("((('a',1e-3,2,1),),)", [("a", 2.001)]),
        ("((('a',1),),)", [("a", 0.0)]),
        ("()", [("", 0.0)]),
        (r"""((('it\'s',0,1),("a\"b",0,1),('\u00fc\\',0,1),('\q',0,1),),)""", None),
        ("((('*EPS*',-1,1),('<s>',-2,1),('',-3,1),('x',0,1),),)", None),
    ],
)
def test_plf(text: str, expected: list[tuple[str, float]] | None) -> None:
    (lattice,) = read_text(text + "\n", "plf")
    if expected is not None:
        assert paths(lattice) == expected
    elif "EPS" in text:
        assert paths(lattice) == [("", -3), ("", -2), ("", -1), ("x", 0)]
    else:
        assert lattice.vocabulary == ("it's", 'a"b', "ü\\", "\\q")


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("0 1 x the 1.5\n0 1 x a\n1\n", {}, [("a", 0.0), ("the", -1.5)]),
        ("0 1 x the 1.5\n1\n", {"side": "input"}, [("x", -1.5)]),
        # States in any order, several final ones with costs; Infinity is none.
        ("5 3 a a 1\n5 9 b b 1\n9 3 c c\n3 0.5\n9 2\n5 Infinity\n", {}, None),
        # Acceptors: three fields, or a cost with a decimal point in the fourth.
        ("0 1 the\n1 2 a 2\n2\n", {}, [("the a", -2.0)]),
        ("0 1 the 0.5\n1 2 a 2\n2\n", {}, [("the a", -2.5)]),
        ("0 1 the 1\n1\n", {"acceptor": True}, [("the", -1.0)]),
        ("0 1 the 1\n1\n", {}, [("1", 0.0)]),
        # Sparse features, also in final states; words may have colons.
        ("0 1 7 7 1:0.5 3:-2\n1 3:1\n", {}, [("7", 0.5)]),
        ("0\t1\t10:30\t10:30\tlm:2 tm:3\n1\n", {}, [("10:30", -5.0)]),
        ("0 1 the lm:2 tm:3\n1\n", {}, [("the", -5.0)]),
        # 0 is the empty word of numbers, <eps> that of words, boundaries are empty.
        ("0 1 0 0 1\n1 2 5 5 1\n2\n", {}, [("5", -2.0)]),
        ("0 1 0 0 1\n1 2 <eps> <eps> 1\n2\n", {}, [("0", -2.0)]),
        ("0 1 1 1\n1 2 7 7\n2 3 2 2\n3\n", {"boundary": ("1", "2")}, [("7", 0.0)]),
        ("0\n", {}, [("", 0.0)]),
        ("0 1 a a\n0 2 b b\n1\n", {"trim": True}, [("a", 0.0)]),
    ],
)
def test_openfst(text: str, options: dict[str, Any], expected: Any) -> None:
    (lattice,) = read_text(text, "openfst", FormatOptions(**options))
    if expected is None:
        expected = [("a", -1.5), ("b", -3.0), ("b c", -1.5)]
    assert paths(lattice) == expected


def test_openfst_names_features_in_order_and_has_several_lattices() -> None:
    text = "0 1 7 7 11:1 2:1\n1\n\n\n0 1 8 8 2\n1\n"
    first, second = read_text(text, "openfst")
    assert first.feature_names == ("2", "11")
    assert first.weights.tolist() == [-1.0, -1.0]
    assert (second.feature_names, second.name) == (("cost",), "in.txt: line 5")


def test_openfst_symbols(tmp_path: Path) -> None:
    table = tmp_path / "words"
    table.write_text("<eps> 0\nthe 3\n</s> 4\n", encoding="utf-8")
    options = FormatOptions(symbols=str(table))
    (lattice,) = read_text("0 1 3 3 1\n1 2 0 0 1\n2 3 4 4\n3\n", "openfst", options)
    assert paths(lattice) == [("the", -2.0)]
    with pytest.raises(InputError, match=r"in.txt: line 2: found label 9, expected one of .*words"):
        read_text("0 1 3 3 1\n1 2 9 9\n2\n", "openfst", options)
    for line, message in (("the", "found 1 fields"), ("b x", "found 'x'"), ("b 3", "again")):
        table.write_text(f"the 3\n{line}\n", encoding="utf-8")
        with pytest.raises(InputError, match=f"words: line 2: .*{message}"):
            read_text("0 1 3 3\n1\n", "openfst", options)


@pytest.mark.parametrize("name", ["openfst", "hypergraph", "travatar-json"])
@given(lattice=lattices())
def test_lattices_come_back(name: str, lattice: Lattice) -> None:
    one: Structure = lattice.with_weights([-1.0, -1.0]) if name == "openfst" else lattice
    target = format_named(name)
    if target.losses(one):
        assert not lattice.arcs
        return
    text = "".join(convert([one, one], target, lossy=True))
    back = read_text(text, name)
    assert len(back) == 2
    expected = one if name == "openfst" else lattice.to_forest().with_weights([1.0, 1.0])
    assert back[0] == expected


@given(lattices())
def test_plf_comes_back(lattice: Lattice) -> None:
    scored = Lattice.build(
        [
            (source, target, word, row)
            for source, target, word, row in zip(
                lattice.sources, lattice.targets, lattice.words, lattice.features, strict=True
            )
        ],
        feature_names=("score_1", "score_2"),
    )
    assert read_text(written([scored], "plf"), "plf") == [scored] or not scored.arcs


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=5), min_size=1, max_size=4))
def test_odd_words_come_back_or_are_refused(words: list[str]) -> None:
    arcs = [(place, place + 1, word, {"cost": 1.0}) for place, word in enumerate(words)]
    lattice = Lattice.build(arcs, weights=[-1.0])
    for name in ("plf", "openfst", "hypergraph", "travatar-json"):
        target = format_named(name)
        one = lattice.to_forest() if target.holds is Forest else lattice
        if not target.obstacles(one):
            (back,) = read_text("".join(convert([lattice], target)), name)
            assert back.best().words == lattice.best().words
            assert back.best().score == lattice.best().score
        else:
            with pytest.raises(InputError, match=f"format {name} cannot hold the word"):
                "".join(convert([lattice], target, lossy=True))


def test_hypergraph() -> None:
    (forest,) = read_text(FOREST, "hypergraph")
    assert forest.feature_names == ("LM0_1", "LM0_2", "tm")
    assert paths(forest) == [("a", -1.5), ("the house", -2.5)]
    assert forest.vocabulary == ("the", "house", "a")


def test_hypergraph_of_joshua_has_two_fields_and_two_tails() -> None:
    text = "# target ||| features\n2 2\n1\n# 44 ; ||| lm_0=-1.0\n1\n[0] and [0] ||| tm_pt_0=2\n"
    first, second = read_text(text * 2, "hypergraph")
    assert paths(first) == [("# 44 ; and # 44 ;", 0.0)]
    assert first == second
    assert second.name == "in.txt: line 7"


def test_travatar_json() -> None:
    graph = {
        "nodes": [
            {"id": 0, "sym": "S", "span": [0, 2]},
            {"id": 1, "sym": "N", "span": [1, 2]},
        ],
        "edges": [
            {"id": 0, "head": 0, "tails": [1, 1], "trg": [{"words": [-2, "of", 7, -1]}]},
            {"id": 1, "head": 1, "trg": [{"words": ["<unk>"]}], "features": {"unk": 1}},
            {"id": 2, "head": 0, "tails": [1], "trg": [{"words": ["<unk>"]}], "score": 3},
        ],
        "words": ["das", "haus"],
    }
    (forest,) = read_text(json.dumps(graph) + "\n", "travatar-json")
    assert paths(forest) == [("haus", 1.0), ("haus of 7 haus", 2.0)]


@pytest.mark.parametrize("name", ["hypergraph", "travatar-json"])
@given(forest=forests())
def test_forests_come_back(name: str, forest: Forest) -> None:
    (back,) = read_text("".join(convert([forest], format_named(name), lossy=True)), name)
    assert paths(back.with_weights(forest.weights)) == paths(forest)
    assert (back.nodes, back.edges) == (forest.nodes, forest.edges)
