"""The cache of scores: what it is keyed on, who shares it, and what it survives."""

import json
import os
import signal
import sqlite3
import sys
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.metrics.foreign import cache
from tertium.metrics.foreign.cache import (
    Identity,
    ScoreCache,
    cache_contents,
    cache_file,
    clear_cache,
    text_key,
)
from tests.support.commands import PATIENCE, error, output, started

pytestmark = pytest.mark.slow

MINE = Identity(name="Mine", model="m", version="1", precision="fp32")
OTHER = Identity(name="Other", model="m", version="1", precision="fp32")

texts = st.text(alphabet="ab:1-", max_size=3)


@given(
    st.tuples(st.none() | texts, texts, st.lists(texts, max_size=3)),
    st.tuples(st.none() | texts, texts, st.lists(texts, max_size=3)),
)
def test_only_equal_texts_share_a_key(
    one: tuple[str | None, str, list[str]], other: tuple[str | None, str, list[str]]
) -> None:
    assert (text_key(*one) == text_key(*other)) == (one == other)


def test_scores_are_found_again_under_the_same_identity() -> None:
    keys = [text_key(None, str(i), ["r"]) for i in range(1300)]
    ScoreCache(MINE).keep({key: i / 7 for i, key in enumerate(keys)})
    assert ScoreCache(MINE).known(keys) == {key: i / 7 for i, key in enumerate(keys)}
    assert ScoreCache(OTHER).known(keys) == {}
    assert ScoreCache(MINE._replace(precision="fp16")).known(keys) == {}


@pytest.mark.parametrize("told", ["off", "OFF", "no", ""])
def test_turned_off(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", told)
    assert cache_file() is None
    ScoreCache(MINE).keep({b"k": 1.0})
    assert ScoreCache(MINE).known([b"k"]) == {}
    assert cache_contents() is None
    assert clear_cache() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="folders of Linux")
def test_the_usual_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TERTIUM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_file() == tmp_path / "tertium" / "scores.sqlite"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # the standard says to ignore it
    assert cache_file() == Path.home() / ".cache" / "tertium" / "scores.sqlite"


@pytest.mark.parametrize("damage", ["no database", "a folder", "not to be made"])
def test_a_cache_that_fails_is_gone_on_without(
    damage: str, cache_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if damage == "not to be made":
        cache_folder.write_text("a file in the place of the folder", encoding="utf-8")
    else:
        cache_folder.mkdir()
        path = cache_folder / "scores.sqlite"
        if damage == "a folder":
            path.mkdir()
        else:
            path.write_text("no database " * 500, encoding="utf-8")
    for _ in range(2):
        some = ScoreCache(MINE)
        assert some.known([b"k"]) == {}
        some.keep({b"k": 1.0})
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.endswith("; going on without the cache\n")


def test_a_locked_cache_is_gone_on_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ScoreCache(MINE).keep({b"k": 1.0})
    monkeypatch.setattr(cache, "PATIENCE", 0.1)
    path = cache_file()
    assert path is not None
    with sqlite3.connect(path) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        ScoreCache(MINE).keep({b"other": 2.0})
    writer.close()
    assert "database is locked; going on without the cache" in capsys.readouterr().err


WRITER = """
import sys
from tertium.metrics.foreign.cache import Identity, ScoreCache, text_key
name, count = sys.argv[1], int(sys.argv[2])
for number in range(count):
    keys = [text_key(None, f"{name} {number} {i}", []) for i in range(10)]
    ScoreCache(Identity("Mine", "m", "1", "fp32")).keep({key: float(number) for key in keys})
    print(number, flush=True)
"""


def written(name: str, numbers: range) -> dict[bytes, float]:
    return {
        text_key(None, f"{name} {number} {i}", []): float(number)
        for number in numbers
        for i in range(10)
    }


def test_processes_share_it() -> None:
    with ExitStack() as stack:
        some = [stack.enter_context(started("-c", WRITER, name, "30")) for name in ("a", "b", "c")]
        assert [one.wait(PATIENCE) for one in some] == [0, 0, 0]
    for name in ("a", "b", "c"):
        expected = written(name, range(30))
        assert ScoreCache(MINE).known(list(expected)) == expected


def test_a_log_that_another_begins_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite gives up at once if two programs begin the log of a new file at the same moment."""
    tries = []

    class Beaten(sqlite3.Connection):
        def execute(self, question: str, *values: Any) -> sqlite3.Cursor:
            if question == "PRAGMA journal_mode=WAL":
                tries.append(question)
                if len(tries) < 3:
                    beaten = sqlite3.OperationalError("database is locked")
                    beaten.sqlite_errorcode = sqlite3.SQLITE_BUSY
                    raise beaten
            return super().execute(question, *values)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Beaten))
    ScoreCache(MINE).keep({b"k": 1.0})
    assert ScoreCache(MINE).known([b"k"]) == {b"k": 1.0}
    assert len(tries) == 3


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_what_was_kept_survives_a_kill() -> None:
    with started("-c", WRITER, "a", "1000000") as writer:
        assert writer.stdout is not None
        said = [int(next(writer.stdout)) for _ in range(20)]
        time.sleep(0.05)
        os.kill(writer.pid, signal.SIGKILL)
        said += [int(line) for line in writer.stdout]
    expected = written("a", range(len(said)))
    assert ScoreCache(MINE).known(list(expected)) == expected
    path = cache_file()
    assert path is not None
    base = sqlite3.connect(path)
    assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    base.close()


def test_the_command(capsys: pytest.CaptureFixture[str], cache_folder: Path) -> None:
    place = cache_folder / "scores.sqlite"
    assert output(capsys, "cache") == f"{place}: empty\n"
    ScoreCache(MINE).keep({b"k": 1.0, b"l": 2.0})
    ScoreCache(OTHER).keep({b"k": 3.0})
    shown = output(capsys, "cache")
    assert "Mine     m       1         fp32             2" in shown
    found = json.loads(output(capsys, "cache", "-f", "json"))
    assert found["path"] == str(place)
    assert [(one["name"], one["scores"]) for one in found["metrics"]] == [("Mine", 2), ("Other", 1)]
    message = error(capsys, "cache", "--clear", "Mien")
    assert message == (
        "tertium: unknown metric in the cache 'Mien'; did you mean 'Mine'? known: Mine, Other"
    )
    assert output(capsys, "cache", "--clear", "Mine") == f"{place}: 2 scores forgotten\n"
    assert ScoreCache(OTHER).known([b"k"]) == {b"k": 3.0}
    assert output(capsys, "cache", "--clear") == f"{place}: 1 score forgotten\n"
    assert ScoreCache(OTHER).known([b"k"]) == {}


def test_the_command_with_a_damaged_cache(
    capsys: pytest.CaptureFixture[str], cache_folder: Path
) -> None:
    cache_folder.mkdir()
    (cache_folder / "scores.sqlite").write_text("no database " * 500, encoding="utf-8")
    assert error(capsys, "cache").endswith(
        "file is not a database, expected a cache of scores; delete the file to begin anew"
    )


def test_the_command_without_a_cache(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    assert output(capsys, "cache") == "no cache: TERTIUM_CACHE turns it off\n"
