"""Names that sacreBLEU had in its versions 1, and that code in use still asks for."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from tertium.compat.sacrebleu.metrics.bleu import BLEU, MAX_NGRAM_ORDER
from tertium.compat.sacrebleu.metrics.helpers import extract_word_ngrams
from tertium.compat.sacrebleu.tokenizers import DEFAULT_TOKENIZER, TOKENIZERS

NGRAM_ORDER: Final = MAX_NGRAM_ORDER

compute_bleu: Final = BLEU.compute_bleu


def extract_ngrams(line: str, min_order: int = 1, max_order: int = MAX_NGRAM_ORDER) -> Counter[str]:
    """The n-grams of all orders, as words with blanks between them."""
    words = line.split()
    orders = range(min_order, max_order + 1)
    return sum((extract_word_ngrams(words, n) for n in orders), Counter[str]())


def _function(name: str) -> Callable[[str], str]:
    return TOKENIZERS[name]()


tokenize_13a: Final = _function("13a")
tokenize_v14_international: Final = _function("intl")
tokenize_zh: Final = _function("zh")

__all__ = [
    "DEFAULT_TOKENIZER",
    "NGRAM_ORDER",
    "TOKENIZERS",
    "compute_bleu",
    "extract_ngrams",
    "tokenize_13a",
    "tokenize_v14_international",
    "tokenize_zh",
]
