"""Where a verdict is most uncertain: how far each system is from its neighbor in the ranking.

Systems are ordered by their mean rating. Between two neighbors lie so many standard errors of their
difference; the smaller of a system's two distances is its number, and dynamic assignment takes the
systems with the lowest numbers first. Standard errors are clustered by document, since ratings of
one document are alike. Only neighbors are compared, as that is where the order can still change. A
system with fewer than `LEAST` ratings has the number 0, and comes first.

The numbers steer what is rated next and are no result; they may be somewhat old. They are cached
for each campaign until a twentieth of the ratings is new, or the newest rating is older than the
cached one, as after a restored backup.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from sqlalchemy import bindparam, func, insert, select
from sqlalchemy.orm import Session

from tertium.inference.units import units_of
from tertium.meta.ratings.pair_tests import ClusteredMean
from tertium.serve.rating.results import current_answers, worth
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.store.schema import Assignment, Campaign, Rater, RatingEvent, RatingItem, now

MOST_KEPT: Final = 100
LEAST: Final = 2
"""Ratings of an output below which nothing is known of it."""


def uncertainty(session: Session, campaign: Campaign) -> dict[int, float]:
    """Output → how many standard errors lie between it and its nearest neighbour.

    While a writer waits nobody else writes, so that of many ratings it is only computed anew when
    a twentieth of them is new.
    """
    place = (str(session.get_bind().engine.url), campaign.id)
    event, size = session.execute(_EVENTS, {"campaign": campaign.id}).one()
    kept = _KEPT.get(place)
    if kept is not None and size - kept.size < max(1, size // 20) and kept.event <= (event or 0):
        return kept.found
    found = _computed(session, campaign)
    if len(_KEPT) > MOST_KEPT:
        _KEPT.clear()
    _KEPT[place] = _Kept(event or 0, size, found)
    return found


class _Kept(NamedTuple):
    event: int
    size: int
    found: dict[int, float]


_KEPT: dict[tuple[str, int], _Kept] = {}
_EVENTS: Final = (
    select(func.max(RatingEvent.id), func.count())
    .join(RatingItem, RatingItem.id == RatingEvent.item_id)
    .where(RatingItem.campaign_id == bindparam("campaign"))
)


def _computed(session: Session, campaign: Campaign) -> dict[int, float]:
    values: dict[int, list[float]] = {}
    labels: dict[int, list[str]] = {}
    for one in current_answers(session, campaign):
        if one.kind == "regular":
            for output, answer in one.answers.items():
                values.setdefault(int(output), []).append(worth(answer))
                labels.setdefault(int(output), []).append(one.document or f"#{one.segment}")
    return distances(values, labels)


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
    items = items_of(session, campaign)
    rng = np.random.default_rng([campaign.seed, rater.id, len(given)])
    if settings.assignment == "fixed":
        new = everything(items, rng)
    else:
        new = next_items(
            items,
            given,
            counts=_counts(session, campaign),
            most=settings.redundancy,
            doubt=uncertainty(session, campaign) if settings.assignment == "dynamic" else {},
            rng=rng,
        )
    moment = now()
    rows: list[dict[str, Any]] = [
        {
            "campaign_id": campaign.id,
            "rater_id": rater.id,
            "item_id": item.id,
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
    rows = session.execute(
        select(
            RatingItem.id,
            RatingItem.kind,
            RatingItem.document,
            RatingItem.segments,
            RatingItem.outputs,
            RatingItem.detail,
        )
        .where(RatingItem.campaign_id == campaign.id)
        .order_by(RatingItem.position)
    )
    return [
        Item(number, kind, document, segments, outputs, detail.get("of"))
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
    items: Sequence[Item],
    given: Sequence[int],
    *,
    counts: Mapping[int, int],
    most: int,
    doubt: Mapping[int, float],
    rng: np.random.Generator,
) -> list[Item]:
    """The next blocks for a rater, with controls whose originals are long enough ago.

    Blocks with the fewest raters come first, or, where ``doubt`` has numbers for outputs, those of
    the outputs whose number is lowest.
    """
    seen = set(given)
    new = [one for one in items if one.kind == "tutorial" and one.id not in seen]
    # Of a block that others had, what they skipped is left.
    left = [
        tuple(one for one in block if counts.get(one.id, 0) < most)
        for block in _blocks(items)
        if not any(one.id in seen for one in block)
    ]
    free = [block for block in left if block]
    places = {item: place for place, item in enumerate(given)}
    due = [
        one
        for one in items
        if one.of in places
        and one.id not in seen
        and (not free or len(given) - places[one.of] >= GAP)
    ]
    new += [due[place] for place in rng.permutation(len(due)).tolist()]
    chance = rng.random(len(free))

    def key(at: int) -> tuple[float, int, float]:
        block = free[at]
        unsure = min(doubt.get(output, 0.0) for one in block for output in one.outputs)
        raters = max(counts.get(one.id, 0) for one in block)
        return unsure, raters, float(chance[at])

    taken = 0
    for at in sorted(range(len(free)), key=key):
        if taken >= AT_ONCE:
            break
        new += free[at]
        taken += len(free[at])
    return new


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


def _counts(session: Session, campaign: Campaign) -> dict[int, int]:
    """How many raters have an item: they rated it, or were given it not long ago.

    Who skipped it does not have it any more, so that somebody else gets it.
    """
    own = (RatingEvent.item_id == Assignment.item_id, RatingEvent.rater_id == Assignment.rater_id)
    rated, skipped = (
        select(RatingEvent.id).where(*own, RatingEvent.action == action).exists()
        for action in ("rate", "skip")
    )
    rows = session.execute(
        select(Assignment.item_id, func.count())
        .where(
            Assignment.campaign_id == campaign.id,
            rated | (~skipped & (Assignment.assigned_at > now() - WAIT)),
        )
        .group_by(Assignment.item_id)
    )
    return dict(rows.all())
