"""A real disk that is full or may only be read: one line, no file half written, no number lost.

The disk is a small one in memory, mounted in a namespace of its own, so that even the
administrator, for whom permissions mean nothing, finds no room on it.
"""

import shutil
import sys
from pathlib import Path

import pytest

from tests.support.commands import Outcome, shell
from tests.support.places import REPOSITORY

OWN_MOUNTS = "unshare --map-root-user --mount"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("unshare") is None or shell(f"{OWN_MOUNTS} true", REPOSITORY).status != 0,
        reason="no disk can be mounted here",
    ),
]

OVERLAP = REPOSITORY / "examples" / "metrics" / "word_overlap.py"


def on_a_small_disk(command: str, folder: Path, *, only_read: bool = False) -> Outcome:
    """A command beside the folder `disk` of 16 kB; what lies there then is printed last."""
    lines = ("a " * (place * place % 97) for place in range(20_000))
    (folder / "ref").write_text("\n".join(lines), encoding="utf-8")
    (folder / "one").write_text("a b c d\n", encoding="utf-8")
    (folder / "disk").mkdir()
    then = "mount -o remount,ro disk; " if only_read else ""
    steps = f"mount -t tmpfs -o size=16k none disk; {then}{command}; echo $?; ls -A disk"
    return shell(f"{OWN_MOUNTS} bash -c '{steps}'", folder)


@pytest.mark.parametrize(
    ("only_read", "found"), [(False, "No space left on device"), (True, "Read-only file system")]
)
@pytest.mark.parametrize(
    ("flags", "name"), [("-sl -f json -o", "out.json"), ("-q --statistics", "out.parquet")]
)
def test_a_result_that_has_no_place(
    *, only_read: bool, found: str, flags: str, name: str, tmp_path: Path
) -> None:
    command = f"tertium score ref -i ref {flags} disk/{name}"
    done = on_a_small_disk(command, tmp_path, only_read=only_read)
    assert done.err == f"tertium: disk/{name}: {found}, expected a file to write\n"
    assert done.out.splitlines()[-1:] == ["2"]  # the status, and no file behind it


@pytest.mark.parametrize("only_read", [False, True])
def test_a_cache_that_has_no_place(*, only_read: bool, tmp_path: Path) -> None:
    metric = f"command[run={sys.executable} {OVERLAP},name=Mine,model=none,version=1]"
    command = f'TERTIUM_CACHE=disk tertium score one -i one -b -m "{metric}"'
    done = on_a_small_disk(command, tmp_path, only_read=only_read)
    assert done.out.splitlines()[:2] == ["1.000", "0"]
    (said,) = done.err.splitlines()
    assert "disk/scores.sqlite: " in said
    assert said.endswith("; going on without the cache")
