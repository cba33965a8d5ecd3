"""Real shells: completion by TAB in bash, zsh and fish; colours on a terminal; manual pages."""

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tertium.cli.demo import SAMPLE
from tests.support.commands import Outcome, program
from tests.support.places import REPOSITORY
from tests.support.processes.terminals import seen, terminal

pytestmark = pytest.mark.slow

BINARIES = Path(sys.executable).parent
COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3[0-7]|9[0-7]|4[0-7])m")


@pytest.fixture
def _shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A user without settings, whose `tertium` is the one that is tested."""
    if not (BINARIES / "tertium").exists():
        pytest.skip("the command tertium is not installed")
    monkeypatch.setenv("PATH", f"{BINARIES}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TERM", "dumb")


def needed(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


LINES = [
    ("tertium comp", ["compare", "completion"]),
    ("tertium score ref.en --paired-b", ["--paired-bs", "--paired-bs-n"]),
    ("tertium score ref.en -m ble", ["bleu", "bleu-sbp"]),
    ("tertium meta str", ["straw-men"]),
]

BASH = """
eval "$(tertium completion bash)"
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_WORDS=($1)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
$(complete -p tertium | sed 's/.*-F \\([^ ]*\\).*/\\1/') tertium
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.usefixtures("_shell")
@pytest.mark.parametrize(("line", "expected"), LINES)
def test_bash_completes(line: str, expected: list[str]) -> None:
    needed("bash")
    done = program("bash", "--norc", "-c", BASH, "bash", line)
    assert (done.status, done.out.split()) == (0, expected)


@pytest.mark.usefixtures("_shell")
@pytest.mark.parametrize(("line", "expected"), LINES)
def test_fish_completes(line: str, expected: list[str]) -> None:
    needed("fish")
    words = f"tertium completion fish | source; complete -C '{line}'"
    done = program("fish", "--no-config", "-c", words)
    assert done.status == 0
    assert [one.split("\t")[0] for one in done.out.splitlines()] == expected


@pytest.mark.usefixtures("_shell")
@pytest.mark.parametrize(("line", "expected"), LINES[1:])
def test_zsh_completes(line: str, expected: list[str]) -> None:
    """The only one that has to be typed at: it completes nothing without a terminal."""
    needed("zsh")
    ready = 'autoload -Uz compinit && compinit -u -D && eval "$(tertium completion zsh)"'
    with terminal("zsh", "-f", "-i") as stream:
        os.write(stream, f"{ready}; echo REA''DY\n".encode())
        assert "READY\r\n" in seen(stream, "READY\r\n")
        os.write(stream, f"{line}\t".encode())
        assert f"{line.rpartition(' ')[0]} {expected[0]}" in seen(stream, expected[0])


# ---- colours --------------------------------------------------------------------------------


def on_terminal(variables: Mapping[str, str], *words: str) -> str:
    with terminal(
        sys.executable, "-m", "tertium", *words,
        variables={"PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color", **variables},
    ) as stream:  # fmt: skip
        return seen(stream)


PAIR = [
    "compare", str(SAMPLE / "reference.1.en"), "-i", str(SAMPLE / "systems" / "birch.txt"),
    str(SAMPLE / "systems" / "elm.txt"), "--sections", "sentences",
]  # fmt: skip


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert COLOUR.search(on_terminal({}, *PAIR))
    assert COLOUR.search(on_terminal({"NO_COLOR": ""}, *PAIR))  # empty is as good as unset
    bare = on_terminal({"NO_COLOR": "1"}, *PAIR)
    assert "elm" in bare
    assert not COLOUR.search(bare)
    assert "\x1b" not in on_terminal({"TERM": "dumb"}, *PAIR)


def test_help_has_no_colours_without_a_terminal() -> None:
    done = program(sys.executable, "-m", "tertium", "score", "--help")
    assert done.status == 0
    assert "\x1b" not in done.out


# ---- manual pages ---------------------------------------------------------------------------


def manual(*words: str) -> Outcome:
    return program(sys.executable, str(REPOSITORY / "tools" / "generate_manual.py"), *words)


def test_the_manual_fits_the_commands() -> None:
    """Whoever changes a flag says `make man`."""
    assert manual("--check") == Outcome(0, "", "")


def test_manual_pages_are_ones() -> None:
    pages = sorted((REPOSITORY / "man").glob("*.1"))
    assert {"tertium.1", "tertium-score.1", "tertium-meta-agree.1"} <= {one.name for one in pages}
    assert not [one.name for one in pages if str(Path.home()) in one.read_text(encoding="utf-8")]
    needed("mandoc")
    for page in pages:
        found = program("mandoc", "-T", "lint", str(page)).out.splitlines()
        wrong = [line for line in found if re.search("WARNING|ERROR|UNSUPP", line)]
        assert [line for line in wrong if "missing date" not in line] == []
    shown = program("mandoc", "-T", "utf8", str(REPOSITORY / "man" / "tertium-score.1")).out
    assert "tertium score REF … [-i SYS …] [-m METRIC …] [flags]" in re.sub(".\b", "", shown)
