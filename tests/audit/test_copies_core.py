"""What the core sees of texts is what plain Python sees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium._native import Texts, gram_overlaps, known_words, set_worker_count, text_traits
from tests.oracles.audit import texts as oracle

LETTERS = "abAB01 .,!?–äéаж好的吗אב\t"
TEXT = st.text(LETTERS, max_size=40)
REPETITIVE = st.lists(st.sampled_from(["of", "the", "city", "好", "7"]), max_size=30).map(" ".join)


@given(st.lists(st.tuples(TEXT | REPETITIVE, TEXT | REPETITIVE), max_size=5))
def test_overlap(pairs: list[tuple[str, str]]) -> None:
    left, right = (Texts([pair[side] for pair in pairs]) for side in (0, 1))
    places = np.arange(len(pairs), dtype=np.int32)
    found = gram_overlaps(left, right, places, places)[:, 0]
    exact = np.array([oracle.overlap(*pair) for pair in pairs])
    # Trigrams are counted by hash: some may fall together, which adds to what is common.
    assert np.all(found >= exact - 1e-12)
    assert np.all(found <= exact + 0.06)


@given(st.lists(TEXT | REPETITIVE, max_size=6))
def test_traits(texts: list[str]) -> None:
    rows = text_traits(Texts(texts))
    prints = rows[:, 0].tolist()
    for i, text in enumerate(texts):
        assert rows[i, 1] == len(oracle.code_points(text).replace(" ", ""))
        assert rows[i, 2] == len(oracle.words(text))
        assert rows[i, 3] == oracle.looped(text)
        for j, other in enumerate(texts):
            same = oracle.code_points(text) == oracle.code_points(other)
            assert (prints[i] == prints[j]) == same


@given(st.lists(TEXT, max_size=4), st.lists(TEXT, max_size=4))
def test_known_words(texts: list[str], known: list[str]) -> None:
    vocabulary = {word for one in known for word in oracle.words(one)}
    expected = [
        [len(words), sum(word in vocabulary for word in words)]
        for words in map(oracle.words, texts)
    ]
    assert known_words(Texts(texts), [Texts(known)]).tolist() == expected


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("It ends.", True),
        ("Does it?", True),
        ("“It ends.”", True),
        ("(It ends.) ", True),
        ("结束了。", True),
        ("यह समाप्त हुआ।", True),
        ("هل انتهى؟", True),
        ("It does not", False),
        ("It does not,", False),
        ("1.5 million", False),
        ("", False),
    ],
)
def test_ends_of_sentences(text: str, ends: bool) -> None:
    assert text_traits(Texts([text]))[0, 4] == ends


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Füße", 0),
        ("λόγος", 1),
        ("жизнь", 2),
        ("שלום", 3),
        ("سلام", 4),
        ("नमस्ते", 5),
        ("สวัสดี", 6),
        ("안녕", 7),
        ("ひらカタ", 8),
        ("汉字", 9),
        ("გამარჯობა", 10),
    ],
)
def test_scripts(text: str, script: int) -> None:
    letters = text_traits(Texts([f"{text} 1,5!"]))[0, 5:]
    assert letters[script] > 0
    assert letters.sum() == letters[script]


def test_overlaps_do_not_depend_on_what_came_before() -> None:
    """A table that grew for a long text is as large as it was for the next."""
    rng = np.random.default_rng(1)
    some = ["".join(rng.choice(list("abcdefghij "), 200)) for _ in range(300)]
    texts = Texts([*some, "x" * 100_000])
    lefts = np.arange(300, dtype=np.int32)
    rights = np.roll(lefts, 1)
    alone = gram_overlaps(texts, texts, lefts, rights)
    long = np.full(1, 300, np.int32)
    try:
        set_worker_count(1)
        after = gram_overlaps(
            texts, texts, np.concatenate([long, lefts]), np.concatenate([long, rights])
        )
    finally:
        set_worker_count(0)
    assert np.array_equal(after[1:], alone)


def test_places_outside_are_refused() -> None:
    texts, one = Texts(["a"]), np.zeros(1, np.int32)
    for place in (1, -1):
        with pytest.raises(IndexError):
            gram_overlaps(texts, texts, one + place, one)
    with pytest.raises(ValueError, match="as many left as right"):
        gram_overlaps(texts, texts, one, one[:0])


def test_a_very_long_line() -> None:
    texts = Texts(["la la " * 200_000, "一" * 500_000])
    rows = text_traits(texts)
    assert rows[:, 2].tolist() == [400_000, 500_000]
    assert (rows[:, 3] > 1000).all()
