"""Systems side by side: one call that scores, tests and says where the difference lies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.compare.bands import LENGTHS, Bands, places_by_band, places_by_label
from tertium.compare.differences import (
    PRIOR,
    GramDifference,
    GramDifferences,
    gram_differences,
)
from tertium.compare.frequency import FrequencyTable, frequency_table
from tertium.compare.grams import CutCorpus, WordCutter, cut_corpus
from tertium.compare.lengths import LengthTable, length_table
from tertium.compare.score_results import By, ScoreTable
from tertium.compare.scores import score_table
from tertium.compare.sections import SECTIONS, Section
from tertium.compare.sentences import SentenceDifferences, sentence_differences
from tertium.compare.testing import TESTS, Settings, TestName
from tertium.errors import InputError, OptionError
from tertium.inference.choices import Resampling
from tertium.inference.corrections import Correction
from tertium.inference.rows import DEFAULT_SEED, TEST_TRIALS, MetricRows
from tertium.metrics.base import Metric
from tertium.results import html_table
from tertium.scoring import AnyMetric, as_metric
from tertium.text.corpus import Chunk, Corpus, System
from tertium.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSection:
    """Words gained and lost against the baseline, and accuracy by frequency."""

    differences: tuple[GramDifferences, ...]
    frequencies: FrequencyTable

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "differences": [one.to_dict() for one in self.differences],
            "frequencies": self.frequencies.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Systems beside the first of them, the baseline; sections not asked for are ``None``."""

    systems: tuple[str, ...]
    segments: int
    cutter: WordCutter
    scores: ScoreTable | None = None
    ngrams: tuple[GramDifferences, ...] | None = None
    words: WordSection | None = None
    lengths: LengthTable | None = None
    sentences: tuple[SentenceDifferences, ...] | None = None

    @property
    def baseline(self) -> str:
        """The system that all others are compared with."""
        return self.systems[0]

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections there are."""
        return tuple(name for name in SECTIONS if getattr(self, name) is not None)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "version": __version__,
            "segments": self.segments,
            "baseline": self.baseline,
            "systems": list(self.systems),
            "tokenizer": self.cutter.tokenizer.name,
            "lowercase": self.cutter.lowercase,
            **{name: _section_dict(getattr(self, name)) for name in self.sections},
        }

    def __repr__(self) -> str:
        others = ", ".join(self.systems[1:])
        return f"<Comparison of {others} with {self.baseline}, {self.segments} segments>"

    def _repr_html_(self) -> str:
        tables = [] if self.scores is None else [self.scores._repr_html_()]
        sections = {
            "words": self.words.differences if self.words else (),
            "n-grams": self.ngrams or (),
        }
        for kind, found in sections.items():
            rows = [[one.system, *map(_listed, (one.gained, one.lost))] for one in found]
            if rows:
                headers = ["system", f"{kind} gained", f"{kind} lost"]
                tables.append(html_table(headers, rows))
        return "".join(tables) or f"<p>{escape(repr(self))}</p>"


def _listed(grams: Iterable[GramDifference]) -> str:
    return ", ".join(f"{one.text} (+{one.gained} −{one.lost})" for one in grams)


def _section_dict(section: Any) -> Any:
    many = isinstance(section, tuple)
    return [one.to_dict() for one in section] if many else section.to_dict()


def compare(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[AnyMetric] = ("bleu",),
    *,
    sections: Iterable[Section] = SECTIONS,
    test: TestName | Literal["all"] = "bootstrap",
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    correction: Correction = "holm",
    resample: Resampling = "auto",
    by: By | None = None,
    length_bands: Bands = LENGTHS,
    order: int = 4,
    prior: float = PRIOR,
    top: int = 5,
    training: Mapping[str, int] | Iterable[str] | None = None,
) -> Comparison:
    """Compare systems with the first of them, the baseline.

    ``sections`` are some of scores, ngrams, words, lengths and sentences. ``training`` is text
    that the systems were trained on, or the frequencies of its words; without it words are
    counted in the references. Words are cut as the first metric with a tokenizer cuts them;
    segments are ranked by the first metric. Tests and intervals resample whole documents where
    the corpus knows them, unless ``resample`` says ``segments``; the correction covers every
    system, metric and slice.
    """
    wanted = _sections(sections, by, training)
    _check(systems, metrics, order, top)
    settings = Settings(
        tests=TESTS if test == "all" else (test,),
        trials=trials,
        seed=seed,
        level=level,
        correction=correction,
        resample=resample,
    )
    Chunk(corpus=corpus, systems=tuple(systems))  # checks that all have the same length
    chosen = [as_metric(metric) for metric in metrics]
    scored = wanted.intersection(("scores", "lengths", "sentences"))
    groups = [_rows(corpus, systems, metric) for metric in chosen] if scored else []
    cut = cut_corpus(corpus, systems, WordCutter.like(chosen))
    return Comparison(
        systems=cut.names,
        segments=len(corpus),
        cutter=cut.cutter,
        scores=score_table(
            cut.names,
            groups,
            settings,
            references=corpus.references.count,
            documents=corpus.documents,
            by=by,
            places=_places(corpus, cut, by, length_bands),
        )
        if "scores" in wanted
        else None,
        ngrams=gram_differences(cut, range(2, order + 1), top=top, prior=prior)
        if "ngrams" in wanted
        else None,
        words=_word_section(cut, training, top, prior) if "words" in wanted else None,
        lengths=length_table(cut, groups, bands=length_bands) if "lengths" in wanted else None,
        sentences=sentence_differences(corpus, systems, cut, groups[0], top=top)
        if "sentences" in wanted
        else None,
    )


def _sections(
    sections: Iterable[Section], by: object | None, training: object | None
) -> frozenset[Section]:
    """The sections asked for; what no section would use is an error."""
    wanted = frozenset(sections)
    for unknown in sorted(wanted.difference(SECTIONS)):
        raise OptionError(f"section: found '{unknown}', expected {', '.join(SECTIONS)}")
    needs: list[tuple[str, object | None, Section]] = [
        ("by", by, "scores"),
        ("training text", training, "words"),
    ]
    for name, value, section in needs:
        if value is not None and section not in wanted:
            found = ", ".join(sorted(wanted)) or "none"
            raise OptionError(f"{name}: found sections {found}, expected '{section}' among them")
    return wanted


def _check(systems: Sequence[System], metrics: Sequence[AnyMetric], order: int, top: int) -> None:
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


def _rows(corpus: Corpus, systems: Sequence[System], metric: Metric) -> MetricRows:
    if not len(corpus):
        raise InputError(f"{corpus.name}: 0 segments, expected at least one")
    bound = metric.bind(corpus)
    rows = [bound.statistics(system.hypotheses, corpus.references) for system in systems]
    return MetricRows(metric=bound, rows=np.stack(rows))


def _places(
    corpus: Corpus, cut: CutCorpus, by: By | None, bands: Bands
) -> dict[str, NDArray[np.intp]]:
    if by is None:
        return {}
    if by == "length":
        return places_by_band(bands, cut.reference_lengths)
    return places_by_label(corpus.labels(by))


def _word_section(
    cut: CutCorpus, training: Mapping[str, int] | Iterable[str] | None, top: int, prior: float
) -> WordSection:
    counts = (
        training
        if training is None or isinstance(training, Mapping)
        else cut.cutter.frequencies(training)
    )
    return WordSection(
        differences=gram_differences(cut, range(1, 2), top=top, prior=prior),
        frequencies=frequency_table(cut, counts),
    )
