"""Servers under load and servers that are killed, as `benchmarks/serve.py` runs them for longer."""

import re

import pytest

from tests.support.commands import python
from tests.support.places import REPOSITORY
from tests.support.serve.postgres import PROGRAMS

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


@pytest.mark.parametrize(("store", "kills"), [("sqlite", 2), ("postgres", 4)])
def test_nothing_that_was_acknowledged_is_lost_by_kills(store: str, kills: int) -> None:
    """Four on PostgreSQL: a server, its workers, both, and a process of the database."""
    if store == "postgres" and not PROGRAMS:
        pytest.skip("no PostgreSQL on this machine (Debian: apt install postgresql)")
    printed = ran("--kills", str(kills), "--store", store)
    found = re.search(
        rf"{kills} kills; acknowledged: (\d+) ratings, (\d+) names, (\d+) uploads", printed
    )
    assert found is not None
    assert min(map(int, found.groups())) >= kills
    assert printed.endswith("nothing wrong\n")


def test_everybody_works_side_by_side_for_a_while() -> None:
    printed = ran("--soak", "0.1", "--raters", "4", "--segments", "60", "--pause", "0.3")
    assert "errors: 0\n" in printed
    for kind in ("save", "next item", "upload", "job asked", "page"):
        line = rf"\n{kind} +[1-9]\d* times  p50 +[\d.]+ ms  p99 +[\d.]+ ms\n"
        assert re.search(line, printed)
    assert "growth after the first 2 s" in printed
    assert printed.endswith("nothing wrong\n")
