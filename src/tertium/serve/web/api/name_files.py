"""Names of two annotators held against each other, and files of names in and out."""

from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Form, Query, Response, UploadFile
from pydantic import BaseModel, ConfigDict, Field

from tertium.serve.accounts.log import record
from tertium.serve.annotation.adjudication import Adjudication, adjudication, take_agreed
from tertium.serve.annotation.agreement import NameAgreement, name_agreement
from tertium.serve.annotation.files import (
    EXTENSIONS,
    Format,
    Imported,
    export_file,
    import_file,
    read_file,
    read_units,
)
from tertium.serve.annotation.layers import names_of
from tertium.serve.evaluation.uploads import shown_name
from tertium.serve.web.access import Access, Slug, needs
from tertium.serve.web.api.names import BASE, Annotator, TargetKey, own_layer, the_text
from tertium.serve.web.api.uploading import read_apart

router = APIRouter(tags=["names"])

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
