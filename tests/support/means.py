"""A metric that is the mean of numbers, for tests of what does not depend on text."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from tertium.metrics.contract.base import Rows, Scores
from tertium.metrics.foreign.segment_metric import SegmentMetric, Sources


class Mean(SegmentMetric):
    """Hypotheses are numbers, and their mean is the score."""

    name = title = "mean"
    summary = "the mean of numbers"

    def scores(
        self, sources: Sources, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
    ) -> list[float | None]:
        """Each hypothesis as a number; there is none of a dash."""
        return [None if text == "-" else float(text) for text in hypotheses]


MEAN: Final = Mean()


def rows_of_means(values: Scores) -> Rows:
    """(…, segments) numbers as rows of sums and counts."""
    return np.stack([values, np.ones_like(values)], axis=-1)
