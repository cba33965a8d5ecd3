"""A reference that comes back for the next segment is held by the core, and no number changes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tests.support.effort import examples

CHARACTERS = st.sampled_from("aab b.,üé猫犬ق🙂 ")
TEXTS = st.one_of(
    st.text(CHARACTERS, max_size=40),
    st.text(CHARACTERS, min_size=60, max_size=140),
    st.text(CHARACTERS, max_size=6).map(lambda text: text * 110),  # past the longest mask
)


METRICS = [
    "chrf",
    "chrf[word_order=2]",
    "chrf[whitespace=yes,lowercase=yes]",
    "chrf[character_order=1]",
    "chrf[character_order=0,word_order=1]",
    "chrf[character_order=9]",
]


@pytest.mark.parametrize("metric", METRICS)
@given(sources=st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=5)), max_size=6))
@settings(max_examples=examples(60), deadline=None)
def test_rows_are_those_of_each_pair_alone(
    metric: str, sources: list[tuple[str, list[str]]]
) -> None:
    chosen = tertium.parse_metric(metric)
    pairs = [(text, reference) for reference, texts in sources for text in texts]
    rows = chosen.statistics([one for one, _ in pairs], [other for _, other in pairs])
    for row, (text, reference) in zip(rows, pairs, strict=True):
        assert np.array_equal(row, chosen.statistics([text], [reference])[0])


def test_many_characters_and_changes_of_length() -> None:
    """More kinds of characters than are held, between references that are."""
    many = "".join(chr(0x4E00 + number) for number in range(400))
    references = ["abc" * 10, many, "abc" * 10, "ab" * 200, ""]
    texts = ["abcabd", many[:50] + "x", "", "ba" * 90, "猫"]
    pairs = [(text, reference) for reference in references for text in texts * 3]
    chosen = tertium.parse_metric("chrf")
    rows = chosen.statistics([one for one, _ in pairs], [other for _, other in pairs])
    alone = [chosen.statistics([text], [reference])[0] for text, reference in pairs]
    assert np.array_equal(rows, np.array(alone))


def test_two_references_and_missing_ones() -> None:
    chosen = tertium.parse_metric("chrf")
    texts = ["ab", "abc", "abd", "x", "ab"]
    references = [["abc", "x"], ["abc"], ["abc"], ["abc"], ["abc", "y"]]
    rows = chosen.statistics(texts, references)
    for row, text, own in zip(rows, texts, references, strict=True):
        assert np.array_equal(row, chosen.statistics([text], [own])[0])
