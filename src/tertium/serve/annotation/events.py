"""Changes of a layer: added one after the other, never undone but by a further event."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.annotation.layers import (
    ADJUDICATED,
    Action,
    Layer,
    Name,
    Origin,
    events_of,
)
from tertium.serve.annotation.targets import TargetText
from tertium.serve.errors import ConflictError, RequestError
from tertium.serve.store.schema import AnnotationEvent, TestSet

TYPE: Final = r"^[\w.:-]{1,64}$"
LONGEST_KEY: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that an annotator did; ``client_key`` makes sending it twice harmless.

    ``was`` is the type before a change of type.
    """

    segment: int
    action: Action
    start: int
    end: int
    type: str
    was: str | None = None
    origin: Origin = "hand"
    client_key: str


def change_names(
    session: Session, text: TargetText, annotator: str, changes: Sequence[Change]
) -> tuple[Name, ...]:
    """Keep what was done, all of it or nothing, and give the names that are there now."""
    lock_names(session, text)
    layer = Layer(events_of(session, text.target, annotator))
    for number, change in enumerate(changes, 1):
        place = f"change {number}"
        _check(text, place, change)
        key = _kept_key(text, annotator, change)
        known = session.scalar(select(AnnotationEvent).where(AnnotationEvent.client_key == key))
        if known is not None:
            _check_same(place, change, known)
            continue
        if not _says_something(place, change, annotator, layer):
            continue
        event = AnnotationEvent(
            test_set_id=text.target.test_set_id,
            target_kind=text.target.kind,
            target_id=text.target.id,
            annotator=annotator,
            segment=change.segment,
            action=change.action,
            start=change.start,
            end=change.end,
            type=change.type,
            was=change.was,
            origin=change.origin,
            client_key=key,
        )
        session.add(event)
        session.flush()
        layer.add(event)
    return layer.names


def lock_names(session: Session, text: TargetText) -> None:
    """Let writers of names wait for each other, where the store has many writers at once."""
    query = select(TestSet.id).where(TestSet.id == text.target.test_set_id)
    # Not the strongest lock: rows that merely name the test set may be added meanwhile.
    session.execute(query.with_for_update(key_share=True))


def _check(text: TargetText, place: str, change: Change) -> None:
    if not 0 <= change.segment < len(text.segments):
        raise RequestError(
            f"{place}: segment {change.segment}, expected 0 to {len(text.segments) - 1}"
        )
    segment = text.segments[change.segment]
    if not 0 <= change.start < change.end <= len(segment):
        raise RequestError(
            f"{place}: characters {change.start} to {change.end}, "
            f"expected 0 ≤ start < end ≤ {len(segment)}"
        )
    if (change.action == "retype") != (change.was is not None):
        raise RequestError(f"{place}: expected 'was' with retype, and only there")
    if change.action == "remove":
        return
    if not re.fullmatch(TYPE, change.type):
        raise RequestError(
            f"{place}: type {change.type!r}, expected 1 to 64 letters, digits or any of . : - _"
        )
    surface = segment[change.start : change.end]
    if change.action == "add" and surface != surface.strip():
        raise RequestError(f"{place}: found blanks at its ends, expected a name without them")


def _says_something(place: str, change: Change, annotator: str, now: Layer) -> bool:
    """Whether it changes anything; of a retype, the name must be there."""
    key = (change.segment, change.start, change.end, change.type)
    if change.action == "add":
        return key not in now
    if change.action == "remove":
        # In adjudication it is a decision against a name, which nobody had to add first.
        return key in now or annotator == ADJUDICATED
    if (*key[:3], str(change.was)) not in now:
        raise ConflictError(
            f"{place}: found no {change.was} at {change.start} to {change.end}, "
            "expected one; it was changed meanwhile"
        )
    return change.was != change.type


def _kept_key(text: TargetText, annotator: str, change: Change) -> str:
    """Keys of different people and texts never meet."""
    target = text.target
    whole = f"{target.test_set_id}\n{target.key}\n{annotator}\n{change.client_key}"
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def _check_same(place: str, change: Change, known: AnnotationEvent) -> None:
    sent = (change.segment, change.action, change.start, change.end, change.type, change.was)
    kept = (known.segment, known.action, known.start, known.end, known.type, known.was)
    if sent != kept:
        raise ConflictError(
            f"{place}: key {change.client_key!r} stands for another change already, "
            "expected a new key"
        )
