"""Damaged and hostile files: named, skipped, never a crash."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.decode import (
    Damages,
    FormatOptions,
    NBest,
    format_named,
)
from tertium.decode.formats.kinds import FORMATS
from tertium.errors import InputError
from tests.support.decode_files import FOREST, GOOD, file_of, read_text
from tests.support.effort import examples


def hypergraph(change: tuple[str, str]) -> str:
    assert change[0] in FOREST
    return FOREST.replace(*change, 1)


DAMAGED = [
    ("moses", "x ||| a", "line 1: found 'x', expected a whole number from 0 on"),
    ("moses", "-1 ||| a", "line 1: found '-1', expected a whole number from 0 on"),
    ("moses", "99999999999 ||| a", "line 1: found '99999999999', expected a whole number"),
    ("moses", "just text", "line 1: found 1 fields between |||, expected id ||| text ||| feat"),
    ("moses", "0 ||| a ||| lm= nan ||| 1", "line 1: found 'nan', expected a finite number"),
    ("moses", "0 ||| a ||| lm= 1 ||| inf", "line 1: found 'inf', expected a finite number"),
    ("moses", "0 ||| a ||| lm= 1_0 ||| 1", "line 1: found '1_0', expected a finite number"),
    ("moses", "0 ||| a ||| lm= 1 2\n0 ||| b ||| lm= 1", "line 2: found features lm (1), exp"),
    ("moses", "0 ||| a ||| lm= 1\n0 ||| b |||", "line 2: found features none, expected lm (1)"),
    ("moses", "0 ||| a ||| 1 2\n0 ||| b ||| 1", "line 2: found features without names (1), e"),
    ("moses", "0 ||| a ||| lm= x", "line 1: found 'x', expected a finite number"),
    ("moses", "0 ||| a ||| a=1 a=2", "line 1: found 'a=2', expected each feature once"),
    ("moses", "0 ||| a ||| d= 1 2 d_1=3", "line 1: found two features d_1, expected each once"),
    ("moses", "1 ||| a\n0 ||| b", "line 2: found segment 0 after 1, expected rising ones"),
    ("moses", "0 ||| a ||| l= 1 ||| 2\n0 ||| b ||| l= 1", "line 2: found no score, expected a"),
    ("moses", "0 ||| a ||| WordScores= 1 ||| 2", "(the format marian finds them)"),
    ("travatar", "0 ||| a ||| lm=1 ||| 2", "line 1: found 'lm=1', expected a finite number"),
    ("samples", "{", "line 1: found no JSON"),
    ("samples", "[" * 100_000, "line 1: found no JSON"),
    ("samples", "[1]", "line 1: the line: found '[1]', expected an object"),
    ("samples", "{}", "line 1: hypotheses: found 'None', expected a list of strings"),
    ("samples", '{"hypotheses": "ab"}', "hypotheses: found 'ab', expected a list of strings"),
    ("samples", '{"hypotheses": ["a", 1]}', "expected a list of strings"),
    ("samples", '{"hypotheses": ["\\ud800"]}', "line 1: found no JSON"),
    ("samples", '{"hypotheses": ["a"], "logprobs": [1, 2]}', "found 2 numbers, expected 1"),
    (
        "samples",
        '{"hypotheses": ["a"], "logprobs": [NaN]}',
        "logprobs: found nan, expected a num",
    ),
    ("samples", '{"hypotheses": ["a"], "logprobs": [true]}', "found 'True', expected a num"),
    ("samples", '{"hypotheses": ["a"], "logprobs": [1' + "0" * 400 + "]}", "found inf, exp"),
    ("samples", '{"hypotheses": ["a"], "model_scores": [1' + "0" * 400 + "]}", "beyond all bounds"),
    ("samples", '{"hypotheses": ["a"], "model_scores": [true]}', "expected a list of numbers"),
    ("samples", '{"hypotheses": ["a"], "logprobs": 1}', "found '1', expected a list of numbers"),
    ("samples", '{"hypotheses": ["a"], "scores": [1]}', "unknown key 'scores'; did you mean 'logp"),
    ("samples", '{"hypotheses": ["a"], "features": {"lm": []}}', "lm: found 0 numbers, expected 1"),
    ("samples", '{"hypotheses": ["a"], "features": [1]}', "features: found '[1]', expected an ob"),
    ("samples", '{"hypotheses": [], "id": ["x"]}', "expected a number from 0 on or some"),
    ("samples", '{"hypotheses": [], "id": -1}', "id: found '-1', expected a number from 0 on"),
    ("samples", '{"hypotheses": [], "source": 1}', "source: found '1', expected a string"),
    ("plf", "ein haus", "line 1: column 1: found 'ein haus', expected '(' of the lattice"),
    ("plf", "", "0 lattices"),
    ("plf", "(", "line 1: column 2: found '', expected '(' of node 0"),
    ("plf", "((", "line 1: column 3: node 0: found '', expected an arc ('word',number,jump)"),
    ("plf", "((('a',0,1),),", "line 1: column 15: found '', expected '(' of node 1"),
    ("plf", "((('a',0,1),),) x", "line 1: column 16: found 'x', expected the end of the line"),
    ("plf", "((('a',0,1) ('b',0,1),),)", "column 12: found \" ('b',0,1),),)\", expected ','"),
    ("plf", "((('a',0,0),),)", "line 1: node 0: arc 'a': found jump 0, expected 1 or more"),
    ("plf", "((('a',0,-1),),)", "line 1: node 0: arc 'a': found '-1', expected a whole number"),
    ("plf", "((('a',0,1.5),),)", "line 1: node 0: arc 'a': found '1.5', expected a whole number"),
    ("plf", "((('a',0,2),),)", "line 1: node 0: arc 'a': found jump 2, expected at most 1"),
    ("plf", "((('a',0,1),),(('b',0,9),),)", "node 1: arc 'b': found jump 9, expected at most 1"),
    ("plf", "((('a',nan,1),),)", "line 1: node 0: arc 'a': found 'nan', expected a finite number"),
    ("plf", "((('a',0,1),('b',1),),)", "arc 'b': found 0 features, expected 1 as on the first arc"),
    ("plf", "((('a',0,2),),(('b',0,1),),)", "line 1: node 1: the start does not reach it"),
    ("plf", "((),(('b',0,1),),)", "line 1: node 2: the start does not reach it"),
    ("plf", "((('a',0,2),('c',0,1),),(),)", "line 1: node 1: leads to no final state"),
    ("plf", "(((1,0,1),),)", "line 1: column 3: node 0: found '(1,0,1),),)', expected an arc"),
    ("plf", "(((__import__('os'),0,1),),)", "line 1: column 3: node 0: found"),
    ("plf", "(" * 1_000_000, "line 1: column 3: node 0: found"),
    ("plf", "((('a" + "\\" * 99_999, "line 1: column 3: node 0: found"),
    ("plf", "((('\\ud800',0,1),),)", "expected a character"),
    ("openfst", "0 1 a a 1\n", "in.txt: no final state, expected at least one"),
    ("openfst", "0 1 a a 1\n1 0 b b\n1\n", "line 1: state 0: on a cycle, expected none"),
    ("openfst", "0 1 a a 1\n0 2 b b\n1\n", "line 2: state 2: leads to no final state"),
    ("openfst", "0 1 a a 1\n1\n3 1 b b\n", "line 3: state 3: the start does not reach it"),
    ("openfst", "0 1 a a 1\n7\n", "line 2: state 7: the start does not reach it"),
    ("openfst", "0 1 a a 1\n1\n1 2\n", "in.txt: found a final state twice, expected each once"),
    ("openfst", "0 1 a a nan\n1\n", "line 1: found 'nan', expected a finite number"),
    ("openfst", "0 1 a a Infinity\n1\n", "line 1: found 'Infinity', expected a finite number"),
    ("openfst", "0 1 a a 1 2\n1\n", "line 1: found '2' after the cost, expected nothing"),
    ("openfst", "0 1 a a 1:2 x\n1\n", "line 1: found 'x', expected a feature as name:value"),
    ("openfst", "0 1 a a 1:2\n1 2 b b 3\n2", "line 2: found '3', expected a feature as name:va"),
    ("openfst", "0 1 a a 1:nan\n1\n", "line 1: found 'nan', expected a finite number"),
    ("openfst", "0 1 a\n1 x b b\n2\n", "line 2: found 'x', expected a finite number"),
    ("openfst", "x 1 a a\n1\n", "line 1: found 'x', expected a whole number"),
    ("openfst", "0 1 a a 1\n1 2 b\n2 3 c c c\n3\n", "line 1: found 'a', expected a finite number"),
    ("hypergraph", "# nothing", "line 1: found the end, expected the numbers of nodes and hyper"),
    ("hypergraph", "# target ||| features\nx y\n", "line 2: found 'x', expected a whole number"),
    ("hypergraph", "# target ||| features\n0 0\n", "line 2: found 0 nodes, expected at least"),
    ("hypergraph", "# target ||| features\n2\n", "line 2: found '2', expected the numbers of no"),
    ("hypergraph", hypergraph(("3 4", "3 5")), "line 12: found 4 hyperedges, expected 5"),
    ("hypergraph", hypergraph(("3 4", "4 4")), "found the end, expected node 3: its number of"),
    ("hypergraph", hypergraph(("3 4", "2 4")), "line 9: found 3 hyperedges, expected 4"),
    ("hypergraph", hypergraph(("[1]", "[9]")), "line 12: node 2: found tail [9], expected one of"),
    ("hypergraph", hypergraph(("[1]", "[2]")), "line 11: node 2: no derivation of the goal"),
    ("hypergraph", hypergraph(("[1]", "[0]")), "line 7: node 1: not part of a derivation"),
    ("hypergraph", hypergraph(("LM0=-2", "LM0=nan")), "line 9: found 'nan', expected a finite"),
    ("hypergraph", hypergraph(("LM0=-2", "-2")), "line 9: found '-2', expected a feature as name="),
    ("hypergraph", hypergraph(("\n2\n", "\n3\n")), "line 10: node 1: found '# node 2', expected a"),
    ("hypergraph", hypergraph(("\n2\n", "\n1\n")), "line 9: found '[0] a ||| LM0=-2 tm=0.5 ||| 1'"),
    ("travatar-json", "{}", "line 1: found no 'nodes', expected an object that has it"),
    ("travatar-json", '{"nodes": 1}', "line 1: nodes: found '1', expected a list"),
    ("travatar-json", '{"nodes": [{}], "edges": []}', "line 1: found no edges"),
    (
        "travatar-json",
        '{"nodes": [{}], "edges": [{"head": 3}]}',
        "line 1: edge 0: found node '3', expected one of 1 nodes",
    ),
    (
        "travatar-json",
        '{"nodes": [{}, {}], "edges": [{"head": 0, "tails": [1], "trg": [{"words": ["a"]}]}]}',
        "line 1: edge 0: trg: found tails [], expected each of 1 exactly once",
    ),
    (
        "travatar-json",
        '{"nodes": [{}], "edges": [{"head": 0, "features": {"lm": "x"}}]}',
        "line 1: edge 0: found 'x', expected a finite number",
    ),
    (
        "travatar-json",
        '{"nodes": [{}], "edges": [{"head": 0, "trg": [{"words": [null]}]}]}',
        "line 1: edge 0: trg: found 'None', expected words and tails",
    ),
    (
        "travatar-json",
        '{"nodes": [{"span": [0, 9]}], "edges": [{"head": 0, "trg": [{"words": ["<unk>"]}]}]}',
        "line 1: edge 0: span: found 0 to 9, expected a part of 0 source words",
    ),
    (
        "travatar-json",
        '{"nodes": [{}, {}], "edges": [{"head": 1, "tails": [1], "trg": [{"words": [-1]}]}]}',
        "line 1: node 0: no derivation of the goal",
    ),
]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    DAMAGED,
    ids=[f"{name}-{place}" for place, (name, _, _) in enumerate(DAMAGED)],
)
def test_damage_is_named_and_can_be_skipped(name: str, text: str, message: str) -> None:
    if not text:
        assert read_text(text, name) == []
        return
    with pytest.raises(InputError) as caught:
        read_text(text, name)
    assert message in str(caught.value)
    assert str(caught.value).startswith("in.txt: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    damages = Damages(skip=True)
    list(format_named(name).read(file_of(text), damages))
    assert damages.count >= 1
    assert damages.first == str(caught.value)


@pytest.mark.parametrize("name", GOOD)
def test_what_follows_damage_is_read(name: str) -> None:
    for other, text, _ in DAMAGED:
        if other != name or not text or (name == "moses" and "\n" in text):
            continue
        damages = Damages(skip=True)
        found = list(format_named(name).read(file_of(f"{text}\n{GOOD[name]}\n"), damages))
        last = found[-1]
        words = last.hypotheses[-1] if isinstance(last, NBest) else last.best().text
        assert (words, damages.count >= 1) == ("good", True), text


def test_bytes_that_are_no_text() -> None:
    text = b"0 ||| a\n0 ||| \xff\n0 ||| b\n"
    with pytest.raises(InputError, match=r"in.txt: line 2: found byte 0xff, expected UTF-8"):
        read_text(text, "moses")
    damages = Damages(skip=True)
    (one,) = format_named("moses").read(file_of(text), damages)
    assert one.hypotheses == ("a", "b")
    assert damages.count == 1


def problem(reading: Iterator[object]) -> str | None:
    """What the reader complains about; any other exception is a mistake of ours."""
    try:
        for _ in reading:
            pass
    except InputError as error:
        return str(error)
    return None


pieces = st.sampled_from(
    [
        *"()'\",:=|[]{}#\\ \t\r\n01-.eE",
        "|||",
        "nan",
        "0 1 a a\n",
        "('a',0,1),",
        "[0] ",
        '"edges"',
        "é",
    ]
)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=examples(60))
@given(text=st.one_of(st.lists(pieces, max_size=40).map("".join), st.text(max_size=30)))
def test_hostile_text_is_read_or_refused(name: str, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    options = FormatOptions(size=2) if name == "flat" else None
    for damages in (Damages(), Damages(skip=True)):
        found = problem(format_named(name, options).read(file_of(data), damages))
        assert found is None or found.startswith("in.txt")


@settings(max_examples=examples(150))
@given(st.data())
def test_hostile_changes_are_read_or_refused(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(GOOD)))
    text = {"hypergraph": FOREST, "openfst": "0 1 a a 1:2\n1 2 b b 3:1\n2\n"}.get(name, GOOD[name])
    place = data.draw(st.integers(0, len(text)))
    gone = data.draw(st.integers(0, 3))
    changed = text[:place] + data.draw(pieces) + text[place + gone :]
    found = problem(format_named(name).read(file_of(changed), Damages()))
    assert found is None or found.startswith("in.txt")
