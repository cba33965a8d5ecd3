"""What a rater sees: texts without names, in an order of the rater's own, and how far it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any, Final, Literal

import numpy as np
from sqlalchemy import bindparam, case, func, select
from sqlalchemy.orm import Session

from tertium.serve.errors import NotFoundError
from tertium.serve.rating.assignment import assign_more
from tertium.serve.rating.campaigns import LOCK
from tertium.serve.rating.items import Extent
from tertium.serve.rating.material import ItemMaterial
from tertium.serve.rating.protocols import Texts
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.store.schema import Assignment, Campaign, Rater, RatingEvent, RatingItem

State = Literal["open", "rated", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A segment beside the one that is rated."""

    source: str
    outputs: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """Where a constituent stands: start and end in the source, and in outputs where known."""

    source: Extent
    outputs: dict[str, Extent]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One item, as the rater sees it: outputs have letters, and nothing tells whose they are."""

    number: int
    tutorial: bool
    state: State
    source: str | None
    reference: str | None
    outputs: dict[str, str]
    constituent: Highlights | None
    """What alone is judged, where the protocol asks for constituents."""
    before: tuple[Passage, ...]
    after: tuple[Passage, ...]
    values: dict[str, dict[str, Any]] | None
    """What the rater said last, even if it was taken back since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignProgress:
    """How far a rater is; ``next`` is the first item to rate, None where there is none yet."""

    assigned: int
    done: int
    next: int | None
    last: int | None
    """The item that was rated or skipped last, which can be undone."""
    finished: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """An assigned item with its texts, before it is cut to what the rater may see."""

    item: RatingItem
    number: int
    slots: Mapping[str, str]
    """Letter → the output's key in stored answers."""
    source: str = field(repr=False)
    reference: str = field(repr=False)
    outputs: Mapping[str, str] = field(repr=False)

    @property
    def texts(self) -> Texts:
        """What answers are held against."""
        return Texts(source=self.source, outputs=self.outputs)


def next_page(
    session: Session,
    campaign: Campaign,
    settings: CampaignSettings,
    rater: Rater,
) -> CampaignProgress:
    """Where to go on; gives the rater more items if all are done and the campaign is open."""
    found = progress(session, rater)
    if found.next is not None or campaign.state != "open":
        return found
    # Raters who ask at once must not be given the same items: each sees what the one before got.
    # The campaign is locked before the rater, here as everywhere, so that nobody waits in a circle.
    session.refresh(campaign, with_for_update=LOCK)
    lock_rater(session, rater)
    found = progress(session, rater)
    if found.next is None and campaign.state == "open":
        assign_more(session, campaign, settings, rater)
        found = progress(session, rater)
    return found


# Statements are put together once: every save of every rater needs them.
_LOCK: Final = select(Rater.id).where(Rater.id == bindparam("rater")).with_for_update()
_LAST: Final = (
    select(RatingEvent.item_id, func.max(RatingEvent.id).label("id"))
    .where(RatingEvent.rater_id == bindparam("rater"))
    .group_by(RatingEvent.item_id)
    .subquery()
)
_DONE: Final = RatingEvent.action.in_(("rate", "skip"))
_STATE: Final = (
    select(
        func.count(),
        func.sum(case((_DONE, 1), else_=0)),
        func.min(case((_DONE, None), else_=Assignment.position)),
        func.max(case((_DONE, RatingEvent.id), else_=None)),
    )
    .select_from(Assignment)
    .outerjoin(_LAST, _LAST.c.item_id == Assignment.item_id)
    .outerjoin(RatingEvent, RatingEvent.id == _LAST.c.id)
    .where(Assignment.rater_id == bindparam("rater"))
)
_PLACE: Final = (
    select(Assignment.position)
    .join(RatingEvent, RatingEvent.item_id == Assignment.item_id)
    .where(RatingEvent.id == bindparam("event"), Assignment.rater_id == bindparam("rater"))
)
_ITEM: Final = (
    select(RatingItem)
    .join(Assignment, Assignment.item_id == RatingItem.id)
    .where(Assignment.rater_id == bindparam("rater"), Assignment.position == bindparam("number"))
)


def lock_rater(session: Session, rater: Rater) -> None:
    """Let two tabs of one rater wait for each other, where the store has many writers."""
    if session.get_bind().dialect.name != "sqlite":
        session.execute(_LOCK, {"rater": rater.id})


def progress(session: Session, rater: Rater | None) -> CampaignProgress:
    """How far a rater is, without giving out more."""
    if rater is None:
        return CampaignProgress(assigned=0, done=0, next=None, last=None, finished=False)
    assigned, done, first, event = session.execute(_STATE, {"rater": rater.id}).one()
    place = None
    if event is not None:
        place = session.scalar(_PLACE, {"event": event, "rater": rater.id})
    return CampaignProgress(
        assigned=assigned,
        done=done or 0,
        next=first,
        last=place,
        finished=assigned > 0 and first is None,
    )


def sheet(
    session: Session, campaign: Campaign, material: ItemMaterial, rater: Rater, number: int
) -> Sheet:
    """The item at a place of the rater's own order, with its texts."""
    item = session.scalar(_ITEM, {"rater": rater.id, "number": number})
    if item is None:
        raise NotFoundError(f"item {number}: found none for this rater")
    rng = np.random.default_rng([campaign.seed, rater.id, item.id])
    if item.kind == "tutorial":
        keys = [str(place) for place in range(len(item.detail["outputs"]))]
        texts = dict(zip(keys, item.detail["outputs"], strict=True))
        source, reference = item.detail["source"], item.detail["reference"]
    else:
        segment = item.segments[0]
        keys = [str(output) for output in item.outputs]
        damaged = item.detail.get("texts", {})
        texts = {key: damaged.get(key, material.outputs[int(key)][segment]) for key in keys}
        source = material.source(segment)
        reference = "" if material.reference is None else material.reference[segment]
    order = [keys[place] for place in rng.permutation(len(keys)).tolist()]
    slots = dict(zip(ascii_uppercase, order, strict=False))
    return Sheet(
        item=item,
        number=number,
        slots=slots,
        source=source,
        reference=reference,
        outputs={slot: texts[key] for slot, key in slots.items()},
    )


def page(
    session: Session,
    settings: CampaignSettings,
    material: ItemMaterial,
    rater: Rater,
    shown: Sheet,
) -> Page:
    """What the rater may see of an item."""
    item = shown.item
    events = session.scalars(
        select(RatingEvent)
        .where(RatingEvent.rater_id == rater.id, RatingEvent.item_id == item.id)
        .order_by(RatingEvent.id)
    ).all()
    rated = [one for one in events if one.action == "rate"]
    state: State = "open"
    if events and events[-1].action != "undo":
        state = "rated" if events[-1].action == "rate" else "skipped"
    before: list[int] = []
    after: list[int] = []
    if item.kind != "tutorial":
        before, after = material.neighbours(item.segments[0], settings.context)
    see_source = "source" in settings.show
    return Page(
        number=shown.number,
        tutorial=item.kind == "tutorial",
        state=state,
        source=shown.source if see_source else None,
        reference=shown.reference if "reference" in settings.show else None,
        outputs=dict(shown.outputs),
        constituent=_highlights(shown),
        before=tuple(_passage(material, shown, one, see_source=see_source) for one in before),
        after=tuple(_passage(material, shown, one, see_source=see_source) for one in after),
        values=_lettered(shown, rated[-1].values) if rated else None,
    )


def _highlights(shown: Sheet) -> Highlights | None:
    constituent = shown.item.detail.get("constituent")
    if not constituent:
        return None
    if shown.item.kind == "tutorial":
        start = shown.source.index(constituent)
        return Highlights(source=(start, start + len(constituent)), outputs={})
    known = constituent["outputs"]
    return Highlights(
        source=tuple(constituent["source"]),
        outputs={slot: tuple(known[key]) for slot, key in shown.slots.items() if key in known},
    )


def _passage(material: ItemMaterial, shown: Sheet, segment: int, *, see_source: bool) -> Passage:
    return Passage(
        source=material.source(segment) if see_source else "",
        outputs={slot: material.outputs[int(key)][segment] for slot, key in shown.slots.items()},
    )


def _lettered(shown: Sheet, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Stored answers under the letters that the rater sees."""
    return {slot: values[key] for slot, key in shown.slots.items()}
