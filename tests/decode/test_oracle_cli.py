"""``tertium oracle`` as users meet it."""

import json
from pathlib import Path

import pytest

from tertium.cli import oracle as command
from tertium.cli.shell.parser import CommandParser
from tertium.errors import InputError, OptionError, TertiumError

PLF = """\
((('the',-0.5,1),('a',-0.2,1),),(('cat',0,1),('dog',-1,1),),)
((('hello',0,1),),(('world',-0.3,1),('word',-0.1,1),),)
"""
REFERENCE = "the cat\nhello world\n"


@pytest.fixture
def lattices(tmp_path: Path) -> str:
    path = tmp_path / "dev.plf"
    path.write_text(PLF, encoding="utf-8")
    return str(path)


@pytest.fixture
def reference(tmp_path: Path) -> str:
    path = tmp_path / "reference.en"
    path.write_text(REFERENCE, encoding="utf-8")
    return str(path)


def run(*words: str) -> int:
    parser = CommandParser("tertium oracle", "")
    command.configure(parser)
    return command.run(parser.parse_args(words))


def test_text(lattices: str, reference: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(lattices, reference, "--also", "bleu") == 0
    shown = capsys.readouterr().out
    assert "the cat" in shown
    assert "exact: nothing in the structures has a better GRR" in shown
    assert "tok:none" in shown


def test_lines(lattices: str, reference: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(lattices, "-r", reference, "-m", "wrr", "-f", "lines")
    assert capsys.readouterr().out == REFERENCE


def test_json_and_k_best(
    lattices: str, reference: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "oracles.json"
    words = ("-m", "grr[k=2]", "--k-best", "3", "-f", "json", "-o", str(place))
    run(lattices, reference, *words)
    assert capsys.readouterr().out == ""
    found = json.loads(place.read_text(encoding="utf-8"))
    assert found["exact"]
    assert found["scores"][0]["after"] == 100
    first, second = found["segments"]
    assert [one["text"] for one in first["hypotheses"]] == ["the cat", "a cat", "the dog"]
    assert first["first"]["text"] == "a cat"
    assert second["hypotheses"][0]["features"] == {"score": -0.3}
    assert second["hypotheses"][0]["model_score"] == -0.3
    assert len(second["hypotheses"]) == 2


def test_damaged_structures_keep_their_segments(
    tmp_path: Path, reference: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.plf"
    path.write_text("((('the'\n" + PLF.splitlines()[1] + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        run(str(path), reference)
    run(str(path), reference, "--skip-bad", "-f", "json")
    shown = capsys.readouterr()
    (only,) = json.loads(shown.out)["segments"]
    assert (only["segment"], only["hypotheses"][0]["text"]) == (1, "hello world")
    assert "skipped 1 damaged" in shown.err


def test_curves(
    lattices: str, reference: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("plotly")
    place = tmp_path / "curve.html"
    run(lattices, reference, "--curve", "margins", "--plot", str(place), "--also", "wer")
    assert "margin" in capsys.readouterr().out
    assert "Oracle by GRR" in place.read_text(encoding="utf-8")
    run(lattices, reference, "--curve", "sizes", "--points", "1", "4", "-f", "json")
    found = json.loads(capsys.readouterr().out)
    assert [point["x"] for point in found["points"]] == [1, 4]
    assert found["points"][1]["scores"]["grr[tokenizer=none]"] == 100


def test_lists_bring_their_references(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "samples.jsonl"
    one = {"id": 0, "references": ["a b."], "hypotheses": ["a c.", "a b."], "logprobs": [-1, -2]}
    path.write_text(json.dumps(one) + "\n", encoding="utf-8")
    run(str(path), "-m", "bleu", "--also", "grr", "-w", "1")
    shown = capsys.readouterr().out
    assert "approximate: bleu is no sum over segments" in shown
    assert "tok:13a" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--points", "3"), "found no --curve"),
        (("--plot", "x.html"), "found no --curve"),
        (("--curve", "sizes", "-f", "lines"), "expected text or json"),
        (("--curve", "sizes", "--k-best", "2"), "expected 1"),
        (("-m", "blue"), "did you mean 'bleu'"),
        (("--curve", "sizes", "--points", "0"), "sizes from 1 on"),
    ],
)
def test_flags_that_do_not_fit(
    lattices: str, reference: str, words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        run(lattices, reference, *words)


def test_files_that_do_not_fit(lattices: str, reference: str, tmp_path: Path) -> None:
    longer = tmp_path / "longer.en"
    longer.write_text(REFERENCE + "one more\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"dev.plf: 2 segments, expected 3 \(reference .*longer"):
        run(lattices, str(longer))
    shorter = tmp_path / "shorter.en"
    shorter.write_text("the cat\n", encoding="utf-8")
    with pytest.raises(InputError, match="references: found 1 segments"):
        run(lattices, str(shorter))
    with pytest.raises(InputError, match="found no reference"):
        run(lattices)
    with pytest.raises(TertiumError, match="no folder"):
        run(lattices, reference, "-o", "nowhere/out.json")
    empty = tmp_path / "empty.plf"
    empty.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="found"):
        run(str(empty), reference)
