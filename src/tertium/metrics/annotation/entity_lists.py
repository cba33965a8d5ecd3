"""Lists of the names that a unit of text must have, and their search in a translation."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tertium._native import Texts
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.annotations import AnnotatedText, Entity, annotate, parse_muc, read_annotations
from tertium.text.annotations.annotated_text import at
from tertium.text.corpus import Corpus

Column: TypeAlias = Sequence[AnnotatedText | None]
"""One annotated reference; ``None`` where a segment has none."""
Tokens: TypeAlias = tuple[str, ...]
Tokenize: TypeAlias = Callable[[str], Tokens]

# White space by Unicode, so no token holds one.
_BETWEEN: Final = "\x1f"
_BREAK: Final = "\x1e"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitName:
    """A name that occurs in a unit: its tokens, and where and as what it was annotated.

    ``text`` is its first spelling, ``segments`` count from 0; ``others`` are the tokens of
    further forms that the annotation accepts.
    """

    tokens: Tokens
    text: str
    labels: tuple[str, ...]
    segments: tuple[int, ...]
    others: tuple[Tokens, ...] = ()

    @property
    def forms(self) -> tuple[Tokens, ...]:
        """All that counts as this name."""
        return (self.tokens, *self.others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Segments whose names are looked for together, and a list for each annotated reference."""

    segments: tuple[int, ...]
    lists: tuple[tuple[UnitName, ...], ...]


def list_units(
    columns: Sequence[Column],
    members: Iterable[Sequence[int]],
    tokenize: Tokenize,
    wanted: frozenset[str],
) -> tuple[Unit, ...]:
    """The unique names of every unit; with ``wanted`` labels, only names of those types."""
    units = []
    for segments in members:
        lists = (_listed(column, segments, tokenize, wanted) for column in columns)
        units.append(Unit(segments=tuple(segments), lists=tuple(filter(None, lists))))
    return tuple(units)


def _listed(
    column: Column, segments: Sequence[int], tokenize: Tokenize, wanted: frozenset[str]
) -> tuple[UnitName, ...]:
    seen: dict[Tokens, list[tuple[str, Entity, int]]] = {}
    for segment in segments:
        annotated = column[segment]
        for entity in annotated.entities if annotated else ():
            text = annotated.surface(entity) if annotated else ""
            tokens = tokenize(text)
            if tokens and (not wanted or entity.label in wanted):
                seen.setdefault(tokens, []).append((text, entity, segment))
    return tuple(
        UnitName(
            tokens=tokens,
            text=places[0][0],
            labels=tuple(dict.fromkeys(entity.label for _, entity, _ in places)),
            segments=tuple(dict.fromkeys(segment for _, _, segment in places)),
            others=tuple(
                dict.fromkeys(
                    form
                    for _, entity, _ in places
                    for form in map(tokenize, entity.aliases)
                    if form and form != tokens
                )
            ),
        )
        for tokens, places in seen.items()
    )


class Haystack:
    """The tokens of a unit's hypotheses, in which names are searched; none spans two segments."""

    __slots__ = ("_text",)

    def __init__(self, hypotheses: Iterable[Tokens]) -> None:
        self._text = _BREAK.join(_BETWEEN.join(("", *tokens, "")) for tokens in hypotheses)

    def has(self, tokens: Tokens) -> bool:
        """Whether the tokens occur one after the other."""
        return _BETWEEN.join(("", *tokens, "")) in self._text

    def longest_part(self, tokens: Tokens) -> Tokens:
        """The longest run of the tokens that occurs; of equally long ones the first.

        >>> Haystack([("the", "bank", "of", "spain")]).longest_part(("bank", "of", "england"))
        ('bank', 'of')
        """
        for size in range(len(tokens), 0, -1):
            for start in range(len(tokens) - size + 1):
                if self.has(tokens[start : start + size]):
                    return tokens[start : start + size]
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What became of a unit's lists in a translation: from 0 to 1 for every name."""

    unit: Unit
    haystack: Haystack
    earned: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, unit: Unit, haystack: Haystack, *, partial: bool) -> "Search":
        """Look for every name; ``partial`` credits the share of its longest part."""
        earned = (
            tuple(_credit(name, haystack, partial=partial) for name in names)
            for names in unit.lists
        )
        return cls(unit=unit, haystack=haystack, earned=tuple(earned))

    def count(self, label: str | None = None) -> tuple[float, float]:
        """Found and listed names, of one type or of all.

        Of several lists the one with the best share counts, weighed by the mean length of the
        lists: the weight must not depend on the system.
        """
        lists = [earned for earned in self._of_type(label) if earned]
        if not lists:
            return 0.0, 0.0
        best = max(lists, key=mean)
        listed = mean(map(len, lists))
        return sum(best) * (listed / len(best)), listed

    def _of_type(self, label: str | None) -> Iterator[list[float]]:
        for names, earned in zip(self.unit.lists, self.earned, strict=True):
            pairs = zip(names, earned, strict=True)
            yield [credit for name, credit in pairs if label is None or label in name.labels]

    def missed(self) -> Iterator[UnitName]:
        """The names that were not wholly found, of the list that counts."""
        pairs = list(zip(self.unit.lists, self.earned, strict=True))
        names, earned = max(pairs, key=lambda pair: mean(pair[1]), default=((), ()))
        yield from (name for name, credit in zip(names, earned, strict=True) if credit < 1)


def mean(values: Iterable[float]) -> float:
    """Of at least one number; one number stays exactly itself."""
    numbers = list(values)
    return sum(numbers) / len(numbers)


def _credit(name: UnitName, haystack: Haystack, *, partial: bool) -> float:
    if any(map(haystack.has, name.forms)):
        return 1.0
    if not partial:
        return 0.0
    return max(len(haystack.longest_part(form)) / len(form) for form in name.forms)


# Where the names of references come from, and which segments belong together.

INLINE: Final = "inline"
UnitKind: TypeAlias = Literal["auto", "document", "paragraph", "segment"]


def annotated_columns(
    columns: tuple[Texts, ...], *, annotations: str, ner: str | None, location: str
) -> tuple[Column, ...]:
    """The reference sets with their names; ``location`` names the references in an error.

    A file of annotations belongs to the first set; further sets are then text without names,
    which is enough to be scored as another human's translation.
    """
    texts = [column.to_list() for column in columns]
    if ner is not None:
        return tuple(_recognised(column, ner) for column in texts)
    if annotations == INLINE:
        return tuple(
            [
                None if text is None else parse_muc(text, f"{location}{_of(number)}: segment {k}")
                for k, text in enumerate(column, 1)
            ]
            for number, column in enumerate(texts)
        )
    first, *others = texts
    return (_from_file(first, annotations), *(_plain(column) for column in others))


def _of(number: int) -> str:
    return f": reference set {number + 1}" if number else ""


def _recognised(column: Sequence[str | None], ner: str) -> Column:
    annotated = iter(annotate([text for text in column if text is not None], ner))
    return [None if text is None else next(annotated) for text in column]


def _from_file(column: Sequence[str | None], path: str) -> Column:
    read = read_annotations(path)
    if len(read) != len(column):
        raise InputError(
            f"{path}: {counted(len(read), 'segment')}, expected {len(column)} (references)"
        )
    moved: list[AnnotatedText | None] = []
    for number, (annotated, text) in enumerate(zip(read, column, strict=True), 1):
        with at(f"{path}: segment {number}"):
            moved.append(None if text is None else annotated.moved_to(text))
    return moved


def _plain(column: Sequence[str | None]) -> Column:
    return [None if text is None else AnnotatedText(text=text) for text in column]


def document_labels(columns: Sequence[Column], corpus: Corpus | None) -> Sequence[str] | None:
    """The document of every segment: the corpus's, else those that the annotations name."""
    if corpus is not None and corpus.documents is not None:
        return corpus.documents
    labels = [text.document for text in columns[0] if text and text.document is not None]
    return labels if len(labels) == len(columns[0]) else None


def paragraph_labels(columns: Sequence[Column], corpus: Corpus | None) -> Sequence[str] | None:
    """The paragraph of every segment, with its document where that is known: "news-1 2"."""
    labels: Sequence[str] | None = None if corpus is None else corpus.paragraphs
    if labels is None:
        labels = [text.paragraph for text in columns[0] if text and text.paragraph is not None]
    if len(labels) != len(columns[0]):
        return None
    documents = document_labels(columns, corpus)
    if documents is None:
        return labels
    return [f"{document} {other}" for document, other in zip(documents, labels, strict=True)]


def unit_labels(
    unit: UnitKind, columns: Sequence[Column], corpus: Corpus | None, location: str
) -> tuple[UnitKind, Sequence[object]]:
    """What decides, and a label for every segment; segments of one label belong together."""
    segments = range(len(columns[0]))
    if unit == "segment":
        return unit, segments
    if unit == "paragraph":
        paragraphs = paragraph_labels(columns, corpus)
        if paragraphs is None:
            raise InputError(
                f"{location}: no paragraph labels, expected a file of documents (--documents "
                "FILE) or "
                "a table with a column 'paragraph', or articles or annotations that name them"
            )
        return unit, paragraphs
    documents = document_labels(columns, corpus)
    if documents is not None:
        return "document", documents
    if unit == "auto":
        return "segment", segments
    raise InputError(
        f"{location}: no document labels, expected a file of documents, a table with a column "
        "'document', SGML/XML or annotations that name them, or unit=segment"
    )
