"""AMBER's text types (Chen and Kuhn 2011, section 2.5): what one run of it sees as words."""

from collections.abc import Sequence
from typing import Final

from tertium import _native
from tertium._native import Texts
from tertium.metrics.amber_affixes import native_affixes
from tertium.text.tokenizers import Tokenizer

TEXT_TYPES: Final = {
    0: "original",
    1: "normalised",
    2: "first 4 letters",
    3: "last 4 letters",
    4: "first 4 and last 2 letters",
    5: "pieces of 4 letters",
    6: "prefix, root, suffix",
    7: "long words only",
}
"""All but the original are tokenised and lower-cased."""


def typed_texts(
    texts: Texts, types: Sequence[int], *, tokenizer: Tokenizer, short_word: int
) -> list[Texts]:
    """The text of each type, its words separated by blanks.

    >>> column = Texts(["The Gangs, recently"])
    >>> for text in typed_texts(column, (0, 4), tokenizer=Tokenizer("13a"), short_word=4):
    ...     print(text[0])
    The Gangs, recently
    the gang gs , rece ly
    """
    original = [number for number in types if number == 0]
    others = [number for number in types if number != 0]
    cut: list[Texts] = []
    if original:
        cut += _native.amber_texts(texts, "none", original, native_affixes(), short_word)
    if others:
        lower = tokenizer.prepare(texts, lowercase=True)
        cut += _native.amber_texts(
            lower, tokenizer.native_name, others, native_affixes(), short_word
        )
    by_type = dict(zip([*original, *others], cut, strict=True))
    return [by_type[number] for number in types]
