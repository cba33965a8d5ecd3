"""Flat lists: plain text with the same number of lines for every segment."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from typing import ClassVar, cast

import numpy as np

from tertium.decode.formats.nbest_text import lost_beside
from tertium.decode.formats.numbered_lines import (
    IMPOSSIBLE,
    Damages,
    line_blocks,
    number,
    numbered_lines,
    shortened,
    with_log_probabilities,
)
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.plurals import counted
from tertium.text.files import TextFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """``size`` lines a segment; log-probabilities, if any, in a file with as many lines.

    Without a size, lists are written that all have as many hypotheses as the first.
    """

    name: ClassVar[str] = "flat"
    holds: ClassVar[type] = NBest
    sign: ClassVar[int] = 1
    size: int | None = None
    logprobs: str | None = None

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 1:
            raise OptionError(f"size: found {self.size}, expected at least 1 hypothesis a segment")

    def read(self, file: TextFile, damages: Damages) -> Iterator[NBest]:
        """The lists of a file; a number that is none costs the whole segment."""
        if self.size is None:
            raise OptionError("size: found none, expected the number of lines a segment (--lines)")
        if self.logprobs is None:
            yield from self._plain(file, self.size)
            return
        texts: list[str] = []
        scores: list[float] = []
        damage: InputError | None = None
        segment = 0
        for text, score in zip_longest(_lines(file), self._scores()):
            if text is None:
                raise InputError(
                    f"{self.logprobs}: more numbers than lines, expected as many as in {file.name}"
                )
            if isinstance(score, InputError):
                damage = damage or score
            elif score is not None:
                scores.append(score)
            else:
                raise InputError(
                    f"{self.logprobs}: fewer numbers than lines, expected as many as in {file.name}"
                )
            texts.append(text)
            if len(texts) == self.size:
                if damage is not None:
                    damages.add(damage, segment)
                else:
                    yield _list(segment, texts, scores)
                texts, scores, damage = [], [], None
                segment += 1
        if texts:
            raise _uneven(file, segment * self.size + len(texts), self.size)

    def _plain(self, file: TextFile, size: int) -> Iterator[NBest]:
        """Lines without numbers: whole blocks of them are cut at once."""
        segment = 0
        rest: list[str] = []
        for _, lines in line_blocks(file):
            all_text = set(map(type, lines)) <= {str}  # much faster than to look at each
            good = cast("list[str]", lines if all_text else list(takewhile(_is_text, lines)))
            ready = [*rest, *good]
            whole = len(ready) - len(ready) % size
            for start in range(0, whole, size):
                yield NBest(segment=segment, hypotheses=tuple(ready[start : start + size]))
                segment += 1
            if len(good) < len(lines):
                raise lines[len(good)]  # type: ignore[misc]  # the first that is no text
            rest = ready[whole:]
        if rest:
            raise _uneven(file, segment * size + len(rest), size)

    def _scores(self) -> Iterator[float | InputError]:
        if self.logprobs is None:
            return
        numbers = TextFile.find(self.logprobs)
        for index, text in enumerate(_lines(numbers), 1):
            try:
                yield _number(text.strip())
            except ValueError as error:
                yield InputError(f"{numbers.name}: line {index}: {error}")

    def write(self, lists: Iterable[NBest]) -> Iterator[str]:
        """A line for each hypothesis."""
        size = self.size
        for nbest in lists:
            size = len(nbest) if size is None else size
            if len(nbest) != size:
                raise InputError(
                    f"segment {nbest.segment}: found {counted(len(nbest), 'hypothesis')}, expected "
                    f"{size} as before"
                )
            for hypothesis in nbest.hypotheses:
                yield hypothesis + "\n"

    def losses(self, nbest: NBest) -> list[str]:
        """What would be left out."""
        lost = lost_beside(nbest)
        if nbest.scores is not None:
            lost.append("scores")
        if nbest.feature_names:
            lost.append("features")
        return lost

    def obstacles(self, nbest: NBest) -> list[str]:
        """What is more than a line."""
        return [
            f"the text {shortened(text)}"
            for text in nbest.hypotheses
            if "\n" in text or text.endswith("\r")
        ]


def _is_text(line: str | InputError) -> bool:
    return isinstance(line, str)


def _uneven(file: TextFile, lines: int, size: int) -> InputError:
    found = f"{file.name}: {counted(lines, 'line')}"
    return InputError(f"{found}, expected a multiple of {size} (lines a segment)")


def _lines(file: TextFile) -> Iterator[str]:
    """The lines; one that is left out would shift all that follow, so bad bytes are an error."""
    for _, line in numbered_lines(file, Damages()):
        yield line


def _number(text: str) -> float:
    return IMPOSSIBLE if text.lower() in {"-inf", "-infinity"} else number(text)


def _list(segment: int, texts: list[str], scores: list[float]) -> NBest:
    return with_log_probabilities(NBest(segment=segment, hypotheses=tuple(texts)), np.array(scores))
