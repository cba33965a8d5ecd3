"""N-best lists of Moses, Marian and Travatar: fields between ``|||``, one hypothesis a line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

import numpy as np

from tertium.decode.formats.features import (
    FeatureReader,
    feature_columns,
    feature_text,
    unwritable,
)
from tertium.decode.formats.numbered_lines import (
    Damages,
    cut,
    number,
    number_text,
    numbered_lines,
    shortened,
    whole_number,
)
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.text.files import TextFile

FIELDS: Final = ("id", "text", "features", "score", "other")
"""What the option ``fields`` can call a field; ``other`` ones, such as alignments, are not kept."""

# Words as 0-0, with Marian's probabilities as 0-0:0.5; phrases as 5-6=5-6 or 7=7.
_WORDS: Final = re.compile(r"\d+-\d+([:|].*)?", re.ASCII)
_PHRASES: Final = re.compile(r"\d+(-\d+)?=\d+(-\d+)?", re.ASCII)


class _Line(NamedTuple):
    segment: int
    text: str
    features: dict[str, float]
    score: float | None


def lost_beside(nbest: NBest) -> list[str]:
    """What a format of plain text leaves out of what stands beside the hypotheses."""
    lost = []
    if nbest.source is not None or nbest.references:
        lost.append("source and references")
    if nbest.label:
        lost.append("segments that are called by names")
    return lost


@dataclass(frozen=True, slots=True, kw_only=True)
class NBestText:
    """Lists whose fields are in a given order; Moses' unless told otherwise.

    Fields that a line has beyond those named are not kept, as alignments at the end.
    """

    name: ClassVar[str] = "moses"
    holds: ClassVar[type] = NBest
    sign: ClassVar[int] = 1
    fields: tuple[str, ...] = ("id", "text", "features", "score")
    joined: ClassVar[bool] = False

    def __post_init__(self) -> None:
        unknown = [field for field in self.fields if field not in FIELDS]
        if unknown:
            raise OptionError(f"fields: found {unknown[0]!r}, expected one of {', '.join(FIELDS)}")
        named = [field for field in self.fields if field != "other"]
        if len(set(named)) < len(named) or not {"id", "text"} <= set(named):
            raise OptionError(
                f"fields: found {','.join(self.fields)}, expected id and text, each name once"
            )

    def read(self, file: TextFile, damages: Damages) -> Iterator[NBest]:
        """The lists of a file; a segment's lines stand together and segments rise."""
        reader = FeatureReader()
        lines: list[_Line] = []
        scored: bool | None = None
        for line_number, text in numbered_lines(file, damages):
            if not text.strip():
                continue
            location = f"{file.name}: line {line_number}"
            try:
                line = self._line(text, reader)
                scored = line.score is not None if scored is None else scored
                _check_follows(line, lines, scored=scored)
            except ValueError as error:
                damages.add(InputError(f"{location}: {error}"), self._segment(text))
                continue
            if lines and line.segment != lines[0].segment:
                yield _list(lines)
                lines = []
            lines.append(line)
        if lines:
            yield _list(lines)

    def _segment(self, text: str) -> int | None:
        """The number of a line, if that at least can be read."""
        parts = text.split("|||")
        index = self.fields.index("id")
        try:
            return whole_number(parts[index].strip(" \t")) if index < len(parts) else None
        except ValueError:
            return None

    def _line(self, text: str, reader: FeatureReader) -> _Line:
        parts = [part.strip(" \t") for part in text.split("|||")]
        roles = self._roles(parts)
        cells = dict(zip(roles, parts, strict=False))
        if "text" not in cells or "id" not in cells:
            raise ValueError(
                f"found {len(parts)} fields between |||, expected {' ||| '.join(self.fields)}"
            )
        score = cells.get("score", "")
        # The features last: what they are is remembered only of lines that are sound.
        return _Line(
            segment=whole_number(cells["id"]),
            text=cells["text"],
            score=number(score) if score else None,
            features=reader.read(cells.get("features", "")),
        )

    def _roles(self, parts: Sequence[str]) -> Sequence[str]:
        if "features" not in self.fields or len(parts) <= self.fields.index("features"):
            return self.fields
        features = parts[self.fields.index("features")]
        first = features.partition(" ")[0]  # most often it tells, and is quickly looked at
        if features.startswith("WordScores=") or (
            first and (_WORDS.fullmatch(first) or "\t" in first) and _all(_WORDS, features)
        ):
            raise ValueError(
                f"found {shortened(features)}, expected features (the format marian finds them)"
            )
        return self.fields

    def write(self, lists: Iterable[NBest]) -> Iterator[str]:
        """A line for each hypothesis."""
        for nbest in lists:
            for row, hypothesis in enumerate(nbest.hypotheses):
                cells = {"id": str(nbest.segment), "text": hypothesis}
                if nbest.feature_names or nbest.scores is not None:
                    values = nbest.features[row].tolist()
                    cells["features"] = feature_text(
                        nbest.feature_names, values, joined=self.joined
                    )
                if nbest.scores is not None:
                    cells["score"] = number_text(float(nbest.scores[row]))
                last = max(index for index, role in enumerate(self.fields) if role in cells)
                fields = (cells.get(role, "") for role in self.fields[: last + 1])
                yield " ||| ".join(fields) + "\n"

    def losses(self, nbest: NBest) -> list[str]:
        """What would be left out."""
        lost = lost_beside(nbest)
        if not nbest.hypotheses:
            lost.append("a segment without hypotheses")
        if any(text.strip(" \t") != text for text in nbest.hypotheses):
            lost.append("blanks around texts")
        if nbest.feature_names and "features" not in self.fields:
            lost.append("features")
        if nbest.scores is not None and "score" not in self.fields:
            lost.append("scores")
        return lost

    def obstacles(self, nbest: NBest) -> list[str]:
        """What would break the line."""
        texts = (
            text for text in nbest.hypotheses if any(mark in text for mark in ("|||", "\n", "\r"))
        )
        return [
            *(f"the text {shortened(text)}" for text in texts),
            *(f"the feature name {shortened(name)}" for name in unwritable(nbest.feature_names)),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarianText(NBestText):
    """Marian's lists: word scores or an alignment may come before the features.

    Unless ``fields`` are given, each line's fields are told by their shape: the score is the
    last one with a single number, the features the one with names before it.
    """

    name: ClassVar[str] = "marian"
    fields: tuple[str, ...] = ("id", "text", "features", "score")
    by_shape: bool = True

    def _roles(self, parts: Sequence[str]) -> Sequence[str]:
        if not self.by_shape:
            return self.fields
        roles = ["id", "text", *("other" for _ in parts[2:])]
        for index in range(len(parts) - 1, 1, -1):
            shape = shape_of(parts[index])
            if shape != "other" and shape not in roles:
                roles[index] = shape
        return roles


@dataclass(frozen=True, slots=True, kw_only=True)
class TravatarText(NBestText):
    """Travatar's lists: the score comes before the features."""

    name: ClassVar[str] = "travatar"
    joined: ClassVar[bool] = True
    fields: tuple[str, ...] = ("id", "text", "score", "features")


def _check_follows(line: _Line, before: Sequence[_Line], *, scored: bool) -> None:
    if before and line.segment < before[0].segment:
        raise ValueError(
            f"found segment {line.segment} after {before[0].segment}, expected rising ones"
        )
    if scored != (line.score is not None):
        found, expected = ("no", "a") if scored else ("a", "no")
        raise ValueError(f"found {found} score, expected {expected} score as before")


def shape_of(part: str) -> str:
    """What a field is, by its look.

    >>> shape_of("-1.5"), shape_of("F0= -1.5"), shape_of("0-0 1-1"), shape_of("WordScores= -1 -2")
    ('score', 'features', 'other', 'other')
    """
    tokens = cut(part)
    if not tokens or part.startswith("WordScores="):
        return "other"
    if _all(_WORDS, part) or _all(_PHRASES, part):
        return "other"
    if len(tokens) == 1 and tokens[0][-1] not in "=:" and "=" not in tokens[0]:
        return "score"
    return "features"


def _all(pattern: re.Pattern[str], part: str) -> bool:
    return all(pattern.fullmatch(token) for token in cut(part))


def _list(lines: Sequence[_Line]) -> NBest:
    rows = [line.features for line in lines]
    names = feature_columns(rows)
    scores = [line.score for line in lines]
    return NBest(
        segment=lines[0].segment,
        hypotheses=tuple(line.text for line in lines),
        feature_names=names,
        features=np.array([[row.get(name, 0.0) for name in names] for row in rows]),
        scores=None if scores[0] is None else np.array(scores, dtype=np.float64),
    )
