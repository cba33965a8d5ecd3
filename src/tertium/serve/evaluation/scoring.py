"""Rows of outputs under metrics: computed once, kept in the store, never computed again."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tertium.metrics.contract.base import Metric, Rows
from tertium.serve.evaluation.metrics import is_slow, rebuilt, version_of
from tertium.serve.store.schema import Output, StoredScore, StoredSystem
from tertium.text.corpus import Corpus, System

AT_ONCE: Final = 60_000
"""Segments × metrics that are scored while somebody waits; more is work for a job."""


LONGEST_SEGMENT: Final = 4_000
"""Characters; the time of some metrics grows with the square of a segment, or faster."""


def takes_long(outputs: Sequence[Sequence[str]], specs: Sequence[str]) -> bool:
    """Whether scores should be computed by a job, and not while somebody waits."""
    segments = sum(map(len, outputs))
    longest = max((len(line) for one in outputs for line in one), default=0)
    return segments * len(specs) > AT_ONCE or longest > LONGEST_SEGMENT or any(map(is_slow, specs))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewScore:
    """The rows of one output under one metric, ready to be kept."""

    spec: str
    version: str
    signature: str
    columns: int
    rows: bytes = field(repr=False)
    value: float


def score_text(
    corpus: Corpus, hypotheses: Sequence[str], specs: Iterable[str], *, name: str = "system"
) -> tuple[NewScore, ...]:
    """The rows of one output under every metric."""
    system = System(name=name, hypotheses=hypotheses)
    found = []
    for spec in specs:
        metric = rebuilt(spec).bind(corpus)
        found.append(new_score(metric, metric.rows_of(system, corpus), corpus))
    return tuple(found)


def new_score(metric: Metric, rows: Rows, corpus: Corpus) -> NewScore:
    """Rows as they are kept."""
    value = float(metric.score(rows.sum(axis=0)))
    return NewScore(
        spec=metric.spec,
        version=version_of(metric.spec),
        signature=metric.signature(corpus.references.count),
        columns=rows.shape[1],
        rows=np.ascontiguousarray(rows, dtype="<f8").tobytes(),
        # Where no segment has a score, the rows say so; SQLite keeps no number that is none.
        value=value if math.isfinite(value) else 0.0,
    )


def keep_scores(session: Session, output_id: int, scores: Iterable[NewScore]) -> None:
    """Keep rows in the place of those that are there already."""
    for one in scores:
        session.execute(
            delete(StoredScore).where(
                StoredScore.output_id == output_id,
                StoredScore.spec == one.spec,
                StoredScore.version == one.version,
            )
        )
        session.add(
            StoredScore(
                output_id=output_id,
                spec=one.spec,
                version=one.version,
                signature=one.signature,
                columns=one.columns,
                rows=one.rows,
                value=one.value,
            )
        )
    session.flush()


def missing_scores(
    session: Session, test_set_id: int, specs: Sequence[str]
) -> dict[int, tuple[str, ...]]:
    """Output → metrics of the test set for which it has no rows yet."""
    outputs = session.scalars(
        select(Output.id)
        .join(StoredSystem, StoredSystem.id == Output.system_id)
        .where(
            StoredSystem.test_set_id == test_set_id,
            StoredSystem.deleted_at.is_(None),
            Output.deleted_at.is_(None),
        )
        .order_by(Output.id)
    ).all()
    known = {
        (one.output_id, one.spec, one.version)
        for one in session.execute(
            select(StoredScore.output_id, StoredScore.spec, StoredScore.version).where(
                StoredScore.output_id.in_(outputs), StoredScore.spec.in_(specs)
            )
        )
    }
    found = {
        one: tuple(spec for spec in specs if (one, spec, version_of(spec)) not in known)
        for one in outputs
    }
    return {one: some for one, some in found.items() if some}


def rows_of(score: StoredScore) -> Rows:
    """Rows as they were kept."""
    return np.frombuffer(score.rows, dtype="<f8").reshape(-1, score.columns)
