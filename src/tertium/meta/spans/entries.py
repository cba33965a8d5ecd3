"""What a file says of marked errors, before its lines are put together."""

from typing import NamedTuple

from tertium.meta.spans.span import Kind, Side


class MarkedError(NamedTuple):
    """A marked error; the offsets are those of a `Span`."""

    start: int
    end: int
    severity: str
    category: str = ""
    side: Side = "target"


class Look(NamedTuple):
    """One rater's look at one output; ``segment`` counts from 0.

    Without one, ``id`` tells the items apart, and ``number``, ``document``, ``position`` and
    ``shown`` are what the file says of the item (`tertium.meta.spans.span.ItemKey`). ``sliders``
    are scores on scales of a campaign's own, by their names.
    """

    place: str
    system: str
    rater: str
    segment: int | None = None
    id: str = ""
    pair: str = ""
    marks: tuple[MarkedError, ...] = ()
    score: float | None = None
    kind: Kind = ""
    begin: float | None = None
    seconds: float | None = None
    hypothesis: str | None = None
    source: str | None = None
    number: int | None = None
    document: str = ""
    position: int | None = None
    shown: int = 0
    sliders: tuple[tuple[str, float], ...] = ()
