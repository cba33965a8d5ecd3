"""From the items of an export to the segments of a test set: one path for all who read ratings.

An export names what was rated in its own way, and the order of its rows says nothing. `locate`
tries, in this order, what the export has:

1. the segment's number, where the format counts segments (mt-metrics-eval, raw tables of MQM);
   where the file has the text as well, the text decides;
2. the segment's name, if the test set has ids;
3. the texts that were shown: the hypothesis among the outputs of its system, the source among the
   sources; an item that several systems were rated on is where all their texts are;
4. the item's number as a line of the test set, counted from 0 or 1: taken only if it is confirmed,
   by the documents of the test set or by errors that fit the text in no other place;
5. the document and the place in it, only where the whole document was shown: a task that shows a
   part of a document counts from the first sentence shown.

If none of them holds, that is an error which says what to give.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tertium.errors import InputError
from tertium.meta.ratings.entries import OmissionCounts
from tertium.meta.ratings.system_names import match_names
from tertium.meta.spans.span import (
    Annotation,
    Annotations,
    ItemKey,
    Span,
    check_fit,
    from_units,
    unit_starts,
)
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System

LEAST_MISFITS: Final = 5
"""Marked errors that must refute the other way to count before offsets alone decide."""
CURE: Final = (
    "the test set's documents (--documents FILE), or the campaign's batches beside the export"
)


@dataclass(frozen=True, slots=True)
class RatedCorpus:
    """The test set that ratings are of: its corpus, and the systems' outputs.

    ``names`` are rated names by those of the systems, where they do not show it themselves.
    """

    corpus: Corpus
    systems: tuple[System, ...]
    names: Mapping[str, str] | None = None

    def by_rated_name(self, rated: Sequence[str]) -> dict[str, System]:
        """The systems by the names that ratings have for them, as far as they are here."""
        if not rated:
            return {}
        names = self.names or {}
        given = [
            system.name for system in self.systems if names.get(system.name, rated[0]) in rated
        ]
        found = match_names(given, rated, names)
        return {found[system.name]: system for system in self.systems if system.name in found}


def locate(annotations: Annotations, texts: RatedCorpus) -> list[int | None]:
    """The segment of every annotation; None where the test set has no such text.

    Controls whose place cannot be told are None, too.
    """
    finder = _Finder.of(annotations, texts)
    found: dict[int, int | None] = {}
    keyed: dict[int, Annotation] = {}
    named = False
    for index, annotation in enumerate(annotations):
        if annotation.key is None:
            found[index] = finder.by_number(annotation)
        elif annotation.key.name in finder.ids:
            found[index] = finder.ids[annotation.key.name]
            named = True
        else:
            keyed[index] = annotation
    found |= finder.by_text(keyed)
    left = {index: item for index, item in keyed.items() if index not in found}
    if left and not named:
        found |= finder.by_key(left, annotations.name)
    return [found.get(index) for index in range(len(annotations))]


def plain(text: str) -> str:
    """A text as lines of a file can have it: line breaks are spaces there."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class _Finder:
    """What leads from an annotation to a segment."""

    size: int
    ids: Mapping[str, int]
    documents: tuple[str, ...] | None
    sources: dict[str, list[int]] | None
    outputs: Mapping[str, Sequence[str]]
    by_output: dict[str, dict[str, list[int]]] = field(default_factory=dict)

    @classmethod
    def of(cls, annotations: Annotations, texts: RatedCorpus) -> "_Finder":
        corpus = texts.corpus
        sources = None if corpus.sources is None else corpus.sources.to_list()
        return cls(
            size=len(corpus),
            ids={name: number for number, name in enumerate(corpus.ids or ())},
            documents=corpus.documents,
            sources=None if sources is None else _places(source or "" for source in sources),
            outputs={
                name: [text or "" for text in system.hypotheses.to_list()]
                for name, system in texts.by_rated_name(annotations.systems).items()
            },
        )

    def by_number(self, annotation: Annotation) -> int | None:
        """The number that the file has; where it has the text, too, the text decides."""
        if (
            annotation.hypothesis is None
            or annotation.kind
            or annotation.system not in self.outputs
        ):
            if annotation.segment >= self.size:
                raise InputError(
                    f"{annotation.place}: segment {annotation.segment + 1}, "
                    f"expected 1 to {self.size}"
                )
            return annotation.segment
        outputs = self.outputs[annotation.system]
        if annotation.segment < self.size and plain(outputs[annotation.segment]) == plain(
            annotation.hypothesis
        ):
            return annotation.segment
        return min(self._same_output(annotation), default=None)

    def by_text(self, items: Mapping[int, Annotation]) -> dict[int, int | None]:
        """Segments by the texts that were shown, as far as there are texts to compare.

        Looks at one item share its segment. Of equal texts each is given away once, in order.
        """
        groups: dict[str | int, list[int]] = {}
        possible: dict[int, frozenset[int]] = {}
        for index, item in items.items():
            texts = self._candidates(item)
            if texts is not None:
                possible[index] = texts
                groups.setdefault(_key(item).name or index, []).append(index)
        result: dict[int, int | None] = {}
        several: list[tuple[list[int], frozenset[int]]] = []
        for members in groups.values():
            shared = frozenset.intersection(*(possible[index] for index in members))
            if len(shared) == 1:
                result |= dict.fromkeys(members, next(iter(shared)))
            elif shared:
                several.append((members, shared))
            else:  # texts of different segments under one name: each for itself
                result |= {index: min(possible[index], default=None) for index in members}
        base = _steady_base(result, items)
        taken = {segment for segment in result.values() if segment is not None}
        for members, shared in several:
            number = _key(items[members[0]]).number
            hinted = -1 if base is None or number is None else number - base
            free = sorted(shared - taken) or sorted(shared)
            chosen = hinted if hinted in shared else free[0]
            taken.add(chosen)
            result |= dict.fromkeys(members, chosen)
        return result

    def by_key(self, items: Mapping[int, Annotation], name: str) -> dict[int, int | None]:
        """Segments by numbers and documents, for items whose texts the export does not have."""
        for way in (self._by_counted_name, self._by_line, self._by_document):
            result = way(items)
            if result is not None:
                return result
        first = next(iter(items.values()))
        raise InputError(
            f"{first.place}: found items of {name} without a segment that can be told, expected "
            f"{CURE}"
        )

    def _by_counted_name(self, items: Mapping[int, Annotation]) -> dict[int, int | None] | None:
        """Segments whose names are numbers, which count from 1 as in tables of ratings."""
        names = {index: _key(item).name for index, item in items.items()}
        if not all(name.isascii() and name.isdecimal() for name in names.values()):
            return None
        for index, name in names.items():
            if not 1 <= int(name) <= self.size:
                raise InputError(f"{items[index].place}: segment {name}, expected 1 to {self.size}")
        return {index: int(name) - 1 for index, name in names.items()}

    def _by_line(self, items: Mapping[int, Annotation]) -> dict[int, int | None] | None:
        """Items whose numbers are lines of the test set, if that can be confirmed."""
        documents: dict[int, str] = {}
        numbers: dict[int, int] = {}
        for index, item in items.items():
            key = _key(item)
            if key.number is None:
                return None
            if documents.setdefault(key.number, key.document) != key.document:
                return None  # a number in two documents counts the items of a task
            numbers[index] = key.number
        known = self.documents is not None and set(documents.values()) <= set(self.documents)
        if self.documents is not None and not known:
            return None
        misfits = {
            base: sum(self._is_misfit(item, numbers[index] - base) for index, item in items.items())
            for base in (0, 1)
        }
        fitting = [base for base, count in misfits.items() if count == 0]
        if len(fitting) != 1:
            return None
        (base,) = fitting
        if not known and misfits[1 - base] < LEAST_MISFITS:
            return None
        return {index: number - base for index, number in numbers.items()}

    def _is_misfit(self, annotation: Annotation, line: int) -> bool:
        """Whether an item cannot be at a line: of another document, or too short for its errors."""
        if not 0 <= line < self.size:
            return True
        if self.documents is not None and self.documents[line] != _key(annotation).document:
            return True
        if annotation.kind or annotation.system not in self.outputs or not annotation.placed():
            return False
        # A browser shows a sign for missing text behind the last unit.
        units = unit_starts(self.outputs[annotation.system][line])[-1]
        return any(span.end > units + 1 for span in annotation.placed())

    def _by_document(self, items: Mapping[int, Annotation]) -> dict[int, int | None] | None:
        """Documents that were shown as a whole, by the place in them."""
        if self.documents is None:
            return None
        lines: dict[str, list[int]] = {}
        for number, document in enumerate(self.documents):
            lines.setdefault(document, []).append(number)
        result: dict[int, int | None] = {}
        for index, item in items.items():
            key = _key(item)
            if not key.document or key.position is None:
                return None
            there = lines.get(key.document)
            if there is not None and len(there) == key.shown:
                result[index] = there[key.position - 1]
            elif item.kind:
                result[index] = None
            elif there is None:
                raise InputError(
                    f"{item.place}: document '{key.document}', expected one of the test set's "
                    f"({self.documents[0]}, …)"
                )
            else:
                raise InputError(
                    f"{item.place}: {counted(key.shown, 'item')} of document '{key.document}', "
                    "which has "
                    f"{counted(len(there), 'segment')}, expected the whole document, or the "
                    "campaign's "
                    "batches beside the export"
                )
        return result

    def _candidates(self, annotation: Annotation) -> frozenset[int] | None:
        """The segments with the texts of a look; None if there is no text to compare."""
        sets: list[Iterable[int]] = []
        if (
            annotation.hypothesis is not None
            and not annotation.kind
            and annotation.system in self.outputs
        ):
            sets.append(self._same_output(annotation))
        if annotation.source and self.sources is not None:
            sets.append(self.sources.get(plain(annotation.source), ()))
        if not sets:
            return None
        result = frozenset.intersection(*map(frozenset, sets))
        document = _key(annotation).document
        if len(result) > 1 and document and self.documents is not None:
            inside = frozenset(i for i in result if self.documents[i] == document)
            return inside or result
        return result

    def _same_output(self, annotation: Annotation) -> Sequence[int]:
        if annotation.system not in self.by_output:
            self.by_output[annotation.system] = _places(self.outputs[annotation.system])
        return self.by_output[annotation.system].get(plain(annotation.hypothesis or ""), [])


def _key(annotation: Annotation) -> ItemKey:
    return annotation.key or ItemKey()


def _places(texts: Iterable[str]) -> dict[str, list[int]]:
    result: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        result.setdefault(plain(text), []).append(number)
    return result


def _steady_base(found: Mapping[int, int | None], items: Mapping[int, Annotation]) -> int | None:
    """What item numbers count from, if that is the same wherever the text tells the segment."""
    bases = {
        number - segment
        for index, segment in found.items()
        if segment is not None and (number := _key(items[index]).number) is not None
    }
    return next(iter(bases)) if len(bases) == 1 else None


# Marked errors laid on a corpus: the texts beside them, and offsets that fit the text.

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

    `tertium.meta.spans.segments` says how a segment is found. What does not belong here is stated;
    offsets that do not fit are an error where nothing but the number of the segment could be
    checked.
    """
    texts = RatedCorpus(corpus, tuple(systems), names)
    here = texts.by_rated_name(annotations.systems)
    if not here:
        raise InputError(
            f"spans of {annotations.name}: found systems {', '.join(annotations.systems)}, "
            f"expected some of {', '.join(system.name for system in systems)}"
        )
    outputs = {
        name: [text or "" for text in system.hypotheses.to_list()] for name, system in here.items()
    }
    sources = (
        None if corpus.sources is None else [source or "" for source in corpus.sources.to_list()]
    )
    tally = OmissionCounts()
    chosen = []
    for annotation in annotations:
        if annotation.system not in here:
            tally.add(UNKNOWN_SYSTEM, annotation.system)
        elif annotation.kind:
            tally.add(CONTROL, annotation.place)
        else:
            chosen.append(annotation)
    kept = replace(annotations, annotations=tuple(chosen))
    laid = []
    for item, segment in zip(kept, locate(kept, texts), strict=True):
        if segment is None:
            tally.add(UNKNOWN_TEXT, item.place)
            continue
        raw = annotations.units == "utf-16"
        whole = replace(
            item,
            hypothesis=outputs[item.system][segment],
            source=item.source if sources is None else sources[segment],
        )
        laid.append(_laid(whole, here[item.system].name, segment, raw=raw, tally=tally))
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


def _laid(
    annotation: Annotation, system: str, segment: int, *, raw: bool, tally: OmissionCounts
) -> Annotation:
    text, source = annotation.hypothesis or "", annotation.source
    starts = unit_starts(text) if raw else []
    spans = []
    for span in annotation.spans:
        start, end = span.start, span.end
        if raw:
            if span.placed:
                start, end = from_units(start, end - 1, starts, annotation.place, tally)
            else:
                start = end = len(text)
        elif span.side == "target":
            check_fit(start, end, len(text), annotation.place)
        elif source is not None:
            check_fit(start, end, len(source), annotation.place)
        spans.append(_moved(span, system, segment, start, end))
    return replace(annotation, system=system, segment=segment, spans=tuple(spans), key=None)


def _moved(span: Span, system: str, segment: int, start: int, end: int) -> Span:
    return replace(span, system=system, segment=segment, start=start, end=end)
