"""Is everything in a store as it was written? Hashes, shapes, numbers, ends of links."""

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from tertium.plain import Plain
from tertium.plurals import counted
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import (
    AnnotationEvent,
    AnnotationFile,
    Assignment,
    Base,
    Job,
    Output,
    Rater,
    RatingEvent,
    RatingItem,
    StoredReference,
    StoredScore,
    StoredSystem,
    StoredText,
    TestSet,
)

AT_ONCE: Final = 20
BYTES_OF_A_NUMBER: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(Plain):
    """What was counted, and what is wrong: sentences of place, found, expected."""

    PLAIN = "version store=place clean rows problems"

    place: str
    rows: dict[str, int]
    problems: tuple[str, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def check_store(store: Store) -> Checked:
    """Look at every row of a store, in one state of it."""
    with store.reading() as session:
        rows = {
            table.name: session.scalar(select(func.count()).select_from(table)) or 0
            for table in Base.metadata.sorted_tables
        }
        problems = list(_database(store, session))
        for look in CHECKS:
            problems.extend(look(session))
    return Checked(place=store.name, rows=rows, problems=tuple(problems))


def _database(store: Store, session: Session) -> Iterator[str]:
    """What the database itself says, and rows that name rows which do not exist."""
    if store.sqlite:
        for (line,) in session.execute(text("PRAGMA integrity_check")):
            if line != "ok":
                yield f"file: {line}"
    for table in Base.metadata.sorted_tables:
        for key in table.foreign_keys:
            there = key.column
            other = there.table.alias()
            query = (
                select(func.count())
                .select_from(table.outerjoin(other, key.parent == other.c[there.name]))
                .where(key.parent.is_not(None), other.c[there.name].is_(None))
            )
            if missing := session.scalar(query):
                yield (
                    f"{table.name}.{key.parent.name}: {counted(missing, 'row')} without its "
                    f"{there.table.name}"
                )


def _texts(session: Session) -> Iterator[str]:
    query = select(StoredText).execution_options(yield_per=AT_ONCE)
    for one in session.scalars(query):
        try:
            plain = zlib.decompress(one.data)
            lines = json.loads(plain)
        except (zlib.error, ValueError) as error:
            yield f"text {one.id}: cannot be read: {error}"
            continue
        if sha256(plain).hexdigest() != one.sha256:
            yield f"text {one.id}: found another hash than the one it was kept under"
        if len(lines) != one.lines:
            yield f"text {one.id}: found {counted(len(lines), 'line')}, expected {one.lines}"
        session.expunge(one)


def _test_sets(session: Session) -> Iterator[str]:
    for name in ("sources_text_id", "documents_text_id", "genres_text_id"):
        query = (
            select(TestSet.id, TestSet.segments, StoredText.lines)
            .join(StoredText, StoredText.id == getattr(TestSet, name))
            .where(StoredText.lines != TestSet.segments)
        )
        part = name.removesuffix("_text_id")
        for set_id, segments, lines in session.execute(query):
            yield f"test set {set_id}: found {lines} {part}, expected {segments}"
    query = (
        select(StoredReference.id, TestSet.segments, StoredText.lines)
        .join(TestSet, TestSet.id == StoredReference.test_set_id)
        .join(StoredText, StoredText.id == StoredReference.text_id)
        .where(StoredText.lines != TestSet.segments)
    )
    for reference_id, segments, lines in session.execute(query):
        yield f"reference {reference_id}: found {counted(lines, 'line')}, expected {segments}"


def _outputs(session: Session) -> Iterator[str]:
    query = (
        select(Output.id, Output.sha256, StoredText.sha256, StoredText.lines, TestSet.segments)
        .join(StoredText, StoredText.id == Output.text_id)
        .join(StoredSystem, StoredSystem.id == Output.system_id)
        .join(TestSet, TestSet.id == StoredSystem.test_set_id)
    )
    for output_id, hashed, text_hash, lines, segments in session.execute(query):
        if lines != segments:
            yield f"output {output_id}: found {counted(lines, 'line')}, expected {segments}"
        if hashed != text_hash:
            yield f"output {output_id}: found another hash than that of its text"
    numbers = select(Output.system_id, func.count(), func.max(Output.number)).group_by(
        Output.system_id
    )
    for system_id, count, highest in session.execute(numbers):
        if count != highest:
            yield f"system {system_id}: found {counted(count, 'output')}, numbered up to {highest}"


def _scores(session: Session) -> Iterator[str]:
    query = (
        select(StoredScore.id, StoredScore.columns, func.length(StoredScore.rows), TestSet.segments)
        .join(Output, Output.id == StoredScore.output_id)
        .join(StoredSystem, StoredSystem.id == Output.system_id)
        .join(TestSet, TestSet.id == StoredSystem.test_set_id)
    )
    for score_id, columns, size, segments in session.execute(query):
        expected = segments * columns * BYTES_OF_A_NUMBER
        if size != expected:
            yield f"score {score_id}: found {size} bytes of rows, expected {expected}"


def _ratings(session: Session) -> Iterator[str]:
    for table in (RatingEvent, Assignment):
        query = (
            select(table.id)
            .join(RatingItem, RatingItem.id == table.item_id)
            .join(Rater, Rater.id == table.rater_id)
            .where(RatingItem.campaign_id != Rater.campaign_id)
        )
        for event_id in session.scalars(query):
            yield f"{table.__tablename__} {event_id}: item and rater are of different campaigns"
    unfit = select(RatingEvent.id).where(RatingEvent.seconds < 0)
    for event_id in session.scalars(unfit):
        yield f"rating_event {event_id}: found less than no time"


def _annotations(session: Session) -> Iterator[str]:
    query = (
        select(AnnotationEvent.id, AnnotationEvent.segment, TestSet.segments)
        .join(TestSet, TestSet.id == AnnotationEvent.test_set_id)
        .where(
            (AnnotationEvent.segment < 0)
            | (AnnotationEvent.segment >= TestSet.segments)
            | (AnnotationEvent.start < 0)
            | (AnnotationEvent.end <= AnnotationEvent.start)
        )
    )
    for event_id, segment, segments in session.execute(query):
        yield f"annotation_event {event_id}: lies in segment {segment} of {segments}, or is empty"
    for kind, table in (("reference", StoredReference), ("output", Output)):
        missing = (
            select(AnnotationEvent.id)
            .outerjoin(table, table.id == AnnotationEvent.target_id)
            .where(AnnotationEvent.target_kind == kind, table.id.is_(None))
        )
        for event_id in session.scalars(missing):
            yield f"annotation_event {event_id}: found no {kind} that it speaks of"


def _annotation_files(session: Session) -> Iterator[str]:
    query = select(AnnotationFile).execution_options(yield_per=AT_ONCE)
    for one in session.scalars(query):
        try:
            plain = zlib.decompress(one.data)
        except zlib.error as error:
            yield f"annotation_file {one.id}: cannot be read: {error}"
            continue
        if sha256(plain).hexdigest() != one.sha256:
            yield f"annotation_file {one.id}: found another hash than the one it was kept under"
        session.expunge(one)


def _jobs(session: Session) -> Iterator[str]:
    query = select(Job.id).where(Job.state == "running", Job.worker.is_(None))
    for job_id in session.scalars(query):
        yield f"job {job_id}: is running, but no worker has it"
    query = select(Job.id).where(Job.state.in_(["done", "failed", "cancelled"]))
    for job_id in session.scalars(query.where(Job.worker.is_not(None))):
        yield f"job {job_id}: is over, but a worker has it"


CHECKS: Final[tuple[Callable[[Session], Iterator[str]], ...]] = (
    _texts,
    _test_sets,
    _outputs,
    _scores,
    _ratings,
    _annotations,
    _annotation_files,
    _jobs,
)
