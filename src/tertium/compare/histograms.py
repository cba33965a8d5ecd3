"""How many segments score so much, and are so much too long or too short."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.compare.grams import CutCorpus
from tertium.compare.lengths import closest_lengths
from tertium.inference.rows import MetricRows
from tertium.metrics.contract.base import Metric, Scores
from tertium.plain import Plain

LENGTH_DIFFERENCES: Final = (-19, -10, -5, -2, -1, 0, 1, 2, 3, 6, 11, 20)
"""Words of a hypothesis minus those of its reference: where each band but the first begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Segments of every system in bands; ``counts`` are [system][band].

    ``of`` is the spec of a metric, or ``length difference``. A band begins with its edge.
    """

    of: str
    systems: tuple[str, ...]
    edges: tuple[float, ...]
    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "of": self.of,
            "edges": list(self.edges),
            "labels": list(self.labels),
            "systems": [
                {"system": name, "segments": list(counts)}
                for name, counts in zip(self.systems, self.counts, strict=True)
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramSection(Plain):
    """Segment scores by every metric, and differences of length."""

    scores: tuple[Histogram, ...]
    lengths: Histogram

    @property
    def every(self) -> tuple[Histogram, ...]:
        """All of them."""
        return (*self.scores, self.lengths)


def histograms(cut: CutCorpus, groups: Sequence[MetricRows]) -> HistogramSection:
    """Segments by score as single segments are customarily scored, and by length."""
    differences = []
    for hypotheses in cut.systems:
        words = np.array([len(hypothesis) for hypothesis in hypotheses])
        differences.append(words - closest_lengths(cut, words))
    return HistogramSection(
        scores=tuple(_score_histogram(cut.names, group) for group in groups),
        lengths=Histogram(
            of="length difference",
            systems=cut.names,
            edges=LENGTH_DIFFERENCES,
            labels=length_labels(LENGTH_DIFFERENCES),
            counts=_counts(LENGTH_DIFFERENCES, differences),
        ),
    )


def score_edges(metric: Metric, scores: Scores | None = None) -> tuple[float, ...]:
    """Tenths of what the metric can give; where it has no end, a band more beyond.

    A metric without any limits gets bands between the round numbers around its ``scores``.

    >>> from tertium.metrics.edit.grr import GramRecognitionRate
    >>> score_edges(GramRecognitionRate())[:3]  # below 0 is a band
    (0.0, 10.0, 20.0)
    """
    low, high = sorted((metric.best, metric.worst))
    if scores is not None and np.isinf(metric.limits).all():
        return _round_edges(scores[~np.isnan(scores)])
    if 100 not in {low, high} and metric.higher_is_better:  # a unit of its own, such as bits
        return tuple(map(float, range(1, 11)))
    inner = list(map(float, range(10, 100, 10)))
    return tuple([0.0] * (low < 0) + inner + [100.0] * (high > 100))


def _round_edges(scores: Scores) -> tuple[float, ...]:
    """About ten round numbers from the lowest score to the highest.

    >>> _round_edges(np.array([0.61, 0.9]))[:3]
    (0.65, 0.7, 0.75)
    """
    if not len(scores) or scores.min() == scores.max():
        return (float(scores[0]),) if len(scores) else (0.0,)
    width = (scores.max() - scores.min()) / 10
    unit = 10.0 ** np.floor(np.log10(width))
    step = unit * next(factor for factor in (1, 2, 5, 10) if factor * unit >= width)
    first, last = int(np.floor(scores.min() / step)) + 1, int(np.ceil(scores.max() / step))
    return tuple(float(f"{step * k:.12g}") for k in range(first, max(first + 1, last)))


def _score_histogram(names: tuple[str, ...], group: MetricRows) -> Histogram:
    scores = group.metric.for_segments().score(group.rows)
    edges = score_edges(group.metric, scores)
    # Rounding must not move a score of exactly 30 into the band below it.
    return Histogram(
        of=group.metric.spec,
        systems=names,
        edges=edges,
        labels=(
            f"<{edges[0]:g}",
            *(f"{a:g}–{b:g}" for a, b in pairwise(edges)),
            f"{edges[-1]:g}+",
        ),
        counts=_counts(edges, [np.round(score[~np.isnan(score)], 9) for score in scores]),
    )


def length_labels(edges: Sequence[int]) -> tuple[str, ...]:
    """The bands in words.

    >>> length_labels((-1, 0, 1, 3))
    ('≤-2', '-1', '0', '+1…+2', '≥+3')
    """

    def signed(number: int) -> str:
        return f"{number:+d}" if number else "0"

    inner = [
        signed(a) if b == a + 1 else f"{signed(a)}…{signed(b - 1)}" for a, b in pairwise(edges)
    ]
    return (f"≤{signed(edges[0] - 1)}", *inner, f"≥{signed(edges[-1])}")


def _counts(
    edges: Sequence[float],
    numbers: Sequence[NDArray[np.float64] | NDArray[np.int64]] | NDArray[np.float64],
) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            np.bincount(
                np.searchsorted(np.asarray(edges), number, side="right"), minlength=len(edges) + 1
            ).tolist()
        )
        for number in numbers
    )
