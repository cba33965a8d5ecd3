"""What the README and the documentation show is what happens."""

import doctest
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import places
from tests.support.commands import shell
from tests.support.places import DOCS, REPOSITORY, SAMPLE, blocks, page_name

OWN_FILES = DOCS / "first-steps" / "own-files.md"
"""Runs in a folder of its own: test_own_files.py."""
PAGES = [page for page in (REPOSITORY / "README.md", *places.PAGES) if page != OWN_FILES]


def shell_examples() -> list[tuple[str, str, str]]:
    """(page, command, expected output) of every `$ …` line in a console block."""
    found = []
    for page in PAGES:
        for block in blocks(page, "console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                found.append((page_name(page), command, output))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("page", "command", "expected"), shell_examples())
def test_commands_print_what_the_page_says(page: str, command: str, expected: str) -> None:
    done = shell(command, SAMPLE)
    assert [row.rstrip() for row in (done.out + done.err).splitlines()] == (
        expected.splitlines()
    ), page


PYTHON = "python|pycon"
SESSIONS = [page for page in PAGES if any(">>> " in one for one in blocks(page, PYTHON))]


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to import from, for blocks that begin with the name of a file."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(SAMPLE)
    yield tmp_path
    for new in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[new], "__file__", "")):
            del sys.modules[new]


@pytest.mark.parametrize("page", SESSIONS, ids=page_name)
def test_python_examples_run(page: Path, modules: Path) -> None:
    """The sessions of a page are one session, in the folder of the sample."""
    sessions = []
    for block in blocks(page, PYTHON):
        if named := re.match(r"# (\w+\.py)\n", block):
            (modules / named[1]).write_text(block, encoding="utf-8")
        elif ">>> " in block:
            sessions.append(block)
    for package in re.findall(r"^>>> (?:import|from) (\w+)", "\n".join(sessions), re.MULTILINE):
        pytest.importorskip(package, reason=f"{package} is not installed")
    parsed = doctest.DocTestParser().get_doctest(
        "\n".join(sessions), {}, page_name(page), None, None
    )
    result = doctest.DocTestRunner().run(parsed)
    assert result.failed == 0
    assert result.attempted > 0


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_other_python_is_python(page: Path) -> None:
    for block in blocks(page, PYTHON):
        if ">>> " not in block:
            compile(block, page_name(page), "exec")


def test_the_pages_are_found() -> None:
    assert len(PAGES) > 40
    assert len(SESSIONS) > 5
    assert len(shell_examples()) > 60


@pytest.mark.slow
def test_the_metric_of_the_tutorial_is_strictly_typed(tmp_path: Path) -> None:
    (module,) = (
        block
        for block in blocks(DOCS / "develop" / "writing-a-metric.md", PYTHON)
        if block.startswith("# exact_match.py")
    )
    path = tmp_path / "exact_match.py"
    path.write_text(module, encoding="utf-8")
    mypy = pytest.importorskip("mypy.api", reason="mypy is not installed")
    shown, errors, status = mypy.run(
        ["--strict", "--cache-dir", str(tmp_path / "cache"), str(path)]
    )
    assert (status, errors) == (0, ""), shown
