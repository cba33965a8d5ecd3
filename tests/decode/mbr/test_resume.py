"""Long runs of ``tertium mbr``: lines as they come, and runs that go on after a kill."""

import json
import random
import signal
import time
from pathlib import Path

import pytest

from tertium.decode.mbr.lists import mbr
from tertium.errors import InputError, TertiumError
from tertium.text.output_files import continued
from tests.support.commands import PATIENCE, error, output, process, ran, started

WORDS = ["the", "a", "cat", "dog", "sat", "on", "under", "mat", "tree", "über", "猫", "القط", "."]


def lists(count: int, size: int, seed: int = 1) -> list[list[str]]:
    rng = random.Random(seed)
    return [
        [" ".join(rng.choices(WORDS, k=rng.randint(3, 14))) for _ in range(size)]
        for _ in range(count)
    ]


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    path = tmp_path / "samples.jsonl"
    rows = lists(300, 40)
    path.write_text("".join(json.dumps({"hypotheses": row}) + "\n" for row in rows))
    return path


def command(samples: Path, form: str, out: Path) -> list[str]:
    return ["mbr", str(samples), "--utility", "chrf", "-f", form, "-o", str(out), "--resume"]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["lines", "jsonl"])
def test_a_run_that_is_killed_ends_in_the_same_bytes(
    form: str, samples: Path, tmp_path: Path
) -> None:
    """Each run is killed as soon as it has written more than the one before."""
    plain, out = tmp_path / "plain", tmp_path / "out"
    part = tmp_path / "out.part"
    assert process(*command(samples, form, plain)).status == 0
    kills = 0
    before = 0
    while kills < 4:
        # A process that writes more often, so that kills come midway on any machine.
        program = (
            "import sys; from tertium.text import output_files; output_files.EVERY = 0;"
            "from tertium.cli.main import main; sys.exit(main(sys.argv[1:]))"
        )
        with started("-c", program, *command(samples, form, out)) as child:
            limit = time.monotonic() + PATIENCE
            while child.poll() is None and time.monotonic() < limit:
                if part.exists() and part.stat().st_size > before + 200:
                    child.send_signal(signal.SIGKILL)
                    child.wait()
                    kills += 1
                    break
            else:
                break  # it was done before the kill came
        before = part.stat().st_size if part.exists() else 0
    assert kills > 0
    assert not out.exists() or out.read_bytes() == plain.read_bytes()
    assert process(*command(samples, form, out)).status == 0
    assert out.read_bytes() == plain.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "plain", "samples.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["lines", "jsonl"])
def test_whatever_is_left_of_a_file_leads_to_the_same_one(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = tmp_path / "samples.jsonl"
    rows = lists(6, 5)
    # Two lists are missing, and one at the end has a reference alone.
    numbered = [{"id": 2 * place, "hypotheses": row} for place, row in enumerate(rows)]
    samples.write_text("".join(json.dumps(row) + "\n" for row in numbered))
    reference = tmp_path / "ref"
    reference.write_text("x\n" * 14)
    out = tmp_path / "out"
    words = [*command(samples, form, out), "-r", str(reference)]
    told = ran(capsys, *words)
    assert (told.status, told.out) == (0, "")
    assert "nothing for 8 of 14 segments" in told.err
    whole = out.read_bytes()
    assert whole.count(b"\n") == (14 if form == "lines" else 6)
    # The note of a run before: its files are made by a run that fails at its first line.
    monkeypatch.setattr("tertium.text.output_files.Continuation.write", fail)
    assert ran(capsys, *words).status == 70
    monkeypatch.undo()
    note = (tmp_path / "out.part.json").read_bytes()
    for size in range(0, len(whole) + 1, 7):
        out.unlink(missing_ok=True)
        (tmp_path / "out.part").write_bytes(whole[:size])
        (tmp_path / "out.part.json").write_bytes(note)
        assert ran(capsys, *words).status == 0
        assert out.read_bytes() == whole, size
    # Ended between the last two steps: nothing is left to do.
    (tmp_path / "out.part.json").write_bytes(note)
    assert ran(capsys, *words).status == 0
    assert not (tmp_path / "out.part.json").exists()
    assert out.read_bytes() == whole


def fail(*_: object) -> None:
    raise RuntimeError("killed")


def test_finished_segments_are_not_decided_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    samples, out = tmp_path / "samples.txt", tmp_path / "out"
    samples.write_text("".join(f"{text}\n" for row in lists(5, 3) for text in row))
    words = [*command(samples, "lines", out), "--lines", "3"]
    from tertium.decode.mbr.decision import Decider

    asked: list[int] = []
    plain = Decider.decide

    def stopping(self: Decider, one: object, place: int, other: object = None) -> object:
        asked.append(place)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return plain(self, one, place, other)  # type: ignore[arg-type]

    monkeypatch.setattr(Decider, "decide", stopping)
    assert ran(capsys, *words).status == 130
    assert len((tmp_path / "out.part").read_text().splitlines()) == 3
    assert ran(capsys, *words).status == 0
    assert asked == [0, 1, 2, 3, 3, 4]
    assert out.read_text().splitlines() == [mbr(row, "chrf").text for row in lists(5, 3)]


def test_another_run_is_not_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    samples, out = tmp_path / "samples.txt", tmp_path / "out"
    samples.write_text("a\nb\n")
    words = [*command(samples, "lines", out), "--lines", "2"]
    monkeypatch.setattr("tertium.text.output_files.Continuation.write", fail)
    assert ran(capsys, *words).status == 70
    monkeypatch.undo()
    other = [*words[:3], "bleu", *words[4:]]
    assert '--utility: found "bleu", expected "chrf" as the run had' in error(capsys, *other)
    assert "--missing: found" in error(capsys, *words, "--missing", "-")
    samples.write_text("a\nc\n")
    assert "file " in error(capsys, *words)
    samples.write_text("a\nb\n")
    assert ran(capsys, *words, "-q").status == 0
    (tmp_path / "out.part").write_text("x\n")
    assert "found out.part without out.part.json" in error(capsys, *words)
    (tmp_path / "out.part.json").write_text("[]")
    assert "found no object of JSON" in error(capsys, *words)
    assert "--resume: found -f text" in error(capsys, "mbr", str(samples), "--resume")
    assert "expected -o FILE" in error(capsys, "mbr", str(samples), "--resume", "-f", "lines")


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="this system has no locks of files")
    with continued(tmp_path / "out", {"a": 1}) as first:
        assert first is not None
        first.write(["x\n"])
        with (
            pytest.raises(TertiumError, match="found another run that writes it"),
            continued(tmp_path / "out", {"a": 1}),
        ):
            pass
    assert (tmp_path / "out").read_text() == "x\n"


def test_lines_come_before_the_next_list_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = tmp_path / "samples.jsonl"
    samples.write_text('{"hypotheses": ["a", "a", "b"]}\n{"hypotheses": 3}\n')
    done = ran(capsys, "mbr", str(samples), "-f", "lines")
    assert (done.status, done.out) == (2, "a\n")


def test_candidates_and_pseudo_references_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = lists(4, 3, seed=2), lists(4, 6, seed=3)
    for name, rows in (("ours", ours), ("theirs", theirs)):
        text = "".join(json.dumps({"hypotheses": row}) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text)
    first, second = str(tmp_path / "ours.jsonl"), str(tmp_path / "theirs.jsonl")
    words = ["--utility", "chrf", "-f", "jsonl"]
    found = output(capsys, "mbr", first, "--pseudo-references", second, *words)
    assert found == output(capsys, "mbr", second, "--candidates", first, *words)
    decisions = [json.loads(line) for line in found.splitlines()]
    expected = [mbr(a, "chrf", evidence=b) for a, b in zip(ours, theirs, strict=True)]
    assert [one["text"] for one in decisions] == [one.text for one in expected]
    assert [one["expected"] for one in decisions] == [one.score for one in expected]
    assert "utilities" not in decisions[0]
    both = ["mbr", first, "--pseudo-references", second, "--candidates", first]
    assert "--candidates: found --pseudo-references too" in error(capsys, *both)
    (tmp_path / "short.jsonl").write_text('{"hypotheses": ["a"]}\n')
    short = str(tmp_path / "short.jsonl")
    done = ran(capsys, "mbr", first, "--pseudo-references", short, *words)
    assert "segment 1: found it only among the candidates" in done.err
    plf = tmp_path / "plf"
    plf.write_text("((('the',0,1),),)\n")
    assert "expected n-best lists" in error(capsys, "mbr", first, "--pseudo-references", str(plf))


def test_lines_to_go_on_with_must_be_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = tmp_path / "samples.jsonl"
    samples.write_text('{"id": 1, "hypotheses": ["a"]}\n{"id": 0, "hypotheses": ["b"]}\n')
    assert output(capsys, "mbr", str(samples), "-f", "lines") == "b\na\n"
    done = ran(capsys, *command(samples, "lines", tmp_path / "out"))
    assert "segment 0: found after segment 1, expected in order" in done.err
    lines = output(capsys, "mbr", str(samples), "-f", "jsonl").splitlines()
    assert [json.loads(line)["segment"] for line in lines] == [1, 0]


def test_a_note_that_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "out.part.json").write_text("{")
    with (
        pytest.raises(InputError, match="found no object of JSON"),
        continued(tmp_path / "out", {}),
    ):
        pass
