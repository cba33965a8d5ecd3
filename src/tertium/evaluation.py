"""From text to scores: one call for the common case, one for many systems and metrics."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tertium.errors import InputError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.remarks import remarks_on, summed
from tertium.results import Evaluation, Score, SystemScores
from tertium.scored.choices import Slicing
from tertium.scored.totals import Total
from tertium.text.corpus import Chunk, Corpus, System
from tertium.text.inputs import Inputs
from tertium.text.references import AnyReferences, Hypotheses, References

if TYPE_CHECKING:
    from tertium.scored.slices import Slices


def score(
    hypotheses: Hypotheses,
    references: AnyReferences,
    metric: AnyMetric = "bleu",
    *,
    segments: bool = False,
) -> Score:
    """Score one system with one metric.

    ``references`` holds one string per segment, or a list of strings where a segment has
    several. ``metric`` is a metric or its text form, such as ``"bleu[tokenizer=intl]"``.
    With ``segments`` the result carries a score for every segment too.

    >>> result = score(["the cat sat down"], ["the cat sat down"])
    >>> result.value
    100.0
    """
    shared = References.of(references)
    if not len(shared):
        raise InputError("references: 0 segments, expected at least one")
    chosen = as_metric(metric).fit(shared)
    rows = chosen.statistics(hypotheses, shared)
    total = rows.sum(axis=0)
    return Score(
        metric=chosen,
        value=float(chosen.score(total)),
        statistics=total,
        references=shared.count,
        segments=chosen.for_segments().score(rows) if segments else None,
    )


def evaluate(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[AnyMetric] = ("bleu",),
    *,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
) -> Evaluation:
    """Score many systems with many metrics on one corpus; references are prepared once.

    With ``segments`` every score carries those of the segments too, with ``rows`` the segments'
    statistics, from which `tertium.inference` makes intervals and tests.
    """
    chosen = [as_metric(metric).bind(corpus) for metric in metrics]
    whole = Chunk(corpus=corpus, systems=tuple(systems))
    return evaluate_chunks([whole], chosen, by=by, segments=segments, rows=rows)


def evaluate_inputs(
    inputs: Inputs,
    metrics: Sequence[AnyMetric] = ("bleu",),
    *,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score files of any size, opened by `tertium.text.input_files.open_inputs`.

    They are read piece by piece, so that memory stays small; only a metric that must know all
    references first, such as NIST, has them read as a whole. What ``segments`` and ``rows`` ask
    for is kept, as `evaluate` does; ``progress`` is that of `evaluate_chunks`.
    """
    chosen = [as_metric(metric) for metric in metrics]
    chunks: Iterable[Chunk]
    if any(metric.needs_fit for metric in chosen):
        whole = inputs.load()
        chosen = [metric.bind(whole.corpus) for metric in chosen]
        chunks = [whole]
    else:
        chunks = inputs.chunks()
    return evaluate_chunks(chunks, chosen, by=by, segments=segments, rows=rows, progress=progress)


def evaluate_chunks(
    chunks: Iterable[Chunk],
    metrics: Sequence[Metric],
    *,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score a corpus that arrives in pieces; only sums and asked-for scores are kept.

    The metrics are fitted already where they need it. ``progress`` is told the number of
    (segment, system, metric) rows done with each step.
    """
    totals: dict[tuple[int, int], Total] = {}
    names: tuple[str, ...] = ()
    corpus = ""
    counts: set[str] = set()
    documents: list[str] = []
    seen = 0
    for chunk in chunks:
        names = tuple(system.name for system in chunk.systems)
        corpus = chunk.corpus.name
        counts.add(chunk.corpus.references.count)
        slices = _slices(chunk.corpus, by)
        seen += len(chunk.corpus)
        if rows:
            documents += chunk.corpus.documents or ()
        for s, system in enumerate(chunk.systems):
            for m, metric in enumerate(metrics):
                part = metric.rows_of(system, chunk.corpus)
                total = totals.setdefault((s, m), Total(metric, segments=segments, rows=rows))
                total.add(part, slices)
                if progress is not None:
                    progress(len(part))
    if not names:
        raise InputError("systems: found none, expected at least one")
    if not seen:
        raise InputError(f"{corpus}: 0 segments, expected at least one")
    references = counts.pop() if len(counts) == 1 else "var"
    systems = tuple(
        SystemScores(
            system=name,
            scores=tuple(totals[s, m].result(references) for m in range(len(metrics))),
        )
        for s, name in enumerate(names)
    )
    return Evaluation(
        systems=systems,
        segments=seen,
        by=by,
        documents=tuple(documents) or None,
        warnings=remarks_on(names, summed(systems), seen),
    )


def _slices(corpus: Corpus, by: Slicing | None) -> "Slices | None":
    if by is None:
        return None
    from tertium.scored.lengths import slices_of

    return slices_of(corpus, by)
