"""Where the names of references come from, and which segments belong together."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.annotation.entity_lists import Column
from tertium.plurals import counted
from tertium.text.annotations import AnnotatedText, annotate, parse_muc, read_annotations
from tertium.text.annotations.annotated_text import at
from tertium.text.corpus import Corpus

INLINE: Final = "inline"
UnitKind: TypeAlias = Literal["auto", "document", "paragraph", "segment"]


def annotated_columns(
    columns: tuple[Texts, ...], *, annotations: str, ner: str | None, place: str
) -> tuple[Column, ...]:
    """The reference sets with their names; ``place`` names the references in an error.

    A file of annotations belongs to the first set; further sets are then text without names,
    which is enough to be scored as another human's translation.
    """
    texts = [column.to_list() for column in columns]
    if ner is not None:
        return tuple(_recognised(column, ner) for column in texts)
    if annotations == INLINE:
        return tuple(
            [
                None if text is None else parse_muc(text, f"{place}{_of(number)}: segment {k}")
                for k, text in enumerate(column, 1)
            ]
            for number, column in enumerate(texts)
        )
    first, *others = texts
    return (_from_file(first, annotations), *(_plain(column) for column in others))


def _of(number: int) -> str:
    return f": reference set {number + 1}" if number else ""


def _recognised(column: Sequence[str | None], ner: str) -> Column:
    found = iter(annotate([text for text in column if text is not None], ner))
    return [None if text is None else next(found) for text in column]


def _from_file(column: Sequence[str | None], path: str) -> Column:
    read = read_annotations(path)
    if len(read) != len(column):
        raise InputError(
            f"{path}: {counted(len(read), 'segment')}, expected {len(column)} (references)"
        )
    moved: list[AnnotatedText | None] = []
    for number, (one, text) in enumerate(zip(read, column, strict=True), 1):
        with at(f"{path}: segment {number}"):
            moved.append(None if text is None else one.moved_to(text))
    return moved


def _plain(column: Sequence[str | None]) -> Column:
    return [None if text is None else AnnotatedText(text=text) for text in column]


def document_labels(columns: Sequence[Column], corpus: Corpus | None) -> Sequence[str] | None:
    """The document of every segment: the corpus's, else those that the annotations name."""
    if corpus is not None and corpus.documents is not None:
        return corpus.documents
    labels = [one.document for one in columns[0] if one and one.document is not None]
    return labels if len(labels) == len(columns[0]) else None


def paragraph_labels(columns: Sequence[Column], corpus: Corpus | None) -> Sequence[str] | None:
    """The paragraph of every segment, with its document where that is known: "news-1 2"."""
    labels: Sequence[str] | None = None if corpus is None else corpus.paragraphs
    if labels is None:
        labels = [one.paragraph for one in columns[0] if one and one.paragraph is not None]
    if len(labels) != len(columns[0]):
        return None
    documents = document_labels(columns, corpus)
    if documents is None:
        return labels
    return [f"{one} {other}" for one, other in zip(documents, labels, strict=True)]


def unit_labels(
    unit: UnitKind, columns: Sequence[Column], corpus: Corpus | None, place: str
) -> tuple[UnitKind, Sequence[object]]:
    """What decides, and a label for every segment; segments of one label belong together."""
    segments = range(len(columns[0]))
    if unit == "segment":
        return unit, segments
    if unit == "paragraph":
        paragraphs = paragraph_labels(columns, corpus)
        if paragraphs is None:
            raise InputError(
                f"{place}: no paragraph labels, expected a file of documents (--documents FILE) or "
                "a table with a column 'paragraph', or articles or annotations that name them"
            )
        return unit, paragraphs
    documents = document_labels(columns, corpus)
    if documents is not None:
        return "document", documents
    if unit == "auto":
        return "segment", segments
    raise InputError(
        f"{place}: no document labels, expected a file of documents, a table with a column "
        "'document', SGML/XML or annotations that name them, or unit=segment"
    )
