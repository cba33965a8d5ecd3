"""A filter of OpusFilter that scores one column of a parallel corpus by the others.

In the configuration it is named by its module, as every filter from elsewhere::

    filters:
      - TertiumFilter: {metric: chrf, hypothesis: 1, references: [2], threshold: 30}
        module: tertium.integrations.opusfilter
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import inf
from typing import Any, Final

from tertium.errors import InputError, OptionError
from tertium.integrations.packages import package, ready
from tertium.metrics.contract.table import AnyMetric
from tertium.plurals import counted

_BATCH: Final = 10_000


class TertiumFilter(package("opusfilter", "opusfilter", "opusfilter").FilterABC):  # type: ignore[misc]
    """Keeps rows whose text in column ``hypothesis`` scores well against the ``references``.

    Columns are counted from 0, as OpusFilter counts files. A usual corpus has sources, their
    machine translation and the text beside which they stand; the translation is the hypothesis.
    """

    def __init__(
        self,
        metric: AnyMetric = "chrf",
        threshold: float | None = None,
        hypothesis: int = 0,
        references: Sequence[int] | int = 1,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.metric = ready(metric)
        self.hypothesis = hypothesis
        self.references = [references] if isinstance(references, int) else list(references)
        if not self.references or hypothesis in self.references:
            raise OptionError(
                f"references: found columns {self.references}, expected some other than the "
                f"hypothesis, {hypothesis}"
            )
        self.threshold = self.metric.worst if threshold is None else threshold

    @property
    def score_direction(self) -> str:
        """Whether clean rows have high scores."""
        names = package("opusfilter", "opusfilter", "opusfilter")
        direction: str = names.CLEAN_HIGH if self.metric.higher_is_better else names.CLEAN_LOW
        return direction

    @property
    def accept_threshold(self) -> float:
        """The threshold that accepts all."""
        return -inf if self.metric.higher_is_better else inf

    @property
    def reject_threshold(self) -> float:
        """The threshold that accepts none."""
        return inf if self.metric.higher_is_better else -inf

    def score(self, pairs: Iterable[Sequence[str]]) -> Iterator[float]:
        """The score of each row, as of a single segment."""
        for _, scores in self._batches(pairs):
            yield from scores

    def accept(self, score: float) -> bool:
        """Whether a score reaches the threshold; one that does not exist reaches none."""
        if self.metric.higher_is_better:
            return score >= self.threshold
        return score <= self.threshold

    def filter(self, pairs: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
        """The rows that are accepted."""
        return self._chosen(pairs, accepted=True)

    def filterfalse(self, pairs: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
        """The rows that are not."""
        return self._chosen(pairs, accepted=False)

    def _chosen(self, pairs: Iterable[Sequence[str]], *, accepted: bool) -> Iterator[Sequence[str]]:
        for rows, scores in self._batches(pairs):
            for row, score in zip(rows, scores, strict=True):
                if self.accept(score) == accepted:
                    yield row

    def _batches(
        self, pairs: Iterable[Sequence[str]]
    ) -> Iterator[tuple[list[Sequence[str]], list[float]]]:
        """Rows with their scores, many at a time: one by one would take a hundred times as long."""
        remaining = iter(pairs)
        while rows := list(islice(remaining, _BATCH)):
            last = max(self.hypothesis, *self.references)
            for row in rows:
                if len(row) <= last:
                    raise InputError(
                        f"tertium.integrations.opusfilter: found {counted(len(row), 'column')}, "
                        "expected "
                        f"column {last} (counted from 0)"
                    )
            hypotheses = [row[self.hypothesis].rstrip("\n") for row in rows]
            references = [
                [row[reference].rstrip("\n") for reference in self.references] for row in rows
            ]
            scores = self.metric.for_segments().score(
                self.metric.statistics(hypotheses, references)
            )
            yield rows, scores.tolist()
