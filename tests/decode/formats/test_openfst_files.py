"""OpenFst's binary files, words that look empty, and round trips that add nothing."""

import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tertium.decode import Damages, FormatOptions, Lattice, read, read_lattices
from tertium.decode.formats.openfst import read_binary
from tertium.decode.structures.lattice_forests import forest_to_lattice, lattice_to_forest
from tertium.errors import InputError
from tests.support.commands import error, output
from tests.support.decode_files import file_of, paths, read_text, written
from tests.support.lattice_strategies import lattices


def automaton(kaldifst: Any, *, symbols: bool = True) -> Any:
    fst = kaldifst.StdVectorFst()
    for _ in range(3):
        fst.add_state()
    fst.start = 0
    fst.set_final(1, 2.0)
    fst.set_final(2, 1.5)
    fst.add_arc(0, kaldifst.StdArc(2, 1, 0.5, 1))
    fst.add_arc(0, kaldifst.StdArc(0, 3, 0.75, 1))
    fst.add_arc(1, kaldifst.StdArc(1, 0, 0.25, 2))
    if symbols:
        table = kaldifst.SymbolTable()
        for number, word in enumerate(("nothing", "ä", "b", "ε")):
            table.add_symbol(word, number)
        fst.input_symbols = table
        fst.output_symbols = table
    return fst


@pytest.mark.parametrize("kind", ["vector", "const"])
def test_binary_files(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kaldifst = pytest.importorskip("kaldifst")
    fst = automaton(kaldifst)
    path = tmp_path / "x.fst"
    (fst if kind == "vector" else kaldifst.StdConstFst(fst)).write(str(path))
    (one,) = read_lattices(path)
    assert paths(one) == [("ä", -2.5), ("ä", -2.25), ("ε", -2.75), ("ε", -2.5)]
    (other,) = read_lattices(path, options=FormatOptions(side="input"))
    assert paths(other) == [("", -2.75), ("b", -2.5), ("b ä", -2.25), ("ä", -2.5)]
    assert "openfst" in output(capsys, "convert", str(path), "--inspect")
    best = output(capsys, "convert", str(path), "--to", "moses", "--best", "1", "--lossy")
    assert best.startswith("0 ||| ä ||| cost= 2.25")


def test_binary_files_without_words(tmp_path: Path) -> None:
    kaldifst = pytest.importorskip("kaldifst")
    path, table = tmp_path / "x.fst", tmp_path / "words"
    automaton(kaldifst, symbols=False).write(str(path))
    (plain,) = read_lattices(path)
    assert set(plain.vocabulary) == {"1", "3"}
    table.write_text("nothing 0\none 1\nthree 3\n", encoding="utf-8")
    (named,) = read_lattices(path, options=FormatOptions(symbols=str(table)))
    assert set(named.vocabulary) == {"one", "three"}
    table.write_text("nothing 0\none 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="found label 3, expected one of its symbol table"):
        list(read_lattices(path, options=FormatOptions(symbols=str(table))))


@given(lattices())
def test_binary_is_what_kaldifst_has(lattice: Lattice) -> None:
    pytest.importorskip("kaldifst")
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/x.fst"
        lattice.to_openfst().write(path)
        (found,) = read_lattices(path)
    assert paths(found) == paths(lattice)


def text(value: str) -> bytes:
    return struct.pack("<i", len(value)) + value.encode()


def header(
    kind: str = "vector",
    arc: str = "standard",
    *,
    start: int = 0,
    states: int = 2,
    arcs: int = 1,
    flags: int = 0,
) -> bytes:
    numbers = struct.pack("<iiQqqq", 2, flags, 0, start, states, arcs)
    return struct.pack("<i", 2125659606) + text(kind) + text(arc) + numbers


INFINITE = float("inf")
STATES = struct.pack("<fqiifi", INFINITE, 1, 7, 8, 0.5, 1) + struct.pack("<fq", 0.0, 0)


def test_log_arcs_and_unknown_sizes() -> None:
    assert paths(read_binary(header(arc="log") + STATES, "x")) == [("8", -0.5)]
    # Written to a pipe, the header does not know how many states will come.
    assert paths(read_binary(header(states=-1) + STATES, "x")) == [("8", -0.5)]
    wide = struct.pack("<dqiidi", INFINITE, 1, 7, 8, 0.5, 1) + struct.pack("<dq", 0.0, 0)
    assert paths(read_binary(header(arc="log64") + wide, "x")) == [("8", -0.5)]


def test_aligned_constant_automata() -> None:
    head = header("const", flags=4)
    states = struct.pack("<fIIII", INFINITE, 0, 1, 0, 0) + struct.pack("<fIIII", 0.0, 1, 0, 0, 0)
    data = head + bytes(-len(head) % 16) + states
    data += bytes(-len(data) % 16) + struct.pack("<iifi", 7, 8, 0.5, 1)
    assert paths(read_binary(data, "x")) == [("8", -0.5)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (header("compact_string") + STATES, "type compact_string with standard arcs, expected vec"),
        (header(arc="lattice4") + STATES, "type vector with lattice4 arcs, expected vector or"),
        (header() + STATES[:-1], "found 11 more bytes, expected 12"),
        (header()[:9], "found 1 more bytes, expected 6"),
        (header() + STATES + b"x", "found 1 more bytes, expected the end"),
        (header(flags=1) + STATES, "expected a symbol table"),
        (header() + STATES.replace(struct.pack("<f", 0.5), struct.pack("<f", INFINITE)), "infini"),
        (header(states=1) + STATES[:28], "state 0: found an arc beyond the 1 states"),
        (header("const", arcs=9) + STATES, "expected"),
        (header(states=0), "found start state 0, expected one of 0 states"),
        (header(start=7) + STATES, "found start state 7, expected one of 2 states"),
        (header(start=-1) + STATES, "found start state -1, expected one of 2 states"),
    ],
)
def test_damaged_binary_files(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        list(read(file_of(data, "x.fst")))
    assert str(caught.value).startswith("x.fst: ")
    damages = Damages(skip=True)
    assert list(read(file_of(data, "x.fst"), damages=damages)) == []
    assert damages.count == 1


def test_every_beginning_is_an_error() -> None:
    whole = header() + STATES
    for size in range(4, len(whole)):
        with pytest.raises(InputError):
            read_binary(whole[:size], "x")


def test_one_line_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.fst"
    path.write_bytes(header("ngram") + STATES)
    assert "type ngram" in error(capsys, "convert", str(path), "--inspect")


@pytest.mark.parametrize("word", ["ε", "<epsilon>"])
def test_words_that_look_empty_are_kept(word: str) -> None:
    (plf,) = read_text(f"((('{word}',0,1),),)", "plf")
    (openfst,) = read_text(f"0 1 {word} {word} 1\n1\n", "openfst")
    assert plf.best().words == openfst.best().words == (word,)
    assert read_text(written([openfst], "openfst"), "openfst") == [openfst]
    (left_out,) = read_text(f"((('{word}',0,1),),)", "plf", FormatOptions(boundary=(word,)))
    assert left_out.best().words == ()


def test_number_0_is_empty_whatever_its_name(tmp_path: Path) -> None:
    table = tmp_path / "words"
    table.write_text("ε 0\na 1\n", encoding="utf-8")
    options = FormatOptions(symbols=str(table))
    for label in ("0", "ε"):
        (one,) = read_text(f"0 1 {label} {label} 1\n1 2 1 1\n2\n", "openfst", options)
        assert one.best().words == ("a",)


@given(lattices())
def test_round_trips_add_no_arcs(lattice: Lattice) -> None:
    back = forest_to_lattice(lattice_to_forest(lattice))
    assert (back.nodes, back.arcs) == (lattice.nodes, lattice.arcs)
    assert paths(back) == paths(lattice)
    (again,) = read_text(written([lattice], "openfst"), "openfst") if lattice.arcs else [lattice]
    assert (again.nodes, again.arcs, again.words) == (lattice.nodes, lattice.arcs, lattice.words)


def test_final_states_stay_final_states(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    automaton_text = "0\t1\ta\ta\t1\n0\t2\tb\tb\t2\n1\t2\tc\tc\t3\n1\t4\n2\n"
    path = tmp_path / "x.txt"
    path.write_text(automaton_text, encoding="utf-8")
    assert output(capsys, "convert", str(path), "--to", "openfst") == automaton_text


@pytest.mark.shared
def test_real_automata_keep_their_size(shared_data: Path) -> None:
    import gzip

    for name in ("lmbr.1", "lmbr.2", "lmert.3"):
        path = shared_data / f"lattices/hifst/{name}.txt.gz"
        before = gzip.decompress(path.read_bytes()).split(b"\n")
        (one,) = read_lattices(path)
        assert len(written([one], "openfst").splitlines()) == sum(map(bool, before))
