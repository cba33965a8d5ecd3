"""A tagger without a model: amounts, dates and runs of capital letters, each a guess."""

import re
from collections.abc import Iterator
from typing import Final

from tertium.text.annotations import AnnotatedText, Entity

_NUMBER: Final = r"\d+(?:[.,’'\u00a0\u202f ]\d{3})*(?:[.,]\d+)?"
_SCALE: Final = (
    r"(?:\s?(?:thousand|million|billion|trillion|Tausend|Millionen?|Milliarden?|"
    r"millions?|milliards?|millones|mil|mn|bn|Mio\.?|Mrd\.?))?"
)
_CURRENCY: Final = r"(?:[€$£¥₹]|EUR|USD|GBP|CHF|US\$)"
_UNIT: Final = (
    r"(?:euros?|Euro|dollars?|Dollar|pounds?|yen|cents?|francs?|Franken|CHF|EUR|USD|GBP|[€$£¥])"
)
_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|"
    r"janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|"
    r"enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)
_DAY: Final = (
    r"(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|"
    r"Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)"
)
_CLOCK: Final = r"(?:[01]?\d|2[0-3])[:.][0-5]\d(?:\s?(?:a\.?m\.?|p\.?m\.?|Uhr|h))?"

PATTERNS: Final = (
    ("MONEY", re.compile(rf"{_CURRENCY}\s?{_NUMBER}{_SCALE}|{_NUMBER}{_SCALE}\s?{_UNIT}(?!\w)")),
    ("PERCENT", re.compile(rf"{_NUMBER}\s?(?:%|percent(?!\w)|per cent(?!\w)|Prozent(?!\w))")),
    (
        "TIME",
        re.compile(rf"(?<![\d.,]){_CLOCK}(?![\d.,]*\d)|(?<!\d)\d{{1,2}}\s?(?:a\.m\.|p\.m\.|Uhr)"),
    ),
    (
        "DATE",
        re.compile(
            rf"(?<!\w)(?:\d{{1,2}}\.?\s{_MONTH}(?:,?\s\d{{4}})?|"
            rf"{_MONTH}\s\d{{1,2}}(?:,\s\d{{4}})?(?!\d)|{_MONTH}\s\d{{4}}|"
            rf"\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|{_DAY}|(?:19|20)\d{{2}})(?!\w)"
        ),
    ),
)
_WORD: Final = re.compile(r"[^\W\d_][\w’'-]*")
_TITLES: Final = frozenset(["Mr", "Mrs", "Ms", "Dr", "Prof", "Herr", "Frau", "Mme", "Sr", "Sra"])
_TITLE: Final = re.compile(rf"(?:{'|'.join(sorted(_TITLES))})\.?\s$")
_PLACE: Final = re.compile(r"(?:^|\s)(?:in|at|from|to|near|aus|nach|à|en|de)\s$", re.IGNORECASE)
_BODY: Final = re.compile(
    r"(?:Inc|Ltd|GmbH|AG|Corp|Group|Bank|Council|University|Ministry|Office|Association|Agency|"
    r"Company|Institute|Club|Union|Party|Gallery|Museum)\b|^[A-Z]{2,}$"
)


def pattern_entities(text: str) -> AnnotatedText:
    """A text with what patterns find in it; none overlaps another.

    >>> [str(one) for one in pattern_entities("It cost €5 million in May 2024.").entities]
    ['MONEY 8–18', 'DATE 22–30']
    """
    found: list[Entity] = []
    for label, pattern in PATTERNS:
        found += _apart(found, (_entity(match, label) for match in pattern.finditer(text)))
    found += _apart(found, _runs(text))
    return AnnotatedText(text=text, entities=tuple(found))


def _runs(text: str) -> Iterator[Entity]:
    runs: list[list[int]] = []
    for word in _WORD.finditer(text):
        if not word[0][0].isupper() or word[0] in _TITLES:
            continue
        if runs and text[runs[-1][1] : word.start()] == " ":
            runs[-1][1] = word.end()
        else:
            runs.append([word.start(), word.end()])
    for start, end in runs:
        before, words = text[:start], text[start:end]
        starts = not before.strip() or re.search(r"[.!?:“\"„(]\s*$", before) is not None
        # The first word of a sentence has a capital anyway.
        if len(words) > 1 and (not starts or " " in words or words.isupper()):
            yield Entity(start=start, end=end, label=_guess(before, words))


def _guess(before: str, words: str) -> str:
    if _TITLE.search(before):
        return "PERSON"
    if _BODY.search(words):
        return "ORGANIZATION"
    if _PLACE.search(before) or " " not in words:
        return "LOCATION"
    return "PERSON"


def _entity(match: re.Match[str], label: str) -> Entity:
    return Entity(start=match.start(), end=match.end(), label=label)


def _apart(taken: list[Entity], new: Iterator[Entity]) -> list[Entity]:
    return [
        one
        for one in new
        if all(one.end <= other.start or one.start >= other.end for other in taken)
    ]
