"""Segments of very many tokens: found quickly, counted exactly, refused by their place."""

from collections.abc import Iterator, Sequence
from typing import Final

from tertium import _native
from tertium._native import Texts
from tertium.errors import InputError
from tertium.plurals import counted

TOKENIZER: Final = "zh-fixed"
"""Words and signs as 13a has them, and each Chinese character by itself."""

_PIECE: Final = 1 << 20
"""Characters that are cut at a time, so that little memory is needed."""


def token_count(text: str) -> int:
    """How many tokens a text has, whatever its length.

    >>> token_count("The cat, they say, sat."), token_count("猫坐在垫子上。"), token_count("")
    (8, 7, 0)
    """
    pieces = Texts(list(_pieces(text)))
    return sum(map(len, _native.tokenize(TOKENIZER, pieces)))


def check_tokens(texts: Texts, most: int, name: str, *, start: int, lines: bool) -> None:
    """Refuse a segment of more tokens; the first one in the column follows ``start`` others.

    ``lines`` says that segments are the lines of the file ``name``.
    """
    for place in texts.longer_than(most):  # a token has a byte at least
        found = token_count(texts[place] or "")
        if found > most:
            number = start + place + 1
            where = f"{name}:{number}" if lines else f"{name}: segment {number}"
            raise InputError(
                f"{where}: {counted(found, 'token')}, expected at most {most} (--max-tokens)"
            )


def check_candidates(texts: Sequence[str], most: int, name: str) -> None:
    """Refuse a candidate of more tokens.

    >>> check_candidates(["a", "a b c"], 2, "segment 0")
    Traceback (most recent call last):
    tertium.errors.InputError: segment 0, candidate 2: 3 tokens, expected at most 2 (--max-tokens)
    """
    for place, text in enumerate(texts, 1):
        if len(text) > most and (found := token_count(text)) > most:
            raise InputError(
                f"{name}, candidate {place}: {counted(found, 'token')}, expected at most {most} "
                "(--max-tokens)"
            )


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find(" ", start + _PIECE)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end
