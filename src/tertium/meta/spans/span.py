"""Marked errors as values: a span, a rater's look at one output, and all looks at a test set."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from tertium.errors import InputError
from tertium.meta.ratings.entries import OmissionCounts
from tertium.meta.ratings.judgments import Exclusion

Side: TypeAlias = Literal["target", "source"]

Kind: TypeAlias = Literal["", "degraded", "reference", "check"]
"""What was shown: a system's output, or a control: one that was damaged, a human translation, or a
check of attention, whose score is 1 if it was passed and 0 if not."""

SEVERITIES: Final = ("neutral", "minor", "major", "critical")
"""From the lightest to the heaviest; other names are kept, and come first."""


def heaviness(severity: str) -> int:
    """Where a severity stands among `SEVERITIES`; −1 if nowhere.

    >>> heaviness("major") > heaviness("minor") > heaviness("undecided")
    True
    """
    return SEVERITIES.index(severity) if severity in SEVERITIES else -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """An error that a rater marked in one output, or in the source.

    ``segment`` counts from 0; ``start`` and ``end`` are code points of the text, the end is not
    part of it. An error without a place, such as missing text, is empty.

    >>> one = Span(segment=0, system="A", rater="r1", start=2, end=5, severity="minor")
    >>> one.placed, "🙂 und"[one.start:one.end]
    (True, 'und')
    """

    segment: int
    system: str
    rater: str
    start: int
    end: int
    severity: str
    category: str = ""
    side: Side = "target"

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise InputError(
                f"span of {self.system}, segment {self.segment + 1}: found {self.start} to "
                f"{self.end}, expected a start from 0 on and an end not before it"
            )

    @property
    def placed(self) -> bool:
        """Whether there are characters in it."""
        return self.end > self.start

    def overlap(self, other: "Span") -> int:
        """How many characters two spans of the same output share."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; the segment counts from 1."""
        return {
            "segment": self.segment + 1,
            "system": self.system,
            "rater": self.rater,
            "start": self.start,
            "end": self.end,
            "severity": self.severity,
            "category": self.category or None,
            "side": self.side,
        }


class ItemKey(NamedTuple):
    """What an export says of an item instead of the segment's number; empty where it is silent.

    ``name`` is the same for every look at one item. ``number`` is the item's number as the file has
    it: of a line of the test set, or only of the task. ``position`` counts from 1 the items of the
    document that were shown together, of which there were ``shown``.
    """

    name: str = ""
    number: int | None = None
    document: str = ""
    position: int | None = None
    shown: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One rater's look at one output: the errors, and the score if one was given.

    An output without errors has no spans. ``kind`` tells controls from outputs of systems;
    ``begin`` and ``seconds`` are when the work on it began and how long it took, if known.
    ``sliders`` are scores on further scales, by their names. ``document``, ``hypothesis`` and
    ``source`` are what was shown, if the file says it. With a ``key`` the segment is a number
    that tells items apart and no more: `tertium.meta.spans.segments` finds that of the test set.
    """

    segment: int
    system: str
    rater: str
    place: str
    spans: tuple[Span, ...] = ()
    score: float | None = None
    kind: Kind = ""
    begin: float | None = None
    seconds: float | None = None
    hypothesis: str | None = field(default=None, repr=False)
    source: str | None = field(default=None, repr=False)
    key: ItemKey | None = field(default=None, repr=False)
    sliders: tuple[tuple[str, float], ...] = ()
    document: str = ""

    @property
    def output(self) -> tuple[str, int]:
        """System and segment."""
        return self.system, self.segment

    def placed(self, side: Side = "target") -> tuple[Span, ...]:
        """The spans with a place in the output, or in the source."""
        return tuple(span for span in self.spans if span.side == side and span.placed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotations:
    """All that raters marked in outputs of one language pair.

    ``ids`` are the segments' names as the files have them; files that number segments have none.
    ``units`` says what offsets count: code points, or UTF-16 units where a file has no texts to
    convert them by.
    """

    name: str
    annotations: tuple[Annotation, ...] = field(repr=False)
    ids: tuple[str, ...] = field(default=(), repr=False)
    units: Literal["characters", "utf-16"] = "characters"
    exclusions: tuple[Exclusion, ...] = ()

    def __len__(self) -> int:
        return len(self.annotations)

    def __iter__(self) -> Iterator[Annotation]:
        return iter(self.annotations)

    @property
    def width(self) -> int:
        """How many segments there are, as far as known."""
        last = max((annotation.segment for annotation in self.annotations), default=-1)
        return max(len(self.ids), last + 1)

    @property
    def located(self) -> bool:
        """Whether all segments are numbered as in the test set."""
        return all(annotation.key is None for annotation in self.annotations)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Every span of every rater."""
        return tuple(span for annotation in self.annotations for span in annotation.spans)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems in order of appearance."""
        return _in_order(annotation.system for annotation in self.annotations)

    @property
    def raters(self) -> tuple[str, ...]:
        """The raters in order of appearance."""
        return _in_order(annotation.rater for annotation in self.annotations)

    @property
    def categorised(self) -> bool:
        """Whether errors have categories, as in MQM; in ESA they have none."""
        return any(span.category for annotation in self.annotations for span in annotation.spans)


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


# Offsets of marked errors: what the tools count, turned into code points with an open end.
#
# Appraise and Pearmut, and the data of WMT25 that were made with Appraise, count the units of
# JavaScript's strings (UTF-16: an emoji is two) and name the last unit that is marked. The files of
# mt-metrics-eval count code points and name the first that is not.

CUT = "offsets beyond the text, cut to it"
SPLIT = "offsets inside a character of two UTF-16 units, widened to it"


class Place(NamedTuple):
    """Where a span begins and ends, as code points; the end is not part of it."""

    start: int
    end: int


def unit_starts(text: str, *, skip: str = "") -> list[int]:
    r"""How many UTF-16 units stand in front of each code point, and in all.

    Characters in ``skip`` are not counted, for Pearmut does not count line breaks.

    >>> unit_starts("a🙂b")
    [0, 1, 3, 4]
    >>> unit_starts("a\nb", skip="\n")
    [0, 1, 1, 2]
    """
    widths = ((0 if character in skip else 1 + (ord(character) > 0xFFFF)) for character in text)
    return list(accumulate(widths, initial=0))


def from_units(
    start: int, end: int, starts: Sequence[int], location: str, tally: OmissionCounts
) -> Place:
    """Code points of UTF-16 units, of which ``end`` is the last that is marked.

    >>> text, tally = "a🙂b", OmissionCounts()
    >>> from_units(1, 2, unit_starts(text), "here", tally)
    Place(start=1, end=2)
    """
    if start < 0 or end < start:
        raise InputError(
            f"{location}: span from {start} to {end}, expected a start from 0 on and an end not "
            "before it"
        )
    total = starts[-1]
    if end >= total:
        tally.add(CUT, location)
        start, end = min(start, total), min(end, total - 1)
        if start > end:
            return Place(len(starts) - 1, len(starts) - 1)
    # A character that is not counted begins where the next one does, so the last such is meant.
    first = bisect_right(starts, start) - 1
    last = bisect_right(starts, end) - 1
    if starts[first] != start or starts[last + 1] != end + 1:
        tally.add(SPLIT, location)
    return Place(first, last + 1)


def check_fit(start: int, end: int, length: int, location: str) -> None:
    """Refuse a span that does not fit the text."""
    if not 0 <= start <= end <= length:
        raise InputError(
            f"{location}: span from {start} to {end}, expected inside of the text (0 to {length})"
        )
