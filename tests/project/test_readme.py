"""What the README and the documentation show is what happens."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "src" / "tertium" / "data" / "sample"
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]


def shell_examples() -> list[tuple[str, str, str]]:
    """(page, command, expected output) of every `$ …` line in a console block."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((page.name, command, output))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("page", "command", "expected"), shell_examples())
def test_commands_print_what_the_page_says(page: str, command: str, expected: str) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    line = command.replace("tertium ", f"{sys.executable} -m tertium ", 1)
    done = subprocess.run(
        ["bash", "-c", line],  # noqa: S607 - the shell of whoever runs the tests
        cwd=SAMPLE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    printed = done.stdout + done.stderr
    assert [row.rstrip() for row in printed.splitlines()] == expected.splitlines(), page


def test_python_examples_run() -> None:
    failures, attempts = doctest.testfile(str(REPOSITORY / "README.md"), module_relative=False)
    assert failures == 0
    assert attempts > 10
