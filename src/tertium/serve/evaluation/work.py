"""What takes long, done by workers: scoring of many outputs, audits, reports."""

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session, defer

from tertium.audit.audit import audit_cases
from tertium.audit.case import cases
from tertium.audit.findings import AuditReport, Finding, Skipped
from tertium.plain import finite
from tertium.report.html.page import page
from tertium.serve.evaluation.comparison import KeptAudit, scored_of
from tertium.serve.evaluation.corpora import Board, board, corpus_of, hypotheses_of
from tertium.serve.evaluation.scoring import keep_scores, missing_scores, score_text
from tertium.serve.evaluation.sets import existing
from tertium.serve.evaluation.systems import OutputView, output
from tertium.serve.queue import JobOutcome, JobView, Progress, enqueue, view
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Job
from tertium.study.study import study

ALPHA: Final = 0.05
SEED: Final = 12345
_LOOKED_AT: Final = 50
"""Jobs among which the last audit is looked for."""


def score_outputs(store: Store, payload: dict[str, Any], progress: Progress) -> JobOutcome:
    """Score every output of a test set under every metric of it that has no rows yet."""
    test_set_id: int = payload["test_set"]
    with store.reading() as session:
        specs = list(existing(session, test_set_id).metrics)
        corpus = corpus_of(session, test_set_id)
        missing = missing_scores(session, test_set_id, specs)
    for place, (output_id, some) in enumerate(missing.items()):
        progress(place / len(missing), f"output {place + 1} of {len(missing)}")
        with store.reading() as session:
            hypotheses = hypotheses_of(session, output_id)
        scores = score_text(corpus, hypotheses, some)
        with store.writing() as session:
            keep_scores(session, output_id, scores)
    return JobOutcome(result={"test_set": test_set_id, "scored": len(missing)})


def audit_outputs(store: Store, payload: dict[str, Any], progress: Progress) -> JobOutcome:
    """Look for reasons not to trust the scores of some outputs."""
    progress(0.05, "reading")
    with store.reading() as session:
        whole = scored_of(_board(session, payload))
    progress(0.1, "auditing")
    found = audit_cases(list(cases(whole, alpha=ALPHA, seed=SEED)))
    progress(0.95, "keeping")
    return JobOutcome(
        result={
            "test_set": payload["test_set"],
            "outputs": payload["outputs"],
            "audit": finite(found.to_dict()),
        }
    )


def report_outputs(store: Store, payload: dict[str, Any], progress: Progress) -> JobOutcome:
    """Make the report of some outputs: one page that needs nothing else."""
    with store.reading() as session:
        whole = scored_of(_board(session, payload))
        name = existing(session, payload["test_set"]).slug
    steps = iter((0.05, 0.1, 0.2, 0.3, 0.6, 0.7, 0.8, 0.9))
    made = study(whole, progress=lambda what: progress(next(steps, 0.9), what))
    return JobOutcome(
        result={"test_set": payload["test_set"], "outputs": payload["outputs"]},
        file=page(made).encode("utf-8", errors="replace"),
        file_name=f"{name}.html",
    )


def ask_for_scores(session: Session, actor: str, test_set_id: int) -> JobView | None:
    """Let workers score what has no rows yet; nothing where there is nothing to do."""
    row = existing(session, test_set_id)
    if not missing_scores(session, test_set_id, row.metrics):
        return None
    payload = {"test_set": test_set_id}
    return enqueue(session, actor, "score", payload, project_id=row.project_id)


def ask_for(
    session: Session, actor: str, kind: str, test_set_id: int, outputs: list[OutputView]
) -> JobView:
    """An audit or a report of some outputs, as a job."""
    row = existing(session, test_set_id)
    scored_of(board(session, test_set_id, outputs))  # or the job could only fail
    payload = {"test_set": test_set_id, "outputs": [one.id for one in outputs]}
    return enqueue(session, actor, kind, payload, project_id=row.project_id)


def jobs_of_test_set(
    session: Session, project_id: int, test_set_id: int, wanted: Callable[[Job], bool], most: int
) -> tuple[JobView, ...]:
    """The last jobs about a test set that are wanted, the newest first and at most so many.

    The result of an audit can be large: it is read of those alone that are returned.
    """
    query = (
        select(Job)
        .options(defer(Job.result))
        .where(Job.project_id == project_id, Job.kind.in_(("score", "audit", "report")))
        .order_by(Job.id.desc())
        .limit(_LOOKED_AT)
    )
    chosen = (
        job
        for job in session.scalars(query)
        if job.payload.get("test_set") == test_set_id and wanted(job)
    )
    return tuple(map(view, islice(chosen, most)))


def kept_audit(
    session: Session, project_id: int, test_set_id: int, outputs: tuple[OutputView, ...]
) -> tuple[JobView, KeptAudit] | None:
    """What the last audit of all of these outputs found."""
    audited = {output.id for output in outputs}

    def covers(job: Job) -> bool:
        return (job.kind, job.state) == ("audit", "done") and audited <= set(job.payload["outputs"])

    for job in jobs_of_test_set(session, project_id, test_set_id, covers, 1):
        if job.result:
            return job, KeptAudit(job=job.id, report=audit_report(job.result["audit"]))
    return None


def audit_report(kept: dict[str, Any]) -> AuditReport:
    """The findings of an audit that was kept as JSON."""
    systems = tuple(one["system"] for one in kept["systems"])
    specs = [one["metric"] for one in kept["systems"][0]["scores"]] if systems else []
    return AuditReport(
        findings=tuple(
            Finding(**{**one, "systems": tuple(one["systems"])}) for one in kept["findings"]
        ),
        skipped=tuple(Skipped(**one) for one in kept["skipped"]),
        audits=tuple(kept["audits"]),
        systems=systems,
        scores={
            spec: tuple(one["scores"][place]["score"] for one in kept["systems"])
            for place, spec in enumerate(specs)
        },
        segments=kept["segments"],
        unit=kept["unit"],
        units=kept["units"],
        alpha=kept["alpha"],
        seed=kept["seed"],
        warnings=tuple(kept.get("warnings", ())),
    )


def _board(session: Session, payload: dict[str, Any]) -> Board:
    outputs = [output(session, payload["test_set"], one) for one in payload["outputs"]]
    return board(session, payload["test_set"], outputs)
