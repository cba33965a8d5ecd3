"""Rows of outputs under metrics, computed once or sent by others, and stored."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.foreign.alignment import TablePart, aligned_scores
from tertium.metrics.foreign.file_scores import scores_in_rows
from tertium.metrics.foreign.identity import counts_errors
from tertium.metrics.foreign.score_files import read_sent_scores
from tertium.metrics.foreign.score_table import ForeignScores
from tertium.serve.evaluation.metrics import foreign, is_slow, rebuilt, version_of
from tertium.serve.evaluation.systems import OutputView
from tertium.serve.evaluation.uploads import SentFile, opened
from tertium.serve.evaluation.words import name_of
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


def read_score_table(file: SentFile) -> ForeignScores:
    """What a file says, whoever its systems are."""
    return read_sent_scores(opened(file))


def scores_of_outputs(
    table: ForeignScores,
    corpus: Corpus,
    outputs: Sequence[tuple[OutputView, Sequence[str]]],
    *,
    name: str | None = None,
    column: str = "",
    system: str | None = None,
    higher: bool | None = None,
) -> dict[int, tuple[NewScore, ...]]:
    """Output → its scores under every column of the table, or the one asked for.

    A file that names its systems gives scores to those of these names; one that does not is of
    ``system``, or of the system that it is called after. ``name`` is that of the metric.
    """
    columns = [table.column(column)] if column or name else list(table.scores)
    chosen = _chosen(table, outputs, system)
    found: dict[int, tuple[NewScore, ...]] = {}
    for output, hypotheses in chosen:
        scored = System(name=output.system, hypotheses=hypotheses)
        found[output.id] = tuple(
            _score(table, one, scored, corpus, name=name, higher=higher) for one in columns
        )
    return found


def _chosen(
    table: ForeignScores,
    outputs: Sequence[tuple[OutputView, Sequence[str]]],
    system: str | None,
) -> list[tuple[OutputView, Sequence[str]]]:
    """The outputs that the file has scores of."""
    if system is not None:
        chosen = [one for one in outputs if one[0].system == system]
        if not chosen:
            known = ", ".join(one.system for one, _ in outputs)
            raise InputError(f"system: found {system}, expected one of {known}")
        return chosen
    if table.systems is not None:
        told = set(table.systems)
        chosen = [one for one in outputs if one[0].system in told]
        if not chosen:
            raise InputError(
                f"{table.name}: found scores of {', '.join(sorted(told)[:6])}, expected some of "
                f"{', '.join(one.system for one, _ in outputs)}"
            )
        return chosen
    if len(outputs) == 1:
        return list(outputs)
    raise InputError(f"{table.name}: found no names of systems, expected the system to be told")


def _score(
    table: ForeignScores,
    column: str,
    system: System,
    corpus: Corpus,
    *,
    name: str | None,
    higher: bool | None,
) -> NewScore:
    title = name_of(name or table.title(column), "name of the metric", longest=80)
    gain = higher
    if gain is None:
        gain = table.gains or (column not in table.errors and not counts_errors(title))
    values = aligned_scores(table, TablePart(column=column, system=system.name), system, corpus)
    rows: Rows = scores_in_rows(values)
    return new_score(foreign(title, higher=gain), rows, corpus)
