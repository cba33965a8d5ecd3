"""Between what gains a pair lies, for utilities that can tell sooner than the gain itself."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from tertium import _native
from tertium._native import Texts
from tertium.decode.mbr.matrix import Matrix, read_texts
from tertium.decode.structures.arrays import Floats, Integers
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.edit.ter import TranslationEditRate


class GainIntervals(Protocol):
    """A kernel over pairs that knows the least and the most they gain; a loss counts negative.

    Where both are equal they are the gain itself, to the last bit.
    """

    def bounds(self, candidates: Integers, begin: int, end: int) -> tuple[Matrix, Matrix]:
        """The least and the most of some candidates against the pseudo references of a range."""

    def gains(self, candidates: Integers, references: Integers) -> Floats:
        """The gains of pairs."""


def has_intervals(metric: Metric) -> bool:
    """Whether there are intervals for a metric that are found sooner than its gains.

    Only the very class is meant: who derives another from it may change what it counts.
    """
    return type(metric) is TranslationEditRate


def gain_intervals(
    metric: Metric, candidates: Sequence[str], references: Sequence[str]
) -> GainIntervals | None:
    """The kernel of a metric that has one; nothing for any other."""
    if isinstance(metric, TranslationEditRate) and has_intervals(metric):
        texts = read_texts(candidates, "candidates"), read_texts(references, "pseudo references")
        return TerIntervals(metric, *texts)
    return None


class TerIntervals:
    """TER: the edits that the words and their neighbours need, and those without a shift."""

    def __init__(self, metric: TranslationEditRate, candidates: Texts, references: Texts) -> None:
        self.metric = metric
        try:
            self.native = _native.TerIntervals(
                *metric.cut(candidates, references), **metric.search_limits
            )
        except ValueError as error:  # only tercom's table can be too large
            raise InputError(f"ter: {error}") from None

    def bounds(self, candidates: Integers, begin: int, end: int) -> tuple[Matrix, Matrix]:
        rows = self.native.bounds(candidates, begin, end)
        most, least = self._gains(rows).reshape(2, len(candidates), end - begin)
        return least, most

    def gains(self, candidates: Integers, references: Integers) -> Floats:
        return self._gains(self.native.edits(candidates, references))

    def _gains(self, rows: Rows) -> Floats:
        gains: Floats = np.negative(self.metric.score(rows))
        return gains
