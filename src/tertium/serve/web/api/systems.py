"""Systems and their outputs: send, list, change, hide, follow over time, give scores to."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, File, Form, Response, UploadFile
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from tertium.serve.errors import RequestError
from tertium.serve.evaluation.corpora import board, corpus_of, hypotheses_of, latest_outputs
from tertium.serve.evaluation.downloads import output_file
from tertium.serve.evaluation.leaderboard import History, history
from tertium.serve.evaluation.previews import FilePreview, preview, preview_outputs
from tertium.serve.evaluation.scoring import (
    keep_scores,
    read_score_table,
    score_text,
    scores_of_outputs,
    takes_long,
)
from tertium.serve.evaluation.sets import keys_of, one_test_set
from tertium.serve.evaluation.systems import (
    MOST_AT_ONCE,
    OutputView,
    SystemView,
    add_output,
    all_outputs,
    change_output,
    change_system,
    delete_output,
    delete_system,
    output,
    read_outputs,
    system,
    systems,
)
from tertium.serve.evaluation.words import LONGEST_SLUG, MOST_TAGS
from tertium.serve.evaluation.work import ask_for_scores, ask_for_verdict
from tertium.serve.web.access import Identifier, Line, Note, Slug
from tertium.serve.web.api.sets import (
    SET,
    Editor,
    Format,
    Reader,
    Word,
    as_file,
    read_apart,
    sent,
    words,
)

router = APIRouter(tags=["systems"])
SYSTEM = f"{SET}/systems/{{system}}"
OUTPUT = f"{SET}/outputs/{{output}}"
Tag = Annotated[Line, StringConstraints(max_length=LONGEST_SLUG)]
Columns = Annotated[
    list[Word],
    Form(max_length=MOST_AT_ONCE, description="of a table, the columns with outputs of systems"),
]
Tags = Annotated[list[Tag], Field(max_length=MOST_TAGS)]


class SystemChange(BaseModel):
    """What is to be changed; what is left out stays."""

    model_config = ConfigDict(extra="forbid")
    name: Line | None = None
    tags: Tags | None = None
    note: Note | None = None


class OutputChange(BaseModel):
    """What is to be said of an output; its text stays."""

    model_config = ConfigDict(extra="forbid")
    tags: Tags | None = None
    note: Note | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """What came of a file: the outputs in it, and the job that scores them if that takes long."""

    outputs: tuple[OutputView, ...]
    job: int | None
    identical: tuple[str | None, ...]
    """For each output an earlier one of the test set that has the same text, if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresReceived:
    """Whose scores a file had, and under which metrics."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]


@router.get(f"{SET}/systems")
def list_systems(access: Reader, project: Slug, test_set: Slug) -> tuple[SystemView, ...]:
    """The systems of a test set with all their outputs."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        return systems(session, found.id)


@router.get(SYSTEM)
def get_system(access: Reader, project: Slug, test_set: Slug, system: Identifier) -> SystemView:
    """One system."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        return _system(session, found.id, system)


@router.patch(SYSTEM)
def edit_system(
    access: Editor, project: Slug, test_set: Slug, system: Identifier, change: SystemChange
) -> SystemView:
    """Rename a system, or say more of it."""
    with access.writing() as session:
        found = one_test_set(session, access.project_id, test_set)
        return change_system(
            session, access.actor, found.id, system, **change.model_dump(exclude_none=True)
        )


@router.delete(SYSTEM, status_code=204)
def hide_system(access: Editor, project: Slug, test_set: Slug, system: Identifier) -> None:
    """Hide a system; nothing of it is deleted from the store."""
    with access.writing() as session:
        found = one_test_set(session, access.project_id, test_set)
        delete_system(session, access.actor, found.id, system)


@router.get(f"{SYSTEM}/history")
def get_history(
    access: Reader, project: Slug, test_set: Slug, system: Identifier
) -> tuple[History, ...]:
    """The scores of all outputs of a system, metric by metric."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        one = _system(session, found.id, system)
        return history(board(session, found.id, one.outputs))


@router.post(f"{SET}/outputs", status_code=201)
def send_output(  # noqa: PLR0917 (the fields of a form)
    access: Editor,
    project: Slug,
    test_set: Slug,
    file: Annotated[UploadFile, File(description="the output of one system, or of several")],
    system: Annotated[Word, Form(description="the system, unless the file names it")] = "",
    format: Format = "auto",  # noqa: A002 (the word that users know)
    column: Columns = [],  # noqa: B006 (FastAPI copies it)
    note: Annotated[Note, Form()] = "",
    tags: Annotated[list[Word], Form()] = [],  # noqa: B006 (FastAPI copies it)
) -> Received:
    """Add an output to each system of the file; its scores are computed now, or by a job."""
    given = sent(file)
    if given is None:
        raise RequestError("file: found none, expected the output of a system")
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        keys = keys_of(session, found.id)
        corpus = corpus_of(session, found.id)
    outputs = read_apart(
        access,
        given.name,
        read_outputs,
        given,
        segments=found.segments,
        keys=keys,
        system=system.strip() or None,
        columns=_named(column),
        format=format,
        place=f"test set {found.slug}",
    )
    later = takes_long([one.hypotheses for one in outputs], found.metrics)
    scores = [score_text(corpus, one.hypotheses, found.metrics) for one in outputs if not later]
    with access.writing() as session:
        now = one_test_set(session, access.project_id, test_set)
        earlier = {one.sha256: one.title for one in all_outputs(session, now.id)}
        made = tuple(
            add_output(session, access.actor, now.id, one, note=note, tags=words(tags))
            for one in outputs
        )
        for one, some in zip(made, scores, strict=False):  # none where a job is to score them
            keep_scores(session, one.id, some)
        job = ask_for_scores(session, access.actor, now.id)
    return Received(
        outputs=made,
        job=None if job is None else job.id,
        identical=tuple(earlier.get(one.sha256) for one in made),
    )


@router.post(f"{SET}/preview")
def preview_file(  # noqa: PLR0917 (the fields of a form)
    access: Editor,
    project: Slug,
    test_set: Slug,
    file: Annotated[UploadFile, File(description="the output of one system, or of several")],
    system: Annotated[Word, Form(description="the system, unless the file names it")] = "",
    format: Format = "auto",  # noqa: A002 (the word that users know)
    column: Columns = [],  # noqa: B006 (FastAPI copies it)
) -> FilePreview:
    """What a file of outputs would be read as: format, columns, key, systems; nothing is kept."""
    given = sent(file)
    if given is None:
        raise RequestError("file: found none, expected the output of a system")
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        keys = keys_of(session, found.id)
        known = all_outputs(session, found.id)
    read = read_apart(
        access,
        given.name,
        preview_outputs,
        given,
        segments=found.segments,
        keys=keys,
        columns=_named(column),
        format=format,
        place=f"test set {found.slug}",
    )
    return preview(
        given,
        read,
        segments=found.segments,
        keyed=keys is not None,
        known=known,
        system=system.strip(),
    )


def _named(columns: list[str]) -> list[str]:
    """Columns of a form, in which browsers send an empty one where nothing was chosen."""
    return list(dict.fromkeys(one for one in columns if one))


@router.get(OUTPUT)
def get_output(access: Reader, project: Slug, test_set: Slug, output: Identifier) -> OutputView:
    """One output."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        return _output(session, found.id, output)


@router.patch(OUTPUT)
def edit_output(
    access: Editor, project: Slug, test_set: Slug, output: Identifier, change: OutputChange
) -> OutputView:
    """Give an output another note or other tags."""
    with access.writing() as session:
        found = one_test_set(session, access.project_id, test_set)
        return change_output(
            session, access.actor, found.id, output, **change.model_dump(exclude_none=True)
        )


@router.delete(OUTPUT, status_code=204)
def hide_output(access: Editor, project: Slug, test_set: Slug, output: Identifier) -> None:
    """Hide an output; nothing of it is deleted from the store."""
    with access.writing() as session:
        found = one_test_set(session, access.project_id, test_set)
        delete_output(session, access.actor, found.id, output)


@router.get(
    f"{OUTPUT}/text",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
def download_output(access: Reader, project: Slug, test_set: Slug, output: Identifier) -> Response:
    """The text of an output, a line for each segment."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        return as_file(*output_file(session, _output(session, found.id, output)))


@router.post(f"{SET}/scores", status_code=201)
def send_scores(  # noqa: PLR0917 (the fields of a form)
    access: Editor,
    project: Slug,
    test_set: Slug,
    file: Annotated[UploadFile, File(description="a score for every segment")],
    name: Annotated[Word, Form(description="of the metric, unless the file tells it")] = "",
    column: Annotated[Word, Form(description="of several columns, this one")] = "",
    system: Annotated[Word, Form(description="whose scores, unless the file tells it")] = "",
    higher: Annotated[bool | None, Form(description="whether more is better")] = None,
) -> ScoresReceived:
    """Keep scores that others computed, such as COMET's, with the newest outputs."""
    given = sent(file)
    if given is None:
        raise RequestError("file: found none, expected scores")
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        corpus = corpus_of(session, found.id)
        newest = latest_outputs(session, found.id)
        outputs = [(one, hypotheses_of(session, one.id)) for one in newest]
    scores = scores_of_outputs(
        read_apart(access, given.name, read_score_table, given),
        corpus,
        outputs,
        name=name.strip() or None,
        column=column,
        system=system.strip() or None,
        higher=higher,
    )
    with access.writing() as session:
        one_test_set(session, access.project_id, test_set)
        for output_id, some in scores.items():
            keep_scores(session, output_id, some)
        ask_for_verdict(session, access.actor, found.id)
    return ScoresReceived(
        systems=tuple(one.system for one in newest if one.id in scores),
        metrics=tuple(dict.fromkeys(one.spec for some in scores.values() for one in some)),
    )


_system, _output = system, output
"""As the services call them: routes have parameters of these names."""
