"""Outputs keep the numbers of their segments, whatever is missing or damaged."""

import json
from pathlib import Path

import pytest

from tertium.decode import Damages, read
from tertium.decode.formats.segments import Segments
from tests.support.commands import error, output, ran
from tests.support.decode_files import file_of

PLF = "((('a',0,1),),)\n((('a',0,5),),)\n\n((('b',0,1),('c',-1,1),),)\n"
FST = b"0 1 a a 1\n1\n\n0 1 \xff \xff 1\n0 1 b b 2\n1\n\n0 1 c c\n1\n"
HYPERGRAPH = (
    b"# target ||| features\n1 1\n1\na |||\n"
    b"# target ||| features\n1 1\n1\n\xff |||\n"
    b"# target ||| features\n1 1\n1\nc |||\n"
)
MOSES = "1 ||| a b ||| lm= -1 ||| -1\n3 ||| c ||| lm= x ||| -1\n3 ||| d ||| lm= -2 ||| -2\n"
LAST_DAMAGED = MOSES + "5 ||| e ||| lm= x ||| 0\n"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    contents: dict[str, str | bytes] = {
        "plf": PLF,
        "fst": FST,
        "hg": HYPERGRAPH,
        "moses": MOSES,
        "last": LAST_DAMAGED,
        "weights": "lm= 1\n",
        "ref": "a\nb\n\nb\n",
        "refs": "x\na b\nx\nd\nx\nx\nx\n",
    }
    for name, content in contents.items():
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    return {name: str(tmp_path / name) for name in contents}


def both(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
    found = ran(capsys, *words)
    assert found.status == 0
    return found.out, found.err


def test_skipped_lattices_leave_empty_lines(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The second is damaged, the third, an empty line, is a segment with nothing to say."""
    words = ["--from", "plf", "--skip-bad", "-f", "lines"]
    place = f"{files['plf']}: line 2: node 0: arc 'a': found jump 5, expected at most 1"
    told = f"tertium: skipped 1 damaged:\n  {place}\ntertium: nothing for 1 of 4 segments: 1\n"
    for utility in ("linear-bleu", "grr"):
        chosen = both(capsys, "mbr", files["plf"], *words, "--utility", utility)
        assert chosen == ("a\n\n\nb\n", told)
    found = both(capsys, "oracle", files["plf"], files["ref"], *words, "--missing", "<none>")
    assert found == ("a\n<none>\n\nb\n", told)


def test_other_formats_say_the_same_numbers(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--from", "plf", "--skip-bad"]
    chosen, _ = both(capsys, "mbr", files["plf"], *words, "--utility", "grr", "-f", "json")
    assert [one["segment"] for one in json.loads(chosen)["segments"]] == [0, 2, 3]
    best, _ = both(capsys, "oracle", files["plf"], files["ref"], *words, "-f", "json")
    assert [one["segment"] for one in json.loads(best)["segments"]] == [0, 2, 3]
    lists, _ = both(capsys, "convert", files["plf"], *words, "--best", "1", "--to", "samples")
    assert [json.loads(line)["id"] for line in lists.splitlines()] == [0, 2, 3]
    drawing, _ = both(capsys, "convert", files["plf"], *words, "--draw", "4")
    assert '"c / -1"' in drawing
    damaged = ran(capsys, "convert", files["plf"], *words, "--draw", "2")
    assert damaged.status == 2
    assert "segment 2 missing or damaged" in damaged.err


@pytest.mark.parametrize("name", ["fst", "hg"])
def test_bytes_that_are_no_text_damage_one_structure(name: str, files: dict[str, str]) -> None:
    """Not the line alone, which would leave a structure that nobody wrote."""
    damages = Damages(skip=True)
    found = list(Segments([file_of(Path(files[name]).read_bytes())], damages=damages))
    assert [number for number, _ in found] == [0, 2]
    assert [one.best().text for _, one in found] == ["a", "c"]  # type: ignore[union-attr]
    assert damages.count == 1
    assert "found byte 0xff, expected UTF-8" in damages.first


def test_missing_lists_leave_empty_lines(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Lists have numbers: 0, 2 and 4 are not in the file, a line of 3 and all of 5 are damaged."""
    lines = "\na b\n\nd\n\n\n"
    for words in (
        ["mbr", files["last"]],
        ["rerank", files["last"], "--weights", files["weights"]],
        ["rerank", files["last"], "--add-metric", "1*chrf"],
    ):
        out, err = both(capsys, *words, "--skip-bad", "-f", "lines")
        assert out == lines
        assert err.count("found 'x', expected a finite number") == 2
        assert err.endswith("tertium: nothing for 4 of 6 segments: 0, 2, 4-5\n")
    out, err = both(capsys, "oracle", files["last"], files["refs"], "--skip-bad", "-f", "lines")
    assert out == lines + "\n"  # the references say that there is a seventh
    assert err.endswith("tertium: nothing for 5 of 7 segments: 0, 2, 4-6\n")


def test_lists_in_any_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "samples.jsonl"
    lists = [{"id": number, "hypotheses": [text]} for number, text in ((2, "c"), (0, "a"))]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lists), encoding="utf-8")
    out, err = both(capsys, "mbr", str(path), "-f", "lines", "--missing", "-")
    assert (out, err) == ("a\n-\nc\n", "tertium: nothing for 1 of 3 segments: 1\n")


def test_a_segment_twice_is_an_error(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [files["moses"], files["moses"], "--skip-bad", "-f", "lines"]
    assert "segment 1: found it twice" in error(capsys, "mbr", *words)


def test_the_flag_belongs_to_lines(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "expected -f lines" in error(capsys, "mbr", files["plf"], "--missing", "x")


def test_an_empty_plf_line_is_the_empty_path() -> None:
    first, second = read(file_of("\n((('a',0,1),),)\n"), format="plf")
    assert (first.best().text, first.count_paths()) == ("", 1)  # type: ignore[union-attr]
    assert second.best().text == "a"  # type: ignore[union-attr]


def test_an_empty_line_has_no_features_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, weights = tmp_path / "two.plf", tmp_path / "weights"
    lattice = "((('a',0,1,1),('b',2,0,1),),)\n"
    path.write_text(f"\n{lattice}\n", encoding="utf-8")
    weights.write_text("score_1= 1\nscore_2= 3\n", encoding="utf-8")
    (tmp_path / "ref").write_text("\na\n\n", encoding="utf-8")
    words = [str(path), "--from", "plf", "--weights", str(weights)]
    chosen = output(capsys, "mbr", *words, "--utility", "grr", "--samples", "9", "-f", "lines")
    assert chosen == "\na\n\n"
    tuned = output(capsys, "tune", str(tmp_path / "ref"), "-i", *words, "-f", "json", "-m", "wer")
    assert json.loads(tuned)["features"] == ["score_1", "score_2"]
    assert output(capsys, "convert", *words[:3], "--to", "plf") == f"()\n{lattice}()\n"


def test_lattices_that_were_never_written_cannot_be_told(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--from", "plf", "--skip-bad", "-r", files["refs"], "-q"]
    assert "4 segments, expected 7 (reference" in error(capsys, "mbr", files["plf"], *words)


def test_a_wrong_number_is_refused_before_the_work(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where damages are skipped; without that, what is not there shows at the end of the file."""
    monkeypatch.setattr("tertium.decode.mbr.outcomes.mbr_corpus", None)  # not to be called
    monkeypatch.setattr("tertium.decode.oracle.oracles.corpus_oracle", None)
    for command in ("mbr", "oracle"):
        words = [files["plf"], "--from", "plf", "--skip-bad", "-r", files["refs"], "-q"]
        assert "4 segments, expected 7 (reference" in error(capsys, command, *words)


def test_tuning_leaves_out_what_was_skipped(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--from", "plf", "--skip-bad", "-m", "wer", "--restarts", "0", "-f", "json"]
    shown, told = both(capsys, "tune", files["ref"], "-i", files["plf"], *words)
    assert json.loads(shown)["before"]["dev"]["segments"] == 3
    assert told.endswith("tertium: nothing for 1 of 4 segments: 1\n")
    assert "4 graphs in all, expected 7 (references)" in error(
        capsys, "tune", files["refs"], "-i", files["plf"], *words
    )
    shown, told = both(capsys, "tune", files["refs"], "-i", files["moses"], *words[2:])
    assert json.loads(shown)["before"]["dev"]["segments"] == 2
    assert told.endswith("tertium: nothing for 5 of 7 segments: 0, 2, 4-6\n")
    words = ["--skip-bad", "--decoder", "x {nbest}", "--weights", files["weights"], "--state", "s"]
    assert "--skip-bad: found it with --decoder, expected it with -i" in error(
        capsys, "tune", files["refs"], *words
    )


def test_nothing_is_told_if_all_is_there(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(files["plf"])
    path.write_text("((('a',0,1),),)\n", encoding="utf-8")
    assert output(capsys, "mbr", str(path), "--utility", "linear-bleu", "-f", "lines") == "a\n"
