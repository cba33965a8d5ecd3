"""``tertium oracle`` as users meet it."""

import json
from pathlib import Path

import pytest

from tertium.cli.main import dispatch
from tertium.errors import InputError, OptionError, TertiumError
from tests.support.commands import json_output, output, ran

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


def test_text(lattices: str, reference: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "oracle", lattices, reference, "--also", "bleu")
    assert "the cat" in shown
    assert "exact: nothing in the structures has a better GRR" in shown
    assert "tok:none" in shown
    rows = [line.split() for line in shown.splitlines()]
    found = json_output(capsys, "oracle", lattices, reference, "--also", "bleu")
    first = rows.index(["segment", "model", "oracle", "text"])
    for row, segment in zip(rows[first + 2 :], found["segments"], strict=False):
        (best,) = segment["hypotheses"]
        scores = [f"{one['score']:.2f}" for one in (segment["first"], best)]
        assert row == [str(segment["segment"]), *scores, *best["text"].split()]
    metric = rows.index(["metric", "model", "oracle", "difference"])
    for row, score in zip(rows[metric + 2 :], found["scores"], strict=False):
        numbers = [f"{score[name]:.2f}" for name in ("before", "after")]
        assert row[-3:] == [*numbers, f"{score['after'] - score['before']:+.2f}"]


def test_lines(lattices: str, reference: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        output(capsys, "oracle", lattices, "-r", reference, "-m", "wrr", "-f", "lines") == REFERENCE
    )


def test_json_and_k_best(
    lattices: str, reference: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "oracles.json"
    words = ("-m", "grr[k=2]", "--k-best", "3", "-f", "json", "-o", str(place))
    assert output(capsys, "oracle", lattices, reference, *words) == ""
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
        dispatch(["oracle", str(path), reference])
    shown = ran(capsys, "oracle", str(path), reference, "--skip-bad", "-f", "json")
    assert shown.status == 0
    (only,) = json.loads(shown.out)["segments"]
    assert (only["segment"], only["hypotheses"][0]["text"]) == (1, "hello world")
    assert "skipped 1 damaged" in shown.err


def test_curves(
    lattices: str, reference: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("plotly")
    place = tmp_path / "curve.html"
    assert "margin" in output(
        capsys,
        "oracle",
        lattices,
        reference,
        "--curve",
        "margins",
        "--plot",
        str(place),
        "--also",
        "wer",
    )
    assert "Oracle by GRR" in place.read_text(encoding="utf-8")
    found = json_output(
        capsys, "oracle", lattices, reference, "--curve", "sizes", "--curve-points", "1", "4"
    )
    assert [point["x"] for point in found["points"]] == [1, 4]
    assert found["points"][1]["scores"]["grr[tokenizer=none]"] == 100


def test_lists_bring_their_references(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "samples.jsonl"
    one = {"id": 0, "references": ["a b."], "hypotheses": ["a c.", "a b."], "logprobs": [-1, -2]}
    path.write_text(json.dumps(one) + "\n", encoding="utf-8")
    shown = output(capsys, "oracle", str(path), "-m", "bleu", "--also", "grr", "-w", "1")
    assert "approximate: bleu is no sum over segments" in shown
    assert "tok:13a" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--curve-points", "3"), "found no --curve"),
        (("--plot", "x.html"), "found no --curve"),
        (("--curve", "sizes", "-f", "lines"), "expected text or json"),
        (("--curve", "sizes", "--k-best", "2"), "expected 1"),
        (("-m", "blue"), "did you mean 'bleu'"),
        (("--curve", "sizes", "--curve-points", "0"), "sizes from 1 on"),
    ],
)
def test_flags_that_do_not_fit(
    lattices: str, reference: str, words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        dispatch(["oracle", lattices, reference, *words])


def test_files_that_do_not_fit(lattices: str, reference: str, tmp_path: Path) -> None:
    longer = tmp_path / "longer.en"
    longer.write_text(REFERENCE + "one more\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"dev.plf: 2 segments, expected 3 \(reference .*longer"):
        dispatch(["oracle", lattices, str(longer)])
    shorter = tmp_path / "shorter.en"
    shorter.write_text("the cat\n", encoding="utf-8")
    with pytest.raises(InputError, match="references: found 1 segment"):
        dispatch(["oracle", lattices, str(shorter)])
    with pytest.raises(InputError, match="found no reference"):
        dispatch(["oracle", lattices])
    with pytest.raises(TertiumError, match="no folder"):
        dispatch(["oracle", lattices, reference, "-o", "nowhere/out.json"])
    empty = tmp_path / "empty.plf"
    empty.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="found"):
        dispatch(["oracle", str(empty), reference])
