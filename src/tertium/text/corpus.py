"""A corpus (references, sources, labels) and the systems that translated it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias

from tertium._native import Texts
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.references import (
    AnyReferences,
    Hypotheses,
    References,
    column_of,
    named_columns,
)


@dataclass(frozen=True, slots=True, init=False)
class Corpus:
    """What systems are scored against; ``name`` is its place in an error.

    References are one string per segment, or a list of strings where a segment has several.
    ``notes`` say what must be known beside every result, such as segments that were left out.

    >>> corpus = Corpus(references=["one", ["two", "zwei"]], genres=["news", "web"])
    >>> len(corpus), corpus.genres
    (2, ('news', 'web'))
    """

    references: References
    name: str
    sources: Texts | None
    documents: tuple[str, ...] | None
    genres: tuple[str, ...] | None
    paragraphs: tuple[str, ...] | None
    ids: tuple[str, ...] | None
    notes: tuple[str, ...]

    def __init__(
        self,
        *,
        references: AnyReferences,
        name: str = "references",
        sources: Hypotheses | None = None,
        documents: Sequence[str] | None = None,
        genres: Sequence[str] | None = None,
        paragraphs: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        set_field = partial(object.__setattr__, self)
        set_field("references", References.of(references))
        set_field("name", name)
        set_field("notes", tuple(notes))
        set_field("sources", None if sources is None else column_of(sources, "sources"))
        given = {"documents": documents, "genres": genres, "paragraphs": paragraphs, "ids": ids}
        for kind, labels in given.items():
            set_field(kind, None if labels is None else _labels(labels, kind))
        for kind in ("sources", *given):
            column: Texts | tuple[str, ...] | None = getattr(self, kind)
            if column is not None and len(column) != len(self):
                raise InputError(
                    f"{self.name}: {len(column)} {kind}, expected {len(self)} (references)"
                )

    def __len__(self) -> int:
        return len(self.references)

    def taken(self, segments: Sequence[int]) -> "Corpus":
        """Some segments with all that is known of them, in that order, be it several times.

        >>> Corpus(references=["one", "two"], genres=["news", "web"]).taken([1, 1]).genres
        ('web', 'web')
        """

        def texts(column: Texts) -> Texts:
            return Texts([column[i] for i in segments])

        def labels(given: tuple[str, ...] | None) -> list[str] | None:
            return None if given is None else [given[i] for i in segments]

        return Corpus(
            references=References(map(texts, self.references.columns)),
            name=self.name,
            sources=None if self.sources is None else texts(self.sources),
            documents=labels(self.documents),
            genres=labels(self.genres),
            paragraphs=labels(self.paragraphs),
            ids=labels(self.ids),
            notes=self.notes,
        )

    def labels(self, by: Literal["genre", "document"]) -> tuple[str, ...]:
        """The genre or document of every segment, or an error that says how to give them."""
        labels = self.genres if by == "genre" else self.documents
        if labels is None:
            raise InputError(
                f"{self.name}: no {by} labels, expected a file of documents (--documents FILE), "
                f"a table with a column '{by}', or SGML/XML that names them"
            )
        return labels


def _labels(labels: Sequence[str], kind: str) -> tuple[str, ...]:
    if isinstance(labels, str):
        raise InputError(f"{kind}: found one string, expected one entry per segment")
    return tuple(labels)


@dataclass(frozen=True, slots=True, init=False)
class System:
    """The named hypotheses of one system, one for every segment of a corpus.

    >>> len(System(name="mine", hypotheses=["first segment", "second segment"]))
    2
    """

    name: str
    hypotheses: Texts

    def __init__(self, *, name: str, hypotheses: Hypotheses) -> None:
        column = column_of(hypotheses, name)
        if column.any_missing:
            raise InputError(f"{name}: found None, expected a string for every segment")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "hypotheses", column)

    def __len__(self) -> int:
        return len(self.hypotheses)


AnySystems: TypeAlias = Sequence[System] | Mapping[str, Hypotheses]
"""Systems, or their segments by name; a data frame or an Arrow table will do, too."""
AnyTexts: TypeAlias = Corpus | AnyReferences | AnySystems
"""One of the two sides of a comparison: what was translated, or the systems that did it."""


def corpus_and_systems(
    texts: AnyTexts, others: AnyTexts | None
) -> tuple[Corpus, tuple[System, ...]]:
    """Which of two is the corpus and which the systems, from all forms that they can have.

    References and systems both can be tables; the systems come first then, as hypotheses do in
    `tertium.score`.

    >>> corpus, systems = corpus_and_systems({"A": ["a cat"], "B": ["the cat"]}, ["a cat sat"])
    >>> len(corpus), [system.name for system in systems]
    (1, ['A', 'B'])
    >>> corpus_and_systems(corpus, systems) == (corpus, systems)
    True
    """
    systems_first = not isinstance(texts, Corpus) and (
        isinstance(others, Corpus)
        or _are_systems(texts)
        or (named_columns(texts) is not None and not _are_systems(others))
    )
    corpus, systems = (others, texts) if systems_first else (texts, others)
    if corpus is None:
        raise InputError("references: found none, expected them beside the systems")
    return _as_corpus(corpus), _as_systems(systems)


def _are_systems(texts: object) -> bool:
    return isinstance(texts, list | tuple) and bool(texts) and isinstance(texts[0], System)


def _as_corpus(texts: Any) -> Corpus:
    return texts if isinstance(texts, Corpus) else Corpus(references=texts)


def _as_systems(texts: Any) -> tuple[System, ...]:
    columns = named_columns(texts)
    if columns is not None:
        return tuple(System(name=name, hypotheses=column) for name, column in columns.items())
    systems = () if texts is None else texts
    for system in systems:
        if not isinstance(system, System):
            raise InputError(
                f"systems: found {type(system).__name__}, expected names and segments, such as "
                '{"A": ["first segment", …]}'
            )
    return tuple(systems)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Neighbouring segments of a corpus with the hypotheses of every system."""

    corpus: Corpus
    systems: tuple[System, ...]

    def __post_init__(self) -> None:
        check_lengths(self.corpus, self.systems)

    def __len__(self) -> int:
        return len(self.corpus)


def check_lengths(corpus: Corpus, systems: Iterable[System]) -> None:
    """Refuse systems that have another number of segments than the corpus."""
    for system in systems:
        if len(system) != len(corpus):
            raise InputError(
                f"{system.name}: {counted(len(system), 'segment')}, "
                f"expected {len(corpus)} (reference {corpus.name})"
            )
