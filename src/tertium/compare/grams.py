"""Words and n-grams of a corpus, and which of them a hypothesis shares with its references.

Text becomes words once (`CutCorpus`), and words become numbers once (`NumberedCorpus`). n-grams of
whole outputs are counted in the core, by the numbers of their words (`ReferenceGrams`); those of
single segments that are shown are counted here, by their words.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count, islice, zip_longest
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import ReferenceGrams, Texts
from tertium.build_cache import BuildCache
from tertium.metrics.contract.base import Metric
from tertium.scored.scored import Scored
from tertium.text.corpus import Corpus, System
from tertium.text.tokenizers import THIRTEEN_A, Lowercase, Tokenizer

Gram: TypeAlias = tuple[str, ...]
Words: TypeAlias = list[str]

_AT_ONCE = 1 << 15
NO_REFERENCE: Final = (1 << 31) - 1
"""More words than any reference has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCutter:
    """How text becomes words: case folded or not, then a tokenizer."""

    tokenizer: Tokenizer = THIRTEEN_A
    lowercase: Lowercase = False

    @classmethod
    def like(cls, metrics: Iterable[Metric]) -> "WordCutter":
        """The cutter of the first metric that has one, so that words are those it scores."""
        for metric in metrics:
            tokenizer = getattr(metric, "tokenizer", None)
            if isinstance(tokenizer, Tokenizer):
                return cls(tokenizer=tokenizer, lowercase=getattr(metric, "lowercase", False))
        return cls()

    def with_tokenizer(self, tokenizer: Tokenizer | str | None) -> "WordCutter":
        """The same, with another tokenizer if one is given."""
        if tokenizer is None:
            return self
        parsed = Tokenizer.parse(tokenizer) if isinstance(tokenizer, str) else tokenizer
        return replace(self, tokenizer=parsed)

    def cut(self, texts: Texts) -> list[Words]:
        """The words of every segment; a missing segment has none."""
        return self.tokenizer.cut_all(texts, lowercase=self.lowercase)

    def frequencies(self, texts: Iterable[str]) -> Counter[str]:
        """How often every word occurs in a text that may be too large for the memory."""
        counts: Counter[str] = Counter()
        stream = iter(texts)
        while some := list(islice(stream, _AT_ONCE)):
            for words in self.cut(Texts(some)):
                counts.update(words)
        return counts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutCorpus:
    """A corpus and its systems as words.

    ``references`` are [segment][reference], ``systems`` are [system][segment].
    """

    names: tuple[str, ...]
    cutter: WordCutter
    references: tuple[tuple[Words, ...], ...] = field(repr=False)
    systems: tuple[tuple[Words, ...], ...] = field(repr=False)
    _cache: BuildCache = field(default_factory=BuildCache, init=False, repr=False)

    @property
    def numbered(self) -> "NumberedCorpus":
        """The same with a number for each word."""
        return self._cache("numbers", lambda: _numbered(self))

    def of_systems(self, places: Sequence[int]) -> "CutCorpus":
        """The same for some of the systems."""
        return replace(
            self,
            names=tuple(self.names[index] for index in places),
            systems=tuple(self.systems[index] for index in places),
        )

    @property
    def reference_lengths(self) -> NDArray[np.float64]:
        """Words in the references of each segment, the mean where there are several."""
        return np.array([sum(map(len, some)) / len(some) for some in self.references])

    @property
    def reference_length_table(self) -> NDArray[np.int64]:
        """Words in each reference, (most references of a segment, segments).

        Where a segment has fewer references there is ``NO_REFERENCE``.
        """
        return self._cache("reference lengths", lambda: _length_table(self.references))


WordNumbers: TypeAlias = NDArray[np.int32]
Starts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberedCorpus:
    """The words of a corpus and its systems as numbers, which are places in the ``vocabulary``.

    ``references`` are all words of all references, ``reference_starts`` where each of these starts,
    ``segment_starts`` where those of each segment start among them; ``systems`` are all words of
    each, and where each segment starts. All starts close with the end.
    """

    vocabulary: list[str] = field(repr=False)
    references: WordNumbers = field(repr=False)
    reference_starts: Starts = field(repr=False)
    segment_starts: Starts = field(repr=False)
    systems: tuple[tuple[WordNumbers, Starts], ...] = field(repr=False)

    def reference_grams(self, orders: range) -> ReferenceGrams:
        """What references expect in each segment, n-grams of these orders."""
        return ReferenceGrams(
            self.references,
            self.reference_starts,
            self.segment_starts,
            orders.start,
            orders.stop - 1,
        )


def _numbered(cut: CutCorpus) -> NumberedCorpus:
    numbers: defaultdict[str, int] = defaultdict(count().__next__)

    def flat(texts: Sequence[Words]) -> tuple[WordNumbers, Starts]:
        starts = _starts(texts)
        words = map(numbers.__getitem__, chain.from_iterable(texts))
        return np.fromiter(words, dtype=np.int32, count=int(starts[-1])), starts

    references, reference_starts = flat(list(chain.from_iterable(cut.references)))
    systems = tuple(flat(system) for system in cut.systems)
    return NumberedCorpus(
        vocabulary=list(numbers),
        references=references,
        reference_starts=reference_starts,
        segment_starts=_starts(cut.references),
        systems=systems,
    )


def _length_table(references: Sequence[Sequence[Words]]) -> NDArray[np.int64]:
    lengths = ([len(words) for words in some] for some in references)
    return np.array(list(zip_longest(*lengths, fillvalue=NO_REFERENCE)), dtype=np.int64)


def _starts(groups: Sequence[Sequence[object]]) -> Starts:
    """Where each group starts if all lie one after the other, and their end."""
    starts = np.zeros(len(groups) + 1, dtype=np.int64)
    np.cumsum([len(group) for group in groups], out=starts[1:])
    return starts


def cut_corpus(corpus: Corpus, systems: Sequence[System], cutter: WordCutter) -> CutCorpus:
    """Cut everything once; references that a segment does not have are left out."""
    columns = [
        zip(column.to_list(), cutter.cut(column), strict=True)
        for column in corpus.references.columns
    ]
    references = tuple(
        tuple(words for text, words in row if text is not None)
        for row in zip(*columns, strict=True)
    )
    return CutCorpus(
        names=tuple(system.name for system in systems),
        cutter=cutter,
        references=references,
        systems=tuple(tuple(cutter.cut(system.hypotheses)) for system in systems),
    )


def scored_words(scored: Scored, cutter: WordCutter) -> CutCorpus:
    """What is scored, cut once for all who ask."""
    cut = lambda: cut_corpus(scored.corpus, scored.systems, cutter)  # noqa: E731
    return scored.kept(("words", cutter), cut)


def grams_of(words: Sequence[str], orders: range) -> Counter[Gram]:
    """All n-grams of these orders.

    >>> sorted(grams_of(["a", "b", "a"], range(1, 3)).items())
    [(('a',), 2), (('a', 'b'), 1), (('b',), 1), (('b', 'a'), 1)]
    """
    return Counter(_each_gram(words, orders))


def expected_grams(references: Sequence[Words], orders: range) -> Counter[Gram]:
    """What one segment may have right: an n-gram counts as in the reference that has most of it."""
    expected: Counter[Gram] = Counter()
    for words in references:
        grams = grams_of(words, orders)
        expected = expected | grams if expected else grams
    return expected


def _each_gram(words: Sequence[str], orders: range) -> Iterator[Gram]:
    shifted = ((words[start:] for start in range(order)) for order in orders)
    # The shifted copies differ in length, and the shortest ends the last n-gram.
    return chain.from_iterable(zip(*copies, strict=False) for copies in shifted)
