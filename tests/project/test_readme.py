"""What the README and the documentation show is what happens."""

import doctest
import re
from pathlib import Path

import pytest

from tests.support.commands import shell

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
    done = shell(command, SAMPLE)
    assert [row.rstrip() for row in (done.out + done.err).splitlines()] == (
        expected.splitlines()
    ), page


def test_python_examples_run() -> None:
    failures, attempts = doctest.testfile(str(REPOSITORY / "README.md"), module_relative=False)
    assert failures == 0
    assert attempts > 5
