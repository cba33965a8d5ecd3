"""Outputs side by side, segments, audits, reports, and why a text scores what it does."""

import gzip
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy.orm import Session

from tertium.serve.errors import NotFoundError, RequestError
from tertium.serve.evaluation.comparison import (
    LONGEST,
    MOST_REFERENCES,
    Order,
    SegmentPage,
    browser_json,
    decision_of,
    explain_text,
    search,
    words_of,
)
from tertium.serve.evaluation.corpora import Board, board, latest_outputs
from tertium.serve.evaluation.metrics import DEFAULTS, MOST, offered
from tertium.serve.evaluation.sets import one_test_set
from tertium.serve.evaluation.systems import output
from tertium.serve.evaluation.work import ask_for, kept_audit
from tertium.serve.queue import JobView
from tertium.serve.web.access import HIGHEST, Access, Identifier, Slug, needs
from tertium.serve.web.api.sets import SET, Editor, Reader, Word, as_json
from tertium.serve.web.middleware import takes_gzip

router = APIRouter(tags=["comparisons"])
PAIR = f"{SET}/comparison/{{first}}/{{second}}"
Text = Annotated[str, StringConstraints(max_length=LONGEST, pattern=r"^[^\x00]*$")]
Outputs = Annotated[
    list[Annotated[int, Field(ge=1, le=HIGHEST)]] | None,
    Query(max_length=60, description="these outputs; the newest of all systems if none is told"),
]


class Pasted(BaseModel):
    """A text and its references."""

    model_config = ConfigDict(extra="forbid")
    hypothesis: Text
    references: Annotated[list[Text], Field(min_length=1, max_length=MOST_REFERENCES)]
    source: Text | None = None
    metrics: Annotated[list[Word], Field(min_length=1, max_length=MOST)] = list(DEFAULTS)


class Chosen(BaseModel):
    """Outputs of a test set; the newest of all systems if none is told."""

    model_config = ConfigDict(extra="forbid")
    outputs: Annotated[list[Annotated[int, Field(ge=1, le=HIGHEST)]], Field(max_length=60)] = []


@router.get("/metrics")
def list_metrics(access: Annotated[Access, needs("user")]) -> tuple[str, ...]:
    """The metrics that a server can compute, by name."""
    return offered()


@router.post("/projects/{project}/explain", response_model=list[dict[str, Any]])
def explain_pasted(access: Reader, project: Slug, pasted: Pasted) -> JSONResponse:
    """Why a text scores what it does; nothing of it is kept."""
    return as_json(
        explain_text(pasted.hypothesis, pasted.references, pasted.metrics, source=pasted.source)
    )


@router.get(PAIR, response_model=dict[str, Any])
def get_comparison(
    access: Reader, project: Slug, test_set: Slug, first: Identifier, second: Identifier
) -> JSONResponse:
    """The verdict on the second output beside the first, and all that it rests on."""
    with access.reading() as session:
        pair = pair_board(session, access.project_id, test_set, first, second)
        found = kept_audit(
            session, access.project_id, one_test_set(session, access.project_id, test_set).id,
            pair.outputs,
        )  # fmt: skip
    return as_json(decision_of(pair, found[1] if found else None).to_dict())


@router.get(f"{PAIR}/words", response_model=dict[str, Any])
def get_words(
    access: Reader, project: Slug, test_set: Slug, first: Identifier, second: Identifier
) -> JSONResponse:
    """Words and phrases that only one of two outputs has right."""
    with access.reading() as session:
        pair = pair_board(session, access.project_id, test_set, first, second)
    return as_json(words_of(pair))


@router.get(f"{SET}/browser", response_model=dict[str, Any])
def get_browser(
    request: Request, access: Reader, project: Slug, test_set: Slug, outputs: Outputs = None
) -> Response:
    """What the segment browser of pages reads."""
    with access.reading() as session:
        chosen = chosen_board(session, access.project_id, test_set, outputs)
    body, headers = browser_json(chosen), {"vary": "accept-encoding"}
    if takes_gzip(request.headers):
        headers["content-encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, media_type="application/json", headers=headers)


@router.get(f"{SET}/segments")
def search_segments(  # noqa: PLR0917 (the parts of a query)
    access: Reader,
    project: Slug,
    test_set: Slug,
    q: Annotated[str, Query(max_length=1000, description="in sources, references, outputs")] = "",
    metric: Annotated[str | None, Query(max_length=300)] = None,
    order: Order = "number",
    document: Annotated[str | None, Query(max_length=500)] = None,
    genre: Annotated[str | None, Query(max_length=500)] = None,
    outputs: Outputs = None,
    skip: Annotated[int, Query(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> SegmentPage:
    """Segments that have a text somewhere, page by page."""
    with access.reading() as session:
        found = chosen_board(session, access.project_id, test_set, outputs)
    return search(
        found,
        query=q,
        metric=metric,
        order=order,
        document=document,
        genre=genre,
        skip=skip,
        limit=limit,
    )


@router.get(f"{SET}/audit", response_model=dict[str, Any])
def get_audit(access: Reader, project: Slug, test_set: Slug) -> JSONResponse:
    """What the last audit of the newest outputs found."""
    with access.reading() as session:
        found = one_test_set(session, access.project_id, test_set)
        kept = kept_audit(session, access.project_id, found.id, latest_outputs(session, found.id))
    if kept is None:
        raise NotFoundError("audit: found none of the newest outputs, expected one; ask for it")
    return as_json(kept[0].result)


@router.post(f"{SET}/audit", status_code=202)
def ask_for_audit(access: Editor, project: Slug, test_set: Slug, chosen: Chosen) -> JobView:
    """Look for reasons not to trust the scores, as a job."""
    return _asked(access, test_set, chosen, "audit")


@router.post(f"{SET}/report", status_code=202)
def ask_for_report(access: Editor, project: Slug, test_set: Slug, chosen: Chosen) -> JobView:
    """Make the report, one page of HTML, as a job; its file is what is downloaded."""
    return _asked(access, test_set, chosen, "report")


def pair_board(session: Session, project_id: int, slug: str, first: int, second: int) -> Board:
    """Two outputs of a test set with their rows."""
    if first == second:
        raise RequestError("outputs: found one and the same twice, expected two")
    return chosen_board(session, project_id, slug, [first, second])


def chosen_board(session: Session, project_id: int, slug: str, outputs: list[int] | None) -> Board:
    """Some outputs of a test set, or the newest of all systems, with their rows."""
    found = one_test_set(session, project_id, slug)
    if not outputs:
        return board(session, found.id, latest_outputs(session, found.id))
    chosen = [output(session, found.id, one) for one in dict.fromkeys(outputs)]
    return board(session, found.id, chosen)


def _asked(access: Access, slug: str, chosen: Chosen, kind: str) -> JobView:
    with access.writing() as session:
        found = one_test_set(session, access.project_id, slug)
        outputs = [output(session, found.id, one) for one in dict.fromkeys(chosen.outputs)]
        wanted = outputs or list(latest_outputs(session, found.id))
        return ask_for(session, access.actor, kind, found.id, wanted)
