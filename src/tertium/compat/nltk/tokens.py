"""Lists of tokens, as NLTK takes them, for the native core, which takes texts.

Tokens may be any hashable values, also strings with blanks in them. Each distinct token gets a
number, and the text of a sentence is its numbers with blanks between, which the tokenizer ``none``
takes apart again.
"""

from collections.abc import Hashable, Iterator, Sequence, Sized
from typing import TypeAlias

from tertium.errors import InputError
from tertium.metrics.contract.base import Rows
from tertium.metrics.ngram.bleu import Bleu
from tertium.text.tokenizers import WHITESPACE

Sentence: TypeAlias = Sequence[Hashable]


class CorpusSizeError(InputError, AssertionError):
    """Hypotheses and references are not equally many; NLTK fails an assertion there."""


def check_sizes(function: str, references: Sized, hypotheses: Sized) -> None:
    """Refuse a corpus with more of one side than of the other."""
    if len(references) != len(hypotheses):
        raise CorpusSizeError(
            f"{function}: found references of {len(references)} segments, "
            f"expected {len(hypotheses)}, the number of hypotheses"
        )


def ngrams(sentence: Sentence, n: int) -> Iterator[tuple[Hashable, ...]]:
    """All n-grams, in their order.

    >>> list(ngrams("abc", 2))
    [('a', 'b'), ('b', 'c')]
    """
    return zip(*(sentence[start:] for start in range(n)), strict=False)


def match_rows(
    hypotheses: Sequence[Sentence], references: Sequence[Sequence[Sentence]], order: int
) -> Rows:
    """BLEU's statistics of every segment: matches and totals of each order, and lengths."""
    numbers: dict[Hashable, str] = {}

    def text(sentence: Sentence) -> str:
        return " ".join([numbers.setdefault(token, str(len(numbers))) for token in sentence])

    metric = Bleu(tokenizer=WHITESPACE, order=order)
    return metric.statistics(
        [text(sentence) for sentence in hypotheses],
        [[text(sentence) for sentence in sentences] for sentences in references],
    )
