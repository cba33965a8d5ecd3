"""References with names, for the tests of NEE."""

import tertium
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.text.annotations import AnnotatedText, Entity, to_muc
from tertium.text.corpus import Corpus
from tertium.text.references import References


def marked(text: str, **names: str) -> str:
    """The text with the first occurrence of each name in mark-up, as ``PERSON="Ann"``."""
    entities = tuple(
        Entity(start=text.index(name), end=text.index(name) + len(name), label=label)
        for label, name in names.items()
    )
    return to_muc(AnnotatedText(text=text, entities=entities))


def nee(hypotheses: list[str], references: list[str], **options: object) -> float:
    """The score of some texts."""
    return tertium.score(hypotheses, references, NamedEntityEvaluator(**options)).value  # type: ignore[arg-type]


REFERENCES = [
    marked("Ann Lee flew from Gdańsk to New York.", PERSON="Ann Lee", LOCATION="Gdańsk"),
    marked("It was 3 May; Ann Lee's plane cost $1,000.", PERSON="Ann Lee", MONEY="$1,000"),
    marked("Nobody else came.", DATE="else"),
]


PLAIN = [
    "Ann Lee flew from Gdańsk to New York.",
    "It was 3 May; Ann Lee's plane cost $1,000.",
    "Nobody else came.",
]


def corpus_of(documents: tuple[str, ...] | None) -> Corpus:
    """Those references, in these documents."""
    return Corpus(references=References.of(REFERENCES), name="ref.en", documents=documents)
