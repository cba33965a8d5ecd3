"""Programs that score, each started when it is first asked and kept until we end."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any, Final, Self

from tertium.errors import InputError, OptionError
from tertium.metrics.foreign.cached_scores import Question
from tertium.metrics.foreign.notices import say, show
from tertium.metrics.foreign.worker import Died, Worker
from tertium.plurals import counted

PATIENCE: Final = 2.0
"""Seconds before a word on how far it is is worth a line."""

_RUNNING: Final[dict[tuple[str, float], "_Running"]] = {}
_LOCK: Final = Lock()


@dataclass(slots=True)
class _Running:
    worker: Worker
    restarted: bool = False
    lock: Any = field(default_factory=Lock)


def ask_program(
    run: str, questions: Sequence[Question], *, name: str, batch: int, timeout: float
) -> Iterator[list[float | None]]:
    """The answers of a program, a batch at a time; one that dies is started again, once."""
    key = run, timeout
    with _LOCK:
        if key not in _RUNNING:
            _RUNNING[key] = _Running(Worker(words_of(run), name=name, timeout=timeout))
        running = _RUNNING[key]
    with running.lock, _Progress(name, len(questions)) as progress:
        try:
            for answers in _answers(running, questions, batch, name):
                progress.add(len(answers))
                yield answers
        except BaseException:  # Ctrl-C, too: nobody would read what it still says
            running.worker.kill()
            with _LOCK:
                _RUNNING.pop(key, None)
            raise


def stop_programs() -> None:
    """End all programs that run; who asks again starts them anew.

    A program that has said more than it was asked for is an error.
    """
    with _LOCK:
        stopped = list(_RUNNING.values())
        _RUNNING.clear()
    for running in stopped:
        running.worker.close()


def words_of(run: str) -> list[str]:
    """The words of a command as a shell would cut them; no shell runs it."""
    try:
        words = shlex.split(run)
    except ValueError as error:
        raise OptionError(f"option run: found '{run}' ({error}), expected a command") from None
    if not words:
        raise OptionError('command: found no program, expected command[run="PROGRAM …"]')
    return words


def _answers(
    running: _Running, questions: Sequence[Question], batch: int, name: str
) -> Iterator[list[float | None]]:
    done = 0
    while done < len(questions):
        # The first text goes alone: it takes as long as the program needs to get ready.
        size = batch if running.worker.answered else 1
        found: list[float | None] = []
        try:
            for answer in running.worker.ask(_rows(questions[done : done + size])):
                found.append(answer)  # noqa: PERF402 - what there was before a death counts
        except Died:
            done += len(found)
            if found:
                yield found
            _restart(running, name, done, len(questions))
            continue
        done += len(found)
        if done == len(questions):
            # Before anybody counts on them: one answer too many may have shifted all. What comes
            # later is seen at the next call or at the end, so that no call has to wait for it.
            with suppress(Died):
                running.worker.check_silence()
        yield found


def _restart(running: _Running, name: str, done: int, total: int) -> None:
    """Start the program again, unless it never worked or has died before."""
    dead = running.worker
    end = dead.end
    dead.kill()
    place = f"{name}: the program {end}"
    if not dead.answered:
        raise InputError(f"{place}, expected answers to {counted(total, 'text')}")
    if running.restarted:
        raise InputError(
            f"{place} after {done} of {total} texts, expected answers to all; it was restarted "
            "once before"
        )
    say(f"{place} after {done} of {total} texts; restarting it")
    running.worker = Worker(dead.words, name=name, timeout=dead.timeout)
    running.restarted = True


def _rows(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Questions as they are written; the last of a batch says so, for who scores in batches."""
    rows: list[dict[str, Any]] = [
        {
            "source": one.source,
            "hypothesis": one.hypothesis,
            "references": list(one.references),
        }
        for one in questions
    ]
    rows[-1]["last"] = True
    return rows


class _Progress:
    """A line on a terminal that says how far a program is, and is gone when it is done."""

    def __init__(self, name: str, total: int) -> None:
        self._name, self._total, self._done = name, total, 0
        self._began, self._shown = monotonic(), False

    def __enter__(self) -> Self:
        return self

    def add(self, count: int) -> None:
        self._done += count
        if sys.stderr.isatty() and monotonic() - self._began > PATIENCE:
            self._shown = True
            show(f"{self._name}: {self._done} of {self._total} texts")

    def __exit__(self, *_: object) -> None:
        if self._shown:
            show("")
