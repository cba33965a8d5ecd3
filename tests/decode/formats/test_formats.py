"""Files of n-best lists, lattices and forests: guessed, converted, inspected."""

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tertium.decode import (
    Forest,
    FormatOptions,
    Lattice,
    NBest,
    convert,
    format_named,
    inspect,
    read,
    read_forests,
    read_lattices,
    read_nbest,
    read_weights,
    write_pieces,
)
from tertium.decode.formats.detection import format_for_output, guessed_format
from tertium.decode.formats.table import Structure
from tertium.errors import InputError, OptionError
from tertium.text.files import TextFile
from tests.support.decode_files import FOREST, GOOD, file_of, read_text


@pytest.mark.parametrize(
    "name", ["moses", "samples", "plf", "openfst", "hypergraph", "travatar-json"]
)
def test_the_look_of_a_file_names_its_format(name: str) -> None:
    text = {"openfst": "0 1 a a\n1\n", "moses": "0 ||| a ||| lm= 1 ||| 2\n"}.get(name, GOOD[name])
    assert guessed_format(file_of("\n" + text)) == name
    # A damaged first line does not hide the others.
    if name in {"plf", "moses"}:
        assert guessed_format(file_of("damaged\n" + text)) == name


def test_what_looks_like_nothing() -> None:
    with pytest.raises(InputError, match="line 1: found 'some text', expected a known format"):
        guessed_format(file_of("some text\nmore\n"))
    with pytest.raises(InputError, match="found no text"):
        guessed_format(file_of("\n\n"))
    assert guessed_format(TextFile(name="empty.plf", data=b"")) == "plf"
    with pytest.raises(OptionError, match="expected --to FORMAT or a name that ends in"):
        format_for_output("out.txt")
    assert format_for_output("out.hg.gz") == "hypergraph"


def test_unknown_formats_and_options_that_do_not_fit() -> None:
    with pytest.raises(OptionError, match="unknown format 'mosess'; did you mean 'moses'"):
        format_named("mosess")
    with pytest.raises(OptionError, match="symbols: found it with format plf, expected it with op"):
        format_named("plf", FormatOptions(symbols="words"))
    # A format that was guessed is no excuse for an option that does nothing.
    with pytest.raises(OptionError, match="side: found it with format plf, expected it with op"):
        read(file_of(GOOD["plf"]), options=FormatOptions(side="input"))


def test_readers_of_one_kind_refuse_another(tmp_path: Path) -> None:
    path = tmp_path / "dev.plf"
    path.write_text(GOOD["plf"] + "\n", encoding="utf-8")
    assert next(read_lattices(path)).best().text == "good"
    with pytest.raises(InputError, match=r"found lattices \(format plf\), expected n-best lists"):
        read_nbest(path)
    with pytest.raises(InputError, match="expected forests"):
        read_forests(str(path))


def test_files_are_read_as_they_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "dev.plf.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(GOOD["plf"] + "\n" + "damaged\n")
    found = read_lattices(path)
    assert next(found).best().text == "good"
    with pytest.raises(InputError, match="line 2: column 1: found 'damaged'"):
        next(found)


class Endless(io.RawIOBase):
    """A file without an end."""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return b"((('a',0,1),),)\n" * (size // 16)


def test_memory_does_not_grow_with_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from tertium.text import files

    monkeypatch.setattr(
        files.TextFile,
        "open",
        lambda _: files.Stream("endless", Endless()),  # type: ignore[arg-type]
    )
    found: Iterator[Lattice] = read_lattices(TextFile(name="endless", data=b""), format="plf")
    assert [next(found).name for _ in range(3)][-1] == "endless: line 3"


def test_output_is_complete_or_absent(tmp_path: Path) -> None:
    path = tmp_path / "out.nbest.gz"
    write_pieces(["0 ||| a\n", "0 ||| b\n"], path)
    assert gzip.decompress(path.read_bytes()).decode() == "0 ||| a\n0 ||| b\n"
    before = path.read_bytes()

    def broken() -> Iterator[str]:
        yield "1 ||| c\n"
        raise InputError("in.txt: damaged")

    with pytest.raises(InputError, match="damaged"):
        write_pieces(broken(), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    pytest.importorskip("zstandard", reason="the package zstandard is not installed")
    write_pieces(["0 ||| قط\n"], tmp_path / "out.zst")
    assert TextFile.find(tmp_path / "out.zst").read().decode() == "0 ||| قط\n"


LATTICE = Lattice.build([(0, 1, "a", {"lm": 1.0, "tm": 2.0}), (0, 1, "b", {"lm": 3.0})])


@pytest.mark.parametrize(
    ("one", "name", "message"),
    [
        (LATTICE, "plf", "format plf would lose the feature names lm, tm (allow it with --lossy)"),
        (LATTICE.with_weights([1, 2]), "hypergraph", "would lose the weights of features"),
        (LATTICE, "moses", "expected to be told how many of the best"),
        (Forest.build([(0, ["a"]), (1, ["b", 0])]), "plf", "expected a forest that is a lattice"),
        (NBest(segment=0, hypotheses=("a",)), "plf", "found n-best lists, expected lattices or"),
        (NBest(segment=0, hypotheses=("a",), source="s"), "moses", "would lose source and ref"),
        (NBest(segment=0, hypotheses=()), "moses", "would lose a segment without hypotheses"),
        (NBest(segment=0, hypotheses=(" a",)), "travatar", "would lose blanks around texts"),
        (NBest(segment=0, hypotheses=("a",), scores=np.ones(1)), "flat", "would lose scores"),
        (NBest(segment=0, hypotheses=("a ||| b",)), "moses", "cannot hold the text 'a ||| b'"),
        (NBest(segment=0, hypotheses=("a\nb",)), "flat", "cannot hold the text 'a\\nb'"),
    ],
)
def test_conversions_say_what_would_be_lost(one: Structure, name: str, message: str) -> None:
    with pytest.raises((InputError, OptionError)) as caught:
        "".join(convert([one], format_named(name)))
    assert message in str(caught.value)
    if "would lose" in message:
        assert "".join(convert([one], format_named(name), lossy=True)) or not len(one)  # type: ignore[arg-type]


def test_costs_and_scores_change_sign() -> None:
    (lattice,) = read_text("((('a',-0.5,1),),)\n", "plf")
    text = "".join(convert([lattice], format_named("openfst")))
    assert text == "0\t1\ta\ta\t0.5\n1\n"
    (costs,) = read_text(text, "openfst")
    assert "".join(convert([costs], format_named("plf"))) == "((('a',-0.5,1),),)\n"
    assert "score=-0.5" in "".join(convert([costs], format_named("hypergraph")))


def test_weights_combine_and_best() -> None:
    text = "".join(convert([LATTICE], format_named("plf"), weights={"lm": 2.0}, combine=True))
    assert text == "((('a',2,1),('b',6,1),),)\n"
    text = "".join(convert([LATTICE], format_named("moses"), best=1, weights={"lm": 2.0}))
    assert text == "0 ||| b ||| lm= 3 tm= 0 ||| 6\n"
    text = "".join(convert([LATTICE, LATTICE], format_named("samples"), best=9))
    assert [json.loads(line)["id"] for line in text.splitlines()] == [0, 1]
    listed = NBest(segment=0, hypotheses=("a",), feature_names=("lm",), features=np.ones((1, 1)))
    text = "".join(convert([listed], format_named("moses"), weights={"lm": 3.0}, combine=True))
    assert text == "0 ||| a |||  ||| 3\n"
    with pytest.raises(InputError, match="found segment 0 after 0, expected rising ones"):
        "".join(convert([listed, listed], format_named("moses")))
    lists = [listed, NBest(segment=1, hypotheses=("a", "b"))]
    with pytest.raises(InputError, match="found 2 hypotheses, expected 1 as before"):
        "".join(convert(lists, format_named("flat"), lossy=True))


def test_weights_of_many_kinds(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    for text, expected in (
        ("LM0= 0.5\nTM0= 1 2\n", {"LM0": 0.5, "TM0_1": 1, "TM0_2": 2}),
        ("# Moses\n[weight]\nTM0= 1\nTM0= 2\n", {"TM0_1": 1, "TM0_2": 2}),
        ("W_a=b 0.5\nlm=-1\n", {"W_a=b": 0.5, "lm": -1}),
        ("W_,~, 0.5\nlm 1.5\n", {"W_,~,": 0.5, "lm": 1.5}),
        ("1,1.5,-2e-1\n", {"1": 1, "2": 1.5, "3": -0.2}),
        ("1 1.5\n", {"1": 1, "2": 1.5}),
        ('{"lm": 1, "tm": -0.5}', {"lm": 1, "tm": -0.5}),
    ):
        path.write_text(text, encoding="utf-8")
        assert read_weights(path) == expected
    for text, message in (
        ("lm\n", "line 1: found 'lm', expected a name and its weight"),
        ("lm= x\n", "line 1: found 'x', expected a finite number"),
        ("\n", "found no weights"),
        ('{"lm": null}', "found 'None', expected a finite number"),
        ("{", "expected an object of weights"),
        ('{"lm": NaN}', "found 'nan', expected a finite number"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            read_weights(path)


def test_inspection_counts() -> None:
    found = inspect(
        file_of("((('a',0,1),('b',0,1),),)\ndamaged\n((('*EPS*',0,1),),)\n"), skip_bad=True
    )
    numbers_of = {name: (one.total, one.least, one.most) for name, one in found.counts.items()}
    assert numbers_of == {
        "nodes": (4, 2, 2),
        "arcs": (3, 1, 2),
        "empty arcs": (1, 0, 1),
        "paths": (3, 1, 2),
        "words": (2, 0, 2),
    }
    assert (found.segments, found.vocabulary, found.damaged) == (2, 2, 1)
    assert "line 2" in found.first_damage
    forest = inspect(file_of(FOREST))
    assert (forest.kind, forest.counts["derivations"].total) == ("forest", 2)
    lists = inspect(file_of("0 ||| a b ||| lm= 1\n0 ||| a b ||| lm= 2\n"))
    assert lists.counts["distinct"].total == 1
    assert lists.counts["words"].total == 4
    assert lists.features == ("lm",)
    with pytest.raises(InputError, match=r"0 segments, expected .*the first of 1 damaged: in.txt"):
        inspect(file_of("damaged\n"), format="plf", skip_bad=True)


def test_counts_of_any_size_are_reported() -> None:
    chain = "".join(f"{state} {state + 1} a a\n" * 2 for state in range(3_000)) + "3000\n"
    found = inspect(file_of(chain))
    assert found.counts["paths"].total == 2**3_000
    numbers_of = found.to_dict()["counts"]["paths"]
    assert numbers_of["total"] is None
    assert numbers_of["log10_total"] == pytest.approx(3_000 * np.log10(2), rel=1e-12)
    json.dumps(found.to_dict(), allow_nan=False)
