"""N-grams of words and characters as counters."""

# ruff: noqa: FBT001, FBT002 - arguments stand where sacreBLEU has them

from collections import Counter
from collections.abc import Sequence


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """The n-grams of all orders of a line, as tuples of words, and its length in words.

    >>> extract_all_word_ngrams("a b a", 1, 2)
    (Counter({('a',): 2, ('b',): 1, ('a', 'b'): 1, ('b', 'a'): 1}), 3)
    """
    words = line.split()
    grams = (
        tuple(words[start : start + n])
        for n in range(min_order, max_order + 1)
        for start in range(len(words) - n + 1)
    )
    return Counter(grams), len(words)


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """The n-grams of one order, as words with blanks between them.

    >>> extract_word_ngrams(["a", "b", "c"], 2)
    Counter({'a b': 1, 'b c': 1})
    """
    return Counter(" ".join(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The n-grams of characters of one order.

    >>> extract_char_ngrams("ab c", 2)
    Counter({'ab': 1, 'bc': 1})
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[start : start + n] for start in range(len(text) - n + 1))


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """The n-grams of characters of each order from 1 on."""
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
