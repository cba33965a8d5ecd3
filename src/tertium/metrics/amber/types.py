"""AMBER's text types (Chen and Kuhn 2011, section 2.5): what one run of it sees as words."""

from collections.abc import Sequence
from typing import Final

from tertium import _native
from tertium._native import Texts
from tertium.metrics.resources.affixes import native_affixes
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


def normalised_texts(texts: Texts, tokenizer: Tokenizer) -> Texts:
    """The text of type 1, of which the types behind it are made."""
    lower = tokenizer.native_texts(texts, lowercase=True)
    (words,) = _native.amber_texts(lower, tokenizer.native_name, [1], native_affixes(), 0)
    return words


def typed_texts(
    texts: Texts, words: Texts, types: Sequence[int], *, short_word: int
) -> list[Texts]:
    """The text of each type, its words separated by blanks; ``words`` is the text of type 1.

    >>> column = Texts(["The Gangs, recently"])
    >>> words = normalised_texts(column, Tokenizer("13a"))
    >>> for text in typed_texts(column, words, (0, 4), short_word=4):
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
        cut += _native.amber_texts(words, "none", others, native_affixes(), short_word)
    by_type = dict(zip([*original, *others], cut, strict=True))
    return [by_type[number] for number in types]
