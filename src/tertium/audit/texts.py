"""Texts that audits make up, and the part of a corpus they are tried on."""

from collections.abc import Callable, Sequence

import numpy as np

from tertium._native import Texts
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.word_metric import WordMetric
from tertium.text.corpus import System
from tertium.text.references import References
from tertium.text.tokenizers import THIRTEEN_A, Lowercase, Tokenizer


def spaced(segments: int, most: int) -> list[int]:
    """At most so many segments, evenly spaced over the corpus.

    >>> spaced(10, 4)
    [0, 3, 6, 9]
    """
    places = np.linspace(0, segments - 1, min(segments, most))
    return [int(place) for place in np.unique(places.round())]


def hypotheses_of(system: System, segments: Sequence[int]) -> list[str]:
    """The outputs for some segments."""
    return [system.hypotheses[i] or "" for i in segments]


def words_of(metric: Metric, texts: Sequence[str]) -> list[list[str]]:
    """The words as the metric sees them; by the tokenizer 13a if it sees none."""
    tokenizer, lowercase = cutting(metric)
    return tokenizer.cut_all(Texts(texts), lowercase=lowercase)


def cutting(metric: Metric) -> tuple[Tokenizer, Lowercase]:
    """What decides the words of `words_of`: a tokenizer, and whether case is folded."""
    if isinstance(metric, WordMetric):
        return metric.tokenizer, metric.lowercase
    return THIRTEEN_A, False


def changed(references: References, change: Callable[[Texts], Texts]) -> References:
    """All references with their text changed."""
    return References(change(column) for column in references.columns)


def without_case(texts: Texts) -> Texts:
    """Everything in lower case."""
    return texts.lower()


def without_punctuation(texts: Texts) -> Texts:
    """Punctuation gone, and the space it leaves behind."""
    return texts.without_punctuation()
