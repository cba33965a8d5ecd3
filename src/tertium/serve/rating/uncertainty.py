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

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from tertium.inference.units import units_of
from tertium.meta.ratings.pair_tests import ClusteredMean
from tertium.serve.rating.results import current_answers, worth
from tertium.serve.store.schema import Campaign, RatingEvent, RatingItem

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
