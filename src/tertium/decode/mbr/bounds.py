"""How high a utility can be at most, for pruning that cannot lose the winner."""

from collections.abc import Sequence

import numpy as np

from tertium._native import Texts
from tertium.decode.mbr.matrix import Matrix
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.word_metric import WordMetric
from tertium.metrics.edit.wer import WordErrorRate
from tertium.metrics.edit.wrr import WordRecognitionRate
from tertium.metrics.ngram.bleu import Bleu
from tertium.metrics.ngram.bleu_sbp import BleuStrictBrevity


def best_gain(metric: Metric) -> float | None:
    """The most that any pair can gain (a loss counts negative); nothing if there is no limit."""
    lowest, highest = metric.limits
    bound = highest if metric.higher_is_better else -lowest
    return float(bound) if np.isfinite(bound) else None


def gain_bounds(
    metric: Metric, candidates: Sequence[str], references: Sequence[str]
) -> Matrix | None:
    """An upper bound of the gain of every pair; nothing if there is no limit.

    BLEU cannot match more n-grams than the shorter text has, and WER has at least as many edits
    as the lengths differ: what a pair of lengths allows is the metric's own score of those rows.
    """
    limit = best_gain(metric)
    if limit is None:
        return None
    if type(metric) in (Bleu, BleuStrictBrevity, WordErrorRate, WordRecognitionRate):
        return _by_length(metric, candidates, references)  # type: ignore[arg-type]
    return np.full((len(candidates), len(references)), limit)


def _by_length(
    metric: Bleu | WordErrorRate, candidates: Sequence[str], references: Sequence[str]
) -> Matrix:
    ours, our_places = np.unique(_lengths(metric, candidates), return_inverse=True)
    others, other_places = np.unique(_lengths(metric, references), return_inverse=True)
    length, reference = (grid.astype(float) for grid in np.meshgrid(ours, others, indexing="ij"))
    if isinstance(metric, Bleu):
        steps = np.arange(metric.order)
        totals = np.maximum(0, length[..., None] - steps)
        matches = np.minimum(totals, np.maximum(0, reference[..., None] - steps))
        parts = [matches, totals, length[..., None], reference[..., None]]
        if type(metric) is BleuStrictBrevity:
            parts.append(np.minimum(length, reference)[..., None])
        rows = np.concatenate(parts, axis=-1)
    else:
        more = length - reference
        rows = np.stack([np.maximum(0, more), np.maximum(0, -more), 0 * more, reference], axis=-1)
    scores = metric.score(rows) if metric.higher_is_better else -metric.score(rows)
    found: Matrix = scores[np.ix_(our_places, other_places)]
    return found


def _lengths(metric: WordMetric, texts: Sequence[str]) -> list[int]:
    return [
        len(words) for words in metric.tokenizer.cut_all(Texts(texts), lowercase=metric.lowercase)
    ]
