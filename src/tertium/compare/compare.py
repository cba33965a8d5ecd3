"""Systems side by side: one call that scores, tests and says where the difference lies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from tertium.choices import (
    DEFAULT_SEED,
    SECTIONS,
    TEST_TRIALS,
    IntervalMethod,
    Resampling,
    Section,
    Slicing,
)
from tertium.compare.baseline_tests import TESTS, ComparisonSettings, TestName
from tertium.compare.comparison import Comparison, WordSection
from tertium.compare.differences import PRIOR, gram_differences
from tertium.compare.grams import CutCorpus, WordCutter, cut_corpus, scored_words
from tertium.compare.score_results import ScoreTable
from tertium.compare.scores import score_table
from tertium.compare.sentences import sentence_differences
from tertium.errors import InputError, OptionError
from tertium.inference.corrections import Correction
from tertium.inference.joint_tests import shared_tests
from tertium.inference.resampling import shared_resamples
from tertium.inference.rows import MetricRows, metric_rows
from tertium.inference.units import units_of
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tertium.metrics.contract.table import AnyMetrics, as_metric, several_metrics
from tertium.scored.runs import AnyRuns, runs_of
from tertium.scored.scored import AnyScored, Scored, as_scored, scored
from tertium.scored.slices import LENGTHS, Bands, Slices
from tertium.scored.textless import TextlessSystem
from tertium.text.corpus import AnyTexts, Chunk, Corpus, System, corpus_and_systems
from tertium.text.tokenizers import Tokenizer

if TYPE_CHECKING:  # sections are imported where they are asked for: `decide` needs two of them
    from tertium.compare.histograms import HistogramSection
    from tertium.compare.lengths import LengthTable
    from tertium.compare.sources import SourceWords


class _Given(NamedTuple):
    """What is compared; ``scored`` if it is already, as some sections need no score at all."""

    corpus: Corpus
    systems: tuple[System, ...]
    metrics: tuple[Metric, ...]
    scored: Scored | None

    @classmethod
    def of(
        cls,
        given: AnyScored,
        systems: AnyTexts | None,
        metrics: AnyMetrics | None,
    ) -> "_Given":
        if isinstance(given, Scored):
            whole = as_scored(given, systems, metrics)
            return cls(whole.corpus, whole.systems, whole.metrics, whole)
        chosen = several_metrics(DEFAULT_METRICS if metrics is None else metrics)
        return cls(*corpus_and_systems(given, systems), tuple(map(as_metric, chosen)), None)

    def whole(self) -> Scored:
        return self.scored or scored(self.corpus, self.systems, self.metrics)


def compare(
    corpus: AnyScored,
    systems: AnyTexts | None = None,
    metrics: AnyMetrics | None = None,
    *,
    sections: Iterable[Section] = SECTIONS,
    test: TestName | Literal["all"] = "randomization",
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    correction: Correction = "max-t",
    resample: Resampling = "auto",
    interval: IntervalMethod = "percentile",
    runs: AnyRuns | None = None,
    by: Slicing | None = None,
    length_bands: Bands = LENGTHS,
    order: int = 4,
    prior: float = PRIOR,
    top: int = 5,
    training: Mapping[str, int] | Iterable[str] | None = None,
    alignments: Iterable[str] | None = None,
    source_tokenizer: Tokenizer | str | None = None,
) -> Comparison:
    """Compare systems with the first one, the baseline, by default by BLEU and chrF.

    - Instead of a corpus and its systems you may give segments by the name of their system, in a
      dict or a data frame, and references: ``compare({"old": […], "new": […]}, references)``; or
      what `tertium.scored` made of all.
    - ``sections``: some of scores, ngrams, words, lengths, histograms and sentences.
    - ``training``: text that the systems were trained on, or the frequencies of its words;
      without it words are counted in the references.
    - ``source_tokenizer``: how sources are cut. If the corpus has sources, words and lengths are
      compared with theirs, too. ``alignments`` of sources and first references (``0-0 1-2``, a
      line for each segment) say which words belong together.
    - ``resample``: tests and intervals draw whole documents if the corpus knows them;
      ``"segments"`` changes that.
    - ``interval``: percentile or bca. ``correction``: over every system, metric and slice; step-
      down max-T, as all tests swap the same documents, unless Holm's or another is asked for.
    - ``runs``: which outputs are runs of one system, by name (``{"base": ["base.1", "base.2"],
      …}``, patterns allowed), or ``"numbered"``: by the numbers at the end of names. Scores are
      then means over runs, ``test`` may be stratified by run (Clark et al. 2011), and the other
      sections show each system's median run.

    Words are cut as the first metric with a tokenizer cuts them. Sentences are those with the
    largest part in the first metric's difference.

    >>> from tertium import Corpus, System, compare
    >>> corpus = Corpus(references=["a cat sat", "a dog ran"] * 10)
    >>> old = System(name="old", hypotheses=["a cat", "a dog"] * 10)
    >>> new = System(name="new", hypotheses=["a cat sat", "a dog"] * 10)
    >>> found = compare(corpus, [old, new], ["wer"], sections=["scores"], trials=100)
    >>> [(row["system"], round(row["score"], 2)) for row in found.tables["scores"]]
    [('old', 33.33), ('new', 16.67)]
    """
    wanted = _sections(sections, by, training, alignments)
    given = _Given.of(corpus, systems, metrics)
    _check(given.systems, given.metrics, order, top)
    settings = ComparisonSettings(
        tests=_tests(test, runs),
        trials=trials,
        seed=seed,
        level=level,
        correction=correction,
        resample=resample,
        interval=interval,
    )
    Chunk(corpus=given.corpus, systems=given.systems)  # checks that all have the same length
    strata, every = None, None
    if runs is not None:
        strata = runs_of([system.name for system in given.systems], runs)
        every = given.whole()
        given = _Given.of(strata.median(every), None, None)
    test_set, outputs = given.corpus, given.systems
    need_rows = wanted.intersection(("scores", "lengths", "histograms", "sentences"))
    whole = given.whole() if need_rows else None
    groups = metric_rows(whole) if whole else ()
    cut = _cut(given, texts=bool(wanted - {"scores"}))
    sources = None
    told = test_set.sources is not None and wanted & {"words", "lengths"}
    if told or alignments is not None or source_tokenizer is not None:
        from tertium.compare.sources import cut_sources

        sources = cut_sources(test_set, cut.cutter.with_tokenizer(source_tokenizer))
    scores = None
    if "scores" in wanted and whole:

        def table() -> ScoreTable:
            units = units_of(len(test_set), test_set.documents, resample)
            joint = None
            if settings.can_find(units.count):
                joint = shared_tests(
                    every or whole,
                    units,
                    settings.pair_test(units.count),
                    trials=trials,
                    seed=seed,
                    runs=strata,
                )
            made = score_table(
                cut.names,
                groups if every is None else metric_rows(every, strata),
                settings,
                references=test_set.references.count,
                documents=test_set.documents,
                by=by,
                slices=_slices(given, cut.cutter, by, length_bands),
                runs=strata,
                drawn=shared_resamples(
                    every or whole, units, trials=trials, seed=seed, runs=strata
                ),
                joint=joint,
            )
            return replace(made, findings=(*test_set.notes, *made.findings))

        plain = by is None and runs is None  # a report asks for it, and so does its decision
        scores = whole.kept(("score table", settings), table) if plain else table()

    def words() -> WordSection:
        made = _word_section(cut, training, top, prior)
        if sources is None:
            return made
        from tertium.compare.sources import source_word_table

        table = source_word_table(
            test_set, outputs, cut, sources, alignments=alignments, top=top, prior=prior
        )
        return replace(made, sources=table)

    return Comparison(
        systems=cut.names,
        segments=len(test_set),
        cutter=cut.cutter,
        scores=scores,
        ngrams=gram_differences(cut, range(2, order + 1), top=top, prior=prior)
        if "ngrams" in wanted
        else None,
        words=words() if "words" in wanted else None,
        lengths=_lengths(test_set, cut, groups, length_bands, sources)
        if "lengths" in wanted
        else None,
        histograms=_histograms(cut, groups) if "histograms" in wanted else None,
        sentences=sentence_differences(test_set, outputs, cut, groups[0], top=top)
        if "sentences" in wanted
        else None,
        identical=() if whole is None else _identical(whole),
    )


def _identical(whole: Scored) -> tuple[str, ...]:
    """Systems with the baseline's output; texts are read where all statistics are the same."""
    first, *others = whole.systems
    alike = [
        other
        for index, other in enumerate(others, 1)
        if not isinstance(other, TextlessSystem)
        and all(np.array_equal(rows[0], rows[index], equal_nan=True) for rows in whole.rows)
    ]
    return tuple(
        system.name for system in alike if system.hypotheses.to_list() == first.hypotheses.to_list()
    )


def _cut(given: _Given, *, texts: bool) -> CutCorpus:
    """The corpus as words; names and cutter alone where nobody looks at ``texts``."""
    cutter = WordCutter.like(given.metrics)
    if not texts:
        names = tuple(system.name for system in given.systems)
        return CutCorpus(names=names, cutter=cutter, references=(), systems=())
    if given.scored is None:
        return cut_corpus(given.corpus, given.systems, cutter)
    return scored_words(given.scored, cutter)


def _tests(test: TestName | Literal["all"], runs: object | None) -> tuple[TestName, ...]:
    """The tests asked for; of several runs there is no sign test, of one no stratified one."""
    other = "stratified" if runs is None else "sign"
    known = tuple(name for name in TESTS if name != other)
    if test not in {*known, "all"}:
        where = "" if test != other else " without runs" if runs is None else " with runs"
        raise OptionError(f"test: found '{test}'{where}, expected {', '.join(known)} or all")
    return known if test == "all" else (test,)


def _sections(
    sections: Iterable[Section],
    by: object | None,
    training: object | None,
    alignments: object | None,
) -> frozenset[Section]:
    """The sections asked for; what no section would use is an error."""
    wanted = frozenset(sections)
    for unknown in sorted(wanted.difference(SECTIONS)):
        raise OptionError(f"section: found '{unknown}', expected {', '.join(SECTIONS)}")
    needs: list[tuple[str, object | None, Section]] = [
        ("by", by, "scores"),
        ("training text", training, "words"),
        ("alignments", alignments, "words"),
    ]
    for name, value, section in needs:
        if value is not None and section not in wanted:
            found = ", ".join(sorted(wanted)) or "none"
            raise OptionError(f"{name}: found sections {found}, expected '{section}' among them")
    return wanted


def _check(systems: Sequence[System], metrics: Sequence[Metric], order: int, top: int) -> None:
    if not metrics:
        raise OptionError("metrics: found none, expected at least one")
    if len(systems) < 2:
        raise InputError(
            f"systems: found {len(systems)}, expected a baseline and at least one more"
        )
    names = [system.name for system in systems]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"system '{name}': found twice, expected once")
    if order < 2:
        raise OptionError(f"order: found {order}, expected at least 2")
    if top < 1:
        raise OptionError(f"top: found {top}, expected at least 1")


def _slices(given: _Given, cutter: WordCutter, by: Slicing | None, bands: Bands) -> Slices | None:
    if by is None:
        return None
    if by == "length":
        # Rows from a file come with these lengths, and without texts.
        if given.scored is not None and cutter == WordCutter():
            return Slices.by_band(bands, given.scored.reference_lengths)
        return Slices.by_band(bands, _cut(given, texts=True).reference_lengths)
    return Slices.of(given.corpus.labels(by))


def _lengths(
    corpus: Corpus,
    cut: CutCorpus,
    groups: Sequence[MetricRows],
    bands: Bands,
    sources: "SourceWords | None",
) -> "LengthTable":
    from tertium.compare.lengths import length_table

    table = length_table(cut, groups, bands=bands)
    if sources is None:
        return table
    from tertium.compare.sources import source_length_table

    return replace(table, per_source=source_length_table(corpus, cut, sources))


def _histograms(cut: CutCorpus, groups: Sequence[MetricRows]) -> "HistogramSection":
    from tertium.compare.histograms import histograms

    return histograms(cut, groups)


def _word_section(
    cut: CutCorpus, training: Mapping[str, int] | Iterable[str] | None, top: int, prior: float
) -> WordSection:
    from tertium.compare.frequency import frequency_table

    counts = (
        training
        if training is None or isinstance(training, Mapping)
        else cut.cutter.frequencies(training)
    )
    return WordSection(
        differences=gram_differences(cut, range(1, 2), top=top, prior=prior),
        frequencies=frequency_table(cut, counts),
    )
