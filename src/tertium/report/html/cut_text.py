"""Text with its token boundaries in one string, so that a page needs no tokenizer."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

CUT: Final = "\x1f"
"""Stands between two tokens that no space parts in the text: ASCII's unit separator."""


def cut_text(text: str, words: Sequence[str]) -> str:
    r"""The text with `CUT` where a token ends without a space.

    Splitting the result at spaces and cuts gives the tokens, deleting the cuts the text. A
    tokenizer that rewrites the text (entities, case) leaves nothing to cut; then the tokens
    themselves are returned, parted by spaces.

    >>> cut_text("Wait, he said.", ["Wait", ",", "he", "said", "."])
    'Wait\x1f, he said\x1f.'
    >>> cut_text("R&amp;D", ["R&D"])
    'R&D'
    """
    plain = text.replace(CUT, " ")
    found = _by_chunk(plain.split(), words)
    return _by_character(plain, words) if found is None else found


def _by_chunk(chunks: Sequence[str], words: Sequence[str]) -> str | None:
    """Where every token lies inside of a chunk between spaces, which is nearly always so."""
    if "".join(words) != "".join(chunks):
        return None
    ends = list(accumulate(map(len, words)))
    spaces = set(accumulate(map(len, chunks)))
    parted = [word + (" " if end in spaces else CUT) for word, end in zip(words, ends, strict=True)]
    return "".join(parted)[:-1] if spaces.issubset(ends) else None


def _by_character(plain: str, words: Sequence[str]) -> str:
    parts: list[str] = []
    place = 0
    for word in words:
        start = place
        while start < len(plain) and plain[start].isspace():
            start += 1
        if not plain.startswith(word, start):
            return " ".join(words)
        if parts:
            parts.append(" " if start > place else CUT)
        parts.append(word)
        place = start + len(word)
    return "".join(parts) if not plain[place:].strip() else " ".join(words)
