"""Numbers from one hundred on, percentages and amounts of money in one spelling.

"Five hundred thousand" is 500000, "186 million" is 186000000, "ten per cent" is "10 %", and
"186 million euros", "EUR 186 million" and "€186 million" are the same. Number words are those
of the package text2num.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from tertium.text.numbers.words import HYPHEN, leading_digits, spoken_number

_LONGEST: Final = 24
_DIGITS: Final = re.compile(r"\d+(?:[.,]\d+)*")
_FACTOR: Final = re.compile(r"\d+(?:[.,](?!\d{3}$)\d+)?")
"""A number to multiply; before three digits a point or comma might also part thousands."""
_LINKS: Final = frozenset(("and", "et", "y", "und", "e", "en", "i", "de", HYPHEN))
"""What may stand inside a number: "one hundred and five", "ochenta y dos"."""


def with_large_numbers(tokens: Sequence[str], language: str) -> Sequence[str]:
    """The tokens with every number from one hundred on in digits; smaller ones stay words.

    >>> with_large_numbers("5.5 million".split(), "en")  # doctest: +SKIP
    ['5500000']
    """
    if not any(_large(token, language) for token in tokens if token.isalpha()):
        return tokens
    unified: list[str] = []
    place = 0
    while place < len(tokens):
        size, number = _number(tokens, place, language)
        unified += number
        place += size
    return unified


def _number(tokens: Sequence[str], place: int, language: str) -> tuple[int, Sequence[str]]:
    """How many tokens from here on are a number, and what they become."""
    first = tokens[place]
    if _FACTOR.fullmatch(first):
        size, scale = _spoken(tokens, place + 1, language)
        if size and (amount := _multiplied(first, scale)):
            return 1 + size, [amount]
    size, number = _spoken(tokens, place, language)
    return (size, re.findall(r"\w+|\W", number)) if size else (1, [first])


def _spoken(tokens: Sequence[str], place: int, language: str) -> tuple[int, str]:
    """The longest large number in words from here on; 0 tokens where there is none."""
    stop = place
    while stop < min(len(tokens), place + _LONGEST) and _may_go_on(tokens[stop], language):
        stop += 1
    for end in range(stop, place, -1):
        if tokens[place].lower() not in _LINKS and tokens[end - 1].lower() not in _LINKS:
            number = _large(" ".join(tokens[place:end]), language)
            if number:
                return end - place, number
    return 0, ""


def _may_go_on(token: str, language: str) -> bool:
    if token.lower() in _LINKS:
        return True
    return token.isalpha() and bool(leading_digits(_said(token, language)))


def _large(words: str, language: str) -> str:
    """``500000`` for "five hundred thousand"; nothing for what is no such number."""
    written = _said(words.replace(f" {HYPHEN} ", " "), language)
    value = leading_digits(written)
    return written if value and " " not in written and int(value) >= 100 else ""


@lru_cache(maxsize=1 << 16)  # text2num takes a quarter of a millisecond for a word
def _said(words: str, language: str) -> str:
    return spoken_number(words, language)


def _multiplied(digits: str, scale: str) -> str:
    """``5500000`` for "5.5" and a million; nothing where no whole number comes out.

    Digits are moved, not calculated with: a number may be of any length.
    """
    zeros = len(scale) - 1
    whole, _, fraction = digits.replace(",", ".").partition(".")
    if scale != "1" + "0" * zeros or len(fraction) > zeros:
        return ""
    return (whole + fraction + "0" * (zeros - len(fraction))).lstrip("0") or "0"


# By the time units are looked for, text2num has turned "cent" and "ciento" into 100.
_SIGNS: Final[Mapping[str, str]] = {
    "%": "% ٪ ％ percent per-cent pct prozent procent pour-cent pour-100 pourcent por-100 per-100",
    "€": "€ eur euro euros",
    "$": "$ usd dollar dollars dólar dólares dólars dollaro dollari dólares-estadounidenses "
    "us-$ us-dollar us-dollars u-.-s-.-dollars",
    "£": "£ gbp pound pounds pounds-sterling pfund livres-sterling libras libras-esterlinas "
    "sterline libras-esterlines pond",
    "¥": "¥ ￥ jpy yen yens ienes",
}
_PHRASES: Final = {
    tuple(phrase.split("-")): sign for sign, phrases in _SIGNS.items() for phrase in phrases.split()
}
_LONGEST_PHRASE: Final = max(map(len, _PHRASES))
_OF: Final = (("de",), ("d", "'"), ("di",))
"""What may stand between millions and their currency."""


def with_units(tokens: Sequence[str]) -> Sequence[str]:
    """Signs for the words that stand beside a number: "%" behind it, a currency in front.

    >>> with_units("10 per cent of EUR 186 or 186 euros".split())
    ['10', '%', 'of', '€', '186', 'or', '€', '186']
    """
    if not any(token[0].isdecimal() for token in tokens):
        return tokens
    return list(_with_signs(tokens))


def _with_signs(tokens: Sequence[str]) -> Iterator[str]:
    place = 0
    while place < len(tokens):
        size, sign = _sign(tokens, place)
        before = size if sign and sign != "%" and _is_number(tokens, place + size) else 0
        if not before and not _is_number(tokens, place):
            yield tokens[place]
            place += 1
            continue
        number = tokens[place + before]
        place += before + 1
        if before:
            yield from (sign, number)
            continue
        size, sign = _sign(tokens, place)
        if not sign:
            gap = next((of for of in _OF if tuple(tokens[place : place + len(of)]) == of), ())
            size, sign = _sign(tokens, place + len(gap))
            size, sign = (size + len(gap), sign) if gap and sign and sign != "%" else (0, "")
        place += size
        yield from (number, "%") if sign == "%" else (sign, number) if sign else (number,)


def _is_number(tokens: Sequence[str], place: int) -> bool:
    return place < len(tokens) and _DIGITS.fullmatch(tokens[place]) is not None


def _sign(tokens: Sequence[str], place: int) -> tuple[int, str]:
    """The longest name of a unit from here on."""
    for size in range(_LONGEST_PHRASE, 0, -1):
        phrase = tuple(token.lower() for token in tokens[place : place + size])
        if len(phrase) == size and phrase in _PHRASES:
            return size, _PHRASES[phrase]
    return 0, ""
