"""A kernel that takes more instructions than before is seen, however busy the machine."""

import json
from pathlib import Path

import pytest
from tools.instructions import COUNTS, KERNELS, SEGMENTS, build, count, differences, obstacle

EXPECTED = json.loads(COUNTS.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def program() -> Path:
    """The program that is counted, by the compiler whose counts are known."""
    if why_not := obstacle(EXPECTED["compiler"]):
        pytest.skip(why_not)
    return build()


def test_the_counts_name_every_kernel() -> None:
    assert sorted(EXPECTED["kernels"]) == sorted(KERNELS)
    assert EXPECTED["segments"] == SEGMENTS


def test_counts_within_three_percent_are_no_difference() -> None:
    assert differences({"ter": 1000}, {"ter": 1029}) == []
    assert differences({"ter": 1000}, {"ter": 971}) == []


def test_a_kernel_that_is_slower_or_faster_is_named() -> None:
    assert differences({"ter": 1000, "bleu": 100}, {"ter": 1031, "bleu": 96}) == [
        "ter: 1,031 instructions, +3.1% of 1,000",
        "bleu: 96 instructions, -4.0% of 100",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_takes_as_many_instructions_as_before(kernel: str, program: Path) -> None:
    assert differences(EXPECTED["kernels"], {kernel: count(program, kernel)}) == []


@pytest.mark.slow
def test_a_tenth_more_work_is_a_difference(program: Path) -> None:
    found = count(program, "tokens", SEGMENTS + SEGMENTS // 10)
    assert len(differences(EXPECTED["kernels"], {"tokens": found})) == 1
