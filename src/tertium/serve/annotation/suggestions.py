"""Names that might be there: from a tagger, or from other texts of the test set."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Final

from sqlalchemy.orm import Session

from tertium.serve.annotation.layers import Name, Origin, chosen_layer, names_of
from tertium.serve.annotation.patterns import pattern_entities
from tertium.serve.annotation.targets import TargetText, target_text, targets
from tertium.serve.errors import RequestError
from tertium.suggestions import did_you_mean
from tertium.text.annotations import AnnotatedText, annotate

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
