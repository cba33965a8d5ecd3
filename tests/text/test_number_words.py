"""Number words, large numbers, percentages and amounts: the numeric normalisation of NEE."""

import re
import sys

import pytest

import tertium
from tertium.errors import InputError
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.text.annotations import Entity, parse_muc
from tertium.text.entity_names import NameNormalization
from tertium.text.number_words import has_text2num, number_table, spoken_number, without_diacritics

LANGUAGES = ["en", "fr", "es"]
needs_text2num = pytest.mark.skipif(not has_text2num("en"), reason="text2num is not installed")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without text2num."""
    monkeypatch.setitem(sys.modules, "text_to_num", None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_to_99_has_words(language: str) -> None:
    table = number_table(language)
    assert {int(re.match(r"\d+", digits)[0]) for digits in table.values()} == set(range(100))  # type: ignore[index]
    cardinals = {int(digits) for digits in table.values() if digits.isdecimal()}
    ordinals = {int(digits[:-2] if language == "en" else re.split(r"\D", digits)[0])
                for digits in table.values() if not digits.isdecimal()}  # fmt: skip
    assert cardinals == set(range(100))
    assert ordinals == set(range(1, 100))


# What text2num 3.1 does not know, or takes for a cardinal.
UNKNOWN_TO_TEXT2NUM = {"sixtieth", "huitantieme", "huitantiemes", "veintiun", "tercer"}

ACCENTS = {
    "fr": [("ieme", "ième"), ("premiere", "première"), ("^zero", "zéro")],
    "es": [
        ("esim", "ésim"), (r"\b(un|duo)?decim(?=[oa]s?\b)", r"\1décim"), ("septim", "séptim"),
        ("veintidos", "veintidós"), ("veintitres", "veintitrés"), ("tiseis", "tiséis"),
    ],
}  # fmt: skip


@needs_text2num
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_says_what_text2num_says(language: str) -> None:
    for words, digits in number_table(language).items():
        spelt = words
        for plain, accented in ACCENTS.get(language, []):
            spelt = re.sub(plain, accented, spelt)
        assert without_diacritics(spelt) == words
        if words not in UNKNOWN_TO_TEXT2NUM:
            assert spoken_number(spelt, language) == digits, spelt


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("en", "Twenty-One days", ["21", "days"]),
        ("en", "the twenty-first of May", ["the", "21st", "of", "may"]),
        ("en", "three, four", ["3", ",", "4"]),
        ("en", "five hundred", ["5", "hundred"]),
        ("fr", "quatre-vingt-dix-sept", ["97"]),
        ("fr", "soixante et onze ans", ["71", "ans"]),
        ("fr", "la vingt et unième", ["la", "21eme"]),
        ("es", "treinta y dos", ["32"]),
        ("es", "el vigésimo quinto", ["el", "25º"]),
    ],
)
def test_no_package_is_needed_below_100(language: str, text: str, tokens: list[str]) -> None:
    metric = NamedEntityEvaluator(language=language)
    assert metric.numbers
    assert list(metric.normalization.tokens(text)) == tokens


HAND = (
    '<ENAMEX TYPE="PERSON">Ann Lee</ENAMEX>, <NUMEX TYPE="CARDINAL">twenty-one</NUMEX>, left '
    '<ENAMEX TYPE="LOCATION">Gdańsk</ENAMEX> on <TIMEX TYPE="DATE">May 3</TIMEX> with '
    '<ENAMEX TYPE="PERSON">Bo</ENAMEX>, <ENAMEX TYPE="ORGANIZATION">UNICEF</ENAMEX>, for '
    '<ENAMEX TYPE="LOCATION">Oslo</ENAMEX>.'
)


def hand_score() -> float:
    said = "On May 3 Ann Lee, 21, left Gdansk with Bob of Unicef for Christiania."
    return tertium.score([said], [HAND], "nee").value


def test_a_bare_installation_gives_the_same_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann Lee, 21, Gdańsk, May 3, UNICEF of seven; without number words it was four of seven."""
    full = hand_score()
    monkeypatch.setitem(sys.modules, "text_to_num", None)
    assert hand_score() == full == pytest.approx(500 / 7)


QUANTITIES = [
    ("en", "five hundred thousand", "500000"),
    ("en", "five hundred thousand", "500,000"),
    ("en", "one hundred and five", "105"),
    ("en", "186 million", "186000000"),
    ("en", "5.5 million", "five million five hundred thousand"),
    ("en", "ten percent", "10 %"),
    ("en", "10%", "10 per cent"),
    ("en", "€186 million", "186 million euros"),
    ("en", "€186 million", "EUR 186 million"),
    ("en", "$5", "five dollars"),
    ("en", "US$ 1.65 billion", "1.65 billion U.S. dollars"),
    ("en", "£20", "twenty pounds"),
    ("en", "¥1,000", "thousand yen"),
    ("fr", "dix pour cent", "10 %"),
    ("fr", "186 millions d’euros", "186 000 000 €"),
    ("fr", "cinq cent mille", "500 000"),
    ("es", "diez por ciento", "10%"),
    ("es", "186 millones de euros", "€186000000"),
    ("de", "zehn Prozent", "10 %"),
    ("de", "1,5 Millionen Euro", "€ 1.500.000"),
]


@needs_text2num
@pytest.mark.parametrize(("language", "one", "other"), QUANTITIES)
def test_quantities(language: str, one: str, other: str) -> None:
    metric = NamedEntityEvaluator(language=language)
    assert metric.normalization.tokens(one) == metric.normalization.tokens(other)
    assert "|quantities:unified|" in metric.signature()


@needs_text2num
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("nineteen ninety nine", ["19", "99"]),
        ("one, two and three", ["1", ",", "2", "and", "3"]),
        ("two hundred and no more", ["200", "and", "no", "more"]),
        ("the hundredth day", ["the", "100th", "day"]),
        ("the euro fell", ["the", "euro", "fell"]),  # no amount
        ("percent of 10", ["percent", "of", "10"]),
        ("in May 1999 Euro", ["in", "may", "€", "1999"]),
        ("3.14159 hundred", ["3.14159", "100"]),  # no whole number comes out
    ],
)
def test_what_quantities_leave(text: str, tokens: list[str]) -> None:
    assert list(NameNormalization().tokens(text)) == tokens


@needs_text2num
@pytest.mark.parametrize("size", [29, 5000])
def test_numbers_of_any_length(size: int) -> None:
    digits = "123456789" * size
    assert NameNormalization().tokens(f"{digits} million") == (f"{digits}000000",)
    assert NameNormalization().tokens("0.5 million") == ("500000",)
    assert NameNormalization().tokens("5 two hundred") == ("5", "200")


@needs_text2num
def test_without_grouping_a_comma_may_be_either() -> None:
    kept = NameNormalization(grouping=False).tokens("1,500 million")
    assert kept == ("1,500", "1000000")


@pytest.mark.usefixtures("bare")
def test_quantities_are_stated_as_kept() -> None:
    metric = NamedEntityEvaluator(language="fr")
    assert metric.spec == "nee[quantities=no,language=fr]"
    assert "|numbers:unified|quantities:kept|" in metric.signature()
    assert metric.normalization.tokens("10 %") != metric.normalization.tokens("dix pour cent")


# ---- several accepted forms -----------------------------------------------------------------

ALTERNATIVES = '<ENAMEX TYPE="LOC" ALT="NYC|the Big Apple">New York</ENAMEX>'


@pytest.mark.parametrize(
    ("hypothesis", "strict", "partial"),
    [
        ("New York", 100, 100),
        ("nyc", 100, 100),
        ("in the big apple.", 100, 100),
        ("the big pear", 0, 200 / 3),  # two words of three, and none of "New York"
        ("Boston", 0, 0),
    ],
)
def test_any_form_of_a_name_counts(hypothesis: str, strict: float, partial: float) -> None:
    for kind, expected in (("no", strict), ("yes", partial)):
        result = tertium.score([hypothesis], [ALTERNATIVES], f"nee[partial={kind}]")
        assert result.value == pytest.approx(expected)
        assert result.statistics[1] == 1


def test_forms_of_both_occurrences_count() -> None:
    again = '<ENAMEX TYPE="LOC" ALT="Gotham">New York</ENAMEX>'
    text = f"{ALTERNATIVES} {again}"
    assert tertium.score(["Gotham"], [text], "nee").statistics[:2].tolist() == [1, 1]
    assert tertium.score(["NYC"], [text], "nee").statistics[:2].tolist() == [1, 1]


def test_aliases_are_attributes() -> None:
    [one] = parse_muc(ALTERNATIVES).entities
    assert one.aliases == ("NYC", "the Big Apple")
    listed = Entity(start=0, end=3, label="LOC", attributes={"aliases": ["NYC", " "]})
    assert listed.aliases == ("NYC",)
    with pytest.raises(InputError, match=r"entity LOC 0–3: 'aliases' 'NYC', expected a list"):
        Entity(start=0, end=3, label="LOC", attributes={"aliases": "NYC"})
    with pytest.raises(InputError, match=r"'ALT' \['NYC'\], expected text with | between"):
        Entity(start=0, end=3, label="LOC", attributes={"ALT": ["NYC"]})
