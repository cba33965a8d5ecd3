"""The texts of a campaign: sources, references, documents, and what each system said."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from sqlalchemy import bindparam, select
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
class ItemMaterial:
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

    def document(self, segment: int) -> str:
        """The document of a segment, empty where documents are not known."""
        return "" if self.documents is None else self.documents[segment]

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


# Statements are put together once: every save of every rater needs them.
_OUTPUTS: Final = (
    select(Output.id, Output.number, Output.text_id, StoredSystem.name)
    .join(CampaignOutput, CampaignOutput.output_id == Output.id)
    .join(StoredSystem, StoredSystem.id == Output.system_id)
    .where(CampaignOutput.campaign_id == bindparam("campaign"))
    .order_by(CampaignOutput.position)
)
_REFERENCE: Final = (
    select(StoredReference.text_id)
    .where(StoredReference.test_set_id == bindparam("test_set"))
    .order_by(StoredReference.position)
    .limit(1)
)
_HASHES: Final = select(StoredText.id, StoredText.sha256).where(
    StoredText.id.in_(bindparam("texts", expanding=True))
)


def material_of(session: Session, campaign: Campaign) -> ItemMaterial:
    """The texts of a campaign; a column is unpacked when it is needed, and kept a while."""
    tests = session.get_one(TestSet, campaign.test_set_id)
    rows = session.execute(_OUTPUTS, {"campaign": campaign.id}).all()
    reference = session.scalar(_REFERENCE, {"test_set": tests.id})
    names = Counter(name for *_, name in rows)
    given = (tests.sources_text_id, reference, tests.documents_text_id)
    wanted = {*(text for _, _, text, _ in rows), *given} - {None}
    hashes = {
        text: (text, digest)
        for text, digest in session.execute(_HASHES, {"texts": list(wanted)}).all()
    }
    columns = _MaterialColumns(session, hashes)
    sources, references, documents = (None if one is None else columns[one] for one in given)
    return ItemMaterial(
        segments=tests.segments,
        source_language=tests.source_language,
        target_language=tests.target_language,
        test_set=tests.slug,
        systems={
            output: name if names[name] == 1 else f"{name}#{number}"
            for output, number, _, name in rows
        },
        sources=sources,
        reference=references,
        documents=documents,
        outputs=_MaterialColumns(session, {output: hashes[text] for output, _, text, _ in rows}),
    )


class _MaterialColumns(Mapping[int, Sequence[str]]):
    """Columns of text by number, unpacked while the session lasts: an item shows few of many."""

    def __init__(self, session: Session, texts: Mapping[int, tuple[int, str]]) -> None:
        self._session = session
        self._texts = texts

    def __getitem__(self, number: int) -> Sequence[str]:
        return _column(self._session, *self._texts[number])

    def __iter__(self) -> Iterator[int]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _column(session: Session, text_id: int, digest: str) -> tuple[str, ...]:
    kept = _KEPT.get(digest)
    if kept is None:
        kept = tuple(lines_of(session, text_id))
        with _LOCK:
            _KEPT[digest] = kept
            while len(_KEPT) > MOST_KEPT:
                del _KEPT[next(iter(_KEPT))]
    return kept


MOST_KEPT: Final = 256
"""Columns of text that stay unpacked: a text of a hash never changes."""
_KEPT: dict[str, tuple[str, ...]] = {}
_LOCK: Final = Lock()
