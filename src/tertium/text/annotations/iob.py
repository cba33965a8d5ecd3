"""Columns of words and tags as in the CoNLL shared tasks (Tjong Kim Sang 2002).

A line is a word, an empty line ends a segment. ``-DOCSTART-`` or ``# newdoc id = …`` begins a
document, ``# newpar id = …`` a paragraph, ``# sent_id = …`` and ``# text = …`` name a segment and
its text with the spaces it has; other comments ``# key = value`` are attributes. Without a text,
words are joined by spaces. A block of comments alone is an empty segment.

The tags are those of the last column that has nothing but tags: IOB1, IOB2, IOBES or BILOU. The
words are those of the first column that does not merely count 1, 2, 3 ….

One reading serves IOB1 and IOB2, which differ only in when an entity may begin with I (Tjong
Kim Sang and Veenstra 1999): wherever the word before belongs to no entity of the same type. With
E and S (IOBES) or L and U (BILOU) the last word is marked too, so a missing end can be told.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.annotations.annotated_text import AnnotatedText, Entity, at, shortened
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines

OUTSIDE: Final = "O"
TAG: Final = re.compile(r"O|[BIESLU]-\S.*")


class Tagged(NamedTuple):
    """A word with its tag and the number of its line."""

    line: int
    word: str
    tag: str


def entity_spans(
    name: str, words: Sequence[Tagged], *, closed: bool
) -> Iterator[tuple[int, int, str]]:
    """First word, last word and label of each entity; ``name`` is the file's in an error.

    ``closed`` says that the end of an entity is marked.

    >>> words = [Tagged(1, "New", "I-LOC"), Tagged(2, "York", "I-LOC"), Tagged(3, "!", "O")]
    >>> list(entity_spans("x.conll", words, closed=False))
    [(0, 1, 'LOC')]
    """
    start, label = 0, ""
    for index, (line, _, tag) in enumerate(words):
        kind, _, this = tag.partition("-")
        continues = kind in "IEL" and this == label
        if closed and (bool(label) != (kind in "IEL") or (kind in "IEL" and not continues)):
            expected = f"I-{label} or E-{label}" if label else "O or the beginning of an entity"
            raise InputError(f"{name}:{line}: found tag '{tag}', expected {expected}")
        if label and not continues:
            yield start, index - 1, label
        if not continues:
            start, label = index, this
        if kind in "ESLU":
            yield start, index, label
            label = ""
    if label and closed:
        raise InputError(f"{name}:{words[-1].line}: found no end of {label}, expected E-{label}")
    if label:
        yield start, len(words) - 1, label


_LABELS: Final = {"newdoc id": "document", "newpar id": "paragraph", "sent_id": "id"}


def column_lines(texts: Iterable[AnnotatedText]) -> Iterator[str]:
    """Words and IOB2 tags with a tab between; what columns cannot hold is an error."""
    before = AnnotatedText(text="")
    for number, text in enumerate(texts, 1):
        with at(f"segment {number}"):
            yield from _comment_lines(text, before)
            spans = _token_spans(text)
            words = [text.text[start:end] for start, end in spans]
            # A byte-order mark at the start of a file would be dropped.
            if text.text != " ".join(words) or not words or words[0].startswith("\ufeff"):
                yield f"# text = {_checked(text.text, 'text')}\n"
            for word, tag in zip(words, _tags(text, spans), strict=True):
                if word == DOCUMENT_START:
                    raise InputError(f"columns: found word '{word}', expected another")
                yield f"{word}\t{tag}\n"
        yield "\n"
        before = text


def _comment_lines(text: AnnotatedText, before: AnnotatedText) -> Iterator[str]:
    new_document = text.document != before.document
    new_paragraph = text.paragraph != (None if new_document else before.paragraph)
    if new_document:
        yield _comment("newdoc id", text.document)
    if new_paragraph:
        yield _comment("newpar id", text.paragraph)
    if text.id is not None:
        yield _comment("sent_id", text.id)
    for key, value in text.attributes.items():
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


def _token_spans(text: AnnotatedText) -> list[tuple[int, int]]:
    """Where the text is cut: as it was in columns, else at spaces and the edges of entities."""
    if text.tokens:
        return list(text.tokens)
    edges = sorted({place for e in text.entities for place in (e.start, e.end)})
    spans: list[tuple[int, int]] = []
    for word in re.finditer(r"\S+", text.text):
        inside = edges[bisect_right(edges, word.start()) : bisect_left(edges, word.end())]
        spans += pairwise([word.start(), *inside, word.end()])
    return spans


def _tags(text: AnnotatedText, spans: Sequence[tuple[int, int]]) -> list[str]:
    firsts = {start: k for k, (start, _) in enumerate(spans)}
    stops = {end: k for k, (_, end) in enumerate(spans, 1)}
    tags = [OUTSIDE] * len(spans)
    for entity in text.entities:
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


DOCUMENT_START: Final = "-DOCSTART-"
_COMMENT: Final = re.compile(
    r"# (?:(?P<key>newdoc id|newpar id|[\w.:-]+) =(?: (?P<value>.*))?|(?P<bare>newdoc|newpar))"
)
_SPACES: Final = re.compile(r"\s*")


@dataclass(slots=True)
class _Block:
    """The lines of a segment; ``document`` and ``paragraph`` as they stand at its start."""

    line: int
    document: str | None
    paragraph: str | None
    comments: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)


def read_columns(file: TextFile) -> Iterator[tuple[int, AnnotatedText]]:
    """Every segment with the number of its first line."""
    blocks, rows, tag = _read(file)
    word = _word_column(blocks, tag)
    # Only in IOBES and BILOU must an entity be closed: there a cut one can be told.
    closed = any(cells[tag][0] in "ESLU" for _, cells in rows)
    for block in blocks:
        tagged = [Tagged(line, cells[word], cells[tag]) for line, cells in block.rows]
        yield block.line, _segment(file, block, tagged, closed=closed)


def column_cells(file: TextFile) -> tuple[int, list[list[int]]]:
    """Which column has the tags, and the numbers of the lines of every segment's words."""
    blocks, _, tag = _read(file)
    return tag, [[number for number, _ in block.rows] for block in blocks]


def _read(file: TextFile) -> tuple[list[_Block], list[tuple[int, list[str]]], int]:
    """All segments, all their rows, and the column of tags."""
    blocks = list(_blocks(file))
    rows = [row for block in blocks for row in block.rows]
    width = len(rows[0][1]) if rows else 0
    for number, cells in rows:
        if len(cells) != width or width < 2:
            expected = f"{width} as in line {rows[0][0]}" if width > 1 else "a word and its tag"
            raise InputError(
                f"{file.name}:{number}: {counted(len(cells), 'column')}, expected {expected}"
            )
    return blocks, rows, _tag_column(file, rows, width)


def _blocks(file: TextFile) -> Iterator[_Block]:
    document = paragraph = None
    documents = paragraphs = 0
    block: _Block | None = None
    for number, line in numbered_lines(file):
        if not line.strip():
            if block and (block.rows or block.comments):
                yield block
            block = None
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        if cells[0] == DOCUMENT_START:
            documents += 1
            document, paragraph = str(documents), None
            continue
        block = block or _Block(number, document, paragraph)
        comment = None if block.rows else _COMMENT.fullmatch(line)
        if comment is None:
            block.rows.append((number, cells))
            continue
        key, value = comment["key"] or comment["bare"], comment["value"]
        if key in block.comments:
            raise InputError(f"{file.name}:{number}: '# {key}' twice, expected once in a segment")
        if key.startswith("newdoc"):
            documents += 1
            document, paragraph = value or str(documents), None
        elif key.startswith("newpar"):
            paragraphs += 1
            paragraph = value or str(paragraphs)
        block.document, block.paragraph = document, paragraph
        block.comments[key] = value or ""
    if block and (block.rows or block.comments):
        yield block


def _tag_column(file: TextFile, rows: Sequence[tuple[int, list[str]]], width: int) -> int:
    best, reached = width - 1, -1
    for column in reversed(range(1, width)):
        stop = next(
            (k for k, (_, cells) in enumerate(rows) if not TAG.fullmatch(cells[column])), -1
        )
        if stop < 0:
            return column
        if stop > reached:
            best, reached = column, stop
    if not rows:
        return best
    number, cells = rows[reached]
    raise InputError(
        f"{file.name}:{number}: found '{shortened(cells[best])}', "
        "expected a tag: O, or B-, I-, E- or S- and a type"
    )


def _word_column(blocks: Iterable[_Block], tag: int) -> int:
    """1 where column 0 counts the words of every segment, as in CoNLL-U, else 0."""
    counts = all(
        cells[0] == str(k) for block in blocks for k, (_, cells) in enumerate(block.rows, 1)
    )
    return 1 if counts and tag > 1 else 0


def _segment(
    file: TextFile, block: _Block, tagged: Sequence[Tagged], *, closed: bool
) -> AnnotatedText:
    comments = dict(block.comments)
    words = [token.word for token in tagged]
    text = comments.pop("text", " ".join(words))
    tokens: list[tuple[int, int]] = []
    position = 0
    for token in tagged:
        start = _after_spaces(text, position)
        position = start + len(token.word)
        if text[start:position] != token.word:
            raise InputError(
                f"{file.name}:{token.line}: found word '{shortened(token.word)}', "
                f"expected '{shortened(text[start:])}' of '# text'"
            )
        tokens.append((start, position))
    if tagged and text[position:].strip():
        raise InputError(
            f"{file.name}:{tagged[-1].line}: found no more words, "
            f"expected '{shortened(text[position:].strip())}' of '# text'"
        )
    entities = [
        Entity(start=tokens[first][0], end=tokens[last][1], label=label)
        for first, last, label in entity_spans(file.name, tagged, closed=closed)
    ]
    for key in ("newdoc", "newdoc id", "newpar", "newpar id"):
        comments.pop(key, None)
    return AnnotatedText(
        text=text,
        entities=tuple(entities),
        document=block.document,
        paragraph=block.paragraph,
        id=comments.pop("sent_id", None),
        attributes=comments,
        tokens=tuple(tokens),
    )


def _after_spaces(text: str, position: int) -> int:
    spaces = _SPACES.match(text, position)
    return position if spaces is None else spaces.end()
