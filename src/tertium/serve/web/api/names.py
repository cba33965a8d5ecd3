"""Names in texts: layers, suggestions, agreement, files."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal
from urllib.parse import quote

from fastapi import APIRouter, Form, Path, Query, Response, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from tertium.report.html.wording import direction
from tertium.serve.accounts.log import record
from tertium.serve.annotation.agreement import (
    Adjudication,
    NameAgreement,
    adjudication,
    name_agreement,
    take_agreed,
)
from tertium.serve.annotation.files import (
    EXTENSIONS,
    Format,
    Imported,
    export_file,
    import_file,
    read_file,
    read_units,
)
from tertium.serve.annotation.layers import (
    ADJUDICATED,
    LONGEST_KEY,
    Change,
    LayerSummary,
    Name,
    change_names,
    events_of,
    layers,
    names_of,
)
from tertium.serve.annotation.scores import NameList, NameScores, metric_of, name_lists, name_scores
from tertium.serve.annotation.suggestions import OTHERS, Suggestion, suggestions
from tertium.serve.annotation.targets import (
    KEY,
    TargetText,
    document_members,
    target_of,
    target_text,
    targets,
)
from tertium.serve.errors import ForbiddenError, RequestError
from tertium.serve.evaluation.sets import one_test_set
from tertium.serve.evaluation.uploads import shown_name
from tertium.serve.web.access import HIGHEST, Access, After, Limit, Slug, needs
from tertium.serve.web.api.sets import read_apart

router = APIRouter(tags=["names"])

BASE: Final = "/projects/{project}/test-sets/{test_set}/names"
TargetKey = Annotated[str, Path(pattern=KEY, max_length=24)]
Annotator = Annotated[
    str | None,
    Query(pattern=r"^[\w.@+() -]+$", max_length=64, description="whose names; those of the caller"),
]
Document = Annotated[
    str | None, Query(max_length=1000, description="only this document's segments")
]
Start = Annotated[int, Query(ge=0, le=HIGHEST, description="the first segment, from 0")]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTarget:
    """A text in which names can be marked, and who has marked some."""

    key: str
    kind: str
    name: str
    layers: tuple[LayerSummary, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSegment:
    """A segment, counted from 0, with its names; places count code points."""

    segment: int
    document: str | None
    direction: Literal["rtl", "auto"]
    text: str
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSegments:
    """Some segments of a text as one annotator has them."""

    key: str
    name: str
    annotator: str
    total: int
    segments: tuple[NamedSegment, ...]


class NewChange(BaseModel):
    """A name is added, taken away or given another type (``was`` is the one before)."""

    model_config = ConfigDict(extra="forbid")
    segment: Annotated[int, Field(ge=0, le=HIGHEST)]
    action: Literal["add", "remove", "retype"]
    start: Annotated[int, Field(ge=0, le=HIGHEST)]
    end: Annotated[int, Field(ge=1, le=HIGHEST)]
    type: Annotated[str, Field(max_length=200, pattern=r"^[^\x00]+$")]
    was: Annotated[str, Field(max_length=200, pattern=r"^[^\x00]+$")] | None = None
    origin: Literal["hand", "tagger", "system", "adjudication"] = "hand"
    client_key: Annotated[str, Field(min_length=1, max_length=LONGEST_KEY)]


class NewChanges(BaseModel):
    """What an annotator did, in this order; all of it is kept, or nothing."""

    model_config = ConfigDict(extra="forbid")
    changes: Annotated[list[NewChange], Field(min_length=1, max_length=500)]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptEvent:
    """A change that was kept."""

    id: int
    at: datetime
    segment: int
    action: str
    start: int
    end: int
    type: str
    was: str | None
    origin: str


def the_text(session: Session, access: Access, test_set: str, target: str) -> TargetText:
    """The text that a path names."""
    found = one_test_set(session, access.project_id, test_set)
    return target_text(session, target_of(session, found.id, target))


def own_layer(access: Access, annotator: str | None) -> str:
    """Whose names the caller may change: one's own, what is adjudicated, and an owner's all."""
    if annotator in (None, access.actor, ADJUDICATED):
        return annotator or access.actor
    if access.role != "owner":
        raise ForbiddenError(f"annotator: found {annotator}, expected {access.actor}")
    return str(annotator)


def numbers_of(text: TargetText, document: str | None, start: int, limit: int) -> Sequence[int]:
    """The segments that are asked for."""
    if document is None:
        return range(min(start, len(text.segments)), min(start + limit, len(text.segments)))
    members = document_members(text)
    if document not in members:
        raise RequestError(f"document: found no {document!r}, expected one of the test set")
    return members[document][start : start + limit]


@router.get(BASE)
def list_texts(
    access: Annotated[Access, needs("reader")], project: Slug, test_set: Slug
) -> tuple[NamedTarget, ...]:
    """The source, the references and the newest outputs, and who has marked names in them."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        return tuple(
            NamedTarget(key=one.key, kind=one.kind, name=one.name, layers=layers(session, one))
            for one in targets(session, found.id)
        )


@router.get(BASE + "/scores")
def scores(access: Annotated[Access, needs("reader")], project: Slug, test_set: Slug) -> NameScores:
    """NEE of every system's newest output, by the names as they are now."""
    with access.reading() as session:
        return name_scores(session, one_test_set(session, access.project_id, test_set).id)


@router.get(BASE + "/{target}")
def named_segments(
    access: Annotated[Access, needs("reader")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    annotator: Annotator = None,
    document: Document = None,
    start: Start = 0,
    limit: Limit = 100,
) -> NamedSegments:
    """Segments with the names that somebody marked in them."""
    with access.reading() as session:
        text = the_text(session, access, test_set, target)
        who = annotator or access.actor
        names = names_of(session, text.target, who)
    return shown(text, who, names, numbers_of(text, document, start, limit))


def shown(
    text: TargetText, annotator: str, names: Sequence[Name], numbers: Sequence[int]
) -> NamedSegments:
    """Some segments with their names."""
    by_segment: dict[int, list[Name]] = {}
    for one in names:
        by_segment.setdefault(one.segment, []).append(one)
    return NamedSegments(
        key=text.target.key,
        name=text.target.name,
        annotator=annotator,
        total=len(text.segments),
        segments=tuple(
            NamedSegment(
                segment=number,
                document=None if text.documents is None else text.documents[number],
                direction=direction(text.segments[number]),
                text=text.segments[number],
                names=tuple(by_segment.get(number, ())),
            )
            for number in numbers
        ),
    )


@router.post(BASE + "/{target}/changes")
def mark(
    access: Annotated[Access, needs("editor")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    new: NewChanges,
    annotator: Annotator = None,
) -> NamedSegments:
    """Add, remove or retype names; the answer has the segments that were touched."""
    changes = [Change(**one.model_dump()) for one in new.changes]
    with access.writing() as session:
        text = the_text(session, access, test_set, target)
        who = own_layer(access, annotator)
        names = change_names(session, text, who, changes)
    return shown(text, who, names, sorted({one.segment for one in changes}))


@router.get(BASE + "/{target}/events")
def list_events(
    access: Annotated[Access, needs("reader")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    annotator: Annotator = None,
    after: After = None,
    limit: Limit = 100,
) -> tuple[KeptEvent, ...]:
    """Everything that an annotator did, from the first to the last."""
    with access.reading() as session:
        text = the_text(session, access, test_set, target)
        events = events_of(session, text.target, annotator or access.actor)
    later = [one for one in events if after is None or one.id > after][:limit]
    return tuple(
        KeptEvent(
            id=one.id,
            at=one.at,
            segment=one.segment,
            action=one.action,
            start=one.start,
            end=one.end,
            type=one.type,
            was=one.was,
            origin=one.origin,
        )
        for one in later
    )


@router.get(BASE + "/{target}/lists")
def lists(
    access: Annotated[Access, needs("reader")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    annotator: Annotator = None,
    unit: Literal["article", "paragraph"] = "article",
) -> tuple[NameList, ...]:
    """Every name once for each article, or for each paragraph, which is a segment."""
    with access.reading() as session:
        text = the_text(session, access, test_set, target)
        names = names_of(session, text.target, annotator or access.actor)
        metric = metric_of(session, text.target.test_set_id)
    paragraphs = unit == "paragraph"
    return name_lists(text, names, normalization=metric.normalization, paragraphs=paragraphs)


@router.get(BASE + "/{target}/suggestions")
def suggest(
    access: Annotated[Access, needs("editor")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    source: Annotated[str, Query(max_length=200)] = OTHERS,
    annotator: Annotator = None,
    document: Document = None,
    start: Start = 0,
    limit: Limit = 100,
) -> tuple[Suggestion, ...]:
    """Names that a tagger finds, or that other texts have, where none is marked yet."""
    with access.reading() as session:
        text = the_text(session, access, test_set, target)
        names = names_of(session, text.target, annotator or access.actor)
        numbers = numbers_of(text, document, start, limit)
        return suggestions(session, text, names, numbers, source)


PATTERN: Final = r"^[\w.@+() -]+$"
Other = Annotated[str, Query(pattern=PATTERN, max_length=64, description="an annotator")]


class TwoAnnotators(BaseModel):
    """Whose names are to become one layer."""

    model_config = ConfigDict(extra="forbid")
    first: Annotated[str, Field(pattern=PATTERN, max_length=64)]
    second: Annotated[str, Field(pattern=PATTERN, max_length=64)]


@router.get(BASE + "/{target}/agreement")
def agreement(
    access: Annotated[Access, needs("reader")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    first: Other,
    second: Other,
) -> NameAgreement:
    """How far two annotators agree on a text, and every place where either has a name."""
    with access.reading() as session:
        text = the_text(session, access, test_set, target)
        one, other = (names_of(session, text.target, who) for who in (first, second))
    return name_agreement(first, second, one, other, text.segments)


@router.get(BASE + "/{target}/adjudication")
def undecided(
    access: Annotated[Access, needs("reader")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    first: Other,
    second: Other,
) -> Adjudication:
    """Where two annotators differ and nobody has decided yet."""
    with access.reading() as session:
        text = the_text(session, access, test_set, target)
        return adjudication(session, text, first, second)


@router.post(BASE + "/{target}/adjudication")
def adjudicate(
    access: Annotated[Access, needs("editor")],
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    two: TwoAnnotators,
) -> Adjudication:
    """Take what both have into the adjudicated layer; the rest waits for decisions.

    A decision is a change of the annotator ``(adjudicated)``: a name added, or removed.
    """
    with access.writing() as session:
        text = the_text(session, access, test_set, target)
        take_agreed(session, text, two.first, two.second)
        return adjudication(session, text, two.first, two.second)


@router.post(BASE + "/{target}/file")
def send_file(
    access: Annotated[Access, needs("editor")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    file: UploadFile,
    format: Annotated[Format, Form()],  # noqa: A002
    annotator: Annotated[str | None, Form(pattern=PATTERN, max_length=64)] = None,
) -> Imported:
    """Make a layer what a file of names says; the file is kept as it was sent."""
    with access.reading() as session:
        text = the_text(session, access, test_set, target)
    name = shown_name(file.filename)
    read = read_file(
        text,
        name,
        format,
        file.file.read(),
        lambda *told: read_apart(access, name, read_units, *told),
    )
    who = own_layer(access, annotator)
    with access.writing() as session:
        imported = import_file(session, text, who, access.actor, read)
        record(
            session,
            access.actor,
            "import names",
            project_id=access.project_id,
            target=f"{test_set}/{target}",
            detail=f"{imported.names} of {who}",
        )
    return imported


@router.get(
    BASE + "/{target}/file",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def fetch_file(
    access: Annotated[Access, needs("reader")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    format: Format,  # noqa: A002
    annotator: Annotator = None,
) -> Response:
    """The names of an annotator as a file; what was sent and not changed is as it was sent."""
    with access.reading() as session:
        text = the_text(session, access, test_set, target)
        who = annotator or access.actor
        data = export_file(session, text, who, format)
    name = f"{test_set}.{text.target.name}.{who}{EXTENSIONS[format]}"
    return Response(
        data,
        media_type="application/octet-stream",
        headers={"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"},
    )
