"""Marked errors laid on a corpus: the texts beside them, and offsets that fit the text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tertium.errors import InputError
from tertium.meta.ratings.entries import OmissionCounts
from tertium.meta.spans.offsets import check_fit, from_units, unit_starts
from tertium.meta.spans.segments import RatedCorpus, locate
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

    `tertium.meta.spans.segments` says how a segment is found. What does not belong here is stated;
    offsets that do not fit are an error where nothing but the number of the segment could be
    checked.
    """
    texts = RatedCorpus(corpus, tuple(systems), names)
    here = texts.by_rated_name(annotations.systems)
    if not here:
        raise InputError(
            f"spans of {annotations.name}: found systems {', '.join(annotations.systems)}, "
            f"expected some of {', '.join(one.name for one in systems)}"
        )
    outputs = {
        name: [text or "" for text in one.hypotheses.to_list()] for name, one in here.items()
    }
    sources = None if corpus.sources is None else [one or "" for one in corpus.sources.to_list()]
    tally = OmissionCounts()
    chosen = []
    for one in annotations:
        if one.system not in here:
            tally.add(UNKNOWN_SYSTEM, one.system)
        elif one.kind:
            tally.add(CONTROL, one.place)
        else:
            chosen.append(one)
    kept = replace(annotations, annotations=tuple(chosen))
    laid = []
    for one, segment in zip(kept, locate(kept, texts), strict=True):
        if segment is None:
            tally.add(UNKNOWN_TEXT, one.place)
            continue
        raw = annotations.units == "utf-16"
        whole = replace(
            one,
            hypothesis=outputs[one.system][segment],
            source=one.source if sources is None else sources[segment],
        )
        laid.append(_laid(whole, here[one.system].name, segment, raw=raw, tally=tally))
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
    one: Annotation, system: str, segment: int, *, raw: bool, tally: OmissionCounts
) -> Annotation:
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
    return replace(one, system=system, segment=segment, spans=tuple(spans), key=None)


def _moved(span: Span, system: str, segment: int, start: int, end: int) -> Span:
    return replace(span, system=system, segment=segment, start=start, end=end)
