"""``tertium score --follow``: each file once, when it is complete, and never before."""

import gzip
import json
import signal
import threading
import time
from pathlib import Path

import pytest

import tertium
from tertium.errors import InputError, OptionError
from tertium.scale import Follower, follow
from tests.support.commands import PATIENCE, error, ran, started

REFERENCE = ["the cat sat on the mat", "a dog", "القط على السجادة", "猫坐在垫子上"]


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    path = tmp_path / "ref"
    path.write_text("".join(f"{line}\n" for line in REFERENCE), encoding="utf-8")
    (tmp_path / "out").mkdir()
    return path


def names(follower: Follower) -> list[str]:
    return [Path(one.file).name for one in follower.look()]


def test_a_file_is_scored_once_when_it_is_complete(reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    follower = Follower(reference, folder, ["chrf", "ter"])
    assert names(follower) == []
    path = folder / "step-1.txt"
    path.write_text("the cat\na dog\n", encoding="utf-8")
    assert names(follower) == []
    assert follower.waiting == {str(path): f"{path}: 2 segments, expected 4"}
    with path.open("a", encoding="utf-8") as file:
        file.write("القط\n猫")
    assert names(follower) == []  # the last line may go on
    with path.open("a", encoding="utf-8") as file:
        file.write("坐\n")
    (found,) = follower.look()
    texts = ["the cat", "a dog", "القط", "猫坐"]
    for score in found.scores:
        assert score.value == tertium.score(texts, REFERENCE, score.metric).value
    assert (found.segments, follower.waiting) == (4, {})
    assert names(follower) == []
    path.write_text("".join(f"{line}\n" for line in REFERENCE), encoding="utf-8")
    (again,) = follower.look()  # another text under the old name
    assert again.scores[0].value == 100


def test_a_file_without_a_last_end_is_complete_when_it_rests(
    reference: Path, tmp_path: Path
) -> None:
    follower = Follower(reference, tmp_path / "out")
    (tmp_path / "out" / "a").write_text("\n".join(REFERENCE), encoding="utf-8")
    assert names(follower) == []
    assert "found no end of the last line" in next(iter(follower.waiting.values()))
    assert names(follower) == ["a"]
    assert names(follower) == []


def test_names_are_in_the_order_of_their_numbers(reference: Path, tmp_path: Path) -> None:
    text = reference.read_text(encoding="utf-8")
    for name in ("step-10.txt", "step-9.txt", ".hidden", "x.tmp", "y.part", "z.json", "z.tsv"):
        (tmp_path / "out" / name).write_text(text, encoding="utf-8")
    (tmp_path / "out" / "folder").mkdir()
    assert names(Follower(reference, tmp_path / "out")) == ["step-9.txt", "step-10.txt"]
    pattern = str(tmp_path / "out" / "step-*0.txt")
    assert names(Follower(reference, pattern)) == ["step-10.txt"]
    known = [str(tmp_path / "out" / "step-9.txt")]
    assert names(Follower(reference, tmp_path / "out", known=known)) == ["step-10.txt"]


def test_damaged_files_wait(reference: Path, tmp_path: Path) -> None:
    follower = Follower(reference, tmp_path / "out", ["wer"])
    packed = gzip.compress(reference.read_bytes())
    (tmp_path / "out" / "a.gz").write_bytes(packed[:-9])
    (tmp_path / "out" / "b").write_bytes(b"\xff\n" * 4)
    (tmp_path / "out" / "c").write_text("x\n" * 5)
    assert names(follower) == names(follower) == []
    told = "\n".join(follower.waiting.values())
    assert "a.gz: damaged" in told
    assert "b:1: invalid UTF-8" in told
    assert "c: 5 segments, expected 4" in told
    (tmp_path / "out" / "a.gz").write_bytes(packed)
    assert names(follower) == ["a.gz"]


def test_for_ever(reference: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"

    def train() -> None:
        for step in range(3):
            time.sleep(0.05)
            (folder / f"{step}").write_text(reference.read_text(encoding="utf-8"), encoding="utf-8")

    thread = threading.Thread(target=train)
    thread.start()
    lines = follow(reference, folder, ["wer"], every=0.01)
    assert sorted(Path(next(lines).file).name for _ in range(3)) == ["0", "1", "2"]
    thread.join()
    with pytest.raises(OptionError, match="every: found 0 seconds"):
        next(follow(reference, folder, every=0))
    with pytest.raises(InputError, match="found no folder, expected one to look into"):
        follow(reference, tmp_path / "none")
    (tmp_path / "empty").touch()
    with pytest.raises(InputError, match="0 segments, expected at least one"):
        follow(tmp_path / "empty", folder)


@pytest.mark.slow
def test_the_command_until_an_interrupt(reference: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "out", tmp_path / "scores"
    words = ["-m", "tertium", "score", str(reference), "--follow", str(folder), "-m", "chrf", "ter",
             "-f", "json", "--every", "0.05", "-o", str(out)]  # fmt: skip
    text = reference.read_text(encoding="utf-8")

    def lines(count: int) -> list[str]:
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            found = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
            if len(found) >= count:
                return found
            time.sleep(0.02)
        raise AssertionError(f"{count} lines expected")

    with started(*words) as child:
        (folder / "1.txt").write_text("x\n" * 4, encoding="utf-8")
        lines(1)
        (folder / "0.txt").write_text("x\n", encoding="utf-8")
        (folder / "2.txt").write_text(text, encoding="utf-8")
        found = [json.loads(line) for line in lines(2)]
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=PATIENCE)
        assert child.returncode == 130
    assert [Path(one["file"]).name for one in found] == ["1.txt", "2.txt"]
    assert [one["metric"] for one in found[1]["scores"]] == ["chrf", "ter"]
    assert [one["score"] for one in found[1]["scores"]] == [100.0, 0.0]
    told = errors.decode().splitlines()
    assert told[0] == "tertium: 2 files scored"
    assert told[1].startswith("tertium: best by chrF: 100.00")
    assert told[2].endswith("2.txt")
    assert told[3].endswith("0.txt: 1 segment, expected 4")
    # A run that goes on: what has a line is left alone, a line that was cut is not taken for one.
    whole = out.read_bytes()
    out.write_bytes(whole[:-5])
    (folder / "0.txt").unlink()
    with started(*words) as child:
        limit = time.monotonic() + PATIENCE
        while out.read_bytes() != whole and time.monotonic() < limit:
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=PATIENCE)
    assert out.read_bytes() == whole
    assert errors.decode().startswith("tertium: 1 file scored\n")


def test_lines_for_people_and_spreadsheets(
    reference: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    path = tmp_path / "out" / "1.txt"
    path.write_text("the cat sat\na dog\nx\n猫\n", encoding="utf-8")

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tertium.scale.training_runs.time.sleep", interrupt)
    words = ["score", str(reference), "--follow", str(tmp_path / "out"), "-m", "wer", "-q"]
    done = ran(capsys, *words)
    assert done.status == 130
    value = tertium.score(path.read_text(encoding="utf-8").splitlines(), REFERENCE, "wer").value
    assert done.out == f"file\tWER\n{path}\t{value:.2f}\n"
    assert ran(capsys, *words, "-f", "tsv").out == f"file\twer\n{path}\t{value!r}\n"
    kept = tmp_path / "kept"
    assert ran(capsys, *words, "-o", str(kept)).out == ""
    assert ran(capsys, *words, "-o", str(kept)).out == ""
    assert kept.read_text(encoding="utf-8") == f"file\tWER\n{path}\t{value:.2f}\n"
    other = ["score", str(reference), "--follow", str(tmp_path / "out"), "-o", str(kept)]
    assert "found the columns 'file WER', expected 'file BLEU chrF'" in error(capsys, *other)
    kept.write_text('{"a": 1}\n')
    assert "kept:1: found no line of scores" in error(capsys, *other, "-f", "json")
    for flags, message in (
        (["-i", "x"], "found --input too"),
        (["--confidence"], "found intervals or tests too"),
        (["-sl"], "found --sentence-level too"),
        (["-f", "latex"], "found -f latex"),
        (["--every", "0"], "expected a number above 0"),
    ):
        assert message in error(capsys, *words, *flags)
    assert list((tmp_path / "out").iterdir()) == [path]
