"""The process of the command: it leaves at once, and leaves nothing undone."""

import os

import pytest

from tests.support.commands import PATIENCE, process, python, started

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


def test_what_nobody_expected_has_its_traceback() -> None:
    outcome = python("-c", PROGRAM.format(ending="raise RuntimeError('a bug')"))
    assert (outcome.status, outcome.out) == (1, "unfinished told\n")
    assert outcome.err.startswith("Traceback")
    assert outcome.err.endswith("RuntimeError: a bug\n")


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
