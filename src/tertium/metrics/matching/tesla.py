"""TESLA-M (Liu, Dahlmeier & Ng 2010): weighted bags of n-grams, matched by a transport problem."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from tertium._native import transport_value
from tertium.errors import OptionError
from tertium.metrics.contract.base import option
from tertium.metrics.matching.maxsim import TAGGER, MaxSim, Words
from tertium.metrics.matching.similarity import Gram, check_size, grams, word_weights
from tertium.metrics.resources.synonyms import SynonymFunction, wordnet_missing

_SCALE: Final = 1 << 40
"""Weights are counted in so small units, as whole numbers: sums are exact, and equal sides give
exactly 1."""

_CONTENT_C5: Final = r"AJ|AV|NN|NP|VV|CRD|ORD|ITJ|ZZ|UNC"
"""Tags of CLAWS 5, which HanTa has for English; VB, VD, VH and VM are be, do, have and modals."""
_CONTENT: Final = (
    r"NN|NE$|NP|JJ|RB|VB|VV|CD|FW|SYM|UH"  # Penn Treebank and STTS
    r"|ADJ|ADV|NOUN|PROPN|VERB|NUM|INTJ|X$|CARD|FM|ITJ|TRUNC|XY"  # Universal Dependencies, STTS
    r"|N\(|WW|BW|TW|SPEC"  # Dutch of HanTa
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeslaM(MaxSim):
    """Mean over segments, references and n = 1 … 3 of F = PR / (αP + (1 − α)R), α = 0.8.

    An n-gram weighs 1, times 0.1 for each function word in it. Weight is moved from the n-grams of
    one side to those of the other, as much as each has, so that Σ moved · similarity is as large
    as possible; precision and recall are that sum over the weights of either side. Words have a
    similarity of 1 if their lemmas are equal, else half for equal tags and half for synonyms;
    n-grams that of the mean of their words, or 0 if a word has 0.
    """

    name: ClassVar[str] = "tesla-m"
    title: ClassVar[str] = "TESLA-M"
    summary: ClassVar[str] = "weighted n-grams moved onto each other; function words count little"
    citation: ClassVar[str] = "Liu, Dahlmeier & Ng 2010"

    function_weight: float = option(0.1, "factor for each function word in an n-gram")
    content: str = option("", "regular expression of tags that are no function words'")

    def __post_init__(self) -> None:
        MaxSim.__post_init__(self)
        if not 0 < self.function_weight <= 1:
            raise OptionError(
                f"tesla-m: found function_weight={self.function_weight}, "
                "expected a number above 0, at most 1"
            )
        try:
            re.compile(self.content)
        except re.error as error:
            raise OptionError(
                f"tesla-m: found content={self.content} ({error}), expected a regular expression"
            ) from None

    @classmethod
    def missing(cls) -> str | None:
        return TAGGER.missing or wordnet_missing()

    def _f_score(
        self, hypothesis: Words, reference: Words, n: int, synonyms: SynonymFunction
    ) -> float:
        ours, theirs = self.bag(hypothesis, n), self.bag(reference, n)
        if not ours or not theirs:
            return float(not ours and not theirs)
        check_size(self.name, ours, theirs)
        supplies, demands = (
            np.fromiter((round(_SCALE * weight) for weight in bag.values()), dtype=np.int64)
            for bag in (ours, theirs)
        )
        gained = transport_value(supplies, demands, _gains(list(ours), list(theirs), synonyms))
        produced, expected = int(supplies.sum()), int(demands.sum())
        # As in MaxSim: with P = m/h and R = m/r the fraction is m / (α r + (1 − α) h).
        whole = produced + self.alpha * (expected - produced)
        # Weights that are rounded to nothing count as n-grams that are not there.
        return gained / (2 * n) / whole if whole else float(produced == expected)

    def bag(self, words: Words, n: int) -> dict[Gram, float]:
        """The distinct n-grams of lemmas and tags, each with the weight of all its occurrences."""
        counts = Counter(tuple(word._replace(text="") for word in gram) for gram in grams(words, n))
        return {gram: count * self.weight(gram) for gram, count in counts.items()}

    def weight(self, gram: Gram) -> float:
        """1, times ``function_weight`` for each function word."""
        content = self.content or (
            _CONTENT_C5 if str(self.pipeline).startswith("hanta:en") else _CONTENT
        )
        weight = 1.0
        for word in gram:
            if not _is_content(content, word.tag):
                weight *= self.function_weight
        return weight


@cache
def _is_content(pattern: str, tag: str) -> bool:
    return re.match(pattern, tag) is not None


def _gains(
    ours: Sequence[Gram], theirs: Sequence[Gram], synonyms: SynonymFunction
) -> NDArray[np.int32]:
    """2n times the similarity of every pair of n-grams."""
    total = np.zeros((len(ours), len(theirs)), dtype=np.int32)
    possible = np.ones(total.shape, dtype=bool)
    for our_words, their_words in zip(
        zip(*ours, strict=True), zip(*theirs, strict=True), strict=True
    ):
        numbers: dict[str, int] = {}
        our_lemmas, their_lemmas = (
            np.array([numbers.setdefault(word.lemma, len(numbers)) for word in words])
            for words in (our_words, their_words)
        )
        equal = our_lemmas[:, None] == their_lemmas[None, :]
        halves = (2 * word_weights(our_words, their_words, synonyms)).astype(np.int32)
        here = np.where(equal, 2, halves)
        total += here
        possible &= here > 0
    return np.ascontiguousarray(np.where(possible, total, 0), dtype=np.int32)
