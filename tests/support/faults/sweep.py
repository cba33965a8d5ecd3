"""Lets the n-th call of a scenario fail, n from 1 until it completes: ``python -m … NAME``.

``--sample K`` tries K values of n, spread over all. Ends with 1 if something did not hold.
"""

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.support.faults.control import PAGE, Fault, FaultPage, preloaded, why_not
from tests.support.faults.scenarios import SCENARIOS, Outcome, Scenario

MOST: Final = 100_000
"""Runs after which something must be wrong with the sweep itself."""
SHOWN: Final = 12

FAULTS: Final = {
    "writes": (
        *(
            Fault(calls="writes", error=error, persistent=persistent)
            for error in ("EIO", "ENOSPC")
            for persistent in (False, True)
        ),
        Fault(calls="writes", error="short"),
    ),
    "reads": (
        Fault(calls="reads", error="EIO"),
        Fault(calls="reads", error="EIO", persistent=True),
        Fault(calls="reads", error="short"),
        Fault(calls="reads", error="short", persistent=True),
    ),
    "allocations": (
        Fault(calls="allocations", error="ENOMEM"),
        Fault(calls="allocations", error="ENOMEM", persistent=True),
    ),
    "threads": (
        Fault(calls="threads", error="EAGAIN"),
        Fault(calls="threads", error="EAGAIN", persistent=True),
    ),
}


@dataclass(slots=True)
class Swept:
    """How many points were tried, in how many of them a call failed, and what did not hold."""

    points: int = 0
    fired: int = 0
    problems: list[str] = field(default_factory=list)


def numbers(calls: int, sample: int) -> Iterator[int]:
    """The first calls, the last and some between; without a sample one after the other."""
    if not sample:
        yield from range(1, MOST)
        return
    step = max(1.0, calls / sample)
    chosen = {1, 2, 3, calls, *(round(1 + step * at) for at in range(sample))}
    yield from sorted(number for number in chosen if 1 <= number <= calls)


def _make_room() -> None:
    """Let the table of objects of the C++ core grow to its size before any allocation fails.

    nanobind enters each object there by a function that must not throw: a failure ends the
    process, and is not ours to mend.
    """
    from tertium._native import Texts

    objects = [Texts([""]) for _ in range(1 << 14)]
    objects.clear()


def sweep(name: str, fault: Fault, folder: Path, sample: int) -> Swept:
    """One scenario under one kind of fault."""
    scenario, page, swept = SCENARIOS[name], FaultPage(), Swept()
    folder.mkdir(parents=True)
    temporary = folder / "tmp"
    temporary.mkdir()
    tempfile.tempdir = str(temporary)  # what is spooled there may fail, too
    state = scenario.begin(folder)
    if fault.calls == "allocations":
        _make_room()
    for _ in range(2):  # what is imported or cached once is so the first time
        scenario.prepare(state)
        with page.armed(fault, folder, 0):
            outcome = _outcome(scenario, state)
        calls = page.calls
        swept.problems += [f"without a fault: {one}" for one in _problems(scenario, state, outcome)]
    if swept.problems:
        return swept
    for number in numbers(calls, sample):
        scenario.prepare(state)
        with page.armed(fault, folder, number):
            outcome = _outcome(scenario, state)
        fired = page.fired
        swept.points += 1
        swept.fired += fired > 0
        swept.problems += [
            f"{name}, {fault}, call {number}: {one}" for one in _problems(scenario, state, outcome)
        ]
        if not sample and not fired:
            break
        if len(swept.problems) > SHOWN:
            break
    return swept


def _outcome(scenario: Scenario, state: object) -> Outcome:
    try:
        return Outcome(scenario.act(state), None)
    except Exception as error:  # noqa: BLE001 - judged by the caller
        return Outcome(None, error)


def _problems(scenario: Scenario, state: object, outcome: Outcome) -> list[str]:
    found = []
    error = outcome.error
    if error is not None and type(error).__name__ not in scenario.refusals:
        where = traceback.format_exception(error)[-3:]
        found.append(f"ended by {type(error).__name__}: {' '.join(' '.join(where).split())[-600:]}")
    return found + list(scenario.check(state, outcome))


def main() -> int:
    """Sweep some scenarios; in a new process if the library is not loaded yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(SCENARIOS), metavar="NAME")
    parser.add_argument("--sample", type=int, default=0, metavar="K")
    parser.add_argument("--calls", choices=FAULTS)
    arguments = parser.parse_args()
    if reason := why_not():
        print(reason)
        return 0
    if PAGE not in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            variables = preloaded(Path(folder))
            words = [sys.executable, "-m", "tests.support.faults.sweep", *sys.argv[1:]]
            return os.spawnve(os.P_WAIT, sys.executable, words, {**os.environ, **variables})  # noqa: S606
    total = Swept()
    for name in arguments.names:
        kinds = [arguments.calls] if arguments.calls else SCENARIOS[name].faults
        for fault in (one for kind in kinds for one in FAULTS[kind]):
            with tempfile.TemporaryDirectory(dir=Path(os.environ[PAGE]).parent) as folder:
                swept = sweep(name, fault, Path(folder).resolve() / "files", arguments.sample)
            print(f"{name}, {fault}: {swept.points} points, {swept.fired} with a fault", flush=True)
            for problem in swept.problems:
                print(f"  {problem}", flush=True)
            total.points += swept.points
            total.fired += swept.fired
            total.problems += swept.problems
    print(
        f"{total.points} points tried, {total.fired} with a fault, {len(total.problems)} problems"
    )
    return 1 if total.problems else 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # servers that run in threads are not waited for
