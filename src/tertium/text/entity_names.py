"""Names made comparable: the normalisation of NEE (Papineni et al. 2002, section 2.2).

The paper's steps are the folding of diacritics, down-casing, one spelling of numbers and the
removal of possessives; each can be left out. Text and names go through the same steps.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from tertium.text.number_words import (
    with_digits,
    with_large_numbers,
    with_units,
    without_diacritics,
)

_TYPOGRAPHY: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ′＇`´", "'"),
        **dict.fromkeys("“”„‟«»″＂", '"'),
        **dict.fromkeys("‐‑‒–—―−－", "-"),
        "\u00ad": None,  # a soft hyphen is no character of a name
    }
)
_APOSTROPHE: Final = "['’ʼ＇]"
_POSSESSIVE: Final = re.compile(
    rf"(?<=\w){_APOSTROPHE}s(?!\w)|(?<=s){_APOSTROPHE}(?!\w)", re.IGNORECASE
)
# English is also met in tokens, "Obama 's"; in Dutch that would be the start of a word.
_ENGLISH_POSSESSIVE: Final = re.compile(
    rf"(?<=\w)\s?{_APOSTROPHE}\s?s(?!\w)|(?<=s){_APOSTROPHE}(?!\w)", re.IGNORECASE
)
_THOUSANDS: Final = {
    **dict.fromkeys(("da", "de", "es", "id", "it", "nl", "pt", "ro", "tr"), "."),
    "fr": " .",
}
"""What a language writes between groups of three digits; a comma where nothing is said."""

_EVERYWHERE: Final = "'’\u00a0\u2009\u202f"
"""Swiss apostrophes and spaces that do not break never stand before decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameNormalization:
    """Text as tokens in which names are searched; every step can be left out.

    ``quantities`` needs text2num; `NamedEntityEvaluator` leaves the step out where it is missing.

    >>> NameNormalization(quantities=False).tokens("Özgür’s twenty-two cats, 1,000 friends")
    ('ozgur', '22', 'cats', ',', '1000', 'friends')
    """

    diacritics: bool = True
    case: bool = True
    numbers: bool = True
    quantities: bool = True
    grouping: bool = True
    possessives: bool = True
    typography: bool = True
    language: str = "en"

    def tokens(self, text: str) -> tuple[str, ...]:
        """The words, numbers and signs of a text."""
        text = unicodedata.normalize("NFC", text)
        if self.possessives:
            english = self.language == "en"
            text = (_ENGLISH_POSSESSIVE if english else _POSSESSIVE).sub("", text)
        if self.grouping:
            text = _grouping(self.language).sub(_ungrouped, _ascii_digits(text))
        if self.typography:
            text = text.translate(_TYPOGRAPHY)
        found: Sequence[str] = (_any_token() if _OTHER.search(text) else _TOKEN).findall(text)
        # Before letters are folded: text2num knows "dreißig" and not "dreissig".
        if self.quantities:
            found = with_large_numbers(found, self.language)
        if self.numbers:
            found = with_digits(found, self.language)
        if self.quantities:
            found = with_units(found)
        return tuple(map(self._letters, found))

    def _letters(self, token: str) -> str:
        token = token.casefold() if self.case else token
        return token if token.isascii() or not self.diacritics else without_diacritics(token)


def _ascii_digits(text: str) -> str:
    """The decimal digits of every script as 0 to 9."""
    if text.isascii():
        return text
    return re.sub(r"\d", lambda digit: str(unicodedata.decimal(digit[0])), text)


@cache
def _grouping(language: str) -> re.Pattern[str]:
    """A number with separators between groups of three digits.

    A single separator may also be a decimal mark, so it must be one of the language's; several
    of the same kind cannot be.
    """
    usual = re.escape(_THOUSANDS.get(language, ",") + _EVERYWHERE)
    return re.compile(
        rf"(?<![\d.,])\d{{1,3}}"
        rf"(?:(?P<one>[{usual}])\d{{3}}(?:(?P=one)\d{{3}})*(?!\d|(?P=one)\d)"
        rf"|(?P<any>[.,])\d{{3}}(?:(?P=any)\d{{3}})+(?!\d|(?P=any)\d))"
    )


def _ungrouped(number: re.Match[str]) -> str:
    return number[0].replace(number["one"] or number["any"], "")


_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*(?!\w)|\w+|[^\w\s]")
"""Numbers with their decimals, words, signs."""

_OTHER: Final = re.compile("[^\0-\u02ff\u0370-\u0482\u048a-\u0590\u2000-\u206f\u20a0-\u20c0]")
"""Where such a character stands, letters may have marks or words may have no spaces."""


@cache
def _any_token() -> re.Pattern[str]:
    """The same for all scripts: marks belong to words, and without spaces a letter is a token."""
    # `\w` leaves marks out; 0x1F000 lies behind the last script in use that has any.
    marks = (chr(c) for c in range(0x300, 0x1F000) if unicodedata.category(chr(c))[0] == "M")
    mark = re.escape("".join(marks))
    dense = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    dense += "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
    return re.compile(
        rf"\d+(?:[.,]\d+)*(?![\w{mark}])|[{dense}][{mark}]*"
        rf"|(?:(?![{dense}])[\w{mark}])+|[^\w\s]"
    )
