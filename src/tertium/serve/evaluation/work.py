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
from tertium.serve.evaluation.corpora import (
    MOST_SYSTEMS,
    Board,
    board,
    corpus_of,
    hypotheses_of,
    latest_outputs,
    partial_boards,
)
from tertium.serve.evaluation.leaderboard import leaderboard, possible_ranks
from tertium.serve.evaluation.pictures import board_meter
from tertium.serve.evaluation.scoring import keep_scores, missing_scores, score_text
from tertium.serve.evaluation.sets import TestSetView, existing
from tertium.serve.evaluation.systems import OutputView, output
from tertium.serve.queue import JobOutcome, JobView, Progress, enqueue, view
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Job
from tertium.study.study import study

ALPHA: Final = 0.05
SEED: Final = 12345
PAIRS_COST: Final = 100
"""What a pair of systems costs under one metric, in scores of segments that are resampled."""
TESTED_LATER: Final = 20_000
"""What tests of all pairs cost (`testing_cost`) from which on a worker does them ahead of time."""
SCORER: Final = "worker"
"""Who asks for a verdict once scores are there."""
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
    with store.writing() as session:
        ask_for_verdict(session, SCORER, test_set_id)
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


def judge_outputs(store: Store, payload: dict[str, Any], progress: Progress) -> JobOutcome:
    """Test all pairs of a large test set, so that an overview can say who leads."""
    test_set_id: int = payload["test_set"]
    progress(0.05, "reading")
    with store.reading() as session:
        row = existing(session, test_set_id)
        newest = latest_outputs(session, test_set_id)
        whole = board(session, test_set_id, newest)
        parts = partial_boards(session, test_set_id, whole)
        audit = kept_audit(session, row.project_id, test_set_id, newest) if newest else None
        metrics = list(row.metrics)
    progress(0.1, "testing")
    found = leaderboard(whole, parts)
    meter = board_meter(whole, None if audit is None else audit[1].report)
    return JobOutcome(
        result={
            "test_set": test_set_id,
            "outputs": [one.id for one in newest],
            "metrics": metrics,
            "waiting": list(whole.waiting),
            "audit": None if audit is None else audit[1].job,
            "headline": found.headline,
            "strength": None if meter is None else meter.strength,
            "note": "" if meter is None else meter.note,
            "missing": list(found.missing),
            "ranks": possible_ranks(found),
        }
    )


def testing_cost(outputs: int, metrics: int, segments: int) -> int:
    """How long tests of all pairs take, roughly: scores that are resampled, and pairs tested."""
    return outputs * metrics * (segments + PAIRS_COST * outputs)


def ask_for_verdict(session: Session, actor: str, test_set_id: int) -> None:
    """Let a worker test a large test set, unless one is about to."""
    row = existing(session, test_set_id)
    newest = latest_outputs(session, test_set_id)
    cost = testing_cost(len(newest), len(row.metrics), row.segments)
    if len(newest) < 2 or len(newest) > MOST_SYSTEMS or cost < TESTED_LATER:
        return
    queued = select(Job.payload).where(
        Job.project_id == row.project_id, Job.kind == "verdict", Job.state == "queued"
    )
    if all(payload.get("test_set") != test_set_id for payload in session.scalars(queued)):
        enqueue(session, actor, "verdict", {"test_set": test_set_id}, project_id=row.project_id)


def kept_verdict(
    session: Session, test_set: TestSetView, newest: tuple[OutputView, ...]
) -> dict[str, Any] | None:
    """What the last `judge_outputs` found, if it was of these outputs under all their metrics."""
    query = (
        select(Job.result)
        .where(Job.project_id == test_set.project_id, Job.kind == "verdict", Job.state == "done")
        .order_by(Job.id.desc())
        .limit(_LOOKED_AT)
    )
    ids, metrics = [one.id for one in newest], list(test_set.metrics)
    for result in session.scalars(query):
        if result and result["test_set"] == test_set.id:
            whole = (result["outputs"], result["metrics"], result["waiting"]) == (ids, metrics, [])
            return dict(result) if whole else None
    return None


def ask_for_scores(session: Session, actor: str, test_set_id: int) -> JobView | None:
    """Let workers score what has no rows yet; nothing where there is nothing to do."""
    row = existing(session, test_set_id)
    if not missing_scores(session, test_set_id, row.metrics):
        ask_for_verdict(session, actor, test_set_id)
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
    job = enqueue(session, actor, kind, payload, project_id=row.project_id)
    if kind == "audit":  # what it finds may cap the evidence
        ask_for_verdict(session, actor, test_set_id)
    return job


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
