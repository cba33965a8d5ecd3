"""Test sets: read from files, kept, listed, changed, hidden."""

import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from babel import Locale
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.serve.accounts.log import record
from tertium.serve.errors import NotFoundError, RequestError
from tertium.serve.evaluation.metrics import DEFAULTS, checked_list
from tertium.serve.evaluation.uploads import SentFile, opened
from tertium.serve.evaluation.words import free_slug, name_of, note_of
from tertium.serve.store.schema import Project, StoredReference, StoredSystem, TestSet, now
from tertium.serve.store.texts import PackedText, keep_packed, packed
from tertium.text.formats.table import system_name
from tertium.text.input_files import open_inputs

MOST_SEGMENTS: Final = 200_000
LONGEST_LANGUAGE: Final = 35
LANGUAGE: Final = re.compile(
    r"[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
    r"(-x(-[a-z0-9]{1,8})+)?",
    re.IGNORECASE | re.ASCII,
)
"""Language, script, region, variants, private use: the tags of BCP 47 that people use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSetTexts:
    """What files say of a test set, read and packed before anything is stored."""

    __test__ = False
    segments: int
    references: tuple[tuple[str, PackedText], ...]
    sources: PackedText | None = None
    documents: PackedText | None = None
    genres: PackedText | None = None
    keys: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDescription:
    """What people say of a test set."""

    name: str
    slug: str | None = None
    source_language: str = ""
    target_language: str = ""
    licence: str = ""
    note: str = ""
    metrics: Sequence[str] = DEFAULTS


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSetView:
    """A test set without its texts."""

    __test__ = False
    id: int
    project_id: int
    slug: str
    name: str
    source_language: str
    target_language: str
    licence: str
    note: str
    segments: int
    references: tuple[str, ...]
    has_sources: bool
    has_documents: bool
    has_genres: bool
    metrics: tuple[str, ...]
    systems: int
    created_at: datetime


def read_test_set(
    references: Sequence[SentFile],
    *,
    sources: SentFile | None = None,
    documents: SentFile | None = None,
    format: str = "auto",  # noqa: A002 (the word that users know)
    references_per_line: int = 1,
) -> TestSetTexts:
    """The texts of files in any format that tertium reads; nothing is stored if they do not fit."""
    files = [opened(one) for one in references]
    inputs = open_inputs(
        files,
        None,
        source=None if sources is None else opened(sources),
        documents=None if documents is None else opened(documents),
        format=format,
        num_refs=references_per_line,
    )
    corpus = inputs.load().corpus
    if not 1 <= len(corpus) <= MOST_SEGMENTS:
        raise InputError(
            f"{inputs.name}: {counted(len(corpus), 'segment')}, expected 1 to {MOST_SEGMENTS}"
        )
    columns = corpus.references.columns
    names = [system_name(one.name) for one in references]
    if len(columns) != len(names) or len(set(names)) < len(names):
        names = [f"reference {number}" for number in range(1, len(columns) + 1)]
    return TestSetTexts(
        segments=len(corpus),
        references=tuple(
            (name, packed(column.to_list())) for name, column in zip(names, columns, strict=True)
        ),
        sources=None if corpus.sources is None else packed(corpus.sources.to_list()),
        documents=None if corpus.documents is None else packed(corpus.documents),
        genres=None if corpus.genres is None else packed(corpus.genres),
        keys=None if inputs.keys is None else _packed_keys(inputs.keys),
    )


def create_test_set(
    session: Session, actor: str, project_id: int, texts: TestSetTexts, about: SetDescription
) -> TestSetView:
    """Keep a test set."""
    # Two that are sent at once must not find the same address free.
    session.execute(select(Project.id).where(Project.id == project_id).with_for_update())
    name = name_of(about.name, "name")
    made = TestSet(
        project_id=project_id,
        slug=free_slug(name, about.slug, lambda one: _taken(session, project_id, one), "test-set"),
        name=name,
        source_language=_language(about.source_language, "source language"),
        target_language=_language(about.target_language, "target language"),
        licence=note_of(about.licence, "licence"),
        note=note_of(about.note, "note"),
        segments=texts.segments,
        sources_text_id=_kept(session, texts.sources),
        documents_text_id=None
        if texts.documents is None
        else keep_packed(session, texts.documents).id,
        genres_text_id=_kept(session, texts.genres),
        keys=texts.keys,
        metrics=checked_list(about.metrics),
    )
    session.add(made)
    session.flush()
    for position, (label, text) in enumerate(texts.references):
        session.add(
            StoredReference(
                test_set_id=made.id,
                name=label,
                position=position,
                text_id=_kept(session, text),
            )
        )
    session.flush()
    record(session, actor, "create test set", project_id=project_id, target=made.slug)
    return _view(session, made)


def all_test_sets(session: Session, project_id: int) -> tuple[TestSetView, ...]:
    """The test sets of a project, by name."""
    query = select(TestSet).where(TestSet.project_id == project_id, TestSet.deleted_at.is_(None))
    return tuple(_view(session, one) for one in session.scalars(query.order_by(TestSet.name)))


def one_test_set(session: Session, project_id: int, slug: str) -> TestSetView:
    """One test set of a project, by its address."""
    query = select(TestSet).where(
        TestSet.project_id == project_id, TestSet.slug == slug, TestSet.deleted_at.is_(None)
    )
    found = session.scalar(query)
    if found is None:
        raise NotFoundError(f"test set {slug}: found none in this project")
    return _view(session, found)


def change_test_set(
    session: Session,
    actor: str,
    test_set_id: int,
    *,
    name: str | None = None,
    source_language: str | None = None,
    target_language: str | None = None,
    licence: str | None = None,
    note: str | None = None,
    metrics: Sequence[str] | None = None,
) -> TestSetView:
    """Change what is said of a test set; its texts stay as they are."""
    found = existing(session, test_set_id)
    if name is not None:
        found.name = name_of(name, "name")
    if source_language is not None:
        found.source_language = _language(source_language, "source language")
    if target_language is not None:
        found.target_language = _language(target_language, "target language")
    if licence is not None:
        found.licence = note_of(licence, "licence")
    if note is not None:
        found.note = note_of(note, "note")
    if metrics is not None:
        found.metrics = checked_list(metrics)
    record(session, actor, "change test set", project_id=found.project_id, target=found.slug)
    return _view(session, found)


def delete_test_set(session: Session, actor: str, test_set_id: int) -> None:
    """Hide a test set and free its address; its texts, outputs and ratings stay in the store."""
    found = existing(session, test_set_id)
    record(session, actor, "delete test set", project_id=found.project_id, target=found.slug)
    found.deleted_at = now()
    found.slug = f"{found.slug}~{found.id}"


def existing(session: Session, test_set_id: int) -> TestSet:
    """The row of a test set that was not taken away."""
    found = session.get(TestSet, test_set_id)
    if found is None or found.deleted_at is not None:
        raise NotFoundError(f"test set {test_set_id}: found none")
    return found


def keys_of(session: Session, test_set_id: int) -> tuple[tuple[str, ...], ...] | None:
    """What names the segments, where the files of the test set did."""
    data = session.scalar(select(TestSet.keys).where(TestSet.id == test_set_id))
    return None if data is None else tuple(map(tuple, json.loads(zlib.decompress(data))))


def _kept(session: Session, text: PackedText | None) -> int | None:
    return None if text is None else keep_packed(session, text).id


def _packed_keys(keys: Sequence[tuple[str, ...]]) -> bytes:
    return zlib.compress(json.dumps(list(keys), ensure_ascii=False).encode(), 3)


def _language(text: str, place: str) -> str:
    if not text.strip():
        return ""
    tag = name_of(text, place, longest=LONGEST_LANGUAGE).replace("_", "-")
    if LANGUAGE.fullmatch(tag):
        return tag
    names = {name.casefold(): code for code, name in Locale("en").languages.items()}
    code = names.get(text.strip().casefold())
    cure = f"; {text.strip()} is {code}" if code else ""
    raise RequestError(
        f"{place}: found {text[:60]!r}, expected a BCP 47 tag such as en, pt-BR or zh-Hans{cure}"
    )


def _taken(session: Session, project_id: int, slug: str) -> bool:
    query = select(TestSet.id).where(TestSet.project_id == project_id, TestSet.slug == slug)
    return session.scalar(query) is not None


def _view(session: Session, row: TestSet) -> TestSetView:
    names = session.scalars(
        select(StoredReference.name)
        .where(StoredReference.test_set_id == row.id)
        .order_by(StoredReference.position)
    )
    systems = session.scalar(
        select(func.count())
        .select_from(StoredSystem)
        .where(StoredSystem.test_set_id == row.id, StoredSystem.deleted_at.is_(None))
    )
    return TestSetView(
        id=row.id,
        project_id=row.project_id,
        slug=row.slug,
        name=row.name,
        source_language=row.source_language,
        target_language=row.target_language,
        licence=row.licence,
        note=row.note,
        segments=row.segments,
        references=tuple(names),
        has_sources=row.sources_text_id is not None,
        has_documents=row.documents_text_id is not None,
        has_genres=row.genres_text_id is not None,
        metrics=tuple(row.metrics),
        systems=systems or 0,
        created_at=row.created_at,
    )


def require_references(files: Sequence[SentFile]) -> None:
    """Refuse a request that has no file of references."""
    if not files:
        raise RequestError("references: found no file, expected at least one")
