"""The current answers of a campaign as ratings, and how the hidden controls went."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import FileRows, Ranking, Rating
from tertium.meta.spans.ratings import Weights, rating_rows
from tertium.meta.spans.span import Annotation, Annotations, Kind, Span
from tertium.plain import Plain
from tertium.serve.rating.material import ItemMaterial, material_of
from tertium.serve.rating.protocols import Protocol, protocol_named
from tertium.serve.store.connection import open_store
from tertium.serve.store.schema import Assignment, Campaign, Project, Rater, RatingEvent, RatingItem
from tertium.suggestions import did_you_mean

POINTS: Final = Weights()
_ROWS_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One rater's last word on one item; ``answers`` are by the output's id as text."""

    item_id: int
    position: int
    """When this rater saw the item: its place in the rater's own order."""
    kind: str
    of: int | None
    segment: int
    document: str | None
    rater_id: int
    rater: str
    answers: Mapping[str, Mapping[str, Any]] = field(repr=False)
    texts: Mapping[str, str] = field(repr=False)
    """Texts that were shown instead of the outputs, where they were damaged."""
    seconds: float
    at: datetime


def current_answers(session: Session, campaign: Campaign) -> tuple[Answered, ...]:
    """What counts now: of each rater and item the last event, if it is a rating.

    Columns are read, not objects: a campaign has few items and raters, and very many events.
    """
    items = {
        item.id: item
        for item in session.execute(
            select(
                RatingItem.id,
                RatingItem.kind,
                RatingItem.document,
                RatingItem.segments,
                RatingItem.detail,
            ).where(RatingItem.campaign_id == campaign.id, RatingItem.kind != "tutorial")
        )
    }
    last = (
        select(func.max(RatingEvent.id))
        .join(RatingItem, RatingItem.id == RatingEvent.item_id)
        .where(RatingItem.campaign_id == campaign.id, RatingItem.kind != "tutorial")
        .group_by(RatingEvent.rater_id, RatingEvent.item_id)
    )
    events = session.execute(
        select(
            RatingEvent.item_id,
            RatingEvent.rater_id,
            RatingEvent.values,
            RatingEvent.seconds,
            RatingEvent.at,
            Rater.label,
            Assignment.position,
        )
        .join(RatingItem, RatingItem.id == RatingEvent.item_id)
        .join(Rater, Rater.id == RatingEvent.rater_id)
        .join(
            Assignment,
            (Assignment.rater_id == RatingEvent.rater_id)
            & (Assignment.item_id == RatingEvent.item_id),
        )
        .where(RatingEvent.id.in_(last), RatingEvent.action == "rate")
        .order_by(RatingItem.position, RatingEvent.rater_id)
        .execution_options(yield_per=_ROWS_AT_ONCE)
    )
    return tuple(
        Answered(
            item_id=item_id,
            position=position,
            kind=item.kind,
            of=item.detail.get("of"),
            segment=item.segments[0],
            document=item.document,
            rater_id=rater_id,
            rater=label,
            answers=values,
            texts=item.detail.get("texts", {}),
            seconds=seconds,
            at=at,
        )
        for item_id, rater_id, values, seconds, at, label, position in events
        for item in (items[item_id],)
    )


def worth(answer: Mapping[str, Any]) -> float:
    """One number for an answer, higher is better: what decides where more ratings are needed."""
    if "rank" in answer:
        return -float(answer["rank"])
    numbers = [float(value) for key, value in answer.items() if key != "errors"]
    if numbers:
        return sum(numbers) / len(numbers)
    return -sum(map(POINTS.of, _spans(answer, segment=0, system="", rater="")))


def file_rows(campaign: Campaign, answers: Sequence[Answered], material: ItemMaterial) -> FileRows:
    """All ratings and rankings, as if they had been read from a file."""
    protocol = protocol_named(campaign.protocol)
    if protocol.marked:
        marked = annotations(campaign, answers, material)
        rows = tuple(
            one._replace(pair=material.pair, document=material.document(one.segment or 0))
            for one in rating_rows(marked)
        )
        return FileRows(ratings=rows)
    rankings = tuple(_rankings(campaign, answers, material)) if protocol.ranked else ()
    return FileRows(
        ratings=() if protocol.ranked else tuple(rating_entries(campaign, answers, material)),
        rankings=rankings,
    )


def rating_entries(
    campaign: Campaign, answers: Sequence[Answered], material: ItemMaterial
) -> Iterator[Rating]:
    """A row for every number; a rank counts as its negative, so that higher is better."""
    protocol = protocol_named(campaign.protocol)
    for one in answers:
        for output, answer in one.answers.items():
            if one.kind == "degraded" and output not in one.texts:
                continue  # a rank beside a damaged output says nothing of the system
            for criterion, value in _numbers(protocol, answer):
                yield Rating(
                    place=_place(campaign, one),
                    system=material.systems[int(output)],
                    value=value,
                    criterion=criterion,
                    pair=material.pair,
                    testset=material.test_set,
                    segment=one.segment,
                    judge=one.rater,
                    kind=_kind(one, output),
                    begin=one.at.timestamp() - one.seconds,
                    seconds=one.seconds / len(one.answers),
                    document=material.document(one.segment),
                )


def _numbers(protocol: Protocol, answer: Mapping[str, Any]) -> list[tuple[str, float]]:
    if protocol.ranked:
        return [(protocol.rank_criterion, -float(answer["rank"]))]
    return [(scale.criterion, float(answer[scale.criterion])) for scale in protocol.scales]


def _rankings(
    campaign: Campaign, answers: Sequence[Answered], material: ItemMaterial
) -> Iterator[Ranking]:
    """Every order of systems; one with a damaged output is a control, and no order of systems."""
    criterion = protocol_named(campaign.protocol).rank_criterion
    for one in answers:
        if one.kind != "degraded":
            yield Ranking(
                place=_place(campaign, one),
                pair=material.pair,
                segment=one.segment,
                judge=one.rater,
                systems=tuple(material.systems[int(output)] for output in one.answers),
                ranks=tuple(int(answer["rank"]) for answer in one.answers.values()),
                criterion=criterion,
            )


def annotations(
    campaign: Campaign, answers: Sequence[Answered], material: ItemMaterial
) -> Annotations:
    """Marked errors with the texts that they were marked in."""
    return Annotations(
        name=material.pair or campaign.name,
        annotations=tuple(
            Annotation(
                segment=one.segment,
                system=material.systems[int(output)],
                rater=one.rater,
                place=_place(campaign, one),
                spans=_spans(
                    answer,
                    segment=one.segment,
                    system=material.systems[int(output)],
                    rater=one.rater,
                ),
                score=None if "score" not in answer else float(answer["score"]),
                kind=_kind(one, output),
                begin=one.at.timestamp() - one.seconds,
                seconds=one.seconds / len(one.answers),
                hypothesis=one.texts.get(output, material.outputs[int(output)][one.segment]),
                source=None if material.sources is None else material.source(one.segment),
            )
            for one in answers
            for output, answer in one.answers.items()
        ),
    )


def _spans(answer: Mapping[str, Any], *, segment: int, system: str, rater: str) -> tuple[Span, ...]:
    return tuple(
        Span(
            segment=segment,
            system=system,
            rater=rater,
            start=error["start"],
            end=error["end"],
            severity=error["severity"],
            category=error["category"],
            side=error["side"],
        )
        for error in answer.get("errors", ())
    )


def _kind(one: Answered, output: str) -> Kind:
    """Only the output that was damaged is a control of damage; what is repeated is an output."""
    return "degraded" if one.kind == "degraded" and output in one.texts else ""


def _place(campaign: Campaign, one: Answered) -> str:
    return f"campaign {campaign.name}: item {one.item_id} of {one.rater}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Control(Plain):
    """A rater's controls: damaged outputs that were rated below the whole ones, and repetitions."""

    damaged: int = 0
    noticed: int = 0
    repeated: int = 0
    same: int = 0


def controls(answers: Sequence[Answered]) -> dict[int, Control]:
    """Rater → controls; only those count whose original the rater rated, too."""
    whole = {(one.rater_id, one.item_id): one for one in answers if one.kind == "regular"}
    found: dict[int, Control] = {}
    for one in answers:
        original = whole.get((one.rater_id, one.of)) if one.of is not None else None
        if original is None:
            continue
        so_far = found.get(one.rater_id, Control())
        if one.kind == "degraded":
            worse = all(_noticed(one, original, output) for output in one.texts)
            so_far = replace(
                so_far, damaged=so_far.damaged + 1, noticed=so_far.noticed + int(worse)
            )
        else:
            same = _worths(one.answers) == _worths(original.answers)
            so_far = replace(so_far, repeated=so_far.repeated + 1, same=so_far.same + int(same))
        found[one.rater_id] = so_far
    return found


def _noticed(one: Answered, original: Answered, output: str) -> bool:
    """Whether the damaged output was rated lower; in a ranking, the last place is enough."""
    value = worth(one.answers[output])
    others = [worth(answer) for key, answer in one.answers.items() if key != output]
    return value < worth(original.answers[output]) or (bool(others) and value < min(others))


def _worths(answers: Any) -> dict[str, float]:
    return {output: worth(answer) for output, answer in answers.items()}


PREFIX: Final = "store:"


def stored_ratings(place: str | Path, name: str) -> FileRows:
    """The ratings of a campaign; ``name`` is PROJECT/CAMPAIGN, the campaign's name or number."""
    slug, divider, wanted = name.removeprefix(PREFIX).partition("/")
    if not (slug and divider and wanted):
        raise OptionError(f"ratings {name!r}: expected store:PROJECT/CAMPAIGN")
    if "://" not in str(place) and not Path(place).exists():
        raise InputError(f"store {place}: found no such file, expected a store")
    store = open_store(place)
    try:
        with store.reading() as session:
            projects = dict(
                session.execute(
                    select(Project.slug, Project.id).where(Project.deleted_at.is_(None))
                ).all()
            )  # fmt: skip
            if slug not in projects:
                raise OptionError(did_you_mean("project", slug, sorted(projects)))
            found = session.scalars(
                select(Campaign).where(Campaign.project_id == projects[slug])
            ).all()
            chosen = [one for one in found if wanted in {one.name, str(one.id)}]
            chosen = [one for one in chosen if one.name == wanted] or chosen
            if not chosen:
                raise OptionError(
                    did_you_mean("campaign", wanted, sorted(one.name for one in found))
                )
            answers = current_answers(session, chosen[0])
            if not answers:
                raise InputError(f"{PREFIX}{slug}/{wanted}: found no rating yet, expected one")
            return file_rows(chosen[0], answers, material_of(session, chosen[0]))
    finally:
        store.close()
