"""One layer out of two: what both have is taken, the rest is decided by somebody."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy.orm import Session

from tertium.serve.annotation.agreement import Pair, pairs
from tertium.serve.annotation.events import Change, change_names
from tertium.serve.annotation.layers import ADJUDICATED, Name, events_of, folded, names_of
from tertium.serve.annotation.targets import TargetText
from tertium.serve.errors import RequestError


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication:
    """The pairs that wait for a decision, how many were decided, and the names so far."""

    first: str
    second: str
    open: tuple[Pair, ...]
    decided: int
    names: tuple[Name, ...]


def adjudication(session: Session, text: TargetText, first: str, second: str) -> Adjudication:
    """Where two annotators differ and nobody has decided yet.

    A pair is decided once the adjudicated layer says anything of each of its names: taken, or
    taken away.
    """
    one, other = (names_of(session, text.target, who) for who in (first, second))
    events = events_of(session, text.target, ADJUDICATED)
    touched = {(e.segment, e.start, e.end, e.type) for e in events}
    touched |= {(e.segment, e.start, e.end, str(e.was)) for e in events if e.was}
    different = [pair for pair in pairs(one, other) if pair.difference != "same"]
    waiting = [
        pair
        for pair in different
        if not all(name.key in touched for name in (*pair.first, *pair.second))
    ]
    return Adjudication(
        first=first,
        second=second,
        open=tuple(waiting),
        decided=len(different) - len(waiting),
        names=folded(events),
    )


def take_agreed(session: Session, text: TargetText, first: str, second: str) -> int:
    """Add what both annotators have to the adjudicated layer; how many that was."""
    if first == second or ADJUDICATED in (first, second):
        raise RequestError("annotators: expected two different ones")
    one, other = (names_of(session, text.target, who) for who in (first, second))
    both = {name.key for name in other}
    events = events_of(session, text.target, ADJUDICATED)
    touched = {(e.segment, e.start, e.end, e.type) for e in events}
    agreed = [name for name in one if name.key in both and name.key not in touched]
    change_names(session, text, ADJUDICATED, _added(agreed))
    return len(agreed)


def _added(names: Sequence[Name]) -> list[Change]:
    return [
        Change(
            segment=name.segment,
            action="add",
            start=name.start,
            end=name.end,
            type=name.type,
            origin="adjudication",
            client_key=uuid4().hex,
        )
        for name in names
    ]
