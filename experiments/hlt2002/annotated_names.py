"""Names that people annotated, looked up in other texts."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from experiments.data import Data
from tertium.text.annotations import AnnotatedText, Entity, read_annotations

_WORD: Final = re.compile(r"\w+(?:[.&'’-]\w+)*")
FILES: Final = ("ner/uner-en-pud/en_pud-ud-test.iob2", "ner/europarl/en-europarl.test.conll02")
"""English of Universal NER's parallel treebank, and of Europarl."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Names as rows of lower-cased words, the longest of which has ``longest`` words."""

    names: frozenset[tuple[str, ...]]
    longest: int

    @classmethod
    def of(cls, surfaces: Iterable[str]) -> "Lexicon":
        """Names as they stand in annotated texts.

        >>> known = Lexicon.of(["New York", "York", "Ann"])
        >>> text = known.annotated("ann of new york saw York")
        >>> [text.surface(one) for one in text.entities]
        ['ann', 'new york', 'York']
        """
        names = frozenset(filter(None, (_words(one) for one in surfaces)))
        return cls(names=names, longest=max(map(len, names), default=0))

    def annotated(self, text: str) -> AnnotatedText:
        """A text with the longest known names in it, from the left."""
        return AnnotatedText(text=text, entities=tuple(self._entities(text)))

    def _entities(self, text: str) -> Iterator[Entity]:
        words = list(_WORD.finditer(text))
        place = 0
        while place < len(words):
            for length in range(min(self.longest, len(words) - place), 0, -1):
                run = words[place : place + length]
                if tuple(word.group().lower() for word in run) in self.names:
                    yield Entity(start=run[0].start(), end=run[-1].end(), label="NAME")
                    place += length - 1
                    break
            place += 1


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.group().lower() for word in _WORD.finditer(text))


def annotated_texts(data: Data, file: str) -> tuple[AnnotatedText, ...]:
    """One of `FILES`."""
    return data.kept(("annotated", file), lambda: read_annotations(data.folder / file))


def annotated_lexicon(data: Data) -> Lexicon:
    """All names that people annotated in English."""
    texts = [text for file in FILES for text in annotated_texts(data, file)]
    return data.kept(
        "lexicon",
        lambda: Lexicon.of(text.surface(one) for text in texts for one in text.entities),
    )
