"""Letters without their diacritics."""

import unicodedata
from functools import lru_cache
from typing import Final

# Letters that Unicode does not decompose and whose name has no "WITH" either.
_LETTERS: Final = {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ß": "ss", "ẞ": "SS", "ı": "i"}


def without_diacritics(text: str) -> str:
    """Letters without what is written above, below or through them.

    Only the marks of Latin, Greek and Cyrillic letters are dropped: in other scripts a mark is
    a vowel or another consonant.

    >>> without_diacritics("Wrocław, Çelik, Straße, が")
    'Wroclaw, Celik, Strasse, が'
    """
    folded = "".join(map(_base, unicodedata.normalize("NFD", text)))
    return unicodedata.normalize("NFC", folded)


@lru_cache(maxsize=1 << 14)
def _base(character: str) -> str:
    if "\u0300" <= character <= "\u036f":  # combining diacritical marks
        return ""
    if character in _LETTERS:
        return _LETTERS[character]
    name, stroke, _ = unicodedata.name(character, "").partition(" WITH ")
    if stroke and name.startswith("LATIN "):  # ł, ø, đ: "LATIN SMALL LETTER L WITH STROKE"
        try:
            return unicodedata.lookup(name)
        except KeyError:
            pass
    return character
