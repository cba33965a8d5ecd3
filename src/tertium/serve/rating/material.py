"""The texts of a campaign: sources, references, documents, and what each system said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.store.schema import (
    Campaign,
    CampaignOutput,
    Output,
    StoredReference,
    StoredSystem,
    StoredText,
    TestSet,
)
from tertium.serve.store.texts import lines_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All that items are made of; outputs are known by their ids."""

    segments: int
    source_language: str
    target_language: str
    test_set: str
    systems: Mapping[int, str]
    """Output → the system's name, with the output's number where a system has two in it."""
    sources: Sequence[str] | None = field(repr=False)
    reference: Sequence[str] | None = field(repr=False)
    documents: Sequence[str] | None = field(repr=False)
    outputs: Mapping[int, Sequence[str]] = field(repr=False)

    @property
    def pair(self) -> str:
        """The language pair, empty where it is not known."""
        known = self.source_language and self.target_language
        return f"{self.source_language}-{self.target_language}" if known else ""

    def source(self, segment: int) -> str:
        """The source of a segment, empty where there is none."""
        return "" if self.sources is None else self.sources[segment]

    def neighbours(self, segment: int, size: int) -> tuple[list[int], list[int]]:
        """Segments of the same document before and after one."""
        if self.documents is None or not size:
            return [], []
        name = self.documents[segment]

        def run(step: int) -> list[int]:
            found: list[int] = []
            at = segment + step
            while 0 <= at < self.segments and self.documents[at] == name and len(found) < size:  # type: ignore[index]
                found.append(at)
                at += step
            return found

        return run(-1)[::-1], run(1)


def material_of(session: Session, campaign: Campaign) -> Material:
    """The texts of a campaign; each column is unpacked once and kept a while."""
    tests = session.get_one(TestSet, campaign.test_set_id)
    rows = session.execute(
        select(Output, StoredSystem.name)
        .join(CampaignOutput, CampaignOutput.output_id == Output.id)
        .join(StoredSystem, StoredSystem.id == Output.system_id)
        .where(CampaignOutput.campaign_id == campaign.id)
        .order_by(CampaignOutput.position)
    ).all()
    names = [name for _, name in rows]
    references = session.scalar(
        select(StoredReference.text_id)
        .where(StoredReference.test_set_id == tests.id)
        .order_by(StoredReference.position)
        .limit(1)
    )
    return Material(
        segments=tests.segments,
        source_language=tests.source_language,
        target_language=tests.target_language,
        test_set=tests.slug,
        systems={
            output.id: name if names.count(name) == 1 else f"{name}#{output.number}"
            for output, name in rows
        },
        sources=_column(session, tests.sources_text_id),
        reference=_column(session, references),
        documents=_column(session, tests.documents_text_id),
        outputs={output.id: _column(session, output.text_id) or () for output, _ in rows},
    )


def _column(session: Session, text_id: int | None) -> tuple[str, ...] | None:
    if text_id is None:
        return None
    digest = session.scalars(select(StoredText.sha256).where(StoredText.id == text_id)).one()
    if digest not in _KEPT:
        lines = tuple(lines_of(session, text_id))
        with _LOCK:
            _KEPT[digest] = lines
            while len(_KEPT) > MOST_KEPT:
                del _KEPT[next(iter(_KEPT))]
        return lines
    return _KEPT.get(digest) or tuple(lines_of(session, text_id))


MOST_KEPT: Final = 64
"""Columns of text that stay unpacked: a text of a hash never changes."""
_KEPT: dict[str, tuple[str, ...]] = {}
_LOCK: Final = Lock()
