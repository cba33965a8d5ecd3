"""What a model says under some weights: its scores, and how much it leaves unsaid."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.metrics.contract.base import Metric
from tertium.metrics.ngram.bleu import Bleu
from tertium.plain import Plain
from tertium.text.tokenizers import Tokenizer
from tertium.tune.surfaces import Surface

LENGTHS: Final = Bleu(tokenizer=Tokenizer.parse("none"), order=1)
"""Its statistics have the words of a hypothesis and those of the reference closest in length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Plain):
    """The output for one set of segments.

    ``missing`` are the words by which segments fall short of the reference that is closest in
    length; words too many elsewhere do not make up for them. ``empty`` segments say nothing.
    """

    PLAIN = "segments scores length_ratio words_deleted segments_deleted words reference_words"

    segments: int
    scores: tuple[float, ...]
    words: float
    reference_words: float
    missing: float
    empty: int

    @property
    def length_ratio(self) -> float:
        """Words over reference words."""
        return _share(self.words, self.reference_words)

    @property
    def words_deleted(self) -> float:
        """The share of reference words that are missing, 0 to 1."""
        return _share(self.missing, self.reference_words)

    @property
    def segments_deleted(self) -> float:
        """The share of segments without a word, 0 to 1."""
        return _share(self.empty, self.segments)


def outcome(surface: Surface, metrics: list[Metric], weights: NDArray[np.float64]) -> Outcome:
    """Choose the model's best hypotheses and score them by all metrics."""
    return outcome_of(surface, metrics, surface.best(weights[np.newaxis])[0])


def outcome_of(surface: Surface, metrics: list[Metric], chosen: NDArray[np.int32]) -> Outcome:
    """Score one hypothesis for each segment, however it was chosen, by all metrics."""
    sizes = surface.rows(LENGTHS)[chosen]
    words, reference_words = sizes[:, -2], sizes[:, -1]
    return Outcome(
        segments=surface.segments,
        scores=tuple(
            float(surface.bound(metric).score(surface.rows(metric)[chosen].sum(axis=0)))
            for metric in metrics
        ),
        words=float(words.sum()),
        reference_words=float(reference_words.sum()),
        missing=float(np.maximum(0, reference_words - words).sum()),
        empty=int(np.count_nonzero((words == 0) & (reference_words > 0))),
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
