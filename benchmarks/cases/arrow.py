"""Rows of Arrow columns, read where they lie, against the same through Python strings."""

from typing import Any, Final

from case import Case, Peer

_COLUMNS: dict[int, tuple[list[str], Any]] = {}
"""The columns of texts that were seen: the warm-up call makes them, as a user would have them."""


def column(texts: list[str]) -> Any:
    """The texts as an Arrow column, made once."""
    import pyarrow

    if id(texts) not in _COLUMNS:
        _COLUMNS[id(texts)] = texts, pyarrow.array(texts)
    return _COLUMNS[id(texts)][1]


def rows_of_columns(metric: str, hypotheses: list[str], references: list[str]) -> float:
    """The sum of all statistics."""
    import numpy as np

    from tertium.arrow import statistics

    rows = statistics(metric, column(hypotheses), column(references))
    return float(np.asarray(rows.values).sum())


def rows_of_strings(metric: str, hypotheses: list[str], references: list[str]) -> float:
    """The same by a list of Python strings for each column."""
    from tertium.metrics.contract.table import parse_metric

    ours, theirs = column(hypotheses).to_pylist(), column(references).to_pylist()
    return float(parse_metric(metric).statistics(ours, theirs).reshape(-1).sum())


def bleu(hypotheses: list[str], references: list[str]) -> float:
    """Rows of BLEU."""
    return rows_of_columns("bleu", hypotheses, references)


def bleu_strings(hypotheses: list[str], references: list[str]) -> float:
    """Rows of BLEU, by strings."""
    return rows_of_strings("bleu", hypotheses, references)


def chrf(hypotheses: list[str], references: list[str]) -> float:
    """Rows of chrF."""
    return rows_of_columns("chrf", hypotheses, references)


def chrf_strings(hypotheses: list[str], references: list[str]) -> float:
    """Rows of chrF, by strings."""
    return rows_of_strings("chrf", hypotheses, references)


CASES: Final = (
    Case(
        name="arrow-bleu",
        title="BLEU rows of Arrow columns",
        ours=bleu,
        peers=(Peer(name="by strings", work=bleu_strings, at_least=1.2, uses_our_threads=True),),
    ),
    Case(
        name="arrow-chrf",
        title="chrF rows of Arrow columns",
        ours=chrf,
        peers=(Peer(name="by strings", work=chrf_strings, at_least=1.1, uses_our_threads=True),),
    ),
)
