"""What raters do: checked against the protocol, and stored event by event, each once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from tertium.serve.errors import ConflictError, RequestError
from tertium.serve.rating.material import ItemMaterial
from tertium.serve.rating.protocols import Answers, checked, protocol_named, shown
from tertium.serve.rating.work import Sheet, lock_rater, sheet
from tertium.serve.store.schema import Campaign, Rater, RatingEvent

_KEYED: Final = select(RatingEvent).where(RatingEvent.client_key == bindparam("key"))
ACTIONS: Final = ("rate", "undo", "skip")
LONGEST_KEY: Final = 100
LONGEST: Final = 86_400.0
"""Seconds; whoever left a page open over night did not think for a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """An event as a browser sends it; ``key`` is the browser's own, so that it is kept once."""

    key: str
    number: int
    action: str
    seconds: float
    values: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What a tutorial item says to an answer."""

    number: int
    passed: bool
    text: str
    expected: dict[str, dict[str, list[float]]]


def store_events(
    session: Session,
    campaign: Campaign,
    material: ItemMaterial,
    rater: Rater,
    sent: Sequence[Sent],
) -> tuple[Feedback, ...]:
    """Add events in their order, all or none; one that was sent before is not added again.

    They are taken from a closed campaign, too: a rater may have been without connection.
    """
    lock_rater(session, rater)
    feedback = []
    for one in sent:
        _check(one)
        own = sheet(session, campaign, material, rater, one.number)
        answers: Answers = {}
        if one.action == "rate":
            given = checked(protocol_named(campaign.protocol), one.values, own.texts)
            answers = {own.slots[slot]: answer for slot, answer in given.items()}
            if own.item.kind == "tutorial":
                feedback.append(_feedback(own, answers))
        _add(session, rater, own, one, {key: answers[key] for key in sorted(answers)})
    session.flush()
    return tuple(feedback)


def _add(session: Session, rater: Rater, own: Sheet, one: Sent, answers: Answers) -> None:
    key = f"{rater.id}:{one.key}"
    before = session.scalar(_KEYED, {"key": key})
    if before is not None:
        same = before.item_id == own.item.id and before.action == one.action
        if not same or (one.action == "rate" and before.values != answers):
            raise ConflictError(f"key {one.key!r}: was sent with other content, expected a new key")
        return
    session.add(
        RatingEvent(
            item_id=own.item.id,
            rater_id=rater.id,
            action=one.action,
            values=answers,
            seconds=float(one.seconds),
            client_key=key,
        )
    )
    session.flush()


def _check(one: Sent) -> None:
    if one.action not in ACTIONS:
        raise RequestError(f"action: found {shown(one.action)}, expected {', '.join(ACTIONS)}")
    if not one.key or len(one.key) > LONGEST_KEY:
        raise RequestError(f"key: expected 1 to {LONGEST_KEY} characters")
    if not isfinite(one.seconds) or not 0 <= one.seconds <= LONGEST:
        raise RequestError(f"seconds: found {one.seconds}, expected 0 to {LONGEST:.0f}")
    if one.action != "rate" and one.values:
        raise RequestError(f"values: found some with {one.action}, expected none")


def _feedback(own: Sheet, answers: Answers) -> Feedback:
    """Whether every number lies where the tutorial expects it."""
    letters = {key: slot for slot, key in own.slots.items()}
    passed = True
    ranges: dict[str, dict[str, list[float]]] = {}
    for place, expected in enumerate(own.item.detail["expected"]):
        key = str(place)
        ranges[letters[key]] = expected
        for name, (low, high) in expected.items():
            value = answers[key].get(name)
            number = len(value) if isinstance(value, list) else value
            passed = passed and isinstance(number, int | float) and low <= number <= high
    return Feedback(
        number=own.number, passed=passed, text=own.item.detail["feedback"], expected=ranges
    )
