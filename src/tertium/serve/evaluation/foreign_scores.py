"""Scores that others computed, from files that people send."""

from collections.abc import Sequence

from tertium.errors import InputError
from tertium.metrics.contract.base import Rows
from tertium.metrics.foreign.alignment import TablePart, aligned_scores
from tertium.metrics.foreign.file_scores import scores_in_rows
from tertium.metrics.foreign.identity import counts_errors
from tertium.metrics.foreign.score_files import read_sent_scores
from tertium.metrics.foreign.score_table import ForeignScores
from tertium.serve.evaluation.metrics import foreign
from tertium.serve.evaluation.scoring import NewScore, new_score
from tertium.serve.evaluation.systems import OutputView
from tertium.serve.evaluation.uploads import SentFile, opened
from tertium.serve.evaluation.words import name_of
from tertium.text.corpus import Corpus, System


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
