"""Files of annotations: the format follows from the extension, and unknown labels are told."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from os import PathLike
from pathlib import PurePath
from typing import Final, TypeAlias

from tertium.errors import InputError, OptionError
from tertium.suggestions import did_you_mean
from tertium.text.annotations.annotated_text import AnnotatedText, at
from tertium.text.annotations.iob import read_columns
from tertium.text.annotations.iob_output import column_lines
from tertium.text.annotations.muc import parse_muc, to_muc
from tertium.text.annotations.muc_articles import annotated_articles, is_articles
from tertium.text.annotations.spans import read_spans, span_lines
from tertium.text.file_names import compression_of
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.text.written.drafts import drafted

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
    for number, one in enumerate(texts, 1):
        with at(f"segment {number}"):
            yield to_muc(one) + "\n"


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
    for number, one in reader(file):
        for entity in one.entities:
            if labels is not None and entity.label not in labels:
                unknown = did_you_mean("label", entity.label, labels)
                raise InputError(f"{file.name}:{number}: {unknown}")
        texts.append(one)
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
