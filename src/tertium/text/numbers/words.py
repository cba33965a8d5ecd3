"""Number words below one hundred as digits.

English, French and Spanish have a table of their own; other languages need the package text2num.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Final

from tertium.text.diacritics import without_diacritics
from tertium.text.numbers.table import number_table

HYPHEN: Final = "-"
_LONGEST: Final = 7
"""Tokens of "quatre-vingt-dix-sept", hyphens and all."""


def knows_numbers(language: str) -> bool:
    """Whether number words below one hundred are known."""
    return bool(number_table(language)) or has_text2num(language)


def has_text2num(language: str) -> bool:
    """Whether text2num is installed and knows the language."""
    try:
        import_module("text_to_num").alpha2digit("", language)
    except (ImportError, ValueError):
        return False
    return True


def with_digits(tokens: Sequence[str], language: str) -> Sequence[str]:
    """The tokens with every number below one hundred, cardinal or ordinal, in digits.

    The longest number counts: "twenty - one" is 21, not 20 and 1. Larger numbers are left as
    they are but for their parts, so "five hundred" and "5 hundred" become the same.
    """
    # Number words begin with a number ("quatre", "twenty"), so most texts need no second look.
    if not any(_digits(token, language) for token in tokens if token.isalpha()):
        return tokens
    unified: list[str] = []
    place = 0
    while place < len(tokens):
        size, digits = _number(tokens, place, language)
        unified += digits
        place += size
    return unified


def _number(tokens: Sequence[str], place: int, language: str) -> tuple[int, Sequence[str]]:
    """How many tokens from here on are a number, and what they become."""
    run = tokens[place : place + _LONGEST]
    if run[0].isalpha() and _digits(run[0], language):
        for size in range(len(run), 0, -1):
            words = [token for token in run[:size] if token != HYPHEN]
            if run[size - 1] != HYPHEN and all(map(str.isalpha, words)):
                digits = _digits(" ".join(words), language)
                if digits:
                    return size, digits
    return 1, run[:1]


@lru_cache(maxsize=1 << 14)
def _digits(words: str, language: str) -> tuple[str, ...]:
    """``21`` for "twenty one", ``21st`` for "twenty first"; nothing for what is no such number."""
    if table := number_table(language):
        written = table.get(without_diacritics(words.lower()), "")
    else:
        written = spoken_number(words, language)
        value = leading_digits(written)
        if not value or int(value) >= 100 or " " in written:
            return ()
    return tuple(re.findall(r"\w+|\W", written))  # German writes "1.": two tokens


def spoken_number(words: str, language: str) -> str:
    """What text2num makes of some words."""
    written: str = import_module("text_to_num").alpha2digit(words.lower(), language, threshold=0.0)
    return written


def leading_digits(written: str) -> str:
    """``21`` of "21st"."""
    return written[: len(written) - len(written.lstrip("0123456789"))]
