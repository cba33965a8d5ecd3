"""A command that is asked to end, or finds no room: one line at most, and no file half written."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tertium.text import output_files
from tertium.text.output_files import drafted
from tests.support.commands import PATIENCE, process, python, shell, started
from tests.support.processes.processor_time import AT_ONCE, counted, seconds_to_end, wait_until_used

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and devices of POSIX"),
]


def two_files(folder: Path) -> list[str]:
    """A monstrous segment, for metrics whose work grows faster than it."""
    words = " ".join(str(place * place % 101) for place in range(300_000))
    for name, text in (("ref.en", words), ("sys.en", words[::-1])):
        (folder / name).write_text(f"{text}\n", encoding="utf-8")
    return [str(folder / "ref.en"), "-i", str(folder / "sys.en")]


ENDS = [
    (signal.SIGINT, 130, ["-o", "out.json", "-f", "json"]),
    (signal.SIGTERM, 143, ["--statistics", "out.parquet"]),
    (signal.SIGHUP, 129, ["-o", "out.txt"]),
]


@counted
@pytest.mark.parametrize(("number", "status", "flags"), ENDS, ids=str)
def test_asked_to_end(number: int, status: int, flags: list[str], tmp_path: Path) -> None:
    place = [str(tmp_path / word) if word.startswith("out.") else word for word in flags]
    words = [*two_files(tmp_path), "-m", "rouge-w", "-q", *place]
    with started("-m", "tertium", "score", *words) as child:
        wait_until_used(child, 1)  # imports take a fifth of it
        used = seconds_to_end(child, number)
        out, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, out, err) == (status, b"", b"")
    assert used < AT_ONCE
    assert sorted(one.name for one in tmp_path.iterdir()) == ["ref.en", "sys.en"]


DISGUISED = """
import os, signal, time
from tertium.cli import main
from tertium.cli.process import command

def run(words=None):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    except KeyboardInterrupt:
        raise ImportError("numpy is broken") from None

main.main = run
command()
"""


def test_what_was_being_imported_does_not_complain() -> None:
    assert python("-c", DISGUISED) == (143, "", "")


def test_a_hangup_that_nohup_ignores_stays_ignored() -> None:
    program = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from tertium.cli.shell.ends import heed_endings\n"
        "heed_endings(); print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"
    )
    with started("-c", program) as child:
        assert child.communicate(timeout=PATIENCE)[0] == b"True\n"


SAID = "tertium: standard output: No space left on device, expected room to write\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    "line",
    [
        "tertium score ref -i ref",
        "tertium score --help",
        "tertium filter ref -i ref -m wer --min 0 -q",
    ],
)
def test_no_room_for_what_is_shown(line: str, buffered: str, tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONUNBUFFERED", buffered)
        done = shell(f"{line} > /dev/full", tmp_path)
    assert done == (2, "", SAID)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_no_room_for_a_file(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b\n")
    ref = str(tmp_path / "ref")
    for place, found in (("/dev/full", "No space left on device"), (f"{ref}/x", "no folder")):
        done = process("score", ref, "-i", ref, "-o", place)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
        assert found in done.err


def test_streams_that_are_closed(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b\n")
    line = "tertium score ref -i ref -b"
    assert shell(f"{line} >&-", tmp_path) == (0, "", "")
    assert shell(f"{line} 2>&-", tmp_path) == (0, "0.0\n", "")
    nothing = "tertium: stdin: 0 segments, expected 1 (reference ref); name the systems after -i\n"
    assert shell("tertium score ref -b <&-", tmp_path) == (2, "", nothing)


@pytest.mark.parametrize(
    "command", ["score ref -i ref -sl -f tsv", "metrics", "convert big --to openfst"]
)
def test_readers_that_have_seen_enough(command: str, tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b c\n" * 30_000)
    (tmp_path / "big").write_text("(" + "(('a',0,1),('b',0,1),)," * 20_000 + ")\n")
    done = shell(f"set -o pipefail; tertium {command} | head -1", tmp_path)
    assert (done.err, done.out.count("\n")) == ("", 1)


def test_no_memory(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a " * 4_000_000)
    done = shell("ulimit -v 700000; tertium score ref -i ref -m bleu -b", tmp_path)
    said = "tertium: memory: found too little for this input, expected more, or less to do at once"
    assert done.status == 0 or (  # where the limit is no limit
        done.status == 2 and done.err.startswith(said) and done.err.count("\n") == 1
    )


def test_what_a_kill_left_behind_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f".out.{os.getpid()}").write_text("left")
    with drafted(tmp_path / "out") as stream:
        stream.write(b"whole")
    assert (tmp_path / "out").read_bytes() == b"whole"
    monkeypatch.setattr(os, "getpid", lambda: 1)  # as in every container
    assert output_files.draft_of(tmp_path / "out") != output_files.draft_of(tmp_path / "out")
