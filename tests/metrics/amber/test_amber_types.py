"""AMBER's text types, and the affix list behind type 6."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import _native
from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.amber.matches import (
    TEXT_TYPES,
    Affixes,
    normalised_texts,
    shipped_affixes,
    typed_texts,
)
from tertium.text.tokenizers import THIRTEEN_A, WHITESPACE, Tokenizer
from tests.oracles import amber as oracle

AFFIXES = shipped_affixes()


def typed(text: str, number: int, tokenizer: Tokenizer = THIRTEEN_A, short_word: int = 4) -> str:
    texts = Texts([text])
    words = normalised_texts(texts, tokenizer)
    (column,) = typed_texts(texts, words, [number], short_word=short_word)
    return column[0] or ""


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("The Gangs, again!", 0, "The Gangs, again!"),
        ("The Gangs, again!", 1, "the gangs , again !"),
        ("The Gangs, again!", 2, "the gang , agai !"),
        ("The Gangs, again!", 3, "the angs , gain !"),
        # The paper's example: of 5 letters the 4th appears twice.
        ("gangs", 4, "gang gs"),
        ("gang", 4, "gang"),
        ("gangst", 4, "gang st"),
        ("internationally", 4, "inte ly"),
        ("internationally", 5, "inte rnat iona lly"),
        ("gang", 5, "gang"),
        ("The Gangs, again!", 7, "gangs again"),
        ("of the", 7, ""),
        # Letters are code points.
        ("Übergänge", 2, "über"),
        ("Übergänge", 3, "änge"),
        ("Übergänge", 4, "über ge"),
        ("Übergänge", 5, "über gäng e"),
        ("čtk", 7, ""),
        # 𝄞 takes four bytes.
        ("𝄞𝄞𝄞𝄞𝄞", 4, "𝄞𝄞𝄞𝄞 𝄞𝄞"),
        ("", 4, ""),
    ],
)
def test_text_of_a_type(text: str, number: int, expected: str) -> None:
    assert typed(text, number) == expected


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("information", "in form ation"),
        ("president", "pre sid ent"),
        ("infrastructure", "infra struct ure"),
        ("important", "im port ant"),
        ("reading", "read ing"),
        ("gangs", "gang s"),
        ("understand", "under stand"),
        # A known root is not cut further, an unknown one keeps 4 letters.
        ("public", "public"),
        ("uncle", "uncle"),
        ("the", "the"),
        ("internacional", "inter nacion al"),
        ("naïvely", "naïve ly"),
        ("1990s", "1990 s"),
    ],
)
def test_prefix_root_and_suffix(word: str, parts: str) -> None:
    assert typed(word, 6) == parts


def test_the_limit_of_short_words_is_an_option() -> None:
    assert typed("a bb ccc dddd", 7, short_word=3) == "ccc dddd"


def test_missing_segments_stay_missing() -> None:
    texts = Texts(["a", None])
    columns = typed_texts(texts, normalised_texts(texts, WHITESPACE), [0, 4, 7], short_word=4)
    assert [column.to_list() for column in columns] == [["a", None], ["a", None], ["", None]]


letters = st.sampled_from("abeginoprstuyäß²")
parts = st.sampled_from([*AFFIXES.prefixes[:40], *AFFIXES.roots[::9], *AFFIXES.suffixes[::4]])
words = st.text(letters, min_size=1, max_size=9) | st.lists(parts, min_size=1, max_size=3).map(
    "".join
)


@given(st.lists(words, max_size=6), st.sampled_from(sorted(TEXT_TYPES)), st.integers(0, 6))
def test_equals_the_definitions(text: list[str], number: int, short_word: int) -> None:
    expected = oracle.typed(text, number, AFFIXES, short_word)
    assert typed(" ".join(text), number, WHITESPACE, short_word) == " ".join(expected)


@given(words)
def test_affixes_lose_no_letter(word: str) -> None:
    assert typed(word, 6, WHITESPACE).replace(" ", "") == word


@pytest.mark.parametrize(
    ("section", "least"), [("prefixes", 150), ("roots", 400), ("suffixes", 150)]
)
def test_the_affix_list_is_in_order(section: str, least: int) -> None:
    entries = getattr(AFFIXES, section)
    assert len(entries) >= least
    assert list(entries) == sorted(set(entries))
    for entry in entries:
        assert entry.isascii()
        assert entry.isalpha()
        assert entry.islower()


def test_an_entry_above_all_headings_is_an_error() -> None:
    with pytest.raises(InputError, match="affix list, line 2: found 'un', expected a heading"):
        Affixes.parse("# a comment\nun\n[prefixes]")


def test_an_unknown_heading_is_an_error() -> None:
    with pytest.raises(InputError, match=r"line 1: found '\[infixes\]'"):
        Affixes.parse("[infixes]\nun")


def test_affixes_are_lower_case_letters() -> None:
    with pytest.raises(ValueError, match="affix 'Un', expected lower-case letters a to z"):
        _native.AffixList(["Un"], [], [])
