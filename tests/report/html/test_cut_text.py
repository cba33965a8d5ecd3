"""Texts with their token boundaries, against an oracle that walks over characters."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium._native import Texts
from tertium.compare.grams import WordCutter
from tertium.report.html.payload import CUT, cut_texts
from tertium.text.tokenizers import Tokenizer

CUTTERS = [
    WordCutter(tokenizer=Tokenizer(name), lowercase=lowercase)
    for name in ("none", "13a", "intl", "char", "zh")
    for lowercase in (False, True)
]
PIECES = [
    "a",
    "B",
    "10",
    ",",
    ".",
    "-",
    "&amp;",
    "é",
    "漢",
    "’",
    " ",
    "\u00a0",
    "\u3000",
    "\t",
    CUT,
]


def cut_text(text: str, words: Sequence[str]) -> str:
    """The words with a space or a unit separator between them, as the text has a blank or none."""
    plain = text.replace("\x1f", " ")
    parts: list[str] = []
    place = 0
    for word in words:
        start = place
        while start < len(plain) and plain[start].isspace():
            start += 1
        if not plain.startswith(word, start):
            return " ".join(words)
        if parts:
            parts.append(" " if start > place else "\x1f")
        parts.append(word)
        place = start + len(word)
    return "".join(parts) if not plain[place:].strip() else " ".join(words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wait, he", f"Wait{CUT}, he"),
        ("  10\u00a0000  men.", f"10 000 men{CUT}."),
        ("R&amp;D, he", "R & D , he"),
        (f"one{CUT}two", "one two"),
        ("", ""),
        ("  ", ""),
        (None, ""),
    ],
)
def test_text_is_cut_where_tokens_end(text: str | None, expected: str) -> None:
    assert cut_texts(Texts([text]), WordCutter()) == [expected]


def test_tokens_of_a_function_that_are_not_the_text() -> None:
    for cut, expected in ((str.upper, "A B"), (lambda text: text[:1], "a"), (lambda _: "", "")):
        tokenizer = Tokenizer("own", cut)
        assert cut_texts(Texts(["a b"]), WordCutter(tokenizer=tokenizer)) == [expected]


@pytest.mark.parametrize("cutter", CUTTERS, ids=str)
@given(st.lists(st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]))))
def test_as_the_oracle_and_as_the_tokens(cutter: WordCutter, pieces: list[list[str]]) -> None:
    texts = ["".join(some) for some in pieces]
    words = cutter.cut(Texts(texts))
    found = cut_texts(Texts(texts), cutter)
    assert found == [cut_text(*one) for one in zip(texts, words, strict=True)]
    for cut, some in zip(found, words, strict=True):
        assert [one for one in re.split(f"[ {CUT}]+", cut) if one] == some
