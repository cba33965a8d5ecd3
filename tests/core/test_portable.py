"""The same bits on every processor. `make portable` shows it; here what it built is run again."""

import shutil
from pathlib import Path

import pytest
from tools.portable import HERE, OTHERS, Processor, differences

from tests.support.commands import program
from tests.support.places import REPOSITORY

pytestmark = pytest.mark.slow


def built(one: Processor) -> Path:
    """The program for a processor, from `make portable`."""
    path = REPOSITORY / "build" / one.folder / "digests"
    if not path.exists():
        pytest.skip(f"no {path.relative_to(REPOSITORY)}: `make portable` builds it")
    return path


def test_what_differs_is_named() -> None:
    assert differences(["bleu pairs  aa", "ter bb"], ["bleu pairs  aa", "ter bc"]) == ["ter"]
    assert differences(["ter aa"], ["ter aa"]) == []
    assert differences(["ter aa"], []) == ["0 lines, expected 1"]


def test_a_program_that_is_not_there_is_named() -> None:
    absent = Processor(name="none", folder="none", compiler="no-such-compiler", archiver="ar")
    assert absent.missing() == "no-such-compiler"


@pytest.mark.parametrize("one", OTHERS, ids=lambda one: one.name)
def test_another_processor_computes_the_same_bits(one: Processor) -> None:
    emulator = shutil.which(one.emulator[0])
    if emulator is None:
        pytest.skip(f"no {one.emulator[0]}: other processors cannot be emulated")
    here = program(built(HERE))
    there = program(emulator, *one.emulator[1:], str(built(one)))
    assert here.status == there.status == 0
    assert differences(here.out.splitlines(), there.out.splitlines()) == []
