"""Test sets: list, send, change, hide, and their leaderboards; files in requests."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal, ParamSpec, TypeVar

from fastapi import APIRouter, File, Form, Query, Response, UploadFile
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tertium.plain import finite
from tertium.serve.evaluation.corpora import board, latest_outputs, partial_boards
from tertium.serve.evaluation.downloads import KINDS, comparison_file, texts_file
from tertium.serve.evaluation.leaderboard import Leaderboard, leaderboard
from tertium.serve.evaluation.metrics import DEFAULTS, MOST
from tertium.serve.evaluation.parsers import PARSERS, ParsingLimits
from tertium.serve.evaluation.sets import (
    SetDescription,
    TestSetView,
    all_test_sets,
    change_test_set,
    create_test_set,
    delete_test_set,
    one_test_set,
    read_test_set,
    require_references,
)
from tertium.serve.evaluation.uploads import SentFile
from tertium.serve.evaluation.words import LONGEST_SLUG, SLUG
from tertium.serve.evaluation.work import ask_for_scores
from tertium.serve.web.access import Access, Line, Note, Slug, needs
from tertium.text.formats.table import KNOWN_FORMATS

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

FORMATS: Final = f"auto or {', '.join(KNOWN_FORMATS)}"
Format = Annotated[
    str,
    Form(
        max_length=20, pattern="^[a-z]+$", description=f"{FORMATS}; auto: by content, then by name"
    ),
]
"""How a file is to be read."""
Word = Annotated[str, StringConstraints(max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""A value on one line, or none."""


def sent(file: UploadFile | None) -> SentFile | None:
    """A file that was sent; a browser sends a nameless one where nothing was chosen."""
    if file is None or not (file.filename or file.size):
        return None
    return SentFile.of(file.filename, file.file)


def read_apart(
    access: Access,
    name: str,
    function: Callable[Parameters, Result],
    /,
    *arguments: Parameters.args,
    **named: Parameters.kwargs,
) -> Result:
    """What a function makes of a file called ``name``, in a process that may fail."""
    settings = access.settings
    limits = ParsingLimits(memory=settings.upload_memory, seconds=settings.upload_seconds)
    return PARSERS.call(limits, name, function, *arguments, **named)


def all_sent(files: Sequence[UploadFile]) -> list[SentFile]:
    """The files that were sent."""
    return [one for one in map(sent, files) if one is not None]


def words(values: Sequence[str]) -> list[str]:
    """Tags of a form, each a field of its own or several in one, separated by commas.

    >>> words(["nightly build, en-de", "x", ""])
    ['nightly build', 'en-de', 'x']
    """
    found = [one.strip() for value in values for one in value.split(",")]
    return [one for one in found if one]


def listed(values: Sequence[str]) -> list[str]:
    """Metrics of a form; commas or spaces are between them, unless they stand in brackets.

    >>> listed(["bleu, chrf", "bleu[order=2,lowercase=yes]", ""])
    ['bleu', 'chrf', 'bleu[order=2,lowercase=yes]']
    """
    found: list[str] = []
    for value in values:
        depth, word = 0, ""
        for sign in f"{value},":
            depth += (sign == "[") - (sign == "]")
            if depth <= 0 and (sign == "," or sign.isspace()):
                found.append(word)
                word = ""
            else:
                word += sign
        found.append(word)
    return [one for one in found if one]


router = APIRouter(tags=["test sets"])
SETS = "/projects/{project}/test-sets"
SET = f"{SETS}/{{test_set}}"
Reader = Annotated[Access, needs("reader")]
Editor = Annotated[Access, needs("editor")]
Download = Literal["json", "tsv", "latex"]


def documented(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """What the OpenAPI document says of a download."""
    return {200: {"content": {KINDS[one][1].partition(";")[0]: {} for one in kinds}}}


class TestSetChange(BaseModel):
    """What is to be changed; what is left out stays."""

    __test__ = False
    model_config = ConfigDict(extra="forbid")
    name: Line | None = None
    source_language: Word | None = None
    target_language: Word | None = None
    licence: Note | None = None
    note: Note | None = None
    metrics: Annotated[list[Word], Field(min_length=1, max_length=MOST)] | None = None


@router.get(SETS)
def list_test_sets(access: Reader, project: Slug) -> tuple[TestSetView, ...]:
    """The test sets of a project."""
    with access.reading() as session:
        return all_test_sets(session, access.project_id)


@router.post(SETS, status_code=201)
def send_test_set(  # noqa: PLR0917 (the fields of a form)
    access: Editor,
    project: Slug,
    name: Annotated[Line, Form()],
    references: Annotated[list[UploadFile], File(description="one file or several")],
    sources: Annotated[UploadFile | None, File()] = None,
    documents: Annotated[
        UploadFile | None, File(description="genre and document of each segment, by tabs")
    ] = None,
    slug: Annotated[str | None, Form(max_length=LONGEST_SLUG, pattern=f"^({SLUG})?$")] = None,
    format: Format = "auto",  # noqa: A002 (the word that users know)
    references_per_line: Annotated[int, Form(ge=1, le=50)] = 1,
    source_language: Annotated[Word, Form()] = "",
    target_language: Annotated[Word, Form()] = "",
    licence: Annotated[Note, Form()] = "",
    note: Annotated[Note, Form()] = "",
    metrics: Annotated[list[Word], Form()] = list(DEFAULTS),  # noqa: B006 (FastAPI copies it)
) -> TestSetView:
    """Make a test set of files in any format that tertium reads."""
    files = all_sent(references)
    require_references(files)
    source, labels = sent(sources), sent(documents)
    about = SetDescription(
        name=name,
        slug=slug or None,
        source_language=source_language,
        target_language=target_language,
        licence=licence,
        note=note,
        metrics=listed(metrics) or DEFAULTS,
    )
    texts = read_apart(
        access,
        files[0].name,
        read_test_set,
        files,
        sources=source,
        documents=labels,
        format=format,
        references_per_line=references_per_line,
    )
    with access.writing() as session:
        return create_test_set(session, access.actor, access.project_id, texts, about)


@router.get(SET)
def get_test_set(access: Reader, project: Slug, test_set: Slug) -> TestSetView:
    """One test set."""
    with access.reading() as session:
        return one_test_set(session, access.project_id, test_set)


@router.patch(SET)
def edit_test_set(
    access: Editor, project: Slug, test_set: Slug, change: TestSetChange
) -> TestSetView:
    """Change what is said of a test set; outputs are scored under metrics that are new."""
    with access.writing() as session:
        found = one_test_set(session, access.project_id, test_set)
        changed = change_test_set(
            session, access.actor, found.id, **change.model_dump(exclude_none=True)
        )
        if change.metrics is not None:
            ask_for_scores(session, access.actor, found.id)
        return changed


@router.delete(SET, status_code=204)
def hide_test_set(access: Editor, project: Slug, test_set: Slug) -> None:
    """Hide a test set; nothing of it is deleted from the store."""
    with access.writing() as session:
        found = one_test_set(session, access.project_id, test_set)
        delete_test_set(session, access.actor, found.id)


@router.get(f"{SET}/leaderboard")
def get_leaderboard(access: Reader, project: Slug, test_set: Slug) -> Leaderboard:
    """The newest outputs of all systems: scores, intervals, rank clusters, the answer in words."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        whole = board(session, found.id, latest_outputs(session, found.id))
        return leaderboard(whole, partial_boards(session, found.id, whole))


@router.get(
    f"{SET}/download",
    response_class=Response,
    responses=documented("json", "tsv", "latex"),
)
def download_scores(
    access: Reader,
    project: Slug,
    test_set: Slug,
    format: Annotated[Download, Query()] = "json",  # noqa: A002 (the word that users know)
) -> Response:
    """The comparison of all systems with the first, for a paper or a program."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        whole = board(session, found.id, latest_outputs(session, found.id))
        return as_file(*comparison_file(whole, found.slug, format))


@router.get(
    f"{SET}/texts",
    response_class=Response,
    responses=documented("jsonl", "tsv"),
)
def download_texts(
    access: Reader,
    project: Slug,
    test_set: Slug,
    format: Annotated[Literal["jsonl", "tsv"], Query()] = "jsonl",  # noqa: A002
) -> Response:
    """Sources, references, labels and the newest outputs, as tertium reads them again."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        return as_file(*texts_file(session, found, latest_outputs(session, found.id), format))


def as_file(name: str, kind: str, text: str) -> Response:
    """A download; browsers keep it, whatever is in it."""
    return Response(
        text.encode("utf-8", errors="replace"),
        media_type=kind,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def as_json(value: Any) -> JSONResponse:
    """JSON without numbers that it does not know."""
    return JSONResponse(finite(value))
