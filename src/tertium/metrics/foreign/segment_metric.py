"""A metric that is a mean of segment scores, whoever computes them."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, isinf, isnan
from typing import TYPE_CHECKING, ClassVar, Final, Self, TypeAlias

import numpy as np

from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.contract.base import Component, Metric, Rows, Scores
from tertium.metrics.contract.options import bound
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System
from tertium.text.references import AnyReferences, Hypotheses, References, aligned

if TYPE_CHECKING:
    from tertium.metrics.foreign.cache import Identity, Question

AT_ONCE: Final = 4096
"""Texts whose scores are kept together."""

SegmentScore: TypeAlias = float | None
"""One segment's score; ``None`` and NaN say that there is none."""
Sources: TypeAlias = Sequence[str] | None
"""The source of every segment, or nothing where no one knows them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentMetric(Metric):
    """A metric that is a mean of segment scores; you write the function that scores segments.

    Write ``scores``, which gives a number for each text, and you get corpus scores, slices,
    intervals, tests and audits. A row is (sum, count). No segment's score depends on another, so
    the metric is decomposable. A segment without a score is left out and not counted as zero, and
    results say how many there are.

    >>> class Length(SegmentMetric):
    ...     name = title = "length"
    ...     summary = "words of the hypothesis"
    ...     def scores(self, sources, hypotheses, references):
    ...         return [len(text.split()) for text in hypotheses]
    >>> import tertium
    >>> tertium.score(["a b", "a b c"], ["x", "y"], Length()).value
    2.5
    """

    citation: ClassVar[str] = "none"
    best: ClassVar[float] = inf
    worst: ClassVar[float] = -inf
    finer: ClassVar[int] = 2

    common_source: str | None = bound()

    @abstractmethod
    def scores(
        self,
        sources: Sources,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
    ) -> Sequence[SegmentScore]:
        """A number for every segment, in its order; ``None`` or NaN where there is none.

        ``references`` are those of each segment, and ``sources`` are there where the corpus has
        them: a metric that cannot do without says so by ``needs_sources``.
        """

    @property
    def columns(self) -> tuple[str, ...]:
        """The sum of the scores there are, and how many these are."""
        return ("sum", "count")

    @property
    def limits(self) -> tuple[float, float]:
        """The range, which for most scores of others nobody knows."""
        return min(self.best, self.worst), max(self.best, self.worst)

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        """One row per segment, of sources that are not known, or of the one that is bound."""
        texts, shared = aligned(hypotheses, references)
        if self.needs_sources and self.common_source is None:
            raise InputError(f"{self.title}: found no sources, expected one for every segment")
        known = None if self.common_source is None else [self.common_source] * len(texts)
        return self._scored(known, texts, shared)

    def rows_of(self, system: System, corpus: Corpus) -> Rows:
        """One row per segment, of sources too if the corpus has them."""
        self.check_sources(corpus)
        known = None if corpus.sources is None else strings(corpus.sources)
        texts, shared = aligned(system.hypotheses, corpus.references)
        return self._scored(known, texts, shared)

    def of_source(self, source: str | None) -> Self:
        """The metric for texts that all translate one source."""
        return replace(self, common_source=source)

    def score(self, rows: Rows) -> Scores:
        """The mean of the scores there are; NaN where there are none."""
        total, count = rows[..., 0], rows[..., 1]
        return np.where(count == 0, np.nan, total / np.where(count == 0, 1.0, count))

    def components(self, row: Rows) -> tuple[Component, ...]:
        """How many segments have a score."""
        return (Component("scored segments", float(row[1])),)

    def remarks(self, total: Rows, segments: int) -> tuple[str, ...]:
        """How many segments have no score, if any."""
        missing = segments - round(float(total[1]))
        if not missing:
            return ()
        return (f"{self.title} has no score for {missing} of {segments} segments: left out",)

    @property
    def identity(self) -> "Identity | None":
        """What scores are kept under, so that each text is scored once; nothing to keep none.

        Whatever else decides a score must be in it: model, version, precision, options.
        """
        return None

    def question(self, source: str | None, hypothesis: str, references: list[str]) -> "Question":
        """What a segment's score depends on, and is kept by."""
        from tertium.metrics.foreign.cache import Question

        return Question(source, hypothesis, tuple(references))

    def answers(self, questions: "Sequence[Question]") -> Iterator[Sequence[SegmentScore]]:
        """The scores of texts that are not known yet; as they come they are kept."""
        for begin in range(0, len(questions), AT_ONCE):
            sources, texts, references = zip(*questions[begin : begin + AT_ONCE], strict=True)
            known = None if None in sources else list(sources)
            scores = self.scores(known, list(texts), [list(some) for some in references])
            if len(scores) != len(texts):
                raise _miscounted(self.title, len(scores), len(texts))
            yield scores

    def _scored(self, sources: Sources, hypotheses: Texts, references: References) -> Rows:
        columns = [column.to_list() for column in references.columns]
        others = [
            [reference for reference in row if reference is not None]
            for row in zip(*columns, strict=True)
        ]
        if not others:
            return np.zeros((0, 2))
        identity, texts = self.identity, strings(hypotheses)
        scores: Sequence[SegmentScore]
        if identity is None and not self.elsewhere:
            scores = self.scores(sources, texts, others)
        else:
            from tertium.metrics.foreign.cache import cached_scores

            known = [None] * len(texts) if sources is None else list(sources)
            asked = map(self.question, known, texts, others)
            scores = cached_scores(list(asked), self.answers, identity)
            check_some_score(scores, self.title)
        return rows_of_scores(scores, len(hypotheses), self.title)


def strings(texts: Texts) -> list[str]:
    """The texts as Python strings; one that is missing is empty."""
    return [text or "" for text in texts.to_list()]


def rows_of_scores(scores: Sequence[SegmentScore], segments: int, location: str) -> Rows:
    """Rows (sum, count), after a look at whether the scores can be such."""
    if len(scores) != segments:
        raise _miscounted(location, len(scores), segments)
    rows = np.zeros((segments, 2))
    for number, score in enumerate(scores):
        value = _number(score, number, location)
        if value is not None:
            rows[number] = value, 1
    return rows


def check_some_score(scores: Sequence[SegmentScore], name: str) -> None:
    """Refuse scores that are all NaN: what computes them is broken, and their mean says nothing.

    ``None`` is an answer (this text has no score), NaN is left of a computation that failed.
    """
    failed = sum(score is not None and isnan(score) for score in scores)
    if failed and failed + sum(score is None for score in scores) == len(scores):
        raise InputError(
            f"{name}: found NaN for {failed} of {counted(len(scores), 'text')} and no number, "
            "expected a number for some (look for overflow, fp16 or empty input; null says that a "
            "text has no score)"
        )


def _miscounted(location: str, found: int, expected: int) -> InputError:
    return InputError(
        f"{location}: found {counted(found, 'score')}, expected {expected} (segments)"
    )


def _number(score: SegmentScore, number: int, location: str) -> float | None:
    try:
        value = None if score is None else float(score)
    except (TypeError, ValueError):
        value = inf
    if value is not None and isinf(value):
        raise InputError(f"{location}: segment {number + 1}: found {score!r}, expected a number")
    return None if value is None or isnan(value) else value
