"""Words of CoNLL-U with their heads and relations, and the n best parses of a sentence."""

import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final, Generic, TypeAlias, TypeVar

import numpy as np

from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows
from tertium.text.references import AnyReferences, Hypotheses, References, aligned

# Metrics over annotations: what a segment's text holds besides words, and how it is read.
#
# The contract stays as it is, for the text of a segment *is* its annotation: a parse in
# CoNLL-U, words with their alignment, or whatever else a metric can read. A metric over such
# segments says how one is read and which statistics a hypothesis and its references give.

Annotation = TypeVar("Annotation")
Column: TypeAlias = list[Annotation | None]


class FormError(ValueError):
    """A segment that is not of the expected form; ``line`` is counted inside the segment."""

    def __init__(self, found: str, expected: str, *, line: int | None = None) -> None:
        location = "" if line is None else f", line {line}"
        super().__init__(f"{location}: found {found}, expected {expected}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationMetric(Metric, Generic[Annotation]):
    """A metric that reads an annotation from the text of every segment.

    References are read once for all systems. What is malformed is an error with the number of
    the segment and, where there are several, of the line.
    """

    @abstractmethod
    def read(self, segment: str) -> Annotation:
        """The annotation that a segment's text holds, or a `FormError`."""

    @abstractmethod
    def row(self, hypothesis: Annotation, references: Sequence[Annotation]) -> Sequence[float]:
        """The statistics of one segment."""

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        columns = read_references(shared, self.read, key=self)
        rows = [
            self.row(hypothesis, [other for other in others if other is not None])
            for hypothesis, *others in zip(read_hypotheses(texts, self.read), *columns, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))


def read_hypotheses(texts: Texts, read: Callable[[str], Annotation]) -> list[Annotation]:
    """The annotation of every hypothesis."""
    return [
        annotation
        for annotation in read_column(texts, "hypotheses", read)
        if annotation is not None
    ]


def read_references(
    references: References, read: Callable[[str], Annotation], *, key: Hashable
) -> list[Column[Annotation]]:
    """The annotations of every reference, made once and kept; ``None`` where one is missing."""
    return references.prepared(key, partial(_read_columns, read=read))


def _read_columns(
    columns: tuple[Texts, ...], *, read: Callable[[str], Annotation]
) -> list[Column[Annotation]]:
    places = (f"reference set {number}" for number in range(1, len(columns) + 1))
    return [read_column(column, place, read) for column, place in zip(columns, places, strict=True)]


def read_column(
    texts: Texts, location: str, read: Callable[[str], Annotation]
) -> Column[Annotation]:
    """Every segment read; ``location`` names the column in an error."""
    column: Column[Annotation] = []
    for number, text in enumerate(texts.to_list(), 1):
        try:
            column.append(None if text is None else read(text))
        except FormError as error:
            raise InputError(f"{location}: segment {number}{error}") from None
    return column


_COLUMNS: Final = 10
_NOTHING: Final = "_"
_PARSE: Final = re.compile(r"#\s*parse\s*=\s*(\d+)\s*")

Sentence: TypeAlias = tuple["ParsedWord", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedWord:
    """A word line: ``head`` is the number of another word of the sentence, 0 for the root.

    An empty ``lemma`` or ``relation`` is one that the parser left out.
    """

    line: int
    form: str
    lemma: str
    head: int
    relation: str


def segment_parses(segment: str) -> list[list[Sentence]]:
    """The parses of a segment, the first one first; at least one, which may have no sentence.

    A sentence with the comment ``# parse = 2`` is another parse of the sentence before it. The
    second parse of a segment has the second parse of each sentence, or its last one.
    """
    sentences: list[list[Sentence]] = []
    for number, sentence in _numbered(segment):
        if number > 1:
            if not sentences or number != len(sentences[-1]) + 1:
                expected = len(sentences[-1]) + 1 if sentences else 1
                raise FormError(f"parse {number}", f"{expected} or 1", line=sentence[0].line)
            sentences[-1].append(sentence)
        else:
            sentences.append([sentence])
    most = max(map(len, sentences), default=1)
    return [[parses[min(rank, len(parses) - 1)] for parses in sentences] for rank in range(most)]


def parsed_sentences(segment: str) -> list[Sentence]:
    """The sentences of a segment; lines of multiword tokens and empty nodes are passed over.

    >>> rain = ["1", "It", "it", "PRON", "_", "_", "2", "nsubj", "_", "_"]
    >>> rain = [rain, ["2", "rains", "rain", "VERB", "_", "_", "0", "root", "_", "_"]]
    >>> [sentence] = parsed_sentences(chr(10).join(chr(9).join(cells) for cells in rain))
    >>> [(word.lemma, word.head, word.relation) for word in sentence]
    [('it', 2, 'nsubj'), ('rain', 0, 'root')]
    """
    return [sentence for _, sentence in _numbered(segment)]


def _numbered(segment: str) -> Iterator[tuple[int, Sentence]]:
    """Each sentence with the number of its parse."""
    lines = enumerate(segment.split("\n"), 1)
    blocks = groupby(lines, key=lambda numbered: bool(numbered[1].strip()))
    for filled, block in blocks:
        if not filled:
            continue
        rows = list(block)
        if sentence := tuple(_words(rows)):
            numbers = (int(m[1]) for _, text in rows if (m := _PARSE.fullmatch(text.rstrip())))
            yield next(numbers, 1), _checked(sentence)


def _words(lines: Iterable[tuple[int, str]]) -> Iterator[ParsedWord]:
    expected = 1
    for line, text in lines:
        if text.startswith("#"):
            continue
        cells = text.rstrip("\r").split("\t")
        if len(cells) != _COLUMNS:
            raise FormError(
                _columns(len(cells)), f"the {_COLUMNS} of CoNLL-U, separated by tabs", line=line
            )
        number, form, lemma, _, _, _, head, relation, _, _ = cells
        if is_beside(number):
            continue
        if number != str(expected):
            raise FormError(f"word number '{number}'", str(expected), line=line)
        if not (head.isascii() and head.isdigit()):
            raise FormError(f"head '{head}'", "the number of a word, or 0", line=line)
        expected += 1
        yield ParsedWord(
            line=line,
            form=form,
            lemma="" if lemma == _NOTHING != form else lemma,
            head=int(head),
            relation="" if relation == _NOTHING else relation,
        )


def _columns(count: int) -> str:
    return f"{count} column{'s' if count > 1 else ''}"


def is_beside(number: str) -> bool:
    """Whether the line is ``3-4``, a token of several words, or ``3.1``, an empty node."""
    parts = number.split("-") if "-" in number else number.split(".")
    return len(parts) == 2 and all(part.isascii() and part.isdigit() for part in parts)


def _checked(sentence: Sentence) -> Sentence:
    for number, word in enumerate(sentence, 1):
        if word.head > len(sentence) or word.head == number:
            raise FormError(
                f"head {word.head} of word {number}",
                f"another word of 1 to {len(sentence)}, or 0",
                line=word.line,
            )
    return sentence
