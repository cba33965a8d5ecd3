"""Who rates what, and in which order.

Items of one document and output are a block: they stay together and in order. Blocks come in an
order of each rater's own. Hidden controls come between blocks, away from the item they repeat.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

import numpy as np
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.uncertainty import uncertainty
from tertium.serve.store.base import now
from tertium.serve.store.schema import Assignment, Campaign, Rater, RatingEvent, RatingItem

GAP: Final = 10
"""Items between one and its repetition, if there are so many."""
WAIT: Final = timedelta(hours=24)
"""After this time, what was given to a rater who did not rate it is given to others, too."""

Block = tuple[RatingItem, ...]


def assign_more(
    session: Session, campaign: Campaign, settings: CampaignSettings, rater: Rater
) -> int:
    """Give a rater more items if there are any, and say how many."""
    items = list(
        session.scalars(
            select(RatingItem)
            .where(RatingItem.campaign_id == campaign.id)
            .order_by(RatingItem.position)
        )
    )
    given = list(
        session.scalars(
            select(Assignment.item_id)
            .where(Assignment.rater_id == rater.id)
            .order_by(Assignment.position)
        )
    )
    rng = np.random.default_rng([campaign.seed, rater.id, len(given)])
    if settings.assignment == "fixed":
        new = [] if given else everything(items, rng)
    else:
        new = next_items(
            items,
            given,
            counts=_counts(session, campaign),
            most=settings.redundancy,
            doubt=uncertainty(session, campaign) if settings.assignment == "dynamic" else {},
            rng=rng,
        )
    session.add_all(
        Assignment(campaign_id=campaign.id, rater_id=rater.id, item_id=item.id, position=position)
        for position, item in enumerate(new, len(given) + 1)
    )
    session.flush()
    return len(new)


def everything(items: Sequence[RatingItem], rng: np.random.Generator) -> list[RatingItem]:
    """All items: the tutorial, then blocks in random order with the controls between them."""
    blocks = [*_blocks(items)]
    order = [blocks[place] for place in rng.permutation(len(blocks)).tolist()]
    for twin in [one for one in items if one.kind in {"repeated", "degraded"}]:
        order.insert(_place(order, twin, rng), (twin,))
    tutorial = [one for one in items if one.kind == "tutorial"]
    return [*tutorial, *(item for block in order for item in block)]


def _place(order: Sequence[Block], twin: RatingItem, rng: np.random.Generator) -> int:
    """Where a control goes: far from its original, after it if it is to be the second time."""
    starts = np.cumsum([0, *(len(block) for block in order)])
    home = next(
        at for at, block in enumerate(order) if any(one.id == twin.detail["of"] for one in block)
    )
    after = list(range(home + 1, len(order) + 1))
    far = [at for at in after if starts[at] - starts[home + 1] >= GAP]
    before = []
    if twin.kind == "degraded":
        before = [at for at in range(home + 1) if starts[home] - starts[at] >= GAP]
    choice = [*before, *far] or [after[-1]]
    return int(rng.choice(choice))


def next_items(
    items: Sequence[RatingItem],
    given: Sequence[int],
    *,
    counts: Mapping[int, int],
    most: int,
    doubt: Mapping[int, float],
    rng: np.random.Generator,
) -> list[RatingItem]:
    """The next block for a rater, with controls whose originals are long enough ago.

    A block with the fewest raters comes first, or, where ``doubt`` has numbers for outputs, one of
    the outputs whose number is lowest.
    """
    seen = set(given)
    new = [one for one in items if one.kind == "tutorial" and one.id not in seen]
    free = [
        block
        for block in _blocks(items)
        if not any(one.id in seen for one in block)
        and max(counts.get(one.id, 0) for one in block) < most
    ]
    places = {item: place for place, item in enumerate(given)}
    due = [
        one
        for one in items
        if one.kind in {"repeated", "degraded"}
        and one.id not in seen
        and one.detail["of"] in places
        and (not free or len(given) - places[one.detail["of"]] >= GAP)
    ]
    new += [due[place] for place in rng.permutation(len(due)).tolist()]
    if free:
        chance = rng.random(len(free))

        def key(at: int) -> tuple[float, int, float]:
            block = free[at]
            unsure = min(doubt.get(output, 0.0) for one in block for output in one.outputs)
            raters = max(counts.get(one.id, 0) for one in block)
            return unsure, raters, float(chance[at])

        new += free[min(range(len(free)), key=key)]
    return new


def _blocks(items: Sequence[RatingItem]) -> list[Block]:
    """Regular items, those of one document and the same outputs together."""
    found: dict[tuple[object, ...], list[RatingItem]] = {}
    for one in items:
        if one.kind == "regular":
            name = one.segments[0] if one.document is None else one.document
            # Rankings draw systems for every segment; their documents stay together even so.
            outputs = tuple(one.outputs) if len(one.outputs) == 1 else ()
            found.setdefault((one.document is None, name, *outputs), []).append(one)
    return [tuple(block) for block in found.values()]


def _counts(session: Session, campaign: Campaign) -> dict[int, int]:
    """How many raters have an item: they rated it, or were given it not long ago."""
    rated = (
        select(RatingEvent.id)
        .where(
            RatingEvent.item_id == Assignment.item_id, RatingEvent.rater_id == Assignment.rater_id
        )
        .exists()
    )
    rows = session.execute(
        select(Assignment.item_id, func.count())
        .where(
            Assignment.campaign_id == campaign.id,
            rated | (Assignment.assigned_at > now() - WAIT),
        )
        .group_by(Assignment.item_id)
    )
    return dict(rows.all())
