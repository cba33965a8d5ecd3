"""A metric that another program computes, in an environment of its own."""

import hashlib
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from threading import Lock
from time import monotonic
from typing import Any, ClassVar, Final, Literal, Self

from tertium.errors import InputError, OptionError
from tertium.metrics.contract.options import Option, option
from tertium.metrics.contract.table import METRICS
from tertium.metrics.foreign.cache import Identity, Question, say, show
from tertium.metrics.foreign.identity import UNKNOWN, ForeignMetric
from tertium.metrics.foreign.segment_metric import SegmentScore, Sources
from tertium.metrics.foreign.worker import Died, Worker
from tertium.plurals import counted

# Programs that score, each started when it is first asked and kept until we end.

PATIENCE: Final = 2.0
"""Seconds before a word on how far it is is worth a line."""

_RUNNING: Final[dict[tuple[str, float], "_Running"]] = {}
_LOCK: Final = Lock()


PAIRS_AT_ONCE: Final = 4096
"""Pairs of texts in one batch, for a program that has the texts."""
MOST_TEXTS: Final = 1 << 16
"""Texts that a program has to remember at most, but for those of one batch of pairs."""


@dataclass(slots=True)
class _Running:
    worker: Worker
    restarted: bool = False
    numbers: dict[str, int] = field(default_factory=dict)  # of the texts that the program has
    lock: Any = field(default_factory=Lock)


def ask_program(
    run: str,
    questions: Sequence[Question],
    *,
    name: str,
    batch: int,
    timeout: float,
    encode: bool = False,
) -> Iterator[list[float | None]]:
    """The answers of a program, a batch at a time; one that dies is started again, once.

    With ``encode`` it is given each text once, ``batch`` at a time, and then pairs of numbers.
    """
    key = run, timeout
    with _LOCK:
        if key not in _RUNNING:
            _RUNNING[key] = _Running(Worker(words_of(run), name=name, timeout=timeout))
        running = _RUNNING[key]
    with running.lock, _Progress(name, len(questions)) as progress:
        try:
            for answers in _answers(running, questions, batch, name, encode=encode):
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
    for metric in stopped:
        metric.worker.close()


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
    running: _Running, questions: Sequence[Question], batch: int, name: str, *, encode: bool
) -> Iterator[list[float | None]]:
    done = 0
    while done < len(questions):
        scores: list[float | None] = []
        try:
            if encode:
                some = questions[done : done + PAIRS_AT_ONCE]
                _give_texts(running, some, batch)
                rows = [_numbered(question, running.numbers) for question in some]
            else:
                # The first text goes alone: it takes as long as the program needs to get ready.
                rows = _rows(questions[done : done + (batch if running.worker.answered else 1)])
            rows[-1]["last"] = True
            for answer in running.worker.ask(rows):
                scores.append(answer)  # noqa: PERF402 - what there was before a death counts
        except Died:
            done += len(scores)
            if scores:
                yield scores
            _restart(running, name, done, len(questions))
            continue
        done += len(scores)
        if done == len(questions):
            # Before anybody counts on them: one answer too many may have shifted all. What comes
            # later is seen at the next call or at the end, so that no call has to wait for it.
            with suppress(Died):
                running.worker.check_silence()
        yield scores


def _restart(running: _Running, name: str, done: int, total: int) -> None:
    """Start the program again, unless it never worked or has died before."""
    dead = running.worker
    end = dead.end
    dead.kill()
    location = f"{name}: the program {end}"
    if not dead.answered:
        raise InputError(f"{location}, expected answers to {counted(total, 'text')}")
    if running.restarted:
        raise InputError(
            f"{location} after {done} of {total} texts, expected answers to all; it was restarted "
            "once before"
        )
    say(f"{location} after {done} of {total} texts; restarting it")
    running.worker = Worker(dead.words, name=name, timeout=dead.timeout)
    running.restarted = True
    running.numbers.clear()


def _give_texts(running: _Running, questions: Sequence[Question], batch: int) -> None:
    """Give a program the texts of the questions that it does not have; they get numbers.

    It answers each line with how many texts it has: another number means that it did not read them.
    """
    numbers = running.numbers
    if len(numbers) > MOST_TEXTS:
        numbers.clear()
    given = len(numbers)
    for question in questions:
        for text in (question.hypothesis, *question.references, question.source):
            if text is not None:
                numbers.setdefault(text, len(numbers))
    texts = list(numbers)[given:]
    for begin in range(0, len(texts), batch):
        some = texts[begin : begin + batch]
        expected = given + begin + len(some)
        for count in running.worker.ask([{"texts": some, "first": given + begin}]):
            if count == expected:
                continue
            shown = "null" if count is None else f"{count:g}"
            raise InputError(
                f"{running.worker.name}: found the answer {shown} to a line of texts, expected "
                f"{expected}, how many it has (encode=no sends the texts with each pair)"
            )


def _numbered(question: Question, numbers: dict[str, int]) -> dict[str, Any]:
    """A question with the numbers of its texts."""
    return {
        "source": None if question.source is None else numbers[question.source],
        "hypothesis": numbers[question.hypothesis],
        "references": [numbers[text] for text in question.references],
    }


def _rows(questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Questions as they are written; the last of a batch says so, for who scores in batches."""
    return [
        {
            "source": question.source,
            "hypothesis": question.hypothesis,
            "references": list(question.references),
        }
        for question in questions
    ]


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


_LARGEST: Final = 1 << 24
"""Bytes of a file in a command up to which its contents are part of the metric's identity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandMetric(ForeignMetric):
    """A program that reads lines of JSON and answers each with a number.

    A line has ``source``, ``hypothesis`` and ``references``; the last of a batch has ``last``. An
    answer is a number, ``null`` or ``{"score": number}``. Texts that the cache knows are not
    asked for. With ``encode`` each text comes once, in lines with ``texts`` and ``first``, the
    number of the first of them, and the other lines have numbers in the place of texts.
    """

    name: ClassVar[str] = "command"
    summary: ClassVar[str] = "scores that a program of yours computes"

    run: str = option("", 'the program and its words, such as "python score.py"')
    source: Literal["auto", "yes", "no"] = option("auto", "send sources: where they are known")
    references: bool = option(True, "send references")
    batch: int = option(64, "texts sent at a time")
    timeout: float = option(600.0, "seconds to wait for an answer")
    cache: bool = option(True, "keep scores, so that each text is scored once")
    encode: bool = option(False, "send each text once, then pairs by their numbers")

    def __post_init__(self) -> None:
        if self.batch < 1 or not self.timeout > 0:
            raise OptionError(
                f"command: found batch={self.batch} and timeout={self.timeout:g}, "
                "expected numbers above 0"
            )

    @property
    def spec(self) -> str:
        """The name, if it was told; else the command, without the folders of its files."""
        if self.label and self.label.lower() not in METRICS:
            return self.label
        return replace(self, run=_without_folders(self.run)).written(Option.to_text)

    def signature(self, references: str | int = 1) -> str:
        """The identity, with the command as it is called anywhere."""
        return ForeignMetric.signature(replace(self, run=_without_folders(self.run)), references)

    @property
    def needs_sources(self) -> bool:
        """Only if told so: a program gets those that are known anyway."""
        return self.source == "yes"

    def scores(
        self, sources: Sources, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
    ) -> list[SegmentScore]:
        """What the program answers."""
        known = [None] * len(hypotheses) if sources is None else list(sources)
        asked = map(self.question, known, hypotheses, map(list, references))
        return [score for some in self.answers(list(asked)) for score in some]

    def question(self, source: str | None, hypothesis: str, references: list[str]) -> Question:
        """What the program is told of a segment."""
        return Question(
            source=None if self.source == "no" else source,
            hypothesis=hypothesis,
            references=tuple(references) if self.references else (),
        )

    def answers(self, questions: Sequence[Question]) -> Iterator[list[SegmentScore]]:
        """What the program says, a batch at a time."""
        return ask_program(
            self.run,
            questions,
            name=self.shown_name,
            batch=self.batch,
            timeout=self.timeout,
            encode=self.encode,
        )

    @property
    def identity(self) -> Identity | None:
        """What scores are kept under; where no version is told, a changed script is another."""
        words = words_of(self.run)
        if not self.cache:
            return None
        scripts = _digests(words) if self.release == UNKNOWN else ()
        return Identity(
            name=self.shown_name,
            model=self.model,
            version=self.release,
            precision=self.precision,
            rest=" ".join([self.run, *scripts]),
        )


def _without_folders(run: str) -> str:
    """A command with its files named alone."""
    try:
        words = shlex.split(run)
    except ValueError:
        return run
    return shlex.join(PurePath(word).name if "/" in word else word for word in words)


def _digests(words: Sequence[str]) -> Iterator[str]:
    """Hashes of the files that a command names, such as its script."""
    for word in words:
        path = Path(word)
        try:
            if path.is_file() and path.stat().st_size <= _LARGEST:
                yield hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        except OSError:
            continue
