"""From text to scores: one call for the common case, one for many systems and metrics."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Protocol, cast, overload

from tertium.choices import Slicing
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Rows, sum_of
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tertium.metrics.contract.costs import warn_of_costs
from tertium.metrics.contract.table import AnyMetric, AnyMetrics, as_metric, several_metrics
from tertium.results import Evaluation, Score
from tertium.scored.tally import Tally
from tertium.text.corpus import AnyTexts, Chunk, Corpus, corpus_and_systems
from tertium.text.inputs import Inputs
from tertium.text.references import AnyReferences, Hypotheses, References, named_columns

if TYPE_CHECKING:
    from tertium.scored.slices import Slices


@overload
def score(
    hypotheses: Hypotheses,
    references: AnyReferences,
    metric: AnyMetric = "bleu",
    *,
    segments: bool = False,
) -> Score: ...


@overload
def score(
    hypotheses: Mapping[str, Hypotheses],
    references: AnyReferences,
    metric: AnyMetrics = "bleu",
    *,
    segments: bool = False,
) -> Evaluation: ...


@overload
def score(
    hypotheses: Hypotheses,
    references: AnyReferences,
    metric: Sequence[Metric] | list[str] | tuple[str, ...],
    *,
    segments: bool = False,
) -> Evaluation: ...


def score(
    hypotheses: Hypotheses | Mapping[str, Hypotheses],
    references: AnyReferences,
    metric: AnyMetrics = "bleu",
    *,
    segments: bool = False,
) -> Score | Evaluation:
    """Score one system with one metric, or several of them.

    ``references`` holds one string per segment, or a list of strings where a segment has
    several. ``metric`` is a metric or its text form, such as ``"bleu[tokenizer=intl]"``.
    With ``segments`` the result carries a score for every segment too. Columns of pandas, Polars,
    Arrow and NumPy are as good as lists.

    >>> result = score(["the cat sat down"], ["the cat sat down"])
    >>> result.value
    100.0

    Systems by name, in a dict or a data frame, or a list of metrics give an `Evaluation`:

    >>> systems = {"old": ["the cat"], "new": ["the cat sat down"]}
    >>> result = score(systems, ["the cat sat down"], ["wer", "chrf"])
    >>> result["old"]["wer"].value, result["new"]["chrf"].value
    (50.0, 100.0)
    """
    named = named_columns(hypotheses)
    if named is None and isinstance(metric, str | Metric):
        return _score(cast("Hypotheses", hypotheses), references, metric, segments=segments)
    if not metric:
        raise OptionError("metric: found none, expected at least one")
    systems = {"system": cast("Hypotheses", hypotheses)} if named is None else named
    return evaluate(systems, references, metric, segments=segments)


def _score(
    hypotheses: Hypotheses, references: AnyReferences, metric: AnyMetric, *, segments: bool
) -> Score:
    shared = References.of(references, reused=False)
    if not len(shared):
        raise InputError("references: 0 segments, expected at least one")
    chosen = as_metric(metric).fit(shared)
    rows = chosen.statistics(hypotheses, shared)
    total = sum_of(rows)
    return Score(
        metric=chosen,
        value=float(chosen.score(total)),
        statistics=total,
        references=shared.count,
        segments=chosen.for_segments().score(rows) if segments else None,
    )


def evaluate(
    corpus: AnyTexts,
    systems: AnyTexts | None = None,
    metrics: AnyMetrics = DEFAULT_METRICS,
    *,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
) -> Evaluation:
    """Score many systems with many metrics on one corpus; references are prepared once.

    In the place of a corpus and its systems there may be a dict or a data frame of systems, and
    references. With ``segments`` every score carries those of the segments too, with ``rows``
    their statistics, from which `tertium.inference` makes intervals and tests.
    """
    corpus, systems = corpus_and_systems(corpus, systems)
    chosen = [as_metric(metric).bind(corpus) for metric in several_metrics(metrics)]
    whole = Chunk(corpus=corpus, systems=systems)
    return evaluate_chunks([whole], chosen, by=by, segments=segments, rows=rows)


def evaluate_inputs(
    inputs: Inputs,
    metrics: Sequence[AnyMetric] = DEFAULT_METRICS,
    *,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
    statistics: str | PathLike[str] | None = None,
    first_segment: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score files of any size, opened by `tertium.text.input_files.open_inputs`.

    They are read piece by piece, so that memory stays small; only a metric that must know all
    references first, such as NIST, has them read as a whole. What ``segments`` and ``rows`` ask
    for is kept, as `evaluate` does; ``progress`` is that of `evaluate_chunks`.

    The file ``statistics`` gets every row, for `tertium.scale.merge` and `Scored.load`. With
    ``first_segment`` the files are a part of a larger corpus, which begins at that number there;
    it may be empty.
    """
    chosen = [as_metric(metric) for metric in metrics]
    if first_segment is not None:
        _check_part(chosen, statistics)
    with ExitStack() as stack:
        keep = None
        if statistics is not None:
            from tertium.scored.statistics_file import StatisticsWriter

            writer = StatisticsWriter(
                statistics, chosen, inputs.system_names, first_segment=first_segment
            )
            keep = stack.enter_context(writer)
        chunks: Iterable[Chunk]
        if any(metric.needs_fit for metric in chosen):
            whole = inputs.load()
            chosen = [metric.bind(whole.corpus) for metric in chosen]
            chunks = [whole]
        else:
            several = len(chosen) > 1 or len(inputs.systems) > 1
            chunks = inputs.chunks(reused=several)
        return evaluate_chunks(
            chunks, chosen, by=by, segments=segments, rows=rows, keep=keep, progress=progress
        )


class Keeper(Protocol):
    """What is told of every row, such as a file that is being written."""

    @property
    def may_be_empty(self) -> bool:
        """Whether no segment at all is something to be kept, too."""
        ...

    def add(self, chunk: Chunk, rows: Sequence[Sequence[Rows]]) -> None:
        """The rows of a chunk, of each system by each metric."""
        ...


def evaluate_chunks(
    chunks: Iterable[Chunk],
    metrics: Sequence[Metric],
    *,
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
    keep: Keeper | None = None,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score a corpus that arrives in pieces; only sums and asked-for scores are kept.

    The metrics are fitted already where they need it. ``keep`` is given every row. ``progress``
    is told the number of (segment, system, metric) rows done with each step.
    """
    tally = Tally(metrics, by=by, segments=segments, rows=rows)
    names: tuple[str, ...] = ()
    corpus = ""
    notes: tuple[str, ...] = ()
    before = 0
    for chunk in chunks:
        names = tuple(system.name for system in chunk.systems)
        corpus, notes = chunk.corpus.name, chunk.corpus.notes
        slices = _slices(chunk.corpus, by)
        tally.begin(len(chunk.corpus), chunk.corpus.references.count, chunk.corpus.documents)
        kept: list[list[Rows]] = [[] for _ in chunk.systems]
        for s, system in enumerate(chunk.systems):
            for m, metric in enumerate(metrics):
                warn_of_costs(metric, system, chunk.corpus, before=before)
                part = metric.rows_of(system, chunk.corpus)
                tally.add(s, m, part, slices)
                if keep is not None:
                    kept[s].append(part)
                if progress is not None:
                    progress(len(part))
        before += len(chunk)
        if keep is not None:
            keep.add(chunk, kept)
    may_be_empty = keep is not None and keep.may_be_empty
    evaluation = tally.evaluation(names, corpus, may_be_empty=may_be_empty)
    return replace(evaluation, warnings=(*notes, *evaluation.warnings))


def _check_part(metrics: Sequence[Metric], statistics: object) -> None:
    """Refuse what parts of a corpus could never be put together from."""
    if statistics is None:
        raise OptionError("first_segment: found no file of statistics, expected one to note it in")
    for metric in metrics:
        if metric.needs_fit:
            raise OptionError(
                f"{metric.spec}: found a part of a corpus, expected all of it at once, as the "
                "statistics depend on all references: score it without first_segment"
            )


def _slices(corpus: Corpus, by: Slicing | None) -> "Slices | None":
    if by is None:
        return None
    from tertium.scored.slices import slices_of

    return slices_of(corpus, by)
