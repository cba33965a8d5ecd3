"""Marked errors laid on a corpus: which segment is meant, and do the offsets fit its text?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tertium.errors import InputError
from tertium.meta.ratings.entries import Tally
from tertium.meta.ratings.system_names import match_names
from tertium.meta.spans.offsets import check_fit, from_units, unit_starts
from tertium.meta.spans.span import Annotation, Annotations, Span
from tertium.text.corpus import Corpus, System

UNKNOWN_SYSTEM = "annotations of systems that are not here"
UNKNOWN_TEXT = "annotations of texts that the system does not have"
CONTROL = "annotations of controls, whose texts are not here"


def with_texts(
    annotations: Annotations,
    corpus: Corpus,
    systems: Sequence[System],
    *,
    names: Mapping[str, str] | None = None,
) -> Annotations:
    """The annotations of these systems, with the corpus's numbers of segments and with texts.

    A segment is known by its name among the corpus's ids, by document and place in it, by the text
    that was annotated, or by its number. What does not belong here is stated; offsets that do not
    fit are an error where nothing but the number of the segment could be checked.
    """
    found = match_names([one.name for one in systems], annotations.systems, names)
    if not found:
        raise InputError(
            f"spans of {annotations.name}: found systems {', '.join(annotations.systems)}, "
            f"expected some of {', '.join(one.name for one in systems)}"
        )
    rated = {of: name for name, of in found.items()}
    texts = {one.name: [text or "" for text in one.hypotheses.to_list()] for one in systems}
    sources = None if corpus.sources is None else [one or "" for one in corpus.sources.to_list()]
    places = _Places.of(corpus, annotations, texts)
    tally = Tally()
    laid = []
    for one in annotations:
        name = rated.get(one.system)
        if name is None:
            tally.add(UNKNOWN_SYSTEM, one.system)
            continue
        if one.kind:
            tally.add(CONTROL, one.place)
            continue
        segment = places.segment(one, name, annotations.ids)
        if segment is None:
            tally.add(UNKNOWN_TEXT, one.place)
            continue
        source = one.source if sources is None else sources[segment]
        whole = replace(one, hypothesis=texts[name][segment], source=source)
        laid.append(_laid(whole, name, segment, raw=annotations.units == "utf-16", tally=tally))
    if not laid:
        raise InputError(
            f"spans of {annotations.name}: found no annotated text of these systems, expected some"
        )
    return replace(
        annotations,
        annotations=tuple(laid),
        ids=corpus.ids or (),
        units="characters",
        exclusions=(*annotations.exclusions, *tally.exclusions()),
    )


@dataclass(frozen=True, slots=True)
class _Places:
    """What leads from an annotation to a segment."""

    size: int
    texts: Mapping[str, Sequence[str]]
    by_id: Mapping[str, int]
    by_text: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    known: dict[tuple[str, int], int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, corpus: Corpus, annotations: Annotations, texts: Mapping[str, Sequence[str]]
    ) -> "_Places":
        by_id = {name: number for number, name in enumerate(corpus.ids or ())}
        if corpus.documents is not None:
            counts: dict[str, int] = {}
            for number, document in enumerate(corpus.documents):
                counts[document] = counts.get(document, 0) + 1
                by_id.setdefault(f"{document}:{counts[document]}", number)
        if not by_id.keys() & set(annotations.ids):
            by_id = {}
        return cls(len(corpus), texts, by_id)

    def segment(self, one: Annotation, system: str, ids: Sequence[str]) -> int | None:
        """The corpus's number, or None if the corpus has no such segment."""
        if self.by_id:
            return self.by_id.get(ids[one.segment])
        if one.hypothesis is None:
            if one.segment >= self.size:
                raise InputError(
                    f"{one.place}: segment {one.segment + 1}, expected 1 to {self.size}"
                )
            return one.segment
        if one.segment < self.size and _same(self.texts[system][one.segment], one.hypothesis):
            return one.segment
        key = (system, one.segment)
        if key not in self.known:
            place = self._by_text(one, system)
            if place is None:
                return None
            self.known[key] = place
        return self.known[key]

    def _by_text(self, one: Annotation, system: str) -> int | None:
        """The next segment that has this text; of equal texts each is given away once."""
        if system not in self.by_text:
            index: dict[str, list[int]] = {}
            for number, text in enumerate(self.texts[system]):
                index.setdefault(_plain(text), []).append(number)
            self.by_text[system] = index
        free = self.by_text[system].get(_plain(one.hypothesis or ""), [])
        taken = {place for (of, _), place in self.known.items() if of == system}
        return next((number for number in free if number not in taken), free[0] if free else None)


def _plain(text: str) -> str:
    """A text as lines of a file can have it: line breaks are spaces there."""
    return " ".join(text.split())


def _same(ours: str, theirs: str) -> bool:
    return ours == theirs or _plain(ours) == _plain(theirs)


def _laid(one: Annotation, system: str, segment: int, *, raw: bool, tally: Tally) -> Annotation:
    text, source = one.hypothesis or "", one.source
    starts = unit_starts(text) if raw else []
    spans = []
    for span in one.spans:
        start, end = span.start, span.end
        if raw:
            if span.placed:
                start, end = from_units(start, end - 1, starts, one.place, tally)
            else:
                start = end = len(text)
        elif span.side == "target":
            check_fit(start, end, len(text), one.place)
        elif source is not None:
            check_fit(start, end, len(source), one.place)
        spans.append(_moved(span, system, segment, start, end))
    return replace(one, system=system, segment=segment, spans=tuple(spans))


def _moved(span: Span, system: str, segment: int, start: int, end: int) -> Span:
    return replace(span, system=system, segment=segment, start=start, end=end)
