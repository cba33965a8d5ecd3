"""``tertium convert`` as users meet it: conversion, ``--inspect`` and ``--draw``."""

import gzip
import io
import json
from pathlib import Path

import pytest

from tertium.cli import convert
from tertium.cli.flags import formats as format_flags
from tertium.decode import read_lattices
from tertium.decode.formats.kinds import FORMATS
from tests.support.commands import error, json_output, output, ran

PLF = "((('ein',-0.5,1),('dies',-1,1),('haus',-4,2),),(('haus',-2,1),),)\n"


@pytest.fixture
def plf(tmp_path: Path) -> str:
    path = tmp_path / "dev.plf"
    path.write_text(PLF, encoding="utf-8")
    return str(path)


def test_the_help_names_every_format() -> None:
    for name in FORMATS:
        assert f"\n  {name} " in format_flags.FORMAT_HELP
    assert "examples:" in convert.EXAMPLES


def test_lattices_to_standard_output(capsys: pytest.CaptureFixture[str], plf: str) -> None:
    shown = output(capsys, "convert", plf, "--to", "openfst")
    assert shown.splitlines() == [
        "0\t1\tein\tein\t0.5",
        "0\t1\tdies\tdies\t1",
        "0\t2\thaus\thaus\t4",
        "1\t2\thaus\thaus\t2",
        "2",
    ]
    shown = output(capsys, "convert", plf, plf, "--best", "2", "--to", "moses")
    assert shown.splitlines() == [
        "0 ||| ein haus ||| score= -2.5 ||| -2.5",
        "0 ||| dies haus ||| score= -3 ||| -3",
        "1 ||| ein haus ||| score= -2.5 ||| -2.5",
        "1 ||| dies haus ||| score= -3 ||| -3",
    ]


def test_the_name_of_the_output_says_the_format(
    capsys: pytest.CaptureFixture[str], plf: str, tmp_path: Path
) -> None:
    out = tmp_path / "dev.fst.gz"
    assert output(capsys, "convert", plf, "-o", str(out)) == ""
    assert gzip.decompress(out.read_bytes()).startswith(b"0\t1\tein")
    assert next(read_lattices(out)).best().text == "ein haus"
    back = tmp_path / "back.plf"
    output(capsys, "convert", str(out), "-o", str(back))
    assert back.read_text(encoding="utf-8") == PLF


def test_weights_and_combination(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lattice = tmp_path / "in.txt"
    lattice.write_text("0 1 a a lm:1 tm:2\n0 1 b b lm:3\n1\n", encoding="utf-8")
    weights = tmp_path / "weights"
    weights.write_text("lm= -1\ntm= -2\n", encoding="utf-8")
    words = ["convert", str(lattice), "--weights", str(weights), "--combine", "--to", "plf"]
    assert output(capsys, *words) == "((('a',-5,1),('b',-3,1),),)\n"
    assert "would lose the feature names lm, tm" in error(
        capsys, "convert", str(lattice), "--to", "plf"
    )
    shown = output(capsys, "convert", str(lattice), "--to", "plf", "--lossy")
    assert shown == "((('a',-1,-2,1),('b',-3,0,1),),)\n"


def test_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"0 ||| a ||| lm= 1 ||| 2\n")))
    shown = output(capsys, "convert", "-", "--to", "samples")
    assert json.loads(shown) == {
        "id": 0,
        "hypotheses": ["a"],
        "model_scores": [2.0],
        "features": {"lm": [1.0]},
    }
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x\n")))
    assert error(capsys, "convert", "-", "--inspect").startswith(
        "tertium: standard input: line 1: found 'x'"
    )


@pytest.mark.slow
@pytest.mark.parametrize("target", [["--to", "hypergraph"], ["--inspect"]])
def test_damage_is_an_error_or_a_count(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, target: list[str]
) -> None:
    path = tmp_path / "dev.plf"
    path.write_text("damaged\n" + PLF * 998 + "((('a',0,7),),)\n", encoding="utf-8")
    assert error(capsys, "convert", str(path), *target, "--from", "plf") == (
        f"tertium: {path}: line 1: column 1: found 'damaged', expected '(' of the lattice"
    )
    captured = ran(capsys, "convert", str(path), *target, "--skip-bad")
    assert captured.status == 0
    assert captured.err == (
        f"tertium: skipped 2 damaged:\n  {path}: line 1: "
        "column 1: found 'damaged', expected '(' of the lattice\n"
        f"  {path}: line 1000: node 0: arc 'a': found jump 7, expected at most 1\n"
    )
    assert captured.out.count("# target") == (998 if "--to" in target else 0)


def test_a_failed_conversion_leaves_the_output(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, out = tmp_path / "dev.plf", tmp_path / "dev.fst"
    path.write_text(PLF + "damaged\n", encoding="utf-8")
    out.write_text("before", encoding="utf-8")
    error(capsys, "convert", str(path), "-o", str(out))
    assert out.read_text(encoding="utf-8") == "before"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["dev.fst", "dev.plf"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--to", "moses"], "expected to be told how many of the best"),
        (["-o", "out.txt"], "out.txt: found no format in the name, expected --to FORMAT"),
        ([], "standard output: found no format in the name"),
        (["--to", "openfst", "--from", "moses"], "line 1: found 1 fields between |||"),
        (["--to", "openfst", "--weights", "no-such-file"], "no-such-file: no such file"),
        (["--to", "openfst", "--from", "plf", "--symbols", "x"], "symbols: found it with format"),
        (["-f", "json"], "-f: found no --inspect, expected it, or --to for what is written"),
        (["--inspect", "--lossy"], "--lossy: found --inspect, which writes no lists, expected"),
        (["--draw", "1", "--to", "plf"], "--to: found --draw, which writes no lists, expected"),
    ],
)
def test_mistakes(
    capsys: pytest.CaptureFixture[str], plf: str, words: list[str], message: str
) -> None:
    assert message in error(capsys, "convert", plf, *words)


def test_inspection_for_people(
    capsys: pytest.CaptureFixture[str], plf: str, tmp_path: Path
) -> None:
    lists = tmp_path / "dev.nbest"
    lists.write_text(
        "0 ||| a b ||| lm= 1\n0 ||| c ||| lm= 2\n1 ||| d ||| lm= 3\n", encoding="utf-8"
    )
    shown = output(capsys, "convert", "--inspect", plf, str(lists)).splitlines()
    assert shown[0].split() == [
        *("file", "format", "segments", "nodes", "arcs", "empty", "arcs", "paths", "words"),
        *("vocabulary", "features"),
    ]
    assert shown[2].split()[1:] == ["plf", "1", "3", "4", "0", "3", "3", "3", "1"]
    assert "features: score" in shown
    (row,) = (line for line in shown if line.startswith(str(lists)))
    assert row.split()[1:] == ["moses", "2", "1–2", "(1)", "1–2", "(1)", "1–3", "(1)", "4", "1"]
    assert shown[-1] == "of each segment: the least–the most (the median)"


def test_the_former_command_does_the_same_and_names_this_one(
    capsys: pytest.CaptureFixture[str], plf: str
) -> None:
    said = "'tertium inspect' is now 'tertium convert --inspect'"
    assert output(capsys, "inspect", plf, warning=said) == output(
        capsys, "convert", plf, "--inspect"
    )
    drawing = output(capsys, "inspect", plf, "--draw", "1", warning=said)
    assert drawing == output(capsys, "convert", plf, "--draw", "1")


def test_inspection_for_programs(capsys: pytest.CaptureFixture[str], plf: str) -> None:
    (found,) = json_output(capsys, "convert", plf, "--inspect")["files"]
    assert found == {
        "file": plf,
        "format": "plf",
        "kind": "lattice",
        "segments": 1,
        "counts": {
            name: dict.fromkeys(("total", "least", "median", "most"), number)
            for name, number in (
                ("nodes", 3),
                ("arcs", 4),
                ("empty arcs", 0),
                ("paths", 3),
                ("words", 3),
            )
        },
        "vocabulary": 3,
        "features": ["score"],
        "damaged": 0,
        "damages": [],
    }


def test_drawings(capsys: pytest.CaptureFixture[str], plf: str, tmp_path: Path) -> None:
    shown = output(capsys, "convert", plf, "--draw", "1")
    assert shown.startswith("digraph lattice {")
    assert '0 -> 1 [label="ein / -0.5"];' in shown
    assert "1 segment, expected 2 at least" in error(capsys, "convert", plf, "--draw", "2")
    assert "--draw: found 2 files, expected one" in error(
        capsys, "convert", plf, plf, "--draw", "1"
    )
    lists = tmp_path / "dev.nbest"
    lists.write_text("0 ||| a\n", encoding="utf-8")
    assert "expected what can be drawn" in error(capsys, "convert", str(lists), "--draw", "1")
