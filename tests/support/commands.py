"""Commands run as users run them: in this process, or each in a process of its own.

A test runs a command in one of these ways and in no other. `output` and `error` are for the two
usual ends; `ran` is for all others. `process` is for what only a process of its own can show:
streams, encodings, imports, signals.
"""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from tertium.cli.main import main

PATIENCE = 600
"""Seconds to wait for what is sure to come, however busy the machine is."""


UNCHANGED: Mapping[str, str] = MappingProxyType({})


class Screen(io.StringIO):
    """A stream that takes itself for a terminal."""

    def isatty(self) -> bool:
        return True


class Outcome(NamedTuple):
    """How a command ended, and what it printed."""

    status: object
    out: str
    err: str


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> Outcome:
    """A command in this process, however it ends."""
    status: object
    try:
        status = main(words)
    except SystemExit as end:  # argparse: help, or a mistake
        status = end.code
    captured = capsys.readouterr()
    return Outcome(status, captured.out, captured.err)


def output(capsys: pytest.CaptureFixture[str], *words: str, warning: str = "") -> str:
    """What a command that succeeds prints; it warns of nothing, or of what is expected."""
    outcome = ran(capsys, *words)
    expected = f"tertium: warning: {warning}\n" if warning else ""
    assert (outcome.status, outcome.err) == (0, expected)
    return outcome.out


def json_output(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """What a command that succeeds prints for programs."""
    return json.loads(output(capsys, *words, "-f", "json"))


def error(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that fails says: one line, exit code 2, nothing on standard output."""
    outcome = ran(capsys, *words)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    return outcome.err.rstrip("\n")


def process(*words: str, text: bytes = b"", variables: Mapping[str, str] = UNCHANGED) -> Outcome:
    """`tertium` in a process of its own."""
    return python("-m", "tertium", *words, text=text, variables=variables)


def python(
    *words: str,
    text: bytes = b"",
    folder: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    variables: Mapping[str, str] = UNCHANGED,
) -> Outcome:
    """Python in a process of its own, which finds the modules that this one finds."""
    return _ended([sys.executable, *words], text, folder, _environment(environment, variables))


def printed(*words: str, variables: Mapping[str, str] = UNCHANGED) -> str:
    """What a Python program that succeeds prints."""
    outcome = python(*words, variables=variables)
    assert outcome.status == 0, outcome.err
    return outcome.out


def shell(line: str, folder: Path) -> Outcome:
    """A line that a user would type, where `tertium` is the one that is tested."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    typed = line.replace("tertium ", f"{sys.executable} -m tertium ", 1)
    return _ended(["bash", "-c", typed], b"", folder, _environment(os.environ, {"PATH": path}))


def typed(line: str, folder: Path, environment: Mapping[str, str]) -> Outcome:
    """A line that a user would type who has nothing of the checkout."""
    return _ended(["bash", "-c", line], b"", folder, dict(environment))


def program(path: str | Path, *words: str) -> Outcome:
    """A program that is no Python, such as a compiler and what it has made."""
    return _ended([str(path), *words], b"", None, dict(os.environ))


@contextmanager
def started(
    *words: str, environment: Mapping[str, str] = os.environ, stream: int = subprocess.PIPE
) -> Iterator["subprocess.Popen[bytes]"]:
    """Python at work beside the test, ended at the latest when the test has ended."""
    child = subprocess.Popen(
        [sys.executable, *words],
        stdin=subprocess.DEVNULL if stream == subprocess.PIPE else stream,
        stdout=stream,
        stderr=stream,
        env=_environment(environment, UNCHANGED),
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        for pipe in (child.stdout, child.stderr):
            if pipe is not None:
                pipe.close()


def _ended(
    words: list[str], text: bytes, folder: Path | None, environment: dict[str, str]
) -> Outcome:
    done = subprocess.run(
        words, input=text, capture_output=True, cwd=folder, env=environment, check=False
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def _environment(base: Mapping[str, str], variables: Mapping[str, str]) -> dict[str, str]:
    return {**base, "PYTHONPATH": os.pathsep.join(sys.path), **variables}
