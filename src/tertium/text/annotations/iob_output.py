"""Annotated text as columns of words and IOB2 tags, which `read_columns` turns back."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from tertium.errors import InputError
from tertium.text.annotations.annotated_text import AnnotatedText, at
from tertium.text.annotations.iob import DOCUMENT_START
from tertium.text.annotations.tags import OUTSIDE, TAG

_LABELS: Final = {"newdoc id": "document", "newpar id": "paragraph", "sent_id": "id"}


def column_lines(texts: Iterable[AnnotatedText]) -> Iterator[str]:
    """Words and IOB2 tags with a tab between; what columns cannot hold is an error."""
    before = AnnotatedText(text="")
    for number, one in enumerate(texts, 1):
        with at(f"segment {number}"):
            yield from _comment_lines(one, before)
            spans = _token_spans(one)
            words = [one.text[start:end] for start, end in spans]
            # A byte-order mark at the start of a file would be dropped.
            if one.text != " ".join(words) or not words or words[0].startswith("\ufeff"):
                yield f"# text = {_checked(one.text, 'text')}\n"
            for word, tag in zip(words, _tags(one, spans), strict=True):
                if word == DOCUMENT_START:
                    raise InputError(f"columns: found word '{word}', expected another")
                yield f"{word}\t{tag}\n"
        yield "\n"
        before = one


def _comment_lines(one: AnnotatedText, before: AnnotatedText) -> Iterator[str]:
    new_document = one.document != before.document
    new_paragraph = one.paragraph != (None if new_document else before.paragraph)
    if new_document:
        yield _comment("newdoc id", one.document)
    if new_paragraph:
        yield _comment("newpar id", one.paragraph)
    if one.id is not None:
        yield _comment("sent_id", one.id)
    for key, value in one.attributes.items():
        if key == "text" or key in _LABELS or not re.fullmatch(r"[\w.:-]+", key):
            raise InputError(f"columns: found attribute '{key}', expected another name")
        yield _comment(key, value)


def _comment(key: str, value: object) -> str:
    if not value:
        raise InputError(f"columns: found no {_LABELS.get(key, key)}, expected one or none at all")
    return f"# {key} = {_checked(value, key)}\n"


def _checked(value: object, what: str) -> str:
    if not isinstance(value, str) or "\n" in value or value.endswith("\r"):
        raise InputError(f"columns: found {what} {value!r}, expected text of one line")
    return value


def _token_spans(one: AnnotatedText) -> list[tuple[int, int]]:
    """Where the text is cut: as it was in columns, else at spaces and the edges of entities."""
    if one.tokens:
        return list(one.tokens)
    edges = sorted({place for e in one.entities for place in (e.start, e.end)})
    spans: list[tuple[int, int]] = []
    for word in re.finditer(r"\S+", one.text):
        inside = edges[bisect_right(edges, word.start()) : bisect_left(edges, word.end())]
        spans += pairwise([word.start(), *inside, word.end()])
    return spans


def _tags(one: AnnotatedText, spans: Sequence[tuple[int, int]]) -> list[str]:
    firsts = {start: k for k, (start, _) in enumerate(spans)}
    stops = {end: k for k, (_, end) in enumerate(spans, 1)}
    tags = [OUTSIDE] * len(spans)
    for entity in one.entities:
        # Where an edge is that of no word, the slice is empty.
        words = slice(firsts.get(entity.start, len(spans)), stops.get(entity.end, 0))
        if entity.attributes or {*tags[words]} != {OUTSIDE}:
            raise InputError(
                f"columns: found {entity} with attributes, inside another entity or cutting a "
                "word, expected whole words and a label"
            )
        if not TAG.fullmatch(f"B-{entity.label}") or re.search(r"[\t\n\r]", entity.label):
            raise InputError(f"columns: found label {entity.label!r}, expected text of one line")
        rest = len(tags[words]) - 1
        tags[words] = [f"B-{entity.label}"] + [f"I-{entity.label}"] * rest
    return tags
