"""Names suggested to annotators, by patterns or by a tagger that is installed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Final

from sqlalchemy.orm import Session

from tertium.serve.annotation.layers import Name, Origin, chosen_layer, names_of
from tertium.serve.annotation.targets import TargetText, target_text, targets
from tertium.serve.errors import RequestError
from tertium.suggestions import did_you_mean
from tertium.text.annotations import AnnotatedText, Entity, annotate

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

NAME_PATTERNS: Final = (
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
    for label, pattern in NAME_PATTERNS:
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


PATTERNS: Final = "patterns"
OTHERS: Final = "others"
"""The source of suggestions that is no tagger: names that other texts of the test set have."""
MUC_TYPES: Final = {
    "PER": "PERSON",
    "ORG": "ORGANIZATION",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
}
"""Labels of other schemes that mean the same as MUC's; all others stay what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A name that nobody has accepted yet; ``source`` says where it comes from."""

    segment: int
    start: int
    end: int
    type: str
    origin: Origin
    source: str


def taggers() -> tuple[str, ...]:
    """What can be asked: patterns, and the pipelines of spaCy that are installed here."""
    if find_spec("spacy") is None:
        return (PATTERNS,)
    # As spaCy finds them itself, without the seconds that its import takes.
    installed = {one.name for one in entry_points(group="spacy_models")}
    return (PATTERNS, *(f"spacy:{name}" for name in sorted(installed)))


def suggestions(
    session: Session,
    text: TargetText,
    names: Sequence[Name],
    segments: Sequence[int],
    source: str = OTHERS,
) -> tuple[Suggestion, ...]:
    """What a source finds in some segments that overlaps no name which is there already."""
    if source == OTHERS:
        found = list(_from_others(session, text, names, segments))
    else:
        found = list(_from_tagger(text, segments, source))
    taken: dict[int, list[tuple[int, int]]] = {}
    for one in names:
        taken.setdefault(one.segment, []).append((one.start, one.end))
    kept: list[Suggestion] = []
    for new in sorted(found, key=lambda one: (one.segment, one.start - one.end, one.start)):
        places = taken.setdefault(new.segment, [])
        if all(new.end <= start or end <= new.start for start, end in places):
            places.append((new.start, new.end))
            kept.append(new)
    return tuple(sorted(kept, key=lambda one: (one.segment, one.start)))


def _from_tagger(text: TargetText, segments: Sequence[int], source: str) -> Iterator[Suggestion]:
    # Only names of what is installed: a path or an address of a stranger is never opened.
    known = taggers()
    if source not in known:
        raise RequestError(did_you_mean("source", source, (OTHERS, *known)))
    lines = [text.segments[number] for number in segments]
    tagged: Iterable[AnnotatedText]
    tagged = map(pattern_entities, lines) if source == PATTERNS else annotate(lines, source)
    for number, one in zip(segments, tagged, strict=True):
        for entity in one.entities:
            surface = one.surface(entity)
            left = len(surface) - len(surface.lstrip())
            right = len(surface) - len(surface.rstrip())
            if surface.strip():
                yield Suggestion(
                    segment=number,
                    start=entity.start + left,
                    end=entity.end - right,
                    type=MUC_TYPES.get(entity.label, entity.label),
                    origin="tagger",
                    source=source,
                )


def _from_others(
    session: Session, text: TargetText, names: Sequence[Name], segments: Sequence[int]
) -> Iterator[Suggestion]:
    """Where the names of other texts, or of this one, stand in the same document."""
    known: dict[object, dict[str, tuple[str, str]]] = {}

    def note(other: TargetText, found: Sequence[Name]) -> None:
        for one in found:
            surface = other.segments[one.segment][one.start : one.end]
            known.setdefault(_unit(text, one.segment), {}).setdefault(
                surface, (one.type, other.target.name)
            )

    note(text, names)
    for target in targets(session, text.target.test_set_id):
        layer = chosen_layer(session, target)
        if layer is not None and target.key != text.target.key:
            note(target_text(session, target), names_of(session, target, layer))
    for number in segments:
        for surface, (label, where) in known.get(_unit(text, number), {}).items():
            for match in re.finditer(rf"(?<!\w){re.escape(surface)}(?!\w)", text.segments[number]):
                yield Suggestion(
                    segment=number,
                    start=match.start(),
                    end=match.end(),
                    type=label,
                    origin="system",
                    source=where,
                )


def _unit(text: TargetText, segment: int) -> object:
    return segment if text.documents is None else text.documents[segment]
