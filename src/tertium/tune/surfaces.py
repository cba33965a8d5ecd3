"""What is tuned on: the hypotheses a model can choose from, as its weights move."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows
from tertium.text.corpus import Corpus, System

Vectors: TypeAlias = NDArray[np.float64]
"""Weights or directions, (searches, features)."""
Envelopes: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int32]]
"""Offsets, starts and hypotheses of one upper envelope for each search and segment."""

_TEXTS_AT_ONCE: Final = 50_000


class Surface(ABC):
    """Hypotheses of all segments, numbered, with their statistics under any metric.

    Statistics come from texts and references, once for each metric; graphs add hypotheses as
    searches come upon them.
    """

    __slots__ = ("_bound", "_rows", "feature_names", "references", "sources")

    def __init__(
        self,
        feature_names: Sequence[str],
        references: Sequence[str | Sequence[str]],
        sources: Sequence[str] | None = None,
    ) -> None:
        self.feature_names = tuple(feature_names)
        self.sources = None if sources is None else list(sources)
        self.references = [
            [reference] if isinstance(reference, str) else list(reference)
            for reference in references
        ]
        self._rows: dict[str, Rows] = {}
        self._bound: dict[str, Metric] = {}
        if not self.feature_names:
            raise InputError("features: found none, expected at least one to tune")

    @property
    def segments(self) -> int:
        """How many segments there are."""
        return len(self.references)

    @abstractmethod
    def __len__(self) -> int:
        """How many hypotheses are known."""

    @abstractmethod
    def envelopes(self, points: Vectors, directions: Vectors) -> Envelopes:
        """The upper envelope of every segment for every search."""

    @abstractmethod
    def texts(self, numbers: Sequence[int]) -> list[str]:
        """The texts of some hypotheses."""

    @abstractmethod
    def owners(self) -> NDArray[np.integer]:
        """The segments that the known hypotheses belong to."""

    @abstractmethod
    def spread(self) -> NDArray[np.float64]:
        """By how much each feature differs within segments; 1 for one that does not."""

    def best(self, points: Vectors) -> NDArray[np.int32]:
        """The hypotheses that the model prefers, (points, segments)."""
        _, _, hypotheses = self.envelopes(points, np.zeros_like(points))
        return hypotheses.reshape(len(points), self.segments)

    def bound(self, metric: Metric) -> Metric:
        """The metric, having seen all references if it must."""
        if metric.spec not in self._bound:
            self._bound[metric.spec] = metric.fit(self.references)
        return self._bound[metric.spec]

    def rows(self, metric: Metric) -> Rows:
        """The statistics of all known hypotheses."""
        known = self._rows.get(metric.spec)
        first = 0 if known is None else len(known)
        if known is None or first < len(self):
            fresh = self._statistics(self.bound(metric), first)
            known = fresh if known is None else np.concatenate([known, fresh])
            self._rows[metric.spec] = known
        return known

    def statistics(self, metric: Metric, texts: Sequence[str], segments: Sequence[int]) -> Rows:
        """Those of some texts, each a hypothesis for its segment."""
        corpus = Corpus(
            references=[self.references[segment] for segment in segments],
            sources=None
            if self.sources is None
            else [self.sources[segment] for segment in segments],
        )
        return metric.rows_of(System(name="hypotheses", hypotheses=texts), corpus)

    def _statistics(self, metric: Metric, first: int) -> Rows:
        owners = self.owners()
        blocks = []
        for begin in range(first, len(self), _TEXTS_AT_ONCE):
            numbers = range(begin, min(len(self), begin + _TEXTS_AT_ONCE))
            some = [int(owners[number]) for number in numbers]
            blocks.append(self.statistics(metric, self.texts(numbers), some))
        return np.ascontiguousarray(np.concatenate(blocks), dtype=np.float64)
