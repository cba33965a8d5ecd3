"""What a project has under some words: test sets, systems, campaigns, segments."""

from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.evaluation.comparison import search
from tertium.serve.evaluation.corpora import board, latest_outputs
from tertium.serve.store.schema import Campaign, StoredSystem, TestSet

Kind = Literal["test set", "system", "campaign", "segment"]
MOST_NAMED: Final = 50
"""Test sets, systems and campaigns that are shown."""
MOST_SEARCHED: Final = 8
"""Test sets whose texts are searched: all of them have to be read."""
MOST_SEGMENTS: Final = 6
"""Segments of a test set that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Something with the words in it; ``path`` begins below the project's."""

    kind: Kind
    title: str
    detail: str
    path: str


def search_project(session: Session, project_id: int, query: str) -> tuple[Hit, ...]:
    """Everything with the words in its name, then segments with them in a text."""
    needle = query.lower().strip()
    if not needle:
        return ()
    sets = session.scalars(
        select(TestSet)
        .where(TestSet.project_id == project_id, TestSet.deleted_at.is_(None))
        .order_by(TestSet.name)
    ).all()
    named = [
        Hit(kind="test set", title=one.name, detail="", path=f"/test-sets/{one.slug}")
        for one in sets
    ]
    by_id = {one.id: one for one in sets}
    systems = session.execute(
        select(StoredSystem.id, StoredSystem.name, StoredSystem.test_set_id)
        .where(StoredSystem.test_set_id.in_(by_id), StoredSystem.deleted_at.is_(None))
        .order_by(StoredSystem.name, StoredSystem.id)
    )
    for system_id, name, test_set_id in systems:
        home = by_id[test_set_id]
        path = f"/test-sets/{home.slug}/systems/{system_id}"
        named.append(Hit(kind="system", title=name, detail=home.name, path=path))
    campaigns = session.execute(
        select(Campaign.id, Campaign.name, Campaign.state)
        .where(Campaign.project_id == project_id)
        .order_by(Campaign.id.desc())
    )
    for campaign_id, name, state in campaigns:
        named.append(
            Hit(kind="campaign", title=name, detail=state, path=f"/campaigns/{campaign_id}")
        )
    found = [one for one in named if needle in one.title.lower()][:MOST_NAMED]
    for one in sets[:MOST_SEARCHED]:
        found += _segments(session, one, needle)
    return tuple(found)


def _segments(session: Session, test_set: TestSet, needle: str) -> list[Hit]:
    outputs = latest_outputs(session, test_set.id)
    whole = board(session, test_set.id, outputs) if outputs else None
    if whole is None or whole.scored is None:
        return []
    page = search(whole, query=needle, limit=MOST_SEGMENTS)
    return [
        Hit(
            kind="segment",
            title=next(
                (
                    text
                    for text in (one.source or "", *one.references, *one.hypotheses)
                    if needle in text.lower()
                ),
                one.references[0],
            ),
            detail=f"{test_set.name}, segment {one.number}",
            path=f"/test-sets/{test_set.slug}/segments#segment={one.number}",
        )
        for one in page.segments
    ]
