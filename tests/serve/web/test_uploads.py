"""Files that are sent are read apart: none of them can take the server with it."""

import io
import os
import pickle
import resource
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from tertium.errors import InputError
from tertium.serve.errors import TooLargeError, UnreadableError
from tertium.serve.evaluation import parsers
from tertium.serve.evaluation.parsers import (
    PARSERS,
    ParserPool,
    ParsingLimits,
    Reply,
    result_of,
)
from tertium.serve.evaluation.sets import read_test_set
from tertium.serve.evaluation.uploads import SentFile
from tertium.text.annotations import FORMATS as NAMES
from tertium.text.formats.table import KNOWN_FORMATS
from tests.support import bombs
from tests.support.serve.site import Site
from tests.support.serve.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")

SETS = "/api/v1/projects/own/test-sets"
SET = f"{SETS}/news"
LIMITS = ParsingLimits(memory=500_000_000, seconds=600)


@pytest.fixture
def small_site(site: Site) -> Iterator[Site]:
    """A server that gives half a gigabyte to an upload, and a test set of two segments."""
    settings = site.app.state.settings
    site.app.state.settings = replace(
        settings, upload_memory=LIMITS.memory, upload_seconds=LIMITS.seconds
    )
    made = site.client("editor").post(
        SETS,
        data={"name": "News"},
        files={"references": ("r.txt", "a b\nc d\n"), "sources": ("s.txt", "a\nb\n")},
    )
    assert made.status_code == 201, made.text
    yield site
    site.app.state.settings = settings


def peak() -> int:
    """Megabytes that this process, which is the server, has had at the most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


@pytest.mark.parametrize("kind", KNOWN_FORMATS)
def test_a_bomb_is_refused_and_the_server_goes_on(kind: str, small_site: Site) -> None:
    data, before = bombs.TEXTS[kind](), peak()
    client = small_site.client("editor")
    sent = client.post(
        SETS, data={"name": "x"}, files={"references": (bombs.text_name(kind), data)}
    )
    assert sent.status_code == 413, sent.text
    assert sent.json()["error"].startswith("bomb.")
    assert peak() - before < 200
    assert client.get(SET).status_code == 200


def test_a_bomb_of_outputs_or_scores_is_refused(small_site: Site) -> None:
    client = small_site.client("editor")
    parquet = ("bomb.parquet", bombs.repeated_values())
    output = client.post(f"{SET}/outputs", data={"system": "s"}, files={"file": parquet})
    assert output.status_code == 413, output.text
    assert "more than" in output.json()["error"]
    fine = client.post(f"{SET}/outputs", data={"system": "s"}, files={"file": ("s", "a\nb\n")})
    assert fine.status_code == 201, fine.text
    scores = client.post(f"{SET}/scores", files={"file": ("s.json", b"[" + b"{}," * 6_000_000)})
    assert scores.status_code == 413, scores.text
    assert "values" in scores.json()["error"]


@pytest.mark.parametrize("kind", NAMES)
def test_a_bomb_of_names_is_refused(kind: str, small_site: Site) -> None:
    data = {"muc": b"\n", "conll": b"a O\n\n", "jsonl": b'{"text":"","entities":[]}\n'}[
        kind
    ] * 4_000_000
    sent = small_site.client("editor").post(
        f"{SET}/names/source/file", data={"format": kind}, files={"file": ("names", data)}
    )
    assert sent.status_code == 413, sent.text


def read(pool: ParserPool, data: bytes, limits: ParsingLimits = LIMITS) -> int:
    file = SentFile(name="r.txt", data=data)
    return pool.call(limits, file.name, read_test_set, [file]).segments


def test_a_process_serves_many_files() -> None:
    pool = ParserPool()
    try:
        assert read(pool, b"a\nb\n") == 2
        (process,) = pool.waiting
        assert read(pool, b"a\nb\nc\n") == 3
        with pytest.raises(InputError, match=r"r.txt: empty, expected text"):
            read(pool, b"")
        assert pool.waiting == (process,)
    finally:
        pool.close()


def test_a_process_that_is_killed_is_replaced() -> None:
    pool = ParserPool()
    try:
        read(pool, b"a\n")
        (process,) = pool.waiting
        os.kill(process, signal.SIGSTOP)
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(read, pool, b"a\n")
            wait_until(lambda: not pool.waiting)
            os.kill(process, signal.SIGKILL)
            assert waiting.result() == 1
        assert read(pool, b"a\n") == 1
        assert pool.waiting != (process,)
    finally:
        pool.close()


def test_a_file_by_which_two_processes_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def end(self: object, _request: bytes, _seconds: float) -> None:
        asked.append(self)
        raise EOFError

    pool = ParserPool()
    with monkeypatch.context() as patched:
        patched.setattr("tertium.serve.evaluation.parsers._ReaderProcess.ask", end)
        with pytest.raises(UnreadableError, match=r"r.txt: the process that read it ended"):
            read(pool, b"a\n")
    assert len(asked) == len(set(map(id, asked))) == 2
    assert pool.waiting == ()


def test_a_file_that_takes_too_long_is_given_up() -> None:
    pool = ParserPool()
    try:
        with pytest.raises(TooLargeError, match="took more than 0 s"):
            read(pool, b"a\n", ParsingLimits(memory=LIMITS.memory, seconds=0))
        assert pool.waiting == ()
        assert read(pool, b"a\n") == 1
    finally:
        pool.close()


def test_memory_that_no_budget_foresaw_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_too_much(*_: object) -> None:
        raise MemoryError

    target = ("tertium.serve.evaluation.sets", "read_test_set")
    monkeypatch.setattr("tertium.serve.evaluation.sets.read_test_set", read_too_much)
    monkeypatch.setattr(parsers, "limit_process", lambda *_: None)
    answer = parsers.answer_to(pickle.dumps((target, (), {}, LIMITS.memory, 1)))
    kind, *values = Reply(io.BytesIO(answer)).load()
    with pytest.raises(TooLargeError, match=r"r.txt: takes more than 500 MB of memory to read"):
        result_of(kind, values, "r.txt", LIMITS)


def test_a_reply_has_values_and_no_code() -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.system, ("true",)

    with pytest.raises(pickle.UnpicklingError, match="no part of a reply"):
        Reply(io.BytesIO(pickle.dumps(("result", Evil())))).load()


def test_the_processes_of_the_server_are_shared(small_site: Site) -> None:
    assert small_site.app is not None
    assert len(PARSERS.waiting) >= 1
