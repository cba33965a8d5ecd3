"""What a line of a ratings file says, before lines are put together."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tertium.errors import InputError
from tertium.meta.ratings.judgments import Exclusion
from tertium.text.numbers.decimals import number_in, whole

_PAIR: Final = re.compile(r"[a-z]{2,3}-[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")


UNRANKED: Final = -1


class Rating(NamedTuple):
    """One number for a system or a segment of it; ``segment`` counts from 0, None is all.

    ``kind`` is empty for outputs of systems and names a control else (`tertium.meta.spans.span`);
    ``begin`` and ``seconds`` are when the work on it began and how long it took, if known;
    ``document`` is the name of the document that the segment is of. ``located`` says whether the
    segment is the test set's number, or only tells items apart.
    """

    place: str
    system: str
    value: float
    criterion: str
    pair: str = ""
    testset: str = ""
    domain: str = ""
    segment: int | None = None
    judge: str = ""
    kind: str = ""
    begin: float | None = None
    seconds: float | None = None
    document: str = ""
    located: bool = True


class Ranking(NamedTuple):
    """Some systems' output of one segment in a judge's order; a lower rank is better.

    A system without a name, or with the rank −1, was not ranked. ``texts`` are the outputs that
    were shown, and ``source``, if the file has them; ``located`` is as in `Rating`.
    """

    place: str
    pair: str
    segment: int
    judge: str
    systems: tuple[str, ...]
    ranks: tuple[int, ...]
    criterion: str = "rank"
    testset: str = ""
    texts: tuple[str, ...] = ()
    source: str = ""
    located: bool = True


@dataclass(slots=True)
class OmissionCounts:
    """Counts what is left out while files are read; the first of each kind is the example."""

    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, reason: str, example: str, count: int = 1, *, pair: str = "") -> None:
        """Count something that is left out of a language pair, or of all."""
        key = (pair, reason)
        self.counts[key] = self.counts.get(key, 0) + count
        self.examples.setdefault(key, example)

    def exclusions(self, pair: str | None = None) -> tuple[Exclusion, ...]:
        """All that was left out, or what concerns one language pair."""
        return tuple(
            Exclusion(reason=reason, count=count, example=self.examples[of, reason], pair=of)
            for (of, reason), count in self.counts.items()
            if count and (pair is None or of in {"", pair})
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRows:
    """All that some files say, and what was left out or mended while they were read."""

    ratings: tuple[Rating, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()


def is_pair(text: str) -> bool:
    """Whether a text is a language pair.

    >>> is_pair("es-en"), is_pair("zh-en.mqm"), is_pair("en-zh_TW")
    (True, False, True)
    """
    return _PAIR.fullmatch(text) is not None


def read_value(text: str, place: str, grades: Mapping[str, float] | None = None) -> float:
    """A number, the number of a grade, or NaN for what was not rated."""
    if grades is not None and text.strip() in grades:
        return grades[text.strip()]
    more = f", a grade ({' '.join(grades)})" if grades else ""
    return number_in(text, place, expected=f"a number{more} or None")


def read_segment(text: str, place: str) -> int:
    """A segment's place from 0 on; files count from 1.

    >>> read_segment("1", "ratings.tsv:2")
    0
    """
    number = whole(text)
    if not number:
        raise InputError(f"{place}: segment '{text}', expected a number from 1 on")
    return number - 1
