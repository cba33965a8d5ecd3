"""What holds of the tests themselves, so that they stay easy to find and to run anywhere."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.support.places import REPOSITORY

TESTS = sorted((REPOSITORY / "tests").rglob("test_*.py"))
SOURCES = [REPOSITORY / "src" / "tertium", REPOSITORY / "cpp", REPOSITORY]
"""Where a folder of tests finds the folder that it mirrors."""

OF_THEIR_OWN = {"faults", "oracles", "project", "scripts", "support"}


def imported(path: Path) -> Iterator[str]:
    """The modules that a file names after 'import' or 'from'."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_a_test_stands_alone() -> None:
    """What two tests need is in tests/support, which is also the one place to start processes."""
    for path in TESTS:
        for module in imported(path):
            assert not module.rpartition(".")[2].startswith("test_"), (path, module)
            assert module != "subprocess", path


def test_folders_of_tests_are_those_of_the_source() -> None:
    folders = {path.parent.relative_to(REPOSITORY / "tests") for path in TESTS}
    assert len(folders) > 20
    for folder in folders:
        if folder.parts and folder.parts[0] not in OF_THEIR_OWN:  # modules of the root have none
            # Tests in a browser may be many: they have a folder in that of what they test.
            mirrored = folder.parent if folder.name == "browser" else folder
            assert any((source / mirrored).is_dir() for source in SOURCES), folder
