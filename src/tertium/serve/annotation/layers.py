"""Names that annotators marked, event by event: a layer is what follows from the events."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from tertium.serve.annotation.targets import Target, TargetText
from tertium.serve.errors import ConflictError, RequestError
from tertium.serve.store.schema import AnnotationEvent, TestSet
from tertium.text.annotations import AnnotatedText, Entity

Action: TypeAlias = Literal["add", "remove", "retype"]
Origin: TypeAlias = Literal["hand", "tagger", "system", "import", "adjudication"]
ADJUDICATED: Final = "(adjudicated)"
"""The layer of what was decided where annotators differ; no user can have this name."""
TYPES: Final = ("PERSON", "ORGANIZATION", "LOCATION", "DATE", "TIME", "MONEY", "PERCENT")
"""The types of MUC, in the order of their digits."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Name:
    """A name in a segment, both counted from 0; ``origin`` says who found it."""

    segment: int
    start: int
    end: int
    type: str
    origin: str

    @property
    def key(self) -> tuple[int, int, int, str]:
        """What makes it the same name, whoever found it."""
        return self.segment, self.start, self.end, self.type

    @property
    def entity(self) -> Entity:
        """The same as files have it."""
        return Entity(start=self.start, end=self.end, label=self.type)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSummary:
    """An annotator who has touched a text."""

    annotator: str
    names: int
    events: int
    last_at: datetime


def names_of(session: Session, target: Target, annotator: str) -> tuple[Name, ...]:
    """The names of a layer in the order of the text."""
    return folded(events_of(session, target, annotator))


def events_of(session: Session, target: Target, annotator: str) -> Sequence[AnnotationEvent]:
    """All events of a layer, from the first to the last."""
    query = select(AnnotationEvent).where(
        *_of_target(target), AnnotationEvent.annotator == annotator
    )
    return session.scalars(query.order_by(AnnotationEvent.id)).all()


def folded(events: Iterable[AnnotationEvent]) -> tuple[Name, ...]:
    """What is left when all events have happened one after the other."""
    return Layer(events).names


class Layer:
    """The names after the events so far."""

    def __init__(self, events: Iterable[AnnotationEvent]) -> None:
        self._found: dict[tuple[int, int, int, str], Name] = {}
        for one in events:
            self.add(one)

    def __contains__(self, key: tuple[int, int, int, str]) -> bool:
        return key in self._found

    def add(self, one: AnnotationEvent) -> None:
        """Let one more event happen."""
        key = (one.segment, one.start, one.end, one.type)
        if one.action == "remove":
            self._found.pop(key, None)
            return
        if one.action == "retype":
            self._found.pop((*key[:3], str(one.was)), None)
        self._found[key] = Name(
            segment=one.segment, start=one.start, end=one.end, type=one.type, origin=one.origin
        )

    @property
    def names(self) -> tuple[Name, ...]:
        """In the order of the text, outer names before those inside them."""
        found = self._found.values()
        return tuple(sorted(found, key=lambda name: (name.segment, name.start, -name.end)))


def layers(session: Session, target: Target) -> tuple[LayerSummary, ...]:
    """Everybody who has touched a text, in the order in which they began."""
    rows = session.execute(
        select(AnnotationEvent.annotator, func.count(), func.max(AnnotationEvent.at))
        .where(*_of_target(target))
        .group_by(AnnotationEvent.annotator)
        .order_by(func.min(AnnotationEvent.id))
    )
    return tuple(
        LayerSummary(
            annotator=annotator,
            names=len(names_of(session, target, annotator)),
            events=events,
            last_at=last_at,
        )
        for annotator, events, last_at in rows
    )


def chosen_layer(session: Session, target: Target) -> str | None:
    """The layer that counts: what was adjudicated, else that of whoever began, else none."""
    found = [one.annotator for one in layers(session, target)]
    return ADJUDICATED if ADJUDICATED in found else next(iter(found), None)


def annotated(segments: Sequence[str], names: Iterable[Name]) -> list[AnnotatedText]:
    """Segments with the names in them."""
    found: list[list[Entity]] = [[] for _ in segments]
    for one in names:
        found[one.segment].append(one.entity)
    return [
        AnnotatedText(text=text, entities=tuple(entities))
        for text, entities in zip(segments, found, strict=True)
    ]


def _of_target(target: Target) -> tuple[ColumnElement[bool], ...]:
    return (
        AnnotationEvent.test_set_id == target.test_set_id,
        AnnotationEvent.target_kind == target.kind,
        AnnotationEvent.target_id == target.id,
    )


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
