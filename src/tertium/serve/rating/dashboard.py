"""How a campaign is going: progress, agreement, raters to look at, the ranking, what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from statistics import median
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tertium.errors import InputError
from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.judges import JudgeReport, judge_report
from tertium.meta.ratings.many_judges import Ratings, collect_rankings, collect_ratings
from tertium.meta.ratings.standing import Standing, standings
from tertium.meta.sanity.needed import Verdict, ratings_needed
from tertium.meta.spans.agreement import SpanAgreement, span_agreement
from tertium.serve.rating.campaigns import CampaignView, view
from tertium.serve.rating.controls import Control, controls
from tertium.serve.rating.exports.content import Results
from tertium.serve.rating.material import material_of
from tertium.serve.rating.protocols import protocol_named
from tertium.serve.rating.raters import raters
from tertium.serve.rating.results import current_answers, file_rows
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.words import headline
from tertium.serve.store.schema import Assignment, Campaign, RatingEvent

POWER = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterProgress:
    """How far one rater is; ``seconds`` is the median time of an item."""

    id: int
    label: str
    link_id: int | None
    active: bool
    expires_at: datetime | None
    assigned: int
    done: int
    skipped: int
    seconds: float | None
    last_at: datetime | None
    controls: Control


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What the ratings under one criterion say."""

    name: str
    standings: tuple[Standing, ...]
    judges: JudgeReport
    needed: tuple[Verdict, ...]
    """Neighbours in the ranking, and how many ratings would tell them apart."""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "name": self.name,
            "standings": [one.to_dict() for one in self.standings],
            "judges": self.judges.to_dict(),
            "needed": [one.to_dict() for one in self.needed],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """All that organisers want to know."""

    campaign: CampaignView
    headline: str
    raters: tuple[RaterProgress, ...]
    ratings: int
    """Items that were rated, by whomever."""
    wanted: int
    """Items that are to be rated, each as often as the settings say."""
    criteria: tuple[Criterion, ...]
    spans: SpanAgreement | None

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; what is not defined is null."""
        plain = {
            "headline": self.headline,
            "ratings": self.ratings,
            "wanted": self.wanted,
            "raters": [
                {
                    "id": one.id,
                    "label": one.label,
                    "active": one.active,
                    "assigned": one.assigned,
                    "done": one.done,
                    "skipped": one.skipped,
                    "seconds": one.seconds,
                    "last_at": None if one.last_at is None else one.last_at.isoformat(),
                    "controls": one.controls.to_dict(),
                }
                for one in self.raters
            ],
            "criteria": [one.to_dict() for one in self.criteria],
            "spans": None if self.spans is None else self.spans.to_dict(),
        }
        cleaned: dict[str, Any] = _finite(plain)
        return cleaned


def dashboard(session: Session, campaign: Campaign) -> Dashboard:
    """Gather everything from the events as they are now."""
    answers = current_answers(session, campaign)
    settings = CampaignSettings.of(campaign.settings)
    people = _progress(session, campaign, controls(answers))
    whole = view(session, campaign)
    each = max(1, len(people)) if settings.assignment == "fixed" else settings.redundancy
    criteria: tuple[Criterion, ...] = ()
    spans = None
    if answers:
        results = Results(
            campaign=campaign,
            protocol=protocol_named(campaign.protocol),
            material=material_of(session, campaign),
            answers=answers,
        )
        criteria = _criteria(results)
        spans = span_agreement(results.marks) if results.protocol.marked else None
    return Dashboard(
        campaign=whole,
        headline=headline(criteria[0].standings if criteria else ()),
        raters=people,
        ratings=sum(one.kind == "regular" for one in answers),
        wanted=whole.items * each,
        criteria=criteria,
        spans=spans,
    )


def _progress(
    session: Session, campaign: Campaign, checked: Mapping[int, Control]
) -> tuple[RaterProgress, ...]:
    given: dict[int, int] = dict(
        session.execute(
            select(Assignment.rater_id, func.count())
            .where(Assignment.campaign_id == campaign.id)
            .group_by(Assignment.rater_id)
        ).all()
    )
    last: dict[int, dict[int, RatingEvent]] = {}
    for event in session.scalars(
        select(RatingEvent)
        .join(Assignment, (Assignment.item_id == RatingEvent.item_id)
              & (Assignment.rater_id == RatingEvent.rater_id))
        .where(Assignment.campaign_id == campaign.id)
        .order_by(RatingEvent.id)
    ):  # fmt: skip
        last.setdefault(event.rater_id, {})[event.item_id] = event
    found = []
    for one in raters(session, campaign):
        events = list(last.get(one.id, {}).values())
        times = [event.seconds for event in events if event.action == "rate"]
        found.append(
            RaterProgress(
                id=one.id,
                label=one.label,
                link_id=one.link_id,
                active=one.active,
                expires_at=one.expires_at,
                assigned=given.get(one.id, 0),
                done=len(times),
                skipped=sum(event.action == "skip" for event in events),
                seconds=median(times) if times else None,
                last_at=max((event.at for event in events), default=None),
                controls=checked.get(one.id, Control()),
            )
        )
    return tuple(found)


def _criteria(results: Results) -> tuple[Criterion, ...]:
    groups: dict[str, list[Rating]] = {}
    for row in results.rows:
        groups.setdefault(row.criterion, []).append(row)
    found = []
    for name, rows in groups.items():
        if all(row.kind for row in rows):
            continue
        ratings = collect_ratings(
            rows,
            name=results.campaign.name,
            criterion=name,
            width=results.material.segments,
        )
        found.append(
            Criterion(
                name=name,
                standings=standings(ratings),
                judges=_judges(results, ratings),
                needed=_needed(ratings),
            )
        )
    return tuple(found)


def _judges(results: Results, ratings: Ratings) -> JudgeReport:
    if not results.protocol.ranked:
        return judge_report(ratings)
    orders = file_rows(results.campaign, results.answers, results.material).rankings
    return judge_report(collect_rankings(orders, name=results.campaign.name))


def _needed(ratings: Ratings) -> tuple[Verdict, ...]:
    try:
        return ratings_needed(ratings, power=POWER).verdicts
    except InputError:
        return ()  # too few ratings to draw from


def _finite(value: Any) -> Any:
    """The same without NaN and infinities, which JSON does not have."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_finite(one) for one in value]
    return value
