"""Number words below one hundred as digits.

English, French and Spanish have a table of their own; other languages need the package text2num.

A table for each language from what is said (lower case, no hyphens, no diacritics) to how it is
written in digits: ``twenty first`` to ``21st``. Spellings are those of grammars, of Belgium and
Switzerland too; ``second`` in French and ``segundo`` in Spanish are left out, for they are also
the sixtieth part of a minute.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import Final, TypeAlias

from tertium.text.diacritics import without_diacritics

Pairs: TypeAlias = Iterator[tuple[str, str]]


@cache
def number_table(language: str) -> Mapping[str, str]:
    """Words and digits; empty for a language that has no table.

    >>> number_table("fr")["quatre vingt dix sept"], number_table("en")["twelfth"]
    ('97', '12th')
    """
    made = {"en": _english, "fr": _french, "es": _spanish}.get(language)
    return MappingProxyType(dict(made()) if made else {})


def _english() -> Pairs:
    small = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    nth = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
    nth += ["tenth", "eleventh", "twelfth", *(f"{word}th" for word in small[13:])]
    for value, word in enumerate(small):
        yield word, str(value)
        if value:
            yield nth[value], _english_ordinal(value)
    for value, word in zip(range(20, 100, 10), tens, strict=True):
        yield word, str(value)
        yield f"{word[:-1]}ieth", f"{value}th"
        for unit in range(1, 10):
            yield f"{word} {small[unit]}", str(value + unit)
            yield f"{word} {nth[unit]}", _english_ordinal(value + unit)


def _english_ordinal(value: int) -> str:
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{value}{'th' if 10 < value < 14 else ends.get(value % 10, 'th')}"


def _french() -> Pairs:
    small = [
        "zero",
        "un",
        "deux",
        "trois",
        "quatre",
        "cinq",
        "six",
        "sept",
        "huit",
        "neuf",
        "dix",
        "onze",
        "douze",
        "treize",
        "quatorze",
        "quinze",
        "seize",
    ]
    small += [f"dix {word}" for word in small[7:10]]
    yield from {"une": "1", "premier": "1er", "premiere": "1ère"}.items()
    yield from {"premiers": "1ers", "premieres": "1ères", "quatre vingts": "80"}.items()
    for value, word in enumerate(small):
        yield from _french_forms(word, value)
    for tens, first in _FRENCH_TENS.items():
        yield from _french_forms(tens, first)
        joined = tens != "quatre vingt"
        for unit in range(1, 20 if tens in {"soixante", "quatre vingt"} else 10):
            word = f"et {small[unit]}" if joined and unit in {1, 11} else small[unit]
            yield from _french_forms(f"{tens} {word}", first + unit)


_FRENCH_TENS: Final = {
    "vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60,
    "septante": 70, "quatre vingt": 80, "huitante": 80, "octante": 80, "nonante": 90,
}  # fmt: skip


def _french_forms(cardinal: str, value: int) -> Pairs:
    """A cardinal, its feminine and its ordinals: vingt et une, neuvième, onzièmes."""
    yield cardinal, str(value)
    if cardinal.endswith(" un"):
        yield f"{cardinal}e", str(value)
    if value > 1:
        stem = re.sub("f$", "v", re.sub("q$", "qu", cardinal.removesuffix("e")))
        yield f"{stem}ieme", f"{value}ème"
        yield f"{stem}iemes", f"{value}èmes"


def _spanish() -> Pairs:
    units = ["cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"]
    teens = [
        "diez",
        "once",
        "doce",
        "trece",
        "catorce",
        "quince",
        "dieciseis",
        "diecisiete",
        "dieciocho",
        "diecinueve",
    ]
    tens = ["treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"]
    yield from ((word, str(value)) for value, word in enumerate([*units, *teens, "veinte"]))
    for value, start in [(0, ""), (20, "veinti"), *zip(range(30, 100, 10), tens, strict=True)]:
        if value >= 30:
            yield start, str(value)
        between = " y " if value >= 30 else ""
        yield from ((f"{start}{between}{one}", str(value + 1)) for one in ("un", "una"))
        if value:
            for unit in range(1, 10):
                yield f"{start}{between}{units[unit]}", str(value + unit)
    yield from {"primer": "1.ᵉʳ", "tercer": "3.ᵉʳ"}.items()
    for end, sign in {"o": "º", "a": "ª", "os": "ᵒˢ", "as": "ᵃˢ"}.items():
        nth = [f"{stem}{end}" for stem in _SPANISH_NTH]
        for value, stem in zip(range(10, 100, 10), _SPANISH_TENTHS, strict=True):
            yield f"{stem}{end}", f"{value}{sign}"
            for unit, word in enumerate(nth, 1):
                yield f"{stem}{end} {word}", f"{value + unit}{sign}"
        for unit, word in enumerate(nth, 1):
            if word not in {"segundo", "segundos"}:
                yield word, f"{unit}{sign}"
            yield f"decim{'' if word.startswith('o') else 'o'}{word}", f"{10 + unit}{sign}"
        yield f"undecim{end}", f"11{sign}"
        yield f"duodecim{end}", f"12{sign}"


_SPANISH_NTH: Final = [
    "primer",
    "segund",
    "tercer",
    "cuart",
    "quint",
    "sext",
    "septim",
    "octav",
    "noven",
]
_SPANISH_TENTHS: Final = [
    "decim",
    "vigesim",
    "trigesim",
    "cuadragesim",
    "quincuagesim",
    "sexagesim",
    "septuagesim",
    "octogesim",
    "nonagesim",
]

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
