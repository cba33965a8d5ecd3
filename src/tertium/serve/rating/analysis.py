"""The state of a campaign in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer

from tertium.errors import InputError
from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.judges import JudgeReport, judge_report
from tertium.meta.ratings.rating_sets import Ratings, collect_rankings, collect_ratings
from tertium.meta.ratings.standing import Standings, standings
from tertium.meta.sanity.needed import NeighborOrder, ratings_needed
from tertium.meta.spans.agreement import span_agreement
from tertium.plain import finite
from tertium.serve.queue import JobOutcome, Progress, enqueue
from tertium.serve.rating.export_files import Results
from tertium.serve.rating.material import material_of
from tertium.serve.rating.protocols import protocol_named
from tertium.serve.rating.results import Answered, Control, controls, current_answers, file_rows
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Campaign, Job, RatingEvent, RatingItem, now


def headline(found: Standings) -> str:
    """Who is rated highest, as far as the ratings tell, and over which unit that was tested.

    >>> headline(Standings())
    'No ratings yet.'
    """
    if not len(found) or found.basis is None:
        return "No ratings yet."
    if len(found) == 1:
        return f"{found[0].system} is the only system with ratings."
    best = [one.system for one in found if one.cluster == 1]
    tested = f"significant by {found.basis.unit}s"
    if len(best) == 1:
        return f"{best[0]} is rated higher than every other system ({tested})."
    if len(best) == len(found):
        return (
            f"{found[0].system} leads, but the ratings do not yet tell a group from the rest by "
            f"{found.basis.unit}s."
        )
    others = len(found) - len(best)
    rest = "the other" if others == 1 else f"the other {others}"
    return f"{_joined(best)} are each rated higher than {rest} ({tested})."


def _joined(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


KIND: Final = "campaign"
AT_ONCE: Final = 300
"""Events of a campaign up to which its ratings are looked at while somebody waits."""
POWER: Final = 0.8
REST: Final = 5
"""Times its own duration for which an analysis counts as fresh …"""
LONGEST_REST: Final = timedelta(minutes=2)
"""… and how long at most."""
_LOOKED_AT: Final = 50
"""Jobs among which the last look at a campaign is searched for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What the ratings under one criterion say."""

    name: str
    standings: Standings
    judges: JudgeReport
    needed: tuple[NeighborOrder, ...]
    """Neighbours in the ranking, and how many ratings would tell them apart."""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        sane = self.judges.sanity
        return {
            "name": self.name,
            "standings": [one.to_dict() for one in self.standings],
            "basis": None if self.standings.basis is None else self.standings.basis.to_dict(),
            "judges": self.judges.to_dict(),
            "suspicious": [] if sane is None else [str(one) for one in sane.bad],
            "needed": [one.to_dict() for one in self.needed],
        }


def analysed(session: Session, campaign: Campaign) -> dict[str, Any]:
    """All that the ratings say now, ready for JSON."""
    event = last_event(session, campaign)
    answers = current_answers(session, campaign)
    criteria: tuple[Criterion, ...] = ()
    spans = None
    if answers:
        results = Results(
            campaign=campaign,
            protocol=protocol_named(campaign.protocol),
            material=material_of(session, campaign),
            answers=answers,
        )
        criteria = criteria_of(results)
        spans = span_agreement(results.marks) if results.protocol.marked else None
    made: dict[str, Any] = finite(
        {
            "event": event,
            "headline": headline(criteria[0].standings if criteria else Standings()),
            "criteria": [one.to_dict() for one in criteria],
            "spans": None if spans is None else spans.to_dict(),
            "raters": _raters(answers),
        }
    )
    return made


def analyse(store: Store, payload: dict[str, Any], progress: Progress) -> JobOutcome:
    """The same as a job of workers."""
    progress(0.05, "reading")
    with store.reading() as session:
        campaign = session.get_one(Campaign, payload["campaign"])
        found = analysed(session, campaign)
    return JobOutcome(result={"campaign": campaign.id, "analysis": found})


def last_event(session: Session, campaign: Campaign) -> int:
    """The number of the last event, 0 before the first."""
    query = (
        select(func.max(RatingEvent.id))
        .join(RatingItem, RatingItem.id == RatingEvent.item_id)
        .where(RatingItem.campaign_id == campaign.id)
    )
    return session.scalar(query) or 0


def is_large(session: Session, campaign: Campaign) -> bool:
    """Whether it takes too long to look at the ratings while somebody waits."""
    query = (
        select(func.count())
        .select_from(RatingEvent)
        .join(RatingItem, RatingItem.id == RatingEvent.item_id)
        .where(RatingItem.campaign_id == campaign.id)
    )
    return (session.scalar(query) or 0) > AT_ONCE


def kept_analysis(session: Session, campaign: Campaign) -> dict[str, Any] | None:
    """What workers found last, however long ago."""
    for job in _jobs(session, campaign):  # of which the result of one is read
        if job.state == "done" and job.result is not None:
            found: dict[str, Any] = job.result["analysis"]
            return found
    return None


def ask_for_analysis(session: Session, actor: str, campaign: Campaign) -> None:
    """Let workers look at the ratings, unless they are about to or have just done so.

    While people rate, every look at a dashboard finds new ratings. The longer an analysis takes,
    the longer it counts as fresh, so that this campaign has a sixth of a worker and not all of it.
    """
    jobs = _jobs(session, campaign)
    if not any(job.state in {"queued", "running"} for job in jobs) and not _is_fresh(jobs):
        payload = {"campaign": campaign.id}
        enqueue(session, actor, KIND, payload, project_id=campaign.project_id)


def _is_fresh(jobs: Sequence[Job]) -> bool:
    """Whether the last analysis ended less than some times its own duration ago."""
    for job in jobs:
        if job.state == "done" and job.started_at is not None and job.ended_at is not None:
            rest = min(REST * (job.ended_at - job.started_at), LONGEST_REST)
            return now() < job.ended_at + rest
    return False


def _jobs(session: Session, campaign: Campaign) -> list[Job]:
    query = (
        select(Job)
        .options(defer(Job.result))
        .where(Job.project_id == campaign.project_id, Job.kind == KIND)
        .order_by(Job.id.desc())
        .limit(_LOOKED_AT)
    )
    return [one for one in session.scalars(query) if one.payload["campaign"] == campaign.id]


def _raters(answers: Sequence[Answered]) -> dict[str, dict[str, Any]]:
    """Rater → the median time of an item, and how the controls went."""
    checked = controls(answers)
    times: dict[int, list[float]] = {}
    for one in answers:
        times.setdefault(one.rater_id, []).append(one.seconds)
    return {
        str(rater): {
            "seconds": median(some),
            "controls": checked.get(rater, Control()).to_dict(),
        }
        for rater, some in times.items()
    }


def criteria_of(results: Results) -> tuple[Criterion, ...]:
    """Every criterion that outputs of systems were rated under."""
    groups: dict[str, list[Rating]] = {}
    for row in results.rows:
        groups.setdefault(row.criterion, []).append(row)
    found = []
    for name, rows in groups.items():
        if all(row.kind for row in rows):
            continue
        ratings = collect_ratings(
            rows, name=results.campaign.name, criterion=name, width=results.material.segments
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


def _needed(ratings: Ratings) -> tuple[NeighborOrder, ...]:
    try:
        return ratings_needed(ratings, power=POWER).verdicts
    except InputError:
        return ()  # too few ratings to draw from
