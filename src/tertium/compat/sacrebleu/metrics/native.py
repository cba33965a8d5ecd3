"""sacreBLEU's metrics over native statistics, where nobody has replaced a step of theirs."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from tertium._native import Texts
from tertium.compat.sacrebleu.metrics.base import AnyScore, Metric, ReferenceInfo, Signature
from tertium.compat.sacrebleu.shapes import (
    CheckedReferences,
    NoReferencesError,
    Stream,
    checked_hypotheses,
    checked_references,
    checked_sentence,
)
from tertium.compat.sacrebleu.utils import sum_of_lists
from tertium.metrics.contract import base
from tertium.metrics.contract.base import Rows

_STEPS: Final = (
    "_preprocess_segment",
    "_extract_reference_info",
    "_compute_segment_statistics",
    "_cache_references",
    "_extract_corpus_statistics",
    "_compute_score_from_stats",
    "_aggregate_and_compute",
)


class NativeMetric(Metric[AnyScore]):
    """A metric whose statistics the native core computes for all segments at once.

    Every step can also be taken by itself, from counters that a caller may have changed. A
    subclass that replaces a step, or references that were put into ``_ref_cache``, are
    followed step by step.
    """

    def __init__(self, references: Sequence[Stream] | None) -> None:
        self._kept: CheckedReferences | None = None
        self._cache: list[ReferenceInfo] | None = None
        super().__init__()
        if references is not None:
            self._kept = checked_references(references)
            self.num_refs = self._kept.per_segment

    @abstractmethod
    def _metric(self) -> base.Metric:
        """The metric that computes the statistics."""

    @abstractmethod
    def _in_order(self, rows: Rows) -> Rows:
        """The statistics that sacreBLEU has, in its order."""

    def _plain(self, rows: Rows) -> list[list[float]]:
        """Statistics as lists of numbers of sacreBLEU's types."""
        whole: list[list[float]] = rows.astype(np.int64).tolist()
        return whole

    def _aggregate_and_compute(self, stats: Sequence[Sequence[float]]) -> AnyScore:
        return self._compute_score_from_stats(sum_of_lists(stats))

    @property
    def _ref_cache(self) -> list[ReferenceInfo] | None:
        if self._cache is None and self._kept is not None:
            self._cache = self._cache_references(self._kept.streams())
        return self._cache

    @_ref_cache.setter
    def _ref_cache(self, cache: list[ReferenceInfo] | None) -> None:
        self._cache = cache
        self._kept = None

    @property
    def _stepwise(self) -> bool:
        return _replaces_a_step(type(self))

    def get_signature(self) -> Signature:
        """As the metric's; one with steps of its own is not the metric that the keys describe."""
        signature = super().get_signature()
        if self._stepwise:
            signature.update("class", type(self).__name__)
        return signature

    def _rows(self, hypotheses: Sequence[str], references: Sequence[Stream] | None) -> Rows:
        column = checked_hypotheses(hypotheses)
        if references is not None:
            checked = checked_references(references, hypotheses=len(column))
        elif self._kept is not None:
            checked = self._kept
            checked.check_segments(len(column))
        else:
            raise NoReferencesError(
                "references: found none, expected them here or in the metric's constructor"
            )
        return self._checked_rows(column, checked)

    def _checked_rows(self, hypotheses: Texts, checked: CheckedReferences) -> Rows:
        rows = self._metric().statistics(hypotheses, checked.references)
        self.num_refs = checked.per_segment
        return self._in_order(rows)

    def _follows_steps(self, references: Sequence[Stream] | None) -> bool:
        own_cache = references is None and self._kept is None and self._cache is not None
        return own_cache or self._stepwise

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream] | None
    ) -> Sequence[Sequence[float]]:
        if self._follows_steps(references):
            return super()._extract_corpus_statistics(hypotheses, references)
        return self._plain(self._rows(hypotheses, references))

    def _scored(
        self, hypotheses: Sequence[str], references: Sequence[Stream] | None
    ) -> tuple[AnyScore, Any]:
        if self._follows_steps(references):
            return super()._scored(hypotheses, references)
        rows = self._rows(hypotheses, references)
        total = self._plain(rows.sum(axis=0, keepdims=True))
        return self._aggregate_and_compute(total), rows

    def _scored_segment(self, hypothesis: str, references: Sequence[str | None]) -> AnyScore:
        if self._stepwise:
            return super()._scored_segment(hypothesis, references)
        rows = self._checked_rows(*checked_sentence(hypothesis, references))
        return self._aggregate_and_compute(self._plain(rows))


@cache
def _replaces_a_step(metric: type[NativeMetric[Any]]) -> bool:
    ours = next(base for base in metric.__mro__ if base.__module__.startswith("tertium."))
    return any(getattr(metric, step) is not getattr(ours, step) for step in _STEPS)
