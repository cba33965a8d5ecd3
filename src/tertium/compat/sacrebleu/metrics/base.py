"""What sacreBLEU's metrics have in common; other people's metrics build on it, too.

Unlike tertium's own metrics these objects have a state, since sacreBLEU's interface does:
the signature is known only after scoring, and describes the score computed last.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu.errors import NoReferencesError, ShapeError
from tertium.compat.sacrebleu.metrics.scores import Score
from tertium.compat.sacrebleu.metrics.signatures import Signature
from tertium.compat.sacrebleu.resampling import resampled_sums, seed_text
from tertium.compat.sacrebleu.shapes import (
    Stream,
    checked_hypotheses,
    checked_references,
    checked_sentence,
)
from tertium.compat.sacrebleu.utils import sacrelogger
from tertium.plurals import counted

AnyScore = TypeVar("AnyScore", bound=Score)

Numbers: TypeAlias = Sequence[float] | NDArray[np.float32]
"""The statistics of a segment or a sum of them; resamples come as arrays."""

ReferenceInfo: TypeAlias = dict[str, Any]
"""What a metric knows of the references of one segment."""


class SacrebleuMetric(ABC, Generic[AnyScore]):
    """A metric made of sacreBLEU's steps, each of which a subclass writes or replaces.

    Segments are preprocessed, references turned into ``ref_kwargs``, these and a hypothesis
    into statistics, and statistics into a score.
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature

    def __init__(self) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._ref_cache: list[ReferenceInfo] | None = None
        self._force = True

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> Any:
        """A segment as the other steps take it."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[Any]) -> ReferenceInfo:
        """What ``_compute_segment_statistics`` must know of preprocessed references."""

    @abstractmethod
    def _compute_segment_statistics(
        self, hypothesis: Any, ref_kwargs: ReferenceInfo
    ) -> Sequence[float]:
        """The statistics of a preprocessed hypothesis."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Numbers) -> AnyScore:
        """The score of summed statistics, in the precision of the numbers that it is given."""

    @abstractmethod
    def _aggregate_and_compute(self, stats: Sequence[Sequence[float]]) -> AnyScore:
        """The score of all segments' statistics."""

    def _check_sentence_score_args(self, hyp: str, refs: Sequence[str | None]) -> None:
        checked_sentence(hyp, refs)

    def _check_corpus_score_args(self, hyps: Sequence[str], refs: Sequence[Stream] | None) -> None:
        checked_hypotheses(hyps)
        if refs is not None:
            checked_references(refs, hypotheses=len(hyps))

    def _cache_references(self, references: Sequence[Stream]) -> list[ReferenceInfo]:
        """What is known of every segment's references; from here on ``num_refs`` is known."""
        self.num_refs = checked_references(references).per_segment
        return [
            self._extract_reference_info(
                [self._preprocess_segment(text) for text in row if text is not None]
            )
            for row in zip(*references, strict=True)
        ]

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream] | None
    ) -> Sequence[Sequence[float]]:
        """One row of statistics per segment."""
        cache = self._ref_cache if references is None else self._cache_references(references)
        if not cache:
            raise NoReferencesError(
                "references: found none, expected them here or in the metric's constructor"
            )
        if len(cache) != len(hypotheses):
            raise ShapeError(
                f"hypotheses: {counted(len(hypotheses), 'segment')}, expected {len(cache)} "
                "(references)"
            )
        return [
            self._compute_segment_statistics(self._preprocess_segment(text), known)
            for text, known in zip(hypotheses, cache, strict=True)
        ]

    def _scored(
        self, hypotheses: Sequence[str], references: Sequence[Stream] | None
    ) -> tuple[AnyScore, Any]:
        """The score of a corpus, and its statistics for resampling."""
        self._check_corpus_score_args(hypotheses, references)
        rows = self._extract_corpus_statistics(hypotheses, references)
        return self._aggregate_and_compute(rows), rows

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Stream] | None,
        n_bootstrap: int = 1,
    ) -> AnyScore:
        """Score a corpus; ``references`` are [reference set][segment], ``None`` for those kept.

        With ``n_bootstrap`` above 1 the score has a 95 % interval from as many resamples.
        """
        result, rows = self._scored(hypotheses, references)
        self.n_bootstrap = self.seed = None
        if n_bootstrap > 1:
            self.n_bootstrap, self.seed = n_bootstrap, seed_text()
            sums = resampled_sums(np.asarray(rows), n_bootstrap, self.seed)
            result.estimate_ci(map(self._compute_score_from_stats, sums))
        return result

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> AnyScore:
        """Score one segment against its references."""
        result = self._scored_segment(hypothesis, references)
        self.n_bootstrap = self.seed = None
        return result

    def _scored_segment(self, hypothesis: str, references: Sequence[str | None]) -> AnyScore:
        self._check_sentence_score_args(hypothesis, references)
        given = [[reference] for reference in references if reference is not None]
        return self._scored([hypothesis], given)[0]

    def get_signature(self) -> Signature:
        """The identity of the score computed last, or of the next one with kept references."""
        return self._SIGNATURE_TYPE(vars(self))


__all__ = ["Metric", "ReferenceInfo", "Score", "Signature", "sacrelogger"]


Metric = SacrebleuMetric
"""The name that sacreBLEU gives it."""
