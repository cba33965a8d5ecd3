"""Text with its token boundaries in one string, so that a page needs no tokenizer."""

from typing import Final

from tertium._native import Texts, with_cut_marks
from tertium.compare.grams import WordCutter

CUT: Final = "\x1f"
"""Stands between two tokens that no space parts in the text: ASCII's unit separator."""


def cut_texts(texts: Texts, cutter: WordCutter) -> list[str]:
    r"""Every text with `CUT` where a token ends without a space; a missing one is empty.

    Splitting the result at spaces and cuts gives the tokens, deleting the cuts the text. A
    tokenizer that rewrites the text (entities, case) leaves nothing to cut; then the tokens
    themselves are returned, parted by spaces.

    >>> cut_texts(Texts(["Wait, he said.", "R&amp;D"]), WordCutter())
    ['Wait\x1f, he said\x1f.', 'R & D']
    """
    tokenizer = cutter.tokenizer
    prepared = tokenizer.native_texts(texts, lowercase=cutter.lowercase)
    return with_cut_marks(texts, tokenizer.native_name, prepared)
