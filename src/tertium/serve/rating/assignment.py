"""Which items a rater gets next, of campaigns of any size.

Items of an open campaign never change: they are read once, as columns. Who has which item is kept
up by the assignments and events that are new since the last time, so that giving out eight items of
two hundred thousand takes milliseconds, in which nobody else writes.

Dynamic assignment goes where a verdict is most uncertain. Systems are ordered by their mean rating.
Between two neighbors lie so many standard errors of their difference; the smaller of a system's two
distances is its number, and the systems with the lowest numbers come first. Standard errors are
clustered by document, since ratings of one document are alike. Only neighbors are compared, as that
is where the order can still change. A system with fewer than `LEAST` ratings has the number 0, and
comes first. The numbers steer what is rated next and are no result; they are computed anew when a
twentieth of the ratings is new.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import accumulate, chain, pairwise
from threading import Lock
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
from sqlalchemy import Pool, bindparam, case, insert, select
from sqlalchemy.orm import Session

from tertium.inference.units import units_of
from tertium.meta.ratings.pair_tests import ClusteredMean
from tertium.serve.rating.results import current_answers, worth
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.store.schema import Assignment, Campaign, Rater, RatingEvent, RatingItem, now

LEAST: Final = 2
"""Ratings of an output below which nothing is known of it."""


def distances(
    values: Mapping[int, Sequence[float]], documents: Mapping[int, Sequence[str]] | None = None
) -> dict[int, float]:
    """Standard errors to the nearest neighbour in the order of means; 0 where little is known.

    With the ``documents`` of the values, errors are those over documents, if there are several.

    >>> distances({1: [80, 82, 81], 2: [79, 82, 80], 3: [10, 12, 11], 4: [50]})[4]
    0.0
    """
    known = {
        one: ClusteredMean.of(
            np.asarray(some, float),
            units_of(len(some), None if documents is None else documents[one]),
        )
        for one, some in values.items()
        if len(some) >= LEAST
    }
    found = {one: 0.0 for one in values if one not in known}
    order = sorted(known, key=lambda one: -known[one].mean)
    near = dict.fromkeys(order, float("inf"))
    for better, worse in pairwise(order):
        a, b = known[better], known[worse]
        error = (a.variance + b.variance) ** 0.5
        gap = abs(a.mean - b.mean)
        apart = gap / error if error > 0 else (float("inf") if gap else 0.0)
        near[better] = min(near[better], apart)
        near[worse] = min(near[worse], apart)
    return {**found, **near}


GAP: Final = 10
"""Items between one and its repetition, if there are so many."""
AT_ONCE: Final = 8
"""Items that are given out together, or a few more where blocks are long."""
WAIT: Final = timedelta(hours=24)
"""After this time, what was given to a rater who did not rate it is given to others, too."""


class Item(NamedTuple):
    """What matters of an item here; ``of`` is the item that a control is made from."""

    id: int
    kind: str
    document: str | None
    segments: list[int]
    outputs: list[int]
    of: int | None = None


Block = tuple[Item, ...]
Integers = npt.NDArray[np.int64]


class ItemColumns:
    """The items of a campaign: regular ones block after block, controls by what they control."""

    def __init__(self, items: Sequence[Item]) -> None:
        blocks = _blocks(items)
        regular = list(chain.from_iterable(blocks))
        self.tutorial = [item.id for item in items if item.kind == "tutorial"]
        self.ids = np.asarray([item.id for item in regular], np.int64)
        self.indices = {item.id: index for index, item in enumerate(regular)}
        self.starts = _starts(blocks)
        """The first item of each block."""
        self.block = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
        self.controls: dict[int, list[tuple[int, int]]] = {}
        """Item → position and id of the controls that are made from it."""
        for position, item in enumerate(items):
            if item.of is not None:
                self.controls.setdefault(item.of, []).append((position, item.id))
        self.outputs = sorted({output for item in regular for output in item.outputs})
        codes = {output: code for code, output in enumerate(self.outputs)}
        self.codes = np.asarray(
            [codes[output] for item in regular for output in item.outputs], np.int64
        )
        """Of all outputs that items show, one item's after the other's: the index in `outputs`."""
        self.shown_starts = _starts([item.outputs for item in regular])

    def least(self, doubt: Mapping[int, float]) -> npt.NDArray[np.float64]:
        """The lowest number among the outputs of each regular item."""
        numbers = np.asarray([doubt.get(output, 0.0) for output in self.outputs])
        least: npt.NDArray[np.float64] = np.minimum.reduceat(numbers[self.codes], self.shown_starts)
        return least


def _starts(parts: Sequence[Sequence[object]]) -> Integers:
    return np.cumsum([0, *map(len, parts)], dtype=np.int64)[:-1]


def assign_more(
    session: Session, campaign: Campaign, settings: CampaignSettings, rater: Rater
) -> int:
    """Give a rater more items if there are any, and say how many."""
    given = list(
        session.scalars(
            select(Assignment.item_id)
            .where(Assignment.rater_id == rater.id)
            .order_by(Assignment.position)
        )
    )
    if given and settings.assignment == "fixed":
        return 0
    rng = np.random.default_rng([campaign.seed, rater.id, len(given)])
    if settings.assignment == "fixed":
        new = [item.id for item in everything(items_of(session, campaign), rng)]
    else:
        state = state_of(session, campaign)
        new = next_items(
            state.items,
            given,
            counts=state.counts,
            most=settings.redundancy,
            doubt=state.uncertainty(session, campaign) if settings.assignment == "dynamic" else {},
            rng=rng,
        )
    moment = now()
    rows: list[dict[str, Any]] = [
        {
            "campaign_id": campaign.id,
            "rater_id": rater.id,
            "item_id": item,
            "position": position,
            "assigned_at": moment,
        }
        for position, item in enumerate(new, len(given) + 1)
    ]
    if rows:
        session.execute(insert(Assignment), rows)
    return len(rows)


def items_of(session: Session, campaign: Campaign) -> list[Item]:
    """All items of a campaign in their order."""
    is_control = RatingItem.kind.in_(("repeated", "degraded"))
    rows = session.execute(
        select(
            RatingItem.id,
            RatingItem.kind,
            RatingItem.document,
            RatingItem.segments,
            RatingItem.outputs,
            case((is_control, RatingItem.detail)),
        )
        .where(RatingItem.campaign_id == campaign.id)
        .order_by(RatingItem.position)
    )
    return [
        Item(number, kind, document, segments, outputs, detail["of"] if detail else None)
        for number, kind, document, segments, outputs, detail in rows
    ]


def everything(items: Sequence[Item], rng: np.random.Generator) -> list[Item]:
    """All items: the tutorial, then blocks in random order with the controls between them."""
    blocks = _blocks(items)
    order = [blocks[place] for place in rng.permutation(len(blocks)).tolist()]
    starts = list(accumulate(map(len, order), initial=0))
    homes = {one.id: at for at, block in enumerate(order) for one in block}
    between: dict[int, list[Item]] = {}
    for twin in items:
        if twin.of is not None:
            at = _place(starts, homes[twin.of], rng, before=twin.kind == "degraded")
            between.setdefault(at, []).append(twin)
    found = [one for one in items if one.kind == "tutorial"]
    for at in range(len(order) + 1):
        found += between.get(at, [])
        found += order[at] if at < len(order) else ()
    return found


def _place(starts: Sequence[int], home: int, rng: np.random.Generator, *, before: bool) -> int:
    """The block in front of which a control goes, far from its own; it is the end if need be.

    What shows whether a rater says the same again must come after the first time.
    """
    last = len(starts) - 1
    low = bisect_left(starts, starts[home + 1] + GAP)
    high = bisect_right(starts, starts[home] - GAP) if before else 0
    choices = high + max(0, last + 1 - low)
    if not choices:
        return last
    chosen = int(rng.integers(0, choices))
    return chosen if chosen < high else low + chosen - high


def next_items(
    items: ItemColumns,
    given: Sequence[int],
    *,
    counts: Integers,
    most: int,
    doubt: Mapping[int, float],
    rng: np.random.Generator,
) -> list[int]:
    """The next blocks for a rater, with controls whose originals are long enough ago.

    Blocks with the fewest raters come first, or, where ``doubt`` has numbers for outputs, those of
    the outputs whose number is lowest; ``counts`` says how many raters have each regular item.
    """
    seen = set(given)
    new = [item for item in items.tutorial if item not in seen]
    had = np.zeros(len(items.starts), bool)
    had[[items.block[items.indices[item]] for item in given if item in items.indices]] = True
    # Of a block that others had, what they skipped is left.
    left = (counts < most) & ~had[items.block]
    free = np.flatnonzero(np.logical_or.reduceat(left, items.starts))
    due = sorted(
        control
        for index, item in enumerate(given)
        if not len(free) or len(given) - index >= GAP
        for control in items.controls.get(item, ())
        if control[1] not in seen
    )
    new += [due[index][1] for index in rng.permutation(len(due)).tolist()]
    if not len(free):
        return new
    raters = np.maximum.reduceat(np.where(left, counts, -1), items.starts)[free]
    unsure = np.zeros(len(free))
    if doubt:
        least = np.where(left, items.least(doubt), np.inf)
        unsure = np.minimum.reduceat(least, items.starts)[free]
    order = _first(AT_ONCE, unsure, raters, rng.random(len(free)))
    ends = np.append(items.starts[1:], len(items.ids))
    taken = 0
    for block in free[order].tolist():
        if taken >= AT_ONCE:
            break
        extent = slice(items.starts[block], ends[block])
        chosen = items.ids[extent][left[extent]].tolist()
        new += chosen
        taken += len(chosen)
    return new


def _first(
    most: int, *keys: npt.NDArray[np.int64] | npt.NDArray[np.float64]
) -> npt.NDArray[np.intp]:
    """The indices that come first in the order of the keys, without sorting all others."""
    chosen = np.arange(len(keys[0]))
    for key in keys:
        if len(chosen) > most:
            values = key[chosen]
            chosen = chosen[values <= np.partition(values, most - 1)[most - 1]]
        if key[chosen].min() < key[chosen].max():
            break
    return chosen[np.lexsort([key[chosen] for key in reversed(keys)])][:most]


def _blocks(items: Sequence[Item]) -> list[Block]:
    """Regular items, those of one document and the same outputs together."""
    found: dict[tuple[object, ...], list[Item]] = {}
    for one in items:
        if one.kind == "regular":
            name = one.segments[0] if one.document is None else one.document
            # Rankings draw systems for every segment; their documents stay together even so.
            outputs = tuple(one.outputs) if len(one.outputs) == 1 else ()
            found.setdefault((one.document is None, name, *outputs), []).append(one)
    return [tuple(block) for block in found.values()]


_ASSIGNED: Final = (
    select(Assignment.id, Assignment.item_id, Assignment.rater_id, Assignment.assigned_at)
    .where(Assignment.campaign_id == bindparam("campaign"), Assignment.id >= bindparam("first"))
    .order_by(Assignment.id)
)
_EVENTS: Final = (
    select(RatingEvent.id, RatingEvent.item_id, RatingEvent.rater_id, RatingEvent.action)
    .where(
        RatingEvent.id >= bindparam("first"),
        # The sum keeps stores from going through the events of all these items instead.
        (RatingEvent.item_id + 0).between(bindparam("low"), bindparam("high")),
    )
    .order_by(RatingEvent.id)
)
LATE: Final = 500
"""So many numbers of events are read again, as one writer may commit after another with a higher.

Many writers need it; SQLite has one.
"""
Held = tuple[int, int]
"""An item and a rater who has it."""


class CampaignState:
    """What is known of an open campaign, kept up to date by what is new in the store.

    A rater has an item who rated it, or was given it not long ago and did not skip it: what was
    skipped is somebody else's to rate.
    """

    def __init__(self, items: ItemColumns) -> None:
        self.items = items
        self.counts = np.zeros(len(items.ids), np.int64)
        """Of each regular item, how many raters have it."""
        self._assigned: tuple[int, Held] | None = None
        self._events: dict[int, tuple[Held, str]] = {}
        """The last ones; of older ones only the number is of interest."""
        self._events_known = 0
        self._rated: set[Held] = set()
        self._skipped: set[Held] = set()
        self._held: set[Held] = set()
        self._waiting: deque[tuple[datetime, Held]] = deque()
        self._doubt: tuple[int, dict[int, float]] | None = None

    def follow(self, session: Session, campaign: Campaign) -> bool:
        """Take in what is new; False if what was followed is not there, as after a rollback."""
        first = 0 if self._assigned is None else self._assigned[0]
        rows = list(session.execute(_ASSIGNED, {"campaign": campaign.id, "first": first}))
        if self._assigned is not None:
            if not rows or (rows[0][0], (rows[0][1], rows[0][2])) != self._assigned:
                return False
            del rows[0]
        for number, item, rater, moment in rows:
            self._assigned = number, (item, rater)
            self._waiting.append((moment, (item, rater)))
            self._hold((item, rater))
        if len(self.items.ids) and not self._follow_events(session):
            return False
        limit = now() - WAIT
        while self._waiting and self._waiting[0][0] <= limit:
            _, held = self._waiting.popleft()
            if held not in self._rated:
                self._release(held)
        return True

    def _follow_events(self, session: Session) -> bool:
        last = max(self._events, default=0)
        first = last if session.get_bind().dialect.name == "sqlite" else max(0, last - LATE)
        known = {number: held for number, held in self._events.items() if number >= first}
        ids = self.items.ids
        extent = {"low": int(ids.min()), "high": int(ids.max())}
        for number, item, rater, action in session.execute(_EVENTS, {"first": first, **extent}):
            if item not in self.items.indices:
                continue
            held = item, rater
            if number in known:
                if known.pop(number) != (held, action):
                    return False
                continue
            self._events[number] = held, action
            self._events_known += 1
            if action == "rate":
                self._rated.add(held)
                self._hold(held)
            elif action == "skip":
                self._skipped.add(held)
                if held not in self._rated:
                    self._release(held)
        low = max(self._events, default=0) - LATE
        self._events = {number: held for number, held in self._events.items() if number >= low}
        return not known

    def _hold(self, held: Held) -> None:
        if held not in self._held and (held in self._rated or held not in self._skipped):
            self._held.add(held)
            self._count(held, 1)

    def _release(self, held: Held) -> None:
        if held in self._held:
            self._held.remove(held)
            self._count(held, -1)

    def _count(self, held: Held, change: int) -> None:
        index = self.items.indices.get(held[0])
        if index is not None:
            self.counts[index] += change

    def uncertainty(self, session: Session, campaign: Campaign) -> dict[int, float]:
        """Output → how many standard errors lie between it and its nearest neighbor."""
        known = self._events_known
        if self._doubt is None or known - self._doubt[0] >= max(1, self._doubt[0] // 20):
            self._doubt = known, _uncertainty(session, campaign)
        return self._doubt[1]


def _uncertainty(session: Session, campaign: Campaign) -> dict[int, float]:
    values: dict[int, list[float]] = {}
    labels: dict[int, list[str]] = {}
    for answered in current_answers(session, campaign):
        if answered.kind == "regular":
            for output, answer in answered.answers.items():
                values.setdefault(int(output), []).append(worth(answer))
                labels.setdefault(int(output), []).append(
                    answered.document or f"#{answered.segment}"
                )
    return distances(values, labels)


MOST_KEPT: Final = 100
_KEPT: Final[WeakKeyDictionary[Pool, dict[int, CampaignState]]] = WeakKeyDictionary()
"""Of each store, by its pool of connections: what is known of its campaigns."""

_READS: Final = Lock()
"""Raters who come at once after a start wait for one reading of the items."""


def prepare(session: Session, campaign: Campaign) -> None:
    """Read the items of an open campaign, if they are not known: before a writer's turn begins."""
    kept = _kept(session)
    if campaign.state == "open" and campaign.id not in kept:
        with _READS:
            if campaign.id not in kept:
                _keep(kept, campaign, ItemColumns(items_of(session, campaign)))


def state_of(session: Session, campaign: Campaign) -> CampaignState:
    """What is known of a campaign, up to date; only for whom the campaign is locked."""
    kept = _kept(session)
    state = kept.get(campaign.id)
    if state is None or not state.follow(session, campaign):
        state = _keep(kept, campaign, ItemColumns(items_of(session, campaign)))
        state.follow(session, campaign)
    return state


def _kept(session: Session) -> dict[int, CampaignState]:
    return _KEPT.setdefault(session.get_bind().engine.pool, {})


def _keep(kept: dict[int, CampaignState], campaign: Campaign, items: ItemColumns) -> CampaignState:
    while len(kept) >= MOST_KEPT:
        kept.pop(next(iter(kept)), None)
    kept[campaign.id] = state = CampaignState(items)
    return state
