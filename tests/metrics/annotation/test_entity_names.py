"""Names as they are compared: case, marks, numbers in words."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.text.entity_names import NameNormalization
from tertium.text.number_words import has_text2num, without_diacritics

needs_text2num = pytest.mark.skipif(not has_text2num("en"), reason="text2num is not installed")
SAME = [
    # step, language, two spellings
    ("diacritics", "en", "Görlitz", "Gorlitz"),
    ("diacritics", "en", "Wrocław", "Wroclaw"),  # a stroke, which Unicode does not decompose
    ("diacritics", "en", "Ægir", "Aegir"),
    ("diacritics", "en", "e\u0301te\u0301", "ete"),
    ("diacritics", "el", "Αθήνα", "Αθηνα"),
    ("lowercase", "en", "NATO", "nato"),
    ("lowercase", "el", "ΟΔΟΣ", "οδος"),
    ("numbers", "en", "twenty-one", "21"),
    ("numbers", "en", "Twenty one", "21"),
    ("numbers", "en", "twenty-first", "21st"),
    ("numbers", "en", "five hundred", "5 hundred"),
    ("numbers", "fr", "quatre-vingt-dix-sept", "97"),
    ("numbers", "fr", "vingt et un", "21"),
    pytest.param("numbers", "de", "einundzwanzig", "21", marks=needs_text2num),
    pytest.param("numbers", "de", "der erste Mai", "der 1. Mai", marks=needs_text2num),
    ("numbers", "es", "veintidós", "22"),
    ("numbers", "es", "veintidos", "22"),
    ("grouping", "en", "1,000", "1000"),
    ("grouping", "en", "1\u202f000", "1000"),
    ("grouping", "en", "1'000", "1000"),
    ("grouping", "en", "1.234.567", "1234567"),  # twice: cannot be a decimal mark
    ("grouping", "en", "€1,234.50", "€ 1234.50"),
    ("grouping", "de", "1.000", "1000"),
    ("grouping", "fr", "1 000 000", "1000000"),
    ("grouping", "ar", "١٢٣", "123"),
    ("possessives", "en", "Obama's", "Obama"),
    ("possessives", "en", "Obama’s", "Obama"),
    ("possessives", "en", "OBAMA'S", "OBAMA"),
    ("possessives", "en", "Obama 's", "Obama"),
    ("possessives", "en", "James'", "James"),
    ("possessives", "en", "James's", "James"),
    ("possessives", "de", "Grass’", "Grass"),
    ("typography", "en", "O’Brien", "O'Brien"),
    ("typography", "en", "1939–45", "1939-45"),
]


@pytest.mark.parametrize(("step", "language", "one", "other"), SAME)
def test_a_step_makes_spellings_equal_and_can_be_left_out(
    step: str, language: str, one: str, other: str
) -> None:
    metric = NamedEntityEvaluator(language=language, quantities=False)
    assert metric.normalization.tokens(one) == metric.normalization.tokens(other)
    without = metric.with_options(**{step: False})
    assert without.normalization.tokens(one) != without.normalization.tokens(other)


DIFFERENT = [
    ("en", "1.000", "1000"),  # in English a decimal, so it may be a wrong translation
    ("de", "1,000", "1000"),
    ("en", "twenty-one", "20"),
    ("en", "New York", "York"),
    ("en", "3.4", "34"),
    ("en", "1,00", "100"),
    ("nl", "in 's-Hertogenbosch", "in Hertogenbosch"),
    ("ja", "が", "か"),  # this mark makes another consonant
]


@pytest.mark.parametrize(("language", "one", "other"), DIFFERENT)
def test_different_names_stay_different(language: str, one: str, other: str) -> None:
    tokens = NamedEntityEvaluator(language=language).normalization.tokens
    assert tokens(one) != tokens(other)


TOKENS = [
    ("Nov. 3, 1999", ["nov", ".", "3", ",", "1999"]),
    ("北京市2024年", ["北", "京", "市", "2024", "年"]),  # no spaces: every letter is a token
    ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),  # marks are part of a word
    ("A380 4x4", ["a380", "4x4"]),
    ("  \u00a0\t", []),
]


@pytest.mark.parametrize(("text", "tokens"), TOKENS)
def test_tokens(text: str, tokens: list[str]) -> None:
    normalization = NameNormalization(numbers=False, quantities=False)
    assert list(normalization.tokens(text)) == tokens


@given(st.text(max_size=30))
def test_any_text_has_tokens_without_spaces(text: str) -> None:
    for token in NamedEntityEvaluator().normalization.tokens(text):
        assert token
        assert not any(map(str.isspace, token))


@given(st.text(max_size=20))
def test_folding_twice_is_folding_once(text: str) -> None:
    once = without_diacritics(text)
    assert without_diacritics(once) == once


@pytest.mark.parametrize(("language", "known"), [("en", True), ("ru", False)])
def test_the_signature_says_whether_numbers_are_unified(language: str, *, known: bool) -> None:
    metric = NamedEntityEvaluator(language=language)
    assert metric.numbers is known
    assert f"|numbers:{'unified' if known else 'kept'}" in metric.signature()


def test_without_text2num_some_numbers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "text_to_num", None)
    metric = NamedEntityEvaluator()
    assert metric.spec == "nee[quantities=no]"
    assert "|numbers:unified|quantities:kept|" in metric.signature()
    assert metric.normalization.tokens("twenty-one 1,000") == ("21", "1000")
    german = NamedEntityEvaluator(language="de")
    assert german.spec == "nee[numbers=no,quantities=no,language=de]"
    assert german.normalization.tokens("einundzwanzig") == ("einundzwanzig",)
