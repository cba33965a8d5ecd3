"""The native core: a folder is a namespace, a name is one subject, and `src/tertium` has it too."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.support.places import REPOSITORY

CPP = REPOSITORY / "cpp"
# What is built around the core: for Python, and for programs that test it.
AROUND = {"bindings", "tests", "fuzz", "portable"}
SOURCES = sorted(
    path
    for path in [*CPP.rglob("*.hpp"), *CPP.rglob("*.cpp")]
    if path.relative_to(CPP).parts[0] not in AROUND
)

# Folders without a counterpart in the package: what all kernels use, and how text is cut.
OWN_FOLDERS = {"core", "text/tokens"}

NAMESPACE = re.compile(r"^namespace (\w[\w:]*) \{", re.MULTILINE)
CLOSED = re.compile(r"^\}  // namespace (\w[\w:]*)$", re.MULTILINE)


def folder(path: Path) -> str:
    return path.parent.relative_to(CPP).as_posix()


@pytest.mark.parametrize(
    "path",
    SOURCES,
    ids=lambda path: path.relative_to(CPP).as_posix(),
)
def test_a_file_has_the_namespace_of_its_folder(path: Path) -> None:
    expected = "tertium::" + folder(path).replace("/", "::")
    text = path.read_text(encoding="utf-8")
    opened = [name for name in NAMESPACE.findall(text) if name.startswith("tertium")]
    closed = [name for name in CLOSED.findall(text) if name.startswith("tertium")]
    assert opened == closed
    assert len(opened) == 1
    # What follows the folder's name is a part of the file's own, such as `utf8`.
    assert opened[0] == expected or opened[0] == f"{expected}::{path.stem}"


def test_a_name_has_one_subject() -> None:
    """A header and its source share a name, but no two folders do; bindings name what they bind."""
    folders = defaultdict(set)
    for path in SOURCES:
        folders[path.stem].add(folder(path))
    assert not {name: found for name, found in folders.items() if len(found) > 1}


def test_folders_are_those_of_the_package() -> None:
    for found in {folder(path) for path in SOURCES} - OWN_FOLDERS:
        assert (REPOSITORY / "src" / "tertium" / found).is_dir(), f"cpp/{found}"


def test_one_file_asks_for_compilers_and_processors() -> None:
    """So that a new one of either is a change of one file."""
    own = re.compile(r"__builtin_|__attribute__|__GNUC__|__clang__|_MSC_VER|__SSE|__AVX|__x86_64__")
    found = {
        path.relative_to(CPP).as_posix() for path in SOURCES if own.search(path.read_text("utf-8"))
    }
    assert found == {"core/processor.hpp"}


def test_one_file_calls_what_only_linux_has() -> None:
    own = re.compile(r"<(sched|unistd|sys/\w+|pthread|dlfcn|fcntl)\.h>|__linux__")
    found = {
        path.relative_to(CPP).as_posix() for path in SOURCES if own.search(path.read_text("utf-8"))
    }
    assert found == {"core/parallel.cpp"}
