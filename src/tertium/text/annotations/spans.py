"""JSON lines of text and spans: ``{"text": …, "entities": [{"start", "end", "label"}]}``.

``document``, ``paragraph`` and ``id`` may stand beside them; further keys, of a line or of an
entity, are kept as attributes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, cast

from tertium.errors import InputError
from tertium.text.annotations.annotated_text import AnnotatedText, Entity, at
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.text.named_rows import kind_of

_LABELS: Final = ("document", "paragraph", "id")
_KEYS: Final = frozenset({"text", "entities", *_LABELS})
_ENTITY_KEYS: Final = frozenset({"start", "end", "label"})


def read_spans(file: TextFile) -> Iterator[tuple[int, AnnotatedText]]:
    """Every line with its number."""
    for number, line in numbered_lines(file):
        with at(f"{file.name}:{number}"):
            yield number, _annotated(_parsed(line))


def _parsed(line: str) -> Mapping[str, object]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{error}, expected one JSON object per line") from None
    return _object(record, "a line")


def _annotated(record: Mapping[str, object]) -> AnnotatedText:
    entities = record.get("entities")
    if not isinstance(entities, list):
        raise InputError(f"'entities': {kind_of(entities)}, expected a list of spans")
    return AnnotatedText(
        text=_text(record, "text"),
        entities=tuple(_entity(_object(one, "an entity")) for one in entities),
        document=_label(record, "document"),
        paragraph=_label(record, "paragraph"),
        id=_label(record, "id"),
        attributes={key: value for key, value in record.items() if key not in _KEYS},
    )


def _entity(span: Mapping[str, object]) -> Entity:
    return Entity(
        start=_place(span, "start"),
        end=_place(span, "end"),
        label=_text(span, "label"),
        attributes={key: value for key, value in span.items() if key not in _ENTITY_KEYS},
    )


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise InputError(f"{what}: {kind_of(value)}, expected a JSON object")
    return cast("Mapping[str, object]", value)


def _text(record: Mapping[str, object], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise InputError(f"'{key}': {kind_of(value)}, expected text")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise InputError(f"'{key}': a lone surrogate, expected text")
    return value


def _label(record: Mapping[str, object], key: str) -> str | None:
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # numbers name documents and segments as well as texts do
    return None if value is None else _text(record, key)


def _place(span: Mapping[str, object], key: str) -> int:
    value = span.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"'{key}': {kind_of(value)}, expected a whole number")
    return value


def span_lines(texts: Iterable[AnnotatedText]) -> Iterator[str]:
    """A line for every text."""
    for number, one in enumerate(texts, 1):
        with at(f"segment {number}"):
            yield _json(_record(one)) + "\n"


def _record(one: AnnotatedText) -> dict[str, object]:
    if clash := _KEYS & one.attributes.keys():
        raise InputError(f"attribute '{min(clash)}', expected another name")
    labels = {key: getattr(one, key) for key in _LABELS if getattr(one, key) is not None}
    return {**labels, "text": one.text, "entities": [_span(e) for e in one.entities]} | dict(
        one.attributes
    )


def _span(entity: Entity) -> dict[str, object]:
    if clash := _ENTITY_KEYS & entity.attributes.keys():
        raise InputError(f"entity {entity}: attribute '{min(clash)}', expected another name")
    span = {"start": entity.start, "end": entity.end, "label": entity.label}
    return span | dict(entity.attributes)


def _json(record: Mapping[str, object]) -> str:
    try:
        return json.dumps(record, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"{error}, expected attributes that JSON can hold") from None
