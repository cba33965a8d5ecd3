"""Words of structures and references as the metric sees them, as numbers for the native search."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium._native import Texts
from tertium.decode.structures.arrays import Integers
from tertium.errors import InputError
from tertium.metrics.contract.word_metric import WordMetric
from tertium.plurals import counted

UNKNOWN = -2
"""A reference word that the structure does not have; −1 is the empty word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """``numbers`` of the words of a structure; words the metric takes for equal share one."""

    numbers: Integers
    places: dict[str, int]

    @classmethod
    def of(cls, words: Sequence[str], metric: WordMetric, name: str) -> "Vocabulary":
        """The words of a structure, each of which has to be one word to the metric."""
        places: dict[str, int] = {}
        numbers = np.empty(len(words), dtype=np.int32)
        cut = metric.tokenizer.cut_all(Texts(list(words)), lowercase=metric.lowercase)
        for place, (word, parts) in enumerate(zip(words, cut, strict=True)):
            if len(parts) != 1:
                raise InputError(
                    f"{name}: found the word {word!r}, which the tokenizer "
                    f"'{metric.tokenizer}' cuts into {counted(len(parts), 'word')}, expected one "
                    f"(try {metric.name}[tokenizer=none])"
                )
            numbers[place] = places.setdefault(parts[0], len(places))
        return cls(numbers=numbers, places=places)

    def labels(self, labels: Integers) -> Integers:
        """Labels renumbered; negative ones stay as they are."""
        renumbered = labels.copy()
        words = labels >= 0
        renumbered[words] = self.numbers[labels[words]]
        return renumbered

    def reference(self, words: Sequence[str]) -> Integers:
        """The numbers of a reference's words."""
        return np.array([self.places.get(word, UNKNOWN) for word in words], dtype=np.int32)
