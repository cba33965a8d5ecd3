"""What the targets of cpp/fuzz promise holds for all cases that are kept, in the core as it is.

So it does for some that are made up from them, always the same. `make fuzz` runs the kept ones
too, with sanitizers, before libFuzzer makes up others.
"""

import re
import shutil
from pathlib import Path

import pytest

from tests.support.commands import Outcome, program
from tests.support.places import REPOSITORY

pytestmark = pytest.mark.slow

FUZZ = REPOSITORY / "cpp" / "fuzz"
MADE_UP = 20_000
CASES = sorted((FUZZ / "cases").glob("*.txt"))
TARGETS = sorted(path for path in FUZZ.glob("*/*.cpp"))


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All targets, linked with the core that was compiled for Python."""
    cores = sorted(
        REPOSITORY.glob("build/*/libtertium_core.a"), key=lambda path: path.stat().st_mtime
    )
    if not cores:
        pytest.skip("no build/*/libtertium_core.a: the core was not compiled in this checkout")
    make, compiler = shutil.which("make"), shutil.which("g++")
    if make is None or compiler is None:
        pytest.skip("no make or no g++: the targets cannot be compiled")
    out = tmp_path_factory.mktemp("fuzz")
    made = program(
        *(make, "--silent", "--no-print-directory", "-j2"),
        *("-C", str(REPOSITORY / "cpp"), "-f", "variants.mk", f"OUT={out}", f"CXX={compiler}"),
        *("FLAGS=-O0 -D_GLIBCXX_ASSERTIONS", f"CORE={cores[-1]}", str(out / "replay")),
    )
    assert made.status == 0, made.err
    return out / "replay"


def test_every_target_is_a_file_of_its_name_with_cases() -> None:
    assert [path.stem for path in CASES] == sorted(path.stem for path in TARGETS)
    for path in TARGETS:
        assert f"FUZZ_TARGET({path.stem}) {{" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_kept_and_made_up_cases_hold(replay: Path, path: Path) -> None:
    count = len(path.read_text(encoding="ascii").splitlines())
    assert count > 0
    said = f"{count} cases\n{MADE_UP} made up\n"
    found = program(replay, path.stem, str(path), str(MADE_UP), "1")
    assert found == Outcome(0, said, "")  # else the last line is the case


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_whatever_request_for_memory_fails_nothing_else_happens(replay: Path, path: Path) -> None:
    """It is told as what it is, all memory is given back, and the next run is like the first.

    Some requests of each case; ``make faults`` tries every one.
    """
    found = program(replay, path.stem, str(path), "memory", "20")
    failed = re.fullmatch(rf"{path.stem}: (\d+) requests for memory failed\n", found.out)
    assert (found.status, found.err) == (0, "")
    assert failed is not None
    assert int(failed[1]) >= 2 * len(path.read_text(encoding="ascii").splitlines())


@pytest.mark.parametrize("most", ["none", "avx2"])
@pytest.mark.parametrize("name", ["lines", "tokenizers", "chrf", "ngrams", "ter"])
def test_cases_hold_on_processors_with_less(replay: Path, name: str, most: str) -> None:
    """What is written for vectors, where the processor has smaller ones or none."""
    path = FUZZ / "cases" / f"{name}.txt"
    found = program("/usr/bin/env", f"TERTIUM_VECTORS={most}", str(replay), name, str(path))
    assert found.status == 0, found.err


def test_an_unknown_target_is_no_success(replay: Path) -> None:
    assert program(replay, "none", str(CASES[0])).status == 2
