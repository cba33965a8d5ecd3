"""Kept cases of the readers' fuzzing are read or refused in one line, as are some made up."""

import gzip
import random
import sys
from collections.abc import Callable
from itertools import islice

import pytest
from tools import fuzz_readers
from tools.fuzz_readers import (
    CASES,
    GROUPS,
    checker,
    file_of,
    kept_cases,
    made_up,
    readers_of,
    seeds,
)

from tertium.errors import InputError
from tests.support.commands import python
from tests.support.readers import READERS


def test_every_reader_is_in_a_group_and_every_group_has_cases() -> None:
    grouped = {name for group in GROUPS for name in readers_of(group)}
    assert {name for name in READERS if "xlsx" not in name} <= grouped
    assert {path.stem for path in CASES.glob("*.txt")} == set(GROUPS)
    assert all(kept_cases(group) for group in GROUPS)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on a process's memory")
@pytest.mark.parametrize("group", GROUPS)
def test_kept_and_made_up_cases_are_values_or_one_line(group: str) -> None:
    """In a process of its own, whose memory is limited; the seed is always the same."""
    outcome = python(fuzz_readers.__file__, "--replay", "--runs", "60", group)
    assert outcome == (0, f"{len(seeds(group)) + 60} cases of {group}\n", "")


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (InputError("a: b, expected c"), None),
        (InputError("a: b\nexpected c"), AssertionError),
        (InputError("a" * 3000), AssertionError),
        (KeyError("a"), KeyError),
        (MemoryError(), MemoryError),
        (RecursionError(), RecursionError),
    ],
)
def test_what_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, raised: Exception, expected: type[Exception] | None
) -> None:
    def read(_: str) -> object:
        raise raised

    def readers(_: str) -> dict[str, Callable[[str], object]]:
        return {"broken": read}

    monkeypatch.setattr(fuzz_readers, "readers_of", readers)
    check = checker("text")
    if expected is None:
        check(b"")
    else:
        with pytest.raises(expected):
            check(b"")


def test_cases_are_made_up_by_a_seed() -> None:
    first, again, other = (
        list(islice(made_up([b"reference\thypothesis\n"], random.Random(seed)), 20))
        for seed in (1, 1, 2)
    )
    assert first == again != other
    assert len(set(first)) > 10


def test_cases_stand_for_whole_files() -> None:
    assert file_of("text", b"a") == b"a"
    assert gzip.decompress(file_of("compressed", b"a")) == b"a"
    assert file_of("workbook", b"<x/>").startswith(b"PK")


def test_an_unknown_group_is_named() -> None:
    outcome = python(fuzz_readers.__file__, "--replay", "nothing")
    assert outcome.status == 1
    assert outcome.err.startswith("nothing: no group of readers, expected detection, text,")
