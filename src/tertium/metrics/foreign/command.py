"""A metric that another program computes, in an environment of its own."""

import hashlib
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import ClassVar, Final, Literal

from tertium.errors import OptionError
from tertium.metrics.contract.options import Option, option
from tertium.metrics.contract.table import METRICS
from tertium.metrics.foreign.cache import Identity
from tertium.metrics.foreign.cached_scores import Question
from tertium.metrics.foreign.identity import UNKNOWN, ForeignMetric
from tertium.metrics.foreign.segment_metric import SegmentScore, Sources
from tertium.metrics.foreign.workers import ask_program, words_of

_LARGEST: Final = 1 << 24
"""Bytes of a file in a command up to which its contents are part of the metric's identity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandMetric(ForeignMetric):
    """A program that reads lines of JSON and answers each with a number.

    A line has ``source``, ``hypothesis`` and ``references``; the last of a batch has ``last``. An
    answer is a number, ``null`` or ``{"score": number}``. Texts that the cache knows are not
    asked for.
    """

    name: ClassVar[str] = "command"
    summary: ClassVar[str] = "scores that a program of yours computes"

    run: str = option("", 'the program and its words, such as "python score.py"')
    source: Literal["auto", "yes", "no"] = option("auto", "send sources: where they are known")
    references: bool = option(True, "send references")
    batch: int = option(64, "texts sent at a time")
    timeout: float = option(600.0, "seconds to wait for an answer")
    cache: bool = option(True, "keep scores, so that each text is scored once")

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
        return [one for some in self.answers(list(asked)) for one in some]

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
            self.run, questions, name=self.shown_name, batch=self.batch, timeout=self.timeout
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
