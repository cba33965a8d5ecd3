"""Layers: all names that one annotator has in one text, made of the events so far."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from tertium.serve.annotation.targets import Target
from tertium.serve.store.schema import AnnotationEvent
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
