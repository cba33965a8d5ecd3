"""What is on a disk after a call of the system has failed: whole, or as it was before.

A sample of all calls in each scenario; ``make faults`` tries every one.
"""

import re
from pathlib import Path

import pytest

from tests.support.commands import python
from tests.support.faults.control import preloaded, why_not
from tests.support.faults.scenarios import SCENARIOS
from tests.support.faults.sweep import numbers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "calls can be made to fail"),
]

SAMPLE = 3
SERVER = {"new store", "uploads", "names", "ratings", "backup", "restore"}
LONG = {"report", "new store", "backup", "restore"}
"""A page, or the tables of a store, are made anew at each point, which takes seconds."""
NEEDS = {"statistics": "pyarrow", "parquet": "pyarrow"}


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which calls can be made to fail."""
    return preloaded(tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("name", SCENARIOS)
def test_files_are_whole_or_absent_whichever_call_fails(
    name: str, variables: dict[str, str]
) -> None:
    if name in SERVER:
        pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    fewer = ("--calls", "writes", "--sample", "1") if name in LONG else ("--sample", str(SAMPLE))
    outcome = python("-m", "tests.support.faults.sweep", name, *fewer, variables=variables)
    print(outcome.out)  # noqa: T201 - how many points were tried
    assert outcome.status == 0, outcome.out + outcome.err[-2000:]
    total = re.search(
        r"^(\d+) points tried, (\d+) with a fault, 0 problems$", outcome.out, re.MULTILINE
    )
    assert total is not None
    assert int(total[2]) > 0, "no call failed: nothing was tried"


def test_a_sample_has_the_first_calls_and_the_last() -> None:
    assert list(numbers(100, 4)) == [1, 2, 3, 26, 51, 76, 100]
    assert list(numbers(2, 4)) == [1, 2]


BROKEN = """
import sys
from pathlib import Path
from tests.support.faults import scenarios, sweep
from tests.support.faults.control import Fault

def check(path, outcome):
    if path.read_bytes() not in (b"old", b"n" * 100_000):
        yield "found a part"

careless = scenarios.Scenario(
    begin=lambda folder: folder / "file",
    prepare=lambda path: path.write_bytes(b"old"),
    act=lambda path: path.write_bytes(b"n" * 100_000),
    check=check,
    refusals=("OSError",),
)
sweep.SCENARIOS = {"careless": careless}
fault = Fault(calls="writes", error="ENOSPC")
swept = sweep.sweep("careless", fault, Path(sys.argv[1]) / "files", 0)
print(swept.points, swept.fired, len(swept.problems))
"""


def test_a_writer_that_writes_in_place_is_found_out(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    """Open, write, close: the second leaves a part behind, and the last run completes."""
    outcome = python("-c", BROKEN, str(tmp_path.resolve()), variables=variables)
    assert outcome.status == 0, outcome.err
    points, fired, problems = map(int, outcome.out.split())
    assert (points, fired) == (4, 3)
    assert problems >= 1
