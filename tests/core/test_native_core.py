"""The unit tests of cpp/core and of what else has some, built with the compiler at hand.

CMake builds them, too: ``-DTERTIUM_TESTS=ON``.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.support.commands import Outcome, program
from tests.support.places import REPOSITORY

pytestmark = pytest.mark.slow

CPP = REPOSITORY / "cpp"
TESTED = (
    "text/character_numbers",
    "text/spare_buffers",
    "text/texts",
    "text/tokens/token_block",
    "text/tokens/token_rules",
)
SOURCES = sorted(
    [
        *(CPP / "core").glob("*.cpp"),
        *(CPP / "tests").glob("*.cpp"),
        *(CPP / f"{name}.cpp" for name in TESTED),
    ]
)
NAMES = re.findall(
    r"^TEST\((\w+)\)", "\n".join(path.read_text("utf-8") for path in SOURCES), re.MULTILINE
)
# With the checks of the library itself: an index behind the end of a vector is an error.
FLAGS = ["-std=c++20", "-O1", "-D_GLIBCXX_ASSERTIONS", "-pthread", f"-I{CPP}"]
# More steps than compilers allow themselves for the tables of Unicode.
STEPS = {True: "-fconstexpr-steps=100000000", False: "-fconstexpr-ops-limit=500000000"}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Werror"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wanted = [os.environ.get("CXX", ""), "c++", "g++", "clang++"]
    compiler = next((found for name in wanted if name and (found := shutil.which(name))), None)
    if compiler is None:
        pytest.skip("no C++ compiler: the unit tests of cpp/core cannot be built")
    out = tmp_path_factory.mktemp("core") / "tests"
    steps = STEPS["clang" in program(compiler, "--version").out]
    made = program(compiler, *FLAGS, steps, *WARNINGS, *map(str, SOURCES), "-o", str(out))
    assert made.status == 0, made.err
    return out


def test_every_test_has_a_name_of_its_own() -> None:
    assert len(NAMES) > 15
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_core(built: Path, name: str) -> None:
    assert program(built, name) == Outcome(0, "1 ran, 0 failed\n", "")


@pytest.mark.parametrize("most", ["none", "avx2"])
def test_processors_with_less(built: Path, most: str) -> None:
    """What is chosen when the program runs, as on processors without the largest vectors."""
    found = program("/usr/bin/env", f"TERTIUM_VECTORS={most}", str(built))
    assert found == Outcome(0, f"{len(NAMES)} ran, 0 failed\n", "")


def test_a_name_that_no_test_has_is_no_success(built: Path) -> None:
    assert program(built, "none").status == 1
