"""Names found by a rule, where no one has annotated any: words that English capitalises.

A word counts as part of a name if it has a capital letter in most of its occurrences inside
sentences, in all cased text at hand; runs of such words are names, in lower-cased text too.
Numbers are names as well, as in the annotation of MUC.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from experiments.data import WMT12, WMT23, Data
from tertium.text.annotations import AnnotatedText, Entity

_WORD: Final = re.compile(r"\d+(?:[.,]\d+)*(?!\w)|\w+(?:[.&-]\w+)*")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_INSIDE: Final = re.compile(r"[\w,] $")
"""What stands before a word that does not start a sentence, a quotation or a title."""
_LEAST: Final = 3
"""Occurrences from which a word's spelling can be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The words, in lower case, of which names are made."""

    words: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Names":
        """Learnt from cased text.

        >>> known = Names.of(["so Ann met Bo and Ann met Bo."] * 2)
        >>> text = known.annotated("yesterday bo met ann 1,000 times")
        >>> [text.surface(one) for one in text.entities]
        ['bo', 'ann', '1,000']
        """
        capital: Counter[str] = Counter()
        every: Counter[str] = Counter()
        for text in texts:
            for found in _WORD.finditer(text):
                if _INSIDE.search(text[max(0, found.start() - 2) : found.start()]):
                    word = found.group()
                    every[word.lower()] += 1
                    capital[word.lower()] += word[0].isupper()
        return cls(
            words=frozenset(
                word
                for word, count in every.items()
                if count >= _LEAST and 2 * capital[word] > count and len(word) > 1
            )
        )

    def annotated(self, text: str) -> AnnotatedText:
        """A text with its names."""
        return AnnotatedText(text=text, entities=tuple(self._entities(text)))

    def _entities(self, text: str) -> Iterator[Entity]:
        start = end = -1
        for found in _WORD.finditer(text):
            known = found.group().lower() in self.words
            if end >= 0 and not (known and text[end : found.start()] == " "):
                yield Entity(start=start, end=end, label="NAME")
                end = -1
            if known:
                start, end = (start if end >= 0 else found.start()), found.end()
            elif _NUMBER.fullmatch(found.group()):
                yield Entity(start=found.start(), end=found.end(), label="NUMBER")
        if end >= 0:
            yield Entity(start=start, end=end, label="NAME")


def known_names(data: Data) -> Names:
    """From the references and outputs of WMT12 and WMT23, which are cased."""
    return data.kept("names", lambda: Names.of(_cased(data)))


def _cased(data: Data) -> Iterator[str]:
    for name in (*WMT12, *WMT23):
        loaded = data.test_set(name)
        columns = [*loaded.corpus.references.columns, *(one.hypotheses for one in loaded.systems)]
        for column in columns:
            yield from (text or "" for text in column.to_list())
