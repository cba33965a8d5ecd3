"""Where two annotators agree, where they differ, and what was decided there."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import uuid4

from sqlalchemy.orm import Session

from tertium.meta.ratings.judgments import or_none
from tertium.meta.spans.agreement import Overlap, SpanAgreement, span_agreement
from tertium.meta.spans.span import Annotation, Annotations, Span
from tertium.serve.annotation.layers import (
    ADJUDICATED,
    Change,
    Name,
    change_names,
    events_of,
    folded,
    names_of,
)
from tertium.serve.annotation.targets import TargetText
from tertium.serve.errors import RequestError

Difference: TypeAlias = Literal["same", "type", "ends", "first", "second"]
"""Both have it; other types; other ends; only the first has it; only the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A place where either has a name, with what each has there."""

    segment: int
    difference: Difference
    first: tuple[Name, ...]
    second: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameAgreement:
    """Two annotators of one text.

    ``names`` and ``ends`` are F1 of names with the same ends, the first with the same type too;
    ``overlap`` is F1 of names that share a character. ``alpha`` is Krippendorff's over all
    characters, with types as kinds. What is not defined is None.
    """

    first: str
    second: str
    first_names: int
    second_names: int
    names: float | None
    ends: float | None
    overlap: float | None
    alpha: float | None
    types: dict[str, float | None]
    pairs: tuple[Pair, ...]


def name_agreement(
    first: str,
    second: str,
    one: Sequence[Name],
    other: Sequence[Name],
    segments: Sequence[str],
) -> NameAgreement:
    """Hold two layers against each other."""
    found = _measured(one, other, segments)
    types = sorted({name.type for name in (*one, *other)})
    return NameAgreement(
        first=first,
        second=second,
        first_names=len(one),
        second_names=len(other),
        names=_share(found.all, "exact_alike"),
        ends=_share(found.all, "exact"),
        overlap=_share(found.all, "partial"),
        alpha=or_none(found.severity_alpha),
        types={
            label: _share(
                _measured(
                    [name for name in one if name.type == label],
                    [name for name in other if name.type == label],
                    segments,
                ).all,
                "exact",
            )
            for label in types
        },
        pairs=tuple(pairs(one, other)),
    )


def _share(overlap: Overlap, what: str) -> float | None:
    """F1: each match counts for both sides; of nothing, None."""
    return 2 * getattr(overlap, what) / overlap.spans if overlap.spans else None


def _measured(one: Sequence[Name], other: Sequence[Name], segments: Sequence[str]) -> SpanAgreement:
    looks = [
        Annotation(
            segment=number,
            system="text",
            rater=rater,
            place="",
            spans=tuple(_spans(rater, number, names)),
            hypothesis=text,
        )
        for rater, layer in (("first", one), ("second", other))
        for by_segment in [_by_segment(layer)]
        for number, text in enumerate(segments)
        for names in [by_segment.get(number, [])]
    ]
    found = span_agreement(Annotations(name="names", annotations=tuple(looks)))
    if found is None:  # a text without segments
        nan = float("nan")
        return SpanAgreement(outputs=0, all=Overlap(), pairs={}, alpha=nan, severity_alpha=nan)
    return found


def _spans(rater: str, number: int, names: Iterable[Name]) -> Iterator[Span]:
    for name in names:
        yield Span(
            segment=number,
            system="text",
            rater=rater,
            start=name.start,
            end=name.end,
            severity=name.type,
        )


def _by_segment(names: Iterable[Name]) -> dict[int, list[Name]]:
    found: dict[int, list[Name]] = {}
    for name in names:
        found.setdefault(name.segment, []).append(name)
    return found


def pairs(one: Sequence[Name], other: Sequence[Name]) -> Iterator[Pair]:
    """Every place where either has a name, in the order of the text."""
    mine, theirs = _by_segment(one), _by_segment(other)
    for segment in sorted({*mine, *theirs}):
        for first, second in _clusters(mine.get(segment, []), theirs.get(segment, [])):
            yield Pair(
                segment=segment,
                difference=_difference(first, second),
                first=tuple(first),
                second=tuple(second),
            )


def _clusters(
    one: Sequence[Name], other: Sequence[Name]
) -> Iterator[tuple[list[Name], list[Name]]]:
    """Names that touch each other belong together."""
    marked = sorted(
        [(name, 0) for name in one] + [(name, 1) for name in other],
        key=lambda pair: (pair[0].start, pair[0].end),
    )
    cluster: tuple[list[Name], list[Name]] = ([], [])
    end = -1
    for name, side in marked:
        if name.start >= end and any(cluster):
            yield cluster
            cluster = ([], [])
        cluster[side].append(name)
        end = max(end, name.end)
    if any(cluster):
        yield cluster


def _difference(first: Sequence[Name], second: Sequence[Name]) -> Difference:
    if not second:
        return "first"
    if not first:
        return "second"
    if {one.key for one in first} == {one.key for one in second}:
        return "same"
    ends = [{one.key[:3] for one in names} for names in (first, second)]
    return "type" if ends[0] == ends[1] else "ends"


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
