"""Seconds and peak memory of one piece of work, each run in a process of its own.

A fresh process has no warm caches, and its peak memory is its own. Of several runs the
smallest figures are kept: whatever else the machine does can only add to them.

As a script, ``measure.py MODULE:FUNCTION HYPOTHESES REFERENCES`` is that process: it calls
the function once on a few other segments, so that imports are done, waits until the threads of
numpy's linear algebra, which look for work after its import, have gone to sleep, then calls it in
earnest.
"""

import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from case import Command, Strings, Work
from data import read_pairs, text_files, warm_up_pairs

_ENOUGH_SECONDS: Final = 8.0  # slow work is not repeated past this
_SETTLED_SECONDS: Final = 0.5  # after an import, until its threads rest
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The smallest figures of some runs."""

    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int
    score: float | None
    runs: int = 1


class FailedRunError(Exception):
    """The measured process ended with an error; the message is its last line."""


def measure(
    work: Work, folder: Path, segments: int, *, threads: int | None, repeat: int
) -> Measurement:
    """Run the work up to ``repeat`` times; ``threads`` limits ours, None is its default."""
    environment = {key: value for key, value in os.environ.items() if key != "TERTIUM_THREADS"}
    if threads is not None:
        environment["TERTIUM_THREADS"] = str(threads)
    files = text_files(folder, segments)
    run = _command_run(work, files) if isinstance(work, Command) else _strings_run(work, files)
    runs: list[Measurement] = []
    while len(runs) < repeat and sum(one.wall_seconds for one in runs) < _ENOUGH_SECONDS:
        runs.append(run(environment))
    return Measurement(
        wall_seconds=min(one.wall_seconds for one in runs),
        cpu_seconds=min(one.cpu_seconds for one in runs),
        peak_bytes=min(one.peak_bytes for one in runs),
        score=runs[0].score,
        runs=len(runs),
    )


def _command_run(
    command: Command, files: tuple[Path, Path]
) -> Callable[[dict[str, str]], Measurement]:
    hypotheses, references = map(str, files)
    words = [word.format(hypotheses=hypotheses, references=references) for word in command.words]

    def run(environment: dict[str, str]) -> Measurement:
        with tempfile.TemporaryFile() as errors:
            start = time.perf_counter()
            process = subprocess.Popen(
                words, env=environment, stdout=subprocess.DEVNULL, stderr=errors
            )
            _, status, usage = os.wait4(process.pid, 0)  # the usage of this child alone
            seconds = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            _check(process.returncode, errors.read().decode(errors="replace"))
        return Measurement(
            wall_seconds=seconds,
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            peak_bytes=usage.ru_maxrss * _RSS_UNIT,
            score=None,
        )

    return run


def _strings_run(
    work: Strings, files: tuple[Path, Path]
) -> Callable[[dict[str, str]], Measurement]:
    address = f"{work.__module__}:{work.__name__}"
    words = [sys.executable, __file__, address, *map(str, files)]

    def run(environment: dict[str, str]) -> Measurement:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        _check(done.returncode, done.stderr)
        return Measurement(**json.loads(done.stdout.splitlines()[-1]))

    return run


def _check(code: int, errors: str) -> None:
    if code != 0:
        raise FailedRunError((errors.strip() or f"exit code {code}").splitlines()[-1])


def _main(address: str, hypotheses: str, references: str) -> None:
    module, _, name = address.partition(":")
    work: Strings = getattr(importlib.import_module(module), name)
    pairs = read_pairs(Path(hypotheses), Path(references))
    work(*warm_up_pairs())
    time.sleep(_SETTLED_SECONDS)
    wall, cpu = time.perf_counter(), time.process_time()
    score = work(*pairs)
    measurement = Measurement(
        wall_seconds=time.perf_counter() - wall,
        cpu_seconds=time.process_time() - cpu,
        peak_bytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT,
        score=score,
    )
    print(json.dumps(asdict(measurement)))


if __name__ == "__main__":
    _main(*sys.argv[1:])
