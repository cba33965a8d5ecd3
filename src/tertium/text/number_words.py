"""Numbers that texts write in words, as digits, and in one spelling with percentages and money.

English, French and Spanish have a table of their own for the words below one hundred; other
languages need the package text2num, as numbers from one hundred on do in every language.

The table of a language maps spelled-out numbers (lower case, without hyphens and diacritics) to
digits: ``twenty first`` to ``21st``. Spellings are those of grammars, of Belgium and
Switzerland too; ``second`` in French and ``segundo`` in Spanish are left out, for they are also
the sixtieth part of a minute.

"Five hundred thousand" is 500000, "186 million" is 186000000, "ten per cent" is "10 %", and
"186 million euros", "EUR 186 million" and "€186 million" are the same.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import Final, TypeAlias

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
        yield from ((f"{start}{between}{unit}", str(value + 1)) for unit in ("un", "una"))
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
_LONGEST_SMALL: Final = 7
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
    offset = 0
    while offset < len(tokens):
        size, digits = _small_number(tokens, offset, language)
        unified += digits
        offset += size
    return unified


def _small_number(tokens: Sequence[str], index: int, language: str) -> tuple[int, Sequence[str]]:
    """How many tokens from here on are a number, and what they become."""
    run = tokens[index : index + _LONGEST_SMALL]
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


_LONGEST_LARGE: Final = 24
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
    offset = 0
    while offset < len(tokens):
        size, number = _large_number(tokens, offset, language)
        unified += number
        offset += size
    return unified


def _large_number(tokens: Sequence[str], index: int, language: str) -> tuple[int, Sequence[str]]:
    """How many tokens from here on are a number, and what they become."""
    first = tokens[index]
    if _FACTOR.fullmatch(first):
        size, scale = _spoken(tokens, index + 1, language)
        if size and (amount := _multiplied(first, scale)):
            return 1 + size, [amount]
    size, number = _spoken(tokens, index, language)
    return (size, re.findall(r"\w+|\W", number)) if size else (1, [first])


def _spoken(tokens: Sequence[str], index: int, language: str) -> tuple[int, str]:
    """The longest large number in words from here on; 0 tokens where there is none."""
    stop = index
    while stop < min(len(tokens), index + _LONGEST_LARGE) and _may_go_on(tokens[stop], language):
        stop += 1
    for end in range(stop, index, -1):
        if tokens[index].lower() not in _LINKS and tokens[end - 1].lower() not in _LINKS:
            number = _large(" ".join(tokens[index:end]), language)
            if number:
                return end - index, number
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
    index = 0
    while index < len(tokens):
        size, sign = _sign(tokens, index)
        before = size if sign and sign != "%" and _is_number(tokens, index + size) else 0
        if not before and not _is_number(tokens, index):
            yield tokens[index]
            index += 1
            continue
        number = tokens[index + before]
        index += before + 1
        if before:
            yield from (sign, number)
            continue
        size, sign = _sign(tokens, index)
        if not sign:
            gap = next((of for of in _OF if tuple(tokens[index : index + len(of)]) == of), ())
            size, sign = _sign(tokens, index + len(gap))
            size, sign = (size + len(gap), sign) if gap and sign and sign != "%" else (0, "")
        index += size
        yield from (number, "%") if sign == "%" else (sign, number) if sign else (number,)


def _is_number(tokens: Sequence[str], index: int) -> bool:
    return index < len(tokens) and _DIGITS.fullmatch(tokens[index]) is not None


def _sign(tokens: Sequence[str], index: int) -> tuple[int, str]:
    """The longest name of a unit from here on."""
    for size in range(_LONGEST_PHRASE, 0, -1):
        phrase = tuple(token.lower() for token in tokens[index : index + size])
        if len(phrase) == size and phrase in _PHRASES:
            return size, _PHRASES[phrase]
    return 0, ""
