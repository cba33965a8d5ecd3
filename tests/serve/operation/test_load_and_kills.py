"""Servers under load and servers that are killed, as `benchmarks/serve.py` runs them for longer."""

import re

import pytest

from tests.support.commands import python
from tests.support.places import REPOSITORY

pytestmark = pytest.mark.slow


def ran(*flags: str) -> str:
    """What the script prints; its status is 1 where anything was lost or refused."""
    done = python(str(REPOSITORY / "benchmarks" / "serve.py"), *flags)
    assert done.status == 0, done.out + done.err
    return done.out


def test_raters_save_while_others_upload() -> None:
    printed = ran("--raters", "6", "--uploads", "2", "--segments", "300", "--seconds", "3",
                  "--pause", "0.2")  # fmt: skip
    assert "errors: 0\n" in printed
    assert "2 uploads of 300 segments" in printed
    saves = re.search(r"(\d+) saves", printed)
    assert saves is not None
    assert int(saves[1]) >= 6


def test_nothing_that_was_acknowledged_is_lost_by_kills() -> None:
    printed = ran("--kills", "2")
    found = re.search(r"2 kills; acknowledged: (\d+) ratings, (\d+) names, (\d+) uploads", printed)
    assert found is not None
    assert min(map(int, found.groups())) >= 2
    assert printed.endswith("nothing wrong\n")
