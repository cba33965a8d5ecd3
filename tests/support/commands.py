"""Commands run as users run them, with what they print."""

import pytest

from tertium.cli.main import main


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that succeeds prints."""
    assert main(words) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def error(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that fails says: one line, exit code 2, nothing on standard output."""
    status: object
    try:
        status = main(words)
    except SystemExit as end:  # argparse
        status = end.code
    captured = capsys.readouterr()
    assert (status, captured.out) == (2, "")
    assert captured.err.count("\n") == 1
    return captured.err.rstrip("\n")
