"""Corpora and systems of a few lines, written where a test needs them."""

from collections.abc import Sequence

from tertium._native import Texts
from tertium.text.corpus import Corpus, System
from tertium.text.references import AnyReferences, References


def corpus_of(
    references: AnyReferences,
    *,
    genres: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
) -> Corpus:
    """A corpus that errors call 'ref'."""
    return Corpus(
        references=References.of(references),
        name="ref",
        genres=None if genres is None else tuple(genres),
        documents=None if documents is None else tuple(documents),
        sources=None if sources is None else Texts(sources),
    )


def systems_of(*hypotheses: Sequence[str]) -> list[System]:
    """A baseline, and those that are compared with it."""
    names = ("base", "new", "third", "fourth")
    return [
        System(name=name, hypotheses=Texts(texts))
        for name, texts in zip(names, hypotheses, strict=False)
    ]


def named_systems(**texts: Sequence[str]) -> list[System]:
    """Systems by their names."""
    return [System(name=name, hypotheses=Texts(one)) for name, one in texts.items()]
