"""Metrics over what is made of words already: decoders' lattices and forests."""

from collections.abc import Mapping
from typing import Final

from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.spec import Spec
from tertium.metrics.contract.table import parse_spec
from tertium.text.tokenizers import WHITESPACE

OF_WORDS: Final[Mapping[str, object]] = {"tokenizer": WHITESPACE}
"""What options are where the text does not set them: words are not cut again."""


def word_metric(
    metric: Metric | Spec | str, *, of_words: bool = True, tokenizer: str | None = None
) -> Metric:
    """The metric; over words it does not cut them again unless its text says how.

    Over texts, ``tokenizer`` stands in the place of 13a.

    >>> word_metric("amber").spec, word_metric("bleu[tokenizer=13a]").spec, word_metric("ter").spec
    ('amber[tokenizer=none]', 'bleu', 'ter')
    """
    if isinstance(metric, Metric):
        return metric
    spec = parse_spec(metric) if isinstance(metric, str) else metric
    return spec.build(**(OF_WORDS if of_words else spec.tokenized(tokenizer)))
