"""Files of annotations: the format follows from the extension, and unknown labels are told.

JSON lines hold text and spans: ``{"text": …, "entities": [{"start", "end", "label"}]}``.

``document``, ``paragraph`` and ``id`` may stand beside them; further keys, of a line or of an
entity, are kept as attributes.
"""

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from os import PathLike
from pathlib import PurePath
from typing import Any, Final, TypeAlias, cast

from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.suggestions import did_you_mean
from tertium.text.annotations.annotated_text import AnnotatedText, Entity, at
from tertium.text.annotations.iob import column_lines, read_columns
from tertium.text.annotations.muc import annotated_articles, is_articles, parse_muc, to_muc
from tertium.text.files import TextFile, compression_of
from tertium.text.lines import numbered_lines
from tertium.text.named_rows import kind_of
from tertium.text.output_files import drafted

_LABELS: Final = ("document", "paragraph", "id")
_KEYS: Final = frozenset({"text", "entities", *_LABELS})
_ENTITY_KEYS: Final = frozenset({"start", "end", "label"})


def read_spans(file: TextFile) -> Iterator[tuple[int, AnnotatedText]]:
    """Every line with its number."""
    for number, line in numbered_lines(file):
        with at(f"{file.name}:{number}"):
            yield number, _annotated_text(_parsed(line))


def _parsed(line: str) -> Mapping[str, object]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{error}, expected one JSON object per line") from None
    return _object(record, "a line")


def _annotated_text(record: Mapping[str, object]) -> AnnotatedText:
    entities = record.get("entities")
    if not isinstance(entities, list):
        raise InputError(f"'entities': {kind_of(entities)}, expected a list of spans")
    return AnnotatedText(
        text=_text(record, "text"),
        entities=tuple(_entity(_object(entity, "an entity")) for entity in entities),
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
    for number, text in enumerate(texts, 1):
        with at(f"segment {number}"):
            yield _json(_record(text)) + "\n"


def _record(text: AnnotatedText) -> dict[str, object]:
    if clash := _KEYS & text.attributes.keys():
        raise InputError(f"attribute '{min(clash)}', expected another name")
    labels = {key: getattr(text, key) for key in _LABELS if getattr(text, key) is not None}
    return {**labels, "text": text.text, "entities": [_span(e) for e in text.entities]} | dict(
        text.attributes
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


Numbered: TypeAlias = Iterator[tuple[int, AnnotatedText]]
Reader: TypeAlias = Callable[[TextFile], Numbered]
Writer: TypeAlias = Callable[[Iterable[AnnotatedText]], Iterator[str]]


def _read_muc(file: TextFile) -> Numbered:
    """A segment a line, or the paragraphs of articles."""
    if is_articles(file):
        yield from annotated_articles(file)
        return
    for number, line in numbered_lines(file):
        yield number, parse_muc(line, f"{file.name}:{number}")


def _muc_lines(texts: Iterable[AnnotatedText]) -> Iterator[str]:
    for number, text in enumerate(texts, 1):
        with at(f"segment {number}"):
            yield to_muc(text) + "\n"


FORMATS: Final[dict[str, tuple[Reader, Writer]]] = {
    "muc": (_read_muc, _muc_lines),
    "conll": (read_columns, column_lines),
    "jsonl": (read_spans, span_lines),
}

_EXTENSIONS: Final = {
    **dict.fromkeys((".muc", ".sgml", ".sgm", ".txt"), "muc"),
    **dict.fromkeys((".conll", ".conll02", ".conll03"), "conll"),
    **dict.fromkeys((".iob", ".iob1", ".iob2", ".iobes", ".bio", ".tsv"), "conll"),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "jsonl"),
}


def read_annotations(
    path: str | PathLike[str],
    *,
    format: str = "auto",  # noqa: A002
    labels: Collection[str] | None = None,
) -> tuple[AnnotatedText, ...]:
    """The annotated segments of a file; where ``labels`` are given, no others may occur."""
    file = TextFile.find(path)
    reader, _ = FORMATS[_format(file.name, format)]
    texts = []
    for number, text in reader(file):
        for entity in text.entities:
            if labels is not None and entity.label not in labels:
                unknown = did_you_mean("label", entity.label, labels)
                raise InputError(f"{file.name}:{number}: {unknown}")
        texts.append(text)
    return tuple(texts)


def annotation_lines(texts: Iterable[AnnotatedText], format: str) -> Iterator[str]:  # noqa: A002
    """The lines of a file of annotations, with their ends."""
    _, writer = FORMATS[_format("", format)]
    return writer(texts)


def write_annotations(
    path: str | PathLike[str],
    texts: Iterable[AnnotatedText],
    *,
    format: str = "auto",  # noqa: A002
) -> None:
    """Write a file; nothing is written if the format cannot hold the annotations."""
    name = os.fspath(path)
    if compression_of(name):
        raise InputError(f"{name}: found a compressed file, expected one to write as it is")
    lines = "".join(annotation_lines(texts, _format(name, format)))
    try:
        data = lines.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name}: found a lone surrogate, expected text") from None
    with drafted(name) as file:
        file.write(data)


def _format(name: str, asked: str) -> str:
    if asked in FORMATS:
        return asked
    if asked != "auto":
        raise OptionError(did_you_mean("format of annotations", asked, ("auto", *FORMATS)))
    extension = PurePath(name[: len(name) - len(compression_of(name))]).suffix.lower()
    if extension not in _EXTENSIONS:
        raise InputError(
            f"{name}: unknown extension '{extension}', expected one of "
            f"{' '.join(_EXTENSIONS)} or the format ({', '.join(FORMATS)})"
        )
    return _EXTENSIONS[extension]


_SPACY: Final = "spacy"


def annotate(texts: Sequence[str], recogniser: str) -> list[AnnotatedText]:
    """The texts with the entities of a recogniser such as ``spacy:en_core_web_sm``."""
    kind, colon, name = recogniser.partition(":")
    if kind != _SPACY or not colon or not name:
        raise OptionError(
            f"recogniser: found '{recogniser}', expected spacy: and the name or path of a pipeline"
        )
    pipeline = _pipeline(name)
    return [_document_annotations(document) for document in pipeline.pipe(texts)]


def _pipeline(name: str) -> Any:
    try:
        spacy = import_module("spacy")
    except ImportError:
        raise MissingExtraError(
            f"spacy:{name}: the package spacy is missing, "
            f"expected for its pipelines: {install_hint('spacy')}"
        ) from None
    try:
        return spacy.load(name)
    except OSError as error:  # no such package, or not a folder of a pipeline
        found = re.sub(r"^\[\w+\]\s*", "", str(error)).partition(". ")[0].rstrip(".")
        raise MissingExtraError(
            f"spacy:{name}: {found}, expected an installed pipeline "
            f"(python -m spacy download {name}) or its folder"
        ) from None


def _document_annotations(document: Any) -> AnnotatedText:
    entities = (
        Entity(
            start=entity.start_char,
            end=entity.end_char,
            label=entity.label_ or "ENTITY",
            attributes={
                key: value
                for key, value in (("id", entity.ent_id_), ("kb_id", entity.kb_id_))
                if value
            },
        )
        for entity in document.ents
    )
    return AnnotatedText(text=document.text, entities=tuple(entities))
