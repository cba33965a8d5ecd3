"""The process of the command: it leaves at once, and leaves nothing undone."""

import os

import pytest

from tests.support.commands import PATIENCE, process, python, ran, started

pytestmark = pytest.mark.slow

PROGRAM = """
import atexit, sys
from tertium.cli import main
from tertium.cli.process import command

def run(words=None):
    print("unfinished", end="")
    {ending}

atexit.register(print, " told")
main.main = run
command()
"""


@pytest.mark.parametrize(
    ("ending", "status", "err"),
    [
        ("return 0", 0, ""),
        ("return 3", 3, ""),
        ("sys.exit()", 0, ""),
        ("sys.exit(2)", 2, ""),
        ("sys.exit('a reason')", 1, "a reason\n"),
    ],
)
def test_all_is_said_before_the_end(ending: str, status: int, err: str) -> None:
    assert python("-c", PROGRAM.format(ending=ending)) == (status, "unfinished told\n", err)


def test_an_internal_error_is_one_line_and_a_status_of_its_own() -> None:
    program = PROGRAM.format(ending="raise RuntimeError('a\\nbug')")
    expected = (
        "tertium: internal error: RuntimeError: a bug (<string>:8), expected none; "
        "TERTIUM_DEBUG=1 shows where, please report it\n"
    )
    assert python("-c", program) == (70, "unfinished told\n", expected)
    outcome = python("-c", program, variables={"TERTIUM_DEBUG": "1"})
    assert (outcome.status, outcome.out) == (70, "unfinished told\n")
    assert outcome.err.startswith("Traceback")
    assert outcome.err.endswith(expected)


def test_an_internal_error_of_a_command_does_not_mean_that_a_requirement_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> int:
        raise KeyError("system")

    monkeypatch.setattr("tertium.cli.decide.run", broken)
    outcome = ran(capsys, "decide", "reference.en", "-i", "a.en", "b.en", "--require", "better")
    assert outcome.status == 70
    assert outcome.err.startswith("tertium: internal error: KeyError: 'system'")
    assert outcome.err.count("\n") == 1


def test_help_and_mistakes_end_as_they_should() -> None:
    assert process("--help").status == 0
    assert process("score", "nobody.en", "-i", "nobody.en") == (
        2,
        "",
        "tertium: nobody.en: no such file or directory, expected a readable file\n",
    )


def test_a_closed_pipe_is_no_error() -> None:
    buffered = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with started("-m", "tertium", "score", "--help", environment=buffered) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(PATIENCE) == 141
