"""The native tokenizers against sacreBLEU, on text chosen to be hard."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium._native import Texts, tokenize
from tests.oracles import tokenizers as oracle
from tests.support.effort import examples

every_tokenization = pytest.mark.parametrize(
    "tokenization", ["none", "13a", "intl", "char", "zh", "zh-fixed"]
)

CHARACTERS = "".join(map(chr, (*range(0xD800), *range(0xE000, sys.maxunicode + 1))))

PIECES = [
    *".,-'.,-'0123456789abcXYZ   !\"#$%&()*+/:;<=>?@[\\]^_`{|}~",
    # markup, whole, nested and broken
    *("&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "amp;", "lt;", "quot;", "<skipped>"),
    *("<skip", "ped>", "-\n", "\n", "\r\n"),
    # blanks of every length in UTF-8, and what only looks like one
    *("\t", "\v", "\x1c", "\x1f", "\x85", "\xa0", "\u1680", "\u2000", "\u2001", "\u2009"),
    *("\u2028", "\u202f", "\u205f", "\u3000", "\u200b", "\ufeff", "\0", "\x7f"),
    # numbers, punctuation and symbols outside ASCII
    *("½", "²", "٣", "５", "ⅷ", "㉈", "𝟘", "–", "—", "’", "«", "،", "۔", "…", "·", "。", "，"),
    *("€", "©", "×", "`", "´", "™", "→", "♥", "😀", "👩‍👩‍👧", "🇪🇺", "⁄"),
    # letters, combining marks, scripts, and both sides of sacreBLEU's Chinese ranges
    *("é", "e\u0301", "ß", "ж", "अ", "ी", "ア", "ｱ", "한", "中", "龻", "龼", "䶵", "䶶"),
    *("𠀀", "𰀀", "\U0010ffff", "\U0003134b"),
    *("\u2a6d", "\u2a6e", "\u2e7f", "\u2e80", "\ufad9", "\ufada"),
    # numbers as they are written
    *("10,000.5", "1.", ".5", "5-6", "3–4", "...", "1..2", "1...2", "-5", "--"),
]


def native(tokenization: str, texts: list[str]) -> list[list[str]]:
    return tokenize(tokenization, Texts(texts))


def parts_of(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


def random_texts(seed: int, count: int) -> Iterator[str]:
    """Half of them from few pieces, so that long runs and odd neighbours are common."""
    random = Random(seed)
    for _ in range(count):
        pieces = random.sample(PIECES, random.randint(1, 8)) if random.random() < 0.5 else PIECES
        # Long enough to cross the blocks of 64 bytes in which the native code works.
        drawn = random.choices(pieces, k=random.choice((1, 2, 3, 5, 8, 13, 21, 34, 90)))
        if random.random() < 0.3:
            drawn[random.randrange(len(drawn))] = random.choice(CHARACTERS)
        yield "".join(drawn)


# (tokenization, text, tokens); worked from the regular expressions by hand.
BY_HAND = [
    ("none", "", []),
    ("none", " \t\x1c\x85\u3000\n", []),
    ("none", "a\xa0b\u2028c\u200bd\0e.", ["a", "b", "c\u200bd\0e."]),
    ("13a", "Hello, world!", ["Hello", ",", "world", "!"]),
    ("13a", "It's 3.5% (or 1,000).", ["It's", "3.5", "%", "(", "or", "1,000", ")", "."]),
    # a point stays only between digits, and the end of the text is no digit
    ("13a", "5. .5 a.5 5.a", ["5", ".", ".", "5", "a", ".", "5", "5", ".", "a"]),
    # points are consumed in pairs: what is left over clings to the digit that follows
    ("13a", "1.2 1..2 1...2", ["1.2", "1", ".", ".", "2", "1", ".", ".", ".2"]),
    ("13a", "a.2 a..2 a...2", ["a", ".", "2", "a", ".", ".2", "a", ".", ".", ".", "2"]),
    # a dash is split off after a digit only, one at a time
    ("13a", "5-6 a-b 5--6 -7", ["5", "-", "6", "a-b", "5", "-", "-6", "-7"]),
    # entities are decoded one after the other, each in a pass of its own
    ("13a", "&amp;lt;&amp;quot;", ["<", "&", "quot", ";"]),
    ("13a", "&quot;&gt;&apos;", ['"', ">", "&", "apos", ";"]),
    # removed before lines are joined, and not looked for again
    ("13a", "hy-<skipped>\nphen", ["hyphen"]),
    ("13a", "<skip-\nped>", ["<", "skipped", ">"]),
    ("13a", "--\n\nx", ["-", "x"]),
    # trailing blanks go first, so this hyphen is none at a line's end
    ("13a", "end-\n", ["end-"]),
    ("13a", "“5,5”，中文。", ["“5,5”，中文。"]),
    # punctuation outside ASCII counts, and any \p{N} protects it
    ("intl", "a“5,5”，中文。", ["a", "“", "5,5", "”", "，", "中文", "。"]),
    ("intl", "½,² a,² ٣–٤", ["½,²", "a", ",", "²", "٣–٤"]),
    # a point at either edge of the text has no neighbour that could set it apart …
    ("intl", "5.", ["5."]),
    ("intl", "“5”", ["“5”"]),
    ("intl", ".5 .5", [".5", ".", "5"]),
    # … but a blank before it is one, while trailing blanks are gone
    ("intl", " .5", [".", "5"]),
    ("intl", "5. \n", ["5."]),
    ("intl", "5$.6€", ["5", "$", ".", "6", "€"]),
    ("intl", "&amp; a_b", ["&", "amp", ";", "a", "_", "b"]),
    ("char", "e\u0301 中\u3000😀", ["e", "\u0301", "中", "😀"]),
    ("zh", "我有1,000.5元。", ["我", "有", "1,000.5", "元", "。"]),
    ("zh", "a-b 5-6", ["a-b", "5", "-", "6"]),
    ("zh", " .5 5.", [".5", "5."]),
    # U+2026 in, U+20000 out: read as two characters, '\u20000' bounds the wrong range
    ("zh", "a…b𠀀𠀁", ["a", "…", "b𠀀𠀁"]),
    ("zh-fixed", "a…b𠀀𠀁", ["a…b", "𠀀", "𠀁"]),
    ("zh-fixed", "カタカナ，中.", ["カタカナ", "，", "中", "."]),
]


@pytest.mark.parametrize(("tokenization", "text", "expected"), BY_HAND)
def test_by_hand(tokenization: str, text: str, expected: list[str]) -> None:
    assert native(tokenization, [text]) == [expected]
    assert oracle.tokens(tokenization, text) == expected


@every_tokenization
@pytest.mark.parametrize(
    "piece", ["a.1", "1.1", "a..1", "。1", "1。1", "中。。1", "𑁇1", "-\n&lt;5"]
)
def test_each_piece_is_the_same_at_every_place(tokenization: str, piece: str) -> None:
    """The native code works in blocks of 64 bytes, and looks for markup in 32."""
    texts = [
        before * count + piece + after
        for before in ("a", "a ", ".", "中")
        for count in range(67)
        for after in ("", "b" * 40)
    ]
    expected = [oracle.tokens(tokenization, text) for text in texts]
    assert native(tokenization, texts) == expected


@pytest.mark.slow
@every_tokenization
def test_random_texts_equal_sacrebleu(tokenization: str) -> None:
    texts = list(random_texts(seed=20_040_704, count=20_000))
    for text, found in zip(texts, native(tokenization, texts), strict=True):
        assert found == oracle.tokens(tokenization, text), repr(text)


@pytest.mark.slow
@every_tokenization
@given(
    st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=40).map(
        "".join
    )
)
@settings(max_examples=examples(300), deadline=None)
def test_any_text_equals_sacrebleu(tokenization: str, text: str) -> None:
    assert native(tokenization, [text]) == [oracle.tokens(tokenization, text)]


@pytest.mark.slow
def test_every_code_point_is_of_the_category_that_regex_says() -> None:
    """Three neighbourhoods tell blank, \\p{P}, \\p{S}, \\p{N} and the rest from each other."""
    punctuation, symbols, numbers = (
        frozenset(regex.findall(rf"\p{{{category}}}", CHARACTERS)) for category in "PSN"
    )

    def expected(character: str) -> list[str]:
        if character.isspace():
            return ["a", "a", "1", "1", "1", ".", "x"]
        alone = ["a", character, "a"]
        if character in punctuation:
            return [*alone, f"1{character}1", "1", ".", character, "x"]
        if character in symbols:
            return [*alone, "1", character, "1", "1", ".", character, "x"]
        if character in numbers:
            return [f"a{character}a", f"1{character}1", f"1.{character}", "x"]
        return [f"a{character}a", f"1{character}1", "1", ".", character, "x"]

    wrong = [
        f"U+{ord(character):04X}"
        for part in parts_of(CHARACTERS, 50_000)
        for character, found in zip(
            part, native("intl", [f"a{c}a 1{c}1 1.{c} x" for c in part]), strict=True
        )
        if found != expected(character)
    ]
    assert not wrong, f"regex {regex.__version__} differs: run tools/generate_unicode_tables.py"


@pytest.mark.slow
@every_tokenization
def test_every_assigned_plane_equals_sacrebleu(tokenization: str) -> None:
    """Planes 0 to 3 and 14; there is nothing in the others but private use."""
    assigned = "".join(c for c in CHARACTERS if ord(c) >> 16 in (0, 1, 2, 3, 14))
    for part in parts_of(assigned, 10_000):
        text = " ".join(f"a{character}a" for character in part)
        assert native(tokenization, [text]) == [oracle.tokens(tokenization, text)], ascii(part[0])


# (text, tokens under 13a); each would take hours if time were quadratic.
LONG = [
    ("1." * 1_000_000, 2),
    ("." * 1_000_001 + "5", 1_000_002),
    ("<skipped>" * 200_000 + "x", 1),
    ("-\n" * 500_000 + "x", 1),
    ("&amp;" * 200_000, 200_000),
    ("…" * 500_000 + "\u2028" * 500_000, 1),
]


@pytest.mark.parametrize(("text", "count"), LONG, ids=lambda value: str(value)[:10])
def test_a_very_long_segment_takes_linear_time(text: str, count: int) -> None:
    assert len(native("13a", [text])[0]) == count


@pytest.mark.shared
@pytest.mark.parametrize("name", ["wmt12/newstest2012-ref.en", "wmt23/sources/zh-en.txt"])
@every_tokenization
def test_real_text_equals_sacrebleu(shared_data: Path, name: str, tokenization: str) -> None:
    segments = (shared_data / name).read_text(encoding="utf-8").split("\n")
    expected = [oracle.tokens(tokenization, segment) for segment in segments]
    assert native(tokenization, segments) == expected


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'13b'; known: none, 13a, intl, char, zh, zh-fixed"):
        native("13b", ["a"])


def _without_punctuation(text: str | None) -> str | None:
    return None if text is None else " ".join(regex.sub(r"\p{P}", "", text).split())


def test_punctuation_is_known_everywhere() -> None:
    found = Texts([CHARACTERS]).without_punctuation().to_list()
    assert found == [_without_punctuation(CHARACTERS)]


@given(st.lists(st.sampled_from([*PIECES, None]), max_size=30))
def test_texts_without_punctuation(pieces: list[str | None]) -> None:
    texts = ["".join(one for one in pieces if one is not None), *pieces]
    assert Texts(texts).without_punctuation().to_list() == [*map(_without_punctuation, texts)]
