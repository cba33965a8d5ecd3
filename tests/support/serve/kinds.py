"""Kinds of jobs for tests, and a worker that knows them.

As a program it is such a worker: ``python -m tests.support.serve.kinds``.
"""

import time
from pathlib import Path
from typing import Any

from tertium.errors import InputError
from tertium.serve.queue import KINDS, JobOutcome, Progress
from tertium.serve.store.connection import Store

TESTED = {
    name: f"tests.support.serve.kinds:{name}"
    for name in ("count_up", "complain", "break_down", "wait_for", "sleep_on", "hold_memory")
}


def count_up(_store: Store, payload: dict[str, Any], progress: Progress) -> JobOutcome:
    """Add up the numbers below one."""
    for number in range(payload["to"]):
        progress(number / payload["to"], f"{number} of {payload['to']}")
    return JobOutcome(result={"sum": sum(range(payload["to"]))}, file=b"sum", file_name="sum.txt")


def complain(_store: Store, _payload: dict[str, Any], _progress: Progress) -> JobOutcome:
    """Say that the input is wrong."""
    raise InputError("text: found none, expected some")


def break_down(_store: Store, _payload: dict[str, Any], _progress: Progress) -> JobOutcome:
    """Fail as only a mistake in the program does."""
    raise ZeroDivisionError


def wait_for(_store: Store, payload: dict[str, Any], progress: Progress) -> JobOutcome:
    """Say by a file that it has begun, then wait for another file, and heed a cancel."""
    with Path(payload["begun"]).open("a", encoding="utf-8") as file:
        file.write("begun\n")
    while not Path(payload["end"]).exists():
        progress(0.5, "waiting")
        time.sleep(0.02)
    return JobOutcome(result={"waited": True})


def sleep_on(_store: Store, payload: dict[str, Any], _progress: Progress) -> JobOutcome:
    """Heed nothing."""
    Path(payload["begun"]).touch()
    time.sleep(3600)
    return JobOutcome()


_HELD: list[bytearray] = []


def hold_memory(_store: Store, payload: dict[str, Any], _progress: Progress) -> JobOutcome:
    """Never give back so many bytes."""
    _HELD.append(bytearray(b"x") * payload["bytes"])
    return JobOutcome(result={"held": len(_HELD[0])})


if __name__ == "__main__":
    from tertium.serve.workers import main

    KINDS.update(TESTED)
    main()
