"""n-grams counted in the core, held against plain counters."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium._native import ReferenceGrams
from tertium.compare.grams import CutCorpus, Gram, WordCutter, expected_grams, grams_of

words = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=9)
segments = st.lists(
    st.tuples(st.lists(words, min_size=1, max_size=3), words, words), min_size=1, max_size=5
)


@given(some=segments, first=st.integers(1, 3), longer=st.integers(0, 2))
def test_right_ngrams_are_clipped_in_each_segment(
    some: list[tuple[list[list[str]], list[str], list[str]]], first: int, longer: int
) -> None:
    orders = range(first, first + longer + 1)
    corpus = CutCorpus(
        names=("one", "two"),
        cutter=WordCutter(),
        references=tuple(tuple(references) for references, _, _ in some),
        systems=(tuple(a for _, a, _ in some), tuple(b for _, _, b in some)),
    )
    numbered = corpus.numbered
    grams = numbered.reference_grams(orders)

    def gram_of(number: int) -> Gram:
        return tuple(numbered.vocabulary[word] for word in grams.words(number))

    expected = [expected_grams(references, orders) for references in corpus.references]
    totals = Counter({gram: 0 for counts in expected for gram in counts})
    for counts in expected:
        totals.update(counts)
    listed: Counter[Gram] = Counter()
    for number, count in zip(grams.entries.tolist(), grams.expected.tolist(), strict=True):
        listed[gram_of(number)] += count
    assert listed == totals
    for system, numbers in zip(corpus.systems, numbered.systems, strict=True):
        right: Counter[Gram] = Counter()
        for number, count in zip(
            grams.entries.tolist(), grams.count(*numbers).tolist(), strict=True
        ):
            right[gram_of(number)] += count
        plain: Counter[Gram] = Counter()
        for text, counts in zip(system, expected, strict=True):
            plain.update(grams_of(text, orders) & counts)
        assert +right == plain


def test_starts_that_do_not_fit_are_refused() -> None:
    tokens, ends = np.arange(3, dtype=np.int32), np.array([0, 3], dtype=np.int64)
    grams = ReferenceGrams(tokens, ends, np.array([0, 1], dtype=np.int64), 1, 2)
    with pytest.raises(ValueError, match="segments: expected rising starts"):
        grams.count(tokens, np.array([0, 4], dtype=np.int64))
    with pytest.raises(ValueError, match="segments: found 2, expected 1"):
        grams.count(tokens, np.array([0, 1, 3], dtype=np.int64))
    with pytest.raises(IndexError, match="n-gram"):
        grams.words(99)
