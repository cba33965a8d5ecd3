"""How fast a campaign goes, when it will be done, and who holds it up.

The forecast is by rater, not by items an hour: what is left lies with those who are slow or have
not begun, whatever the others do in a day. Its range is from the pace of each rater alone to the
median pace of all, and it says which condition it rests on.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.report.html.charts import Axis, Lean, Whisker, common_axis, whisker
from tertium.serve.rating.dashboard import Dashboard, RaterProgress, last_events
from tertium.serve.store.schema import Campaign, RatingEvent, now

DAY: Final = timedelta(days=1)
RESTING: Final = timedelta(days=3)
"""Who has rated nothing for so long, and has items left, is to be reminded."""
LONGEST: Final = timedelta(days=365)
"""Forecasts further away are not told as dates."""
MOST_POINTS: Final = 120
"""Points of the curve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """A rater who has items left and does not rate; ``begun`` or not."""

    label: str
    left: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Ratings over time: points in percent of the width and the height, and what lies ahead."""

    line: str
    area: str
    cone: str
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The pace of a campaign; ``forecast`` is empty where ``condition`` says why."""

    day: int
    at_work: int
    done: int
    forecast: str
    condition: str
    reminders: tuple[Reminder, ...]
    curve: Curve | None


def pace_of(
    session: Session, campaign: Campaign, board: Dashboard, *, moment: datetime | None = None
) -> Pace:
    """How fast the items of a campaign are rated."""
    at = moment or now()
    last = last_events(campaign).subquery()
    rows = session.execute(
        select(RatingEvent.rater_id, RatingEvent.at)
        .join(last, last.c.id == RatingEvent.id)
        .where(RatingEvent.action == "rate", last.c.kind == "regular")
        .order_by(RatingEvent.at, RatingEvent.id)
    ).all()
    times = [time for _, time in rows]
    rated = Counter(rater for rater, _ in rows)
    left = {one.id: _left(board, one, rated[one.id]) for one in board.raters}
    people = [one for one in board.raters if one.active]
    resting = [
        one
        for one in people
        if left[one.id] and (one.last_at is None or at - one.last_at > RESTING)
    ]
    ends, why = _forecast(board, _rates(rows), left, at)
    is_open = board.campaign.state == "open"
    unbegun = sum(one.last_at is None for one in resting)
    if ends is not None and unbegun:
        who = (
            "rater who has not begun begins" if unbegun == 1 else "raters who have not begun begin"
        )
        why = f"if the {unbegun} {who} today"
    reminders = sorted(
        (Reminder(label=one.label, left=left[one.id], last_at=one.last_at) for one in resting),
        key=lambda one: (one.last_at is not None, -one.left),
    )
    return Pace(
        day=sum(at - time <= DAY for time in times),
        at_work=sum(one.last_at is not None and bool(left[one.id]) for one in people),
        done=sum(one.last_at is not None and not left[one.id] for one in board.raters),
        forecast=_dates(ends, at) if ends is not None and is_open else "",
        condition=why if is_open else "",
        reminders=tuple(reminders) if is_open else (),
        curve=_curve(times, board.wanted, ends if is_open else None, at),
    )


def _left(board: Dashboard, one: RaterProgress, rated: int) -> int:
    """How many items a rater still holds; where all share the items, those that were handed out."""
    if board.campaign.settings.get("assignment", "fixed") == "fixed":
        return max(0, board.campaign.items - rated - one.skipped)
    if one.last_at is None and not one.assigned:
        return max(0, (board.wanted - board.ratings) // max(1, len(board.raters)))
    return max(0, one.assigned - one.done - one.skipped)


def _rates(rows: Any) -> dict[int, float]:
    """Rater → items a day, from the first rating to the last, a day at least."""
    spans: dict[int, list[datetime]] = {}
    for rater, time in rows:
        spans.setdefault(rater, []).append(time)
    return {
        rater: len(times) / max(1.0, (times[-1] - times[0]) / DAY) for rater, times in spans.items()
    }


def _forecast(
    board: Dashboard, rates: dict[int, float], left: dict[int, int], at: datetime
) -> tuple[tuple[datetime, datetime] | None, str]:
    """The earlier and the later end, or why there is none."""
    if board.wanted and board.ratings >= board.wanted:
        return None, "all items are rated"
    if not rates:
        return None, "no forecast before the first ratings"
    typical = median(rates.values())
    people = [one for one in board.raters if one.active]
    if board.campaign.settings.get("assignment", "fixed") == "fixed":
        own = max((left[one.id] / rates.get(one.id, typical) for one in people), default=0.0)
        other = max((left[one.id] / typical for one in people), default=0.0)
    else:
        rest = board.wanted - board.ratings
        begun = sum(rates.get(one.id, 0.0) for one in people)
        own = rest / begun if begun else 0.0
        other = rest / (typical * len(people)) if people else 0.0
    if not own or not other:
        return None, "nobody who can rate has items left: invite a rater"
    low, high = (timedelta(days=min(days, 10_000.0)) for days in sorted((own, other)))
    return (at + low, at + high), "at the pace of each rater so far"


def _dates(ends: tuple[datetime, datetime], at: datetime) -> str:
    """A day or a range of days.

    >>> _dates((datetime(2026, 8, 29), datetime(2026, 8, 31)), datetime(2026, 8, 28))
    '29–31 Aug'
    """
    first, last = ends
    if last - at > LONGEST:
        return "over a year"
    if first.date() == last.date():
        return f"{last.day} {last:%b}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{last.day} {last:%b}"
    return f"{first.day} {first:%b} – {last.day} {last:%b}"


def _curve(
    times: list[datetime], wanted: int, ends: tuple[datetime, datetime] | None, at: datetime
) -> Curve | None:
    if len(times) < 2 or not wanted:
        return None
    first = times[0]
    last = at if ends is None else max(at, min(ends[1], at + LONGEST))
    width = max((last - first).total_seconds(), 1.0)

    def x(time: datetime) -> float:
        return round(100 * min(1.0, (time - first).total_seconds() / width), 2)

    def y(count: int) -> float:
        return round(100 - 100 * min(1.0, count / wanted), 2)

    step = max(1, len(times) // MOST_POINTS)
    marks = [(x(times[k]), y(k + 1)) for k in range(0, len(times), step)]
    here = (x(at), y(len(times)))
    points = [(0.0, 100.0), *marks, here]
    line = " ".join(f"{a:g},{b:g}" for a, b in points)
    cone = ""
    if ends is not None:
        cone = f"{here[0]:g},{here[1]:g} {x(ends[0]):g},0 {x(ends[1]):g},0"
    return Curve(line=line, area=f"{line} {here[0]:g},100 0,100", cone=cone, first=first, last=last)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow:
    """A line of a ranking: the standing as the analysis has it, and its interval as a picture."""

    standing: dict[str, Any]
    whisker: Whisker | None
    best: bool
    """Whether the tests leave it the first rank."""
    tier: bool
    """Whether a cluster begins here."""


def ranked_rows(criterion: dict[str, Any]) -> tuple[RankedRow, ...]:
    """The ranking under one criterion, each with ± 2 standard errors on a common axis."""
    standings = criterion["standings"]
    ends = [
        one["value"] + sign * 2 * (one["error"] or 0.0)
        for one in standings
        if one["value"] is not None
        for sign in (-1, 1)
    ]
    axis = common_axis(ends)
    return tuple(
        RankedRow(
            standing=one,
            whisker=_drawn(axis, one),
            best=one["ranks"][0] == 1,
            tier=bool(place) and one["cluster"] != standings[place - 1]["cluster"],
        )
        for place, one in enumerate(standings)
    )


def _drawn(axis: Axis, one: dict[str, Any]) -> Whisker | None:
    if one["value"] is None:
        return None
    reach = 2 * (one["error"] or 0.0)
    lean: Lean = "ink" if one["ranks"][0] == 1 else "unsure"
    return whisker(axis, one["value"], (one["value"] - reach, one["value"] + reach), lean=lean)
