"""What fairseq's ``generate`` and ``interactive`` print: a kind and a number before each line.

``S-0`` source, ``T-0`` reference, then for each hypothesis ``H-0`` (score and tokens), ``D-0``
(score and text, detokenized) and ``P-0`` (log-probabilities of tokens). Segments come in any order
and are sorted; log lines between them are passed over. The numbers are logarithms to base 2, as
fairseq prints them, and are read as natural ones.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import log
from typing import ClassVar, Final

import numpy as np

from tertium.decode.formats.numbered_lines import (
    IMPOSSIBLE,
    Damages,
    cut,
    log_probability,
    number,
    numbered_lines,
    shortened,
    with_log_probabilities,
)
from tertium.decode.formats.table import OnlyRead
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.text.files import TextFile

LINE: Final = re.compile(r"([A-Z])-(\d{1,9})\t(.*)", re.ASCII | re.DOTALL)
"""A kind, a segment, the rest; other kinds, such as alignments (A) and times (W), are not kept."""


@dataclass(slots=True, kw_only=True)
class _Segment:
    source: str | None = None
    references: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    sums: list[float | None] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairseq(OnlyRead):
    """The lists of a run; texts are the detokenized ones where there are.

    The score of a hypothesis is fairseq's, which divides by the length; it is also the feature
    ``score``. The feature ``logprobs`` is the sum over tokens, if the run printed them.
    """

    name: ClassVar[str] = "fairseq"

    def read(self, file: TextFile, damages: Damages) -> Iterator[NBest]:
        """The lists of a file, by their numbers."""
        segments: dict[int, _Segment] = {}
        for line_number, text in numbered_lines(file, damages):
            match = LINE.match(text)
            if match is None:
                continue
            kind, number, rest = match[1], int(match[2]), match[3]
            try:
                _add(segments.setdefault(number, _Segment()), kind, rest)
            except ValueError as error:
                location = f"{file.name}: line {line_number}"
                damages.add(InputError(f"{location}: {kind}-{number}: {error}"), number)
        for number in sorted(segments):
            segment = segments[number]
            if segment.texts:
                yield _list(number, segment)
            elif number not in damages.segments:
                damages.add(
                    InputError(f"{file.name}: found no line H-{number}, expected one"), number
                )


def _add(segment: _Segment, kind: str, rest: str) -> None:
    match kind:
        case "S":
            segment.source = rest
        case "T":
            segment.references.append(rest)
        case "H":
            score, text = _scored(rest)
            segment.texts.append(text)
            segment.scores.append(score)
            segment.sums.append(None)
        case "D" | "P" if not segment.texts:
            raise ValueError("found it before any H line, expected it behind one")
        case "D":
            segment.texts[-1] = _scored(rest)[1]
        case "P":
            segment.sums[-1] = sum(_natural(value) for value in cut(rest))


def _scored(rest: str) -> tuple[float, str]:
    score, tab, text = rest.partition("\t")
    if not tab:
        raise ValueError(f"found {shortened(rest)}, expected a score, a tab and a text")
    return _natural(score), text


def _natural(text: str) -> float:
    if text.strip().lower() in {"-inf", "-infinity"}:
        return IMPOSSIBLE
    return log_probability(number(text) * log(2), "score")


def _list(number: int, segment: _Segment) -> NBest:
    scores = np.array(segment.scores)
    nbest = NBest(
        segment=number,
        hypotheses=tuple(segment.texts),
        feature_names=("score",),
        features=scores.reshape(-1, 1),
        scores=scores,
        source=segment.source,
        references=tuple(segment.references),
    )
    known = [value for value in segment.sums if value is not None]
    return with_log_probabilities(nbest, np.array(known) if len(known) == len(nbest) else None)
