"""What the paper on AMBER leaves open, as docs/metrics/amber.md decides it; its proposals."""

from math import exp, inf, log
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.errors import OptionError
from tertium.metrics.amber.metric import Amber, AmberBasic
from tertium.metrics.contract.table import parse_metric
from tertium.text.tokenizers import WHITESPACE

ON_WORDS = AmberBasic(tokenizer=WHITESPACE)


def penalties(
    hypotheses: list[str], references: list[str], metric: Amber = ON_WORDS
) -> dict[str, float]:
    rows = metric.statistics(hypotheses, references)
    (run,) = metric.breakdown(rows.sum(axis=0)).runs
    return {one.name: one.value for one in run.penalties}


def column(metric: Amber, name: str, hypothesis: str, reference: str) -> float:
    row = metric.statistics([hypothesis], [reference])[0]
    return float(row[metric.columns.index(name)])


# The readings of equation 14 --------------------------------------------------------------------

CONTINUITY = [
    # all matched words in one row: every ratio is 1
    ("a b c d e", "a b c d e", [1, 1, 1]),
    # bigrams 1 / (3 − 1), trigrams 0 of what could be
    ("a b x c", "a b y c z", [1 / 2, 0, 0]),
    # bigrams 2 / (3 − 1), trigrams 1 / (2 − 1), 4-grams 0 / (1 − 1) though four words are there
    ("a a a x", "a a a y", [1, 1, 0]),
    # bigrams 4 / (6 − 1), trigrams 2 / (4 − 1), 4-grams 1 / (2 − 1)
    ("a b x c d e f", "a b y c d e f", [4 / 5, 2 / 3, 1]),
    # no side has a 4-gram, or only one has: nothing could match
    ("a b c", "a b c", [1, 1, 1]),
    ("a b c", "a b c d", [1, 1, 1]),
    ("a b c d", "a b c", [1, 1, 1]),
]


@pytest.mark.parametrize(("hypothesis", "reference", "ratios"), CONTINUITY)
def test_readings_of_continuity(hypothesis: str, reference: str, ratios: list[float]) -> None:
    inverse = inf if 0 in ratios else sum(1 / one for one in ratios) / 3
    expected = {
        "printed": exp(1 - sum(ratios) / 4),
        "mean": exp(1 - sum(ratios) / 3),
        "restored": exp(sum(ratios) / 3 - 1),
        "inverted": exp(1 - inverse),
    }
    for reading, value in expected.items():
        metric = ON_WORDS.with_options(continuity=reading)
        assert penalties([hypothesis], [reference], metric)["ctp"] == pytest.approx(value)
        assert parse_metric(f"amber-basic|{metric.signature()}") == metric
    assert penalties([hypothesis], [reference])["ctp"] == pytest.approx(expected["printed"])
    assert "continuity" not in ON_WORDS.signature()


def test_a_run_above_one_is_cut() -> None:
    """As printed, text in one row has a CTP of e^(1/4): more than everything is everything."""
    hypotheses = ["m1 m2 m3 m4 m5 m6", "m7 m8 m9 m10 m11 m12 m13"]
    assert penalties(hypotheses, hypotheses)["ctp"] == pytest.approx(exp(1 / 4))
    assert tertium.score(hypotheses, hypotheses, ON_WORDS).value == 100


# What the specification leaves open ------------------------------------------------------------


def test_a_reference_position_belongs_to_the_first_word_that_reaches_it() -> None:
    """Either b means the only b of the reference, by its neighbour: ranks 2 3 4 1, not 3 4 1 2."""
    found = penalties(["b c d a b"], ["a b c d"])
    assert found["nkcp"] == pytest.approx(3 / 6)
    assert found["nscp"] == pytest.approx(1 - (1 + 1 + 1 + 9) / 60 / 2)
    # The second of two neighbours is no further word: ranks 1 2 3.
    assert penalties(["a b b c"], ["a b c"])["nkcp"] == 1


def test_ratios_of_continuity_are_cut_at_one() -> None:
    """Clipped against two references, bigrams can outnumber the words that remain."""
    metric = ON_WORDS.with_options(order=2, continuity="restored")
    row = metric.statistics(["a b a"], [["a b", "b a x y"]])[0]
    named = dict(zip(metric.columns, row.tolist(), strict=True))
    assert named["1:matches_2"] == 2
    assert named["1:matches_1"] - named["1:matched_segments_1"] == 1
    (run,) = metric.breakdown(row).runs
    assert {one.name: one.value for one in run.penalties}["ctp"] == 1


@pytest.mark.parametrize(("letters", "kept"), [(4, 1), (3, 2), (6, 0)])
def test_short_word_decides_type_7_too(letters: int, kept: int) -> None:
    metric = Amber(types=(7,), tokenizer=WHITESPACE, short_word=letters)
    assert column(metric, "7:hypothesis_words", "the gangs", "x") == kept


def test_orders_that_a_short_text_lacks_are_left_out() -> None:
    """Two words have no trigram: AvgP is the square root of p(1)·p(2), not 0."""
    metric = ON_WORDS.with_options(strategies=("ngram",))
    (run,) = metric.breakdown(metric.statistics(["a b"], ["a b"])[0]).runs
    assert run.average_precision == 1
    # … unless the reference is long enough for them: then they count 0.
    (run,) = metric.breakdown(metric.statistics(["a b"], ["a b c"])[0]).runs
    assert run.average_precision == 0


def test_tf_idf_is_the_mean_over_the_words_of_an_n_gram() -> None:
    """S = 2 segments; a is in both, b in one."""
    metric = ON_WORDS.with_options(tfidf="tf-idf", order=2, strategies=("ngram",))
    fitted = metric.fit(["a b", "a c"])
    row = fitted.statistics(["a b"], ["a b"])[0]
    named = dict(zip(fitted.columns, row.tolist(), strict=True))
    common, rare = log(1 + 2 / 2), log(1 + 2 / 1)
    assert named["1:tf-idf_totals_1"] == pytest.approx(common + rare)
    assert named["1:tf-idf_totals_2"] == pytest.approx((common + rare) / 2)


# The authors' proposals ------------------------------------------------------------------------


def test_stop_words_instead_of_short_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("the of\nWithout\n", encoding="utf-8")
    metric = parse_metric(f"amber-basic[tokenizer=none,stop_words={path}]")
    assert isinstance(metric, Amber)
    # stop words: without, the against of; others: cow against cat, dog
    found = penalties(["without the cow"], ["of cat dog"], metric)
    assert found["swdp"] == pytest.approx(exp(-1 / 3))
    assert found["lwdp"] == pytest.approx(exp(-1 / 3))
    by_letters = penalties(["without the cow"], ["of cat dog"])
    assert by_letters["swdp"] == pytest.approx(exp(-1 / 3))  # the, cow against all three
    assert by_letters["lwdp"] == pytest.approx(exp(-1 / 3))
    assert penalties(["without it"], ["of it"], metric)["swdp"] == 1
    assert penalties(["without it"], ["of it"])["swdp"] == pytest.approx(exp(-1 / 2))
    assert "stop_words:stop.txt@" in metric.signature()
    monkeypatch.chdir(tmp_path)  # a signature names files without their folders
    again = parse_metric(f"amber-basic|{metric.signature()}")
    assert again.signature() == metric.signature()


@pytest.fixture
def thesaurus(tmp_path: Path) -> Path:
    path = tmp_path / "synonyms.txt"
    path.write_text("car\n1\nautomobile\n1 2\nvehicle\n2\n", encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "paraphrases.txt"
    path.write_text("0.5\nof course\nnaturally\n0.5\nat once\nright away\n", encoding="utf-8")
    return path


# hypothesis, reference -> the text that AMBER sees
SYNONYMS = [
    ("an Automobile stops", "a car stops", "an car stops"),
    ("car automobile", "automobile", "car automobile"),  # it is said already
    ("vehicle vehicle", "automobile", "automobile vehicle"),  # once only
    ("vehicle stops", "car stops", "vehicle stops"),  # no set in common
]
PARAPHRASES = [
    ("naturally he went", "of course he went", "of course he went"),
    ("he went right away", "he went at once", "he went at once"),
    ("of course", "of course naturally", "of course"),  # as a reference has it
    ("he went away", "he went at once", "he went away"),
]


def seen(metric: Amber, hypothesis: str, reference: str) -> str:
    return metric.trace(hypothesis, [reference])[0].removeprefix("type 1, normalised: ")


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), SYNONYMS)
def test_synonyms(thesaurus: Path, hypothesis: str, reference: str, expected: str) -> None:
    metric = AmberBasic(synonyms=str(thesaurus))  # type: ignore[arg-type]  # a name is enough
    assert seen(metric, hypothesis, reference) == expected
    rows = metric.statistics([hypothesis], [reference])
    np.testing.assert_array_equal(rows, AmberBasic().statistics([expected], [reference]))


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), PARAPHRASES)
def test_paraphrases(table: Path, hypothesis: str, reference: str, expected: str) -> None:
    metric = AmberBasic(paraphrases=str(table))  # type: ignore[arg-type]  # a name is enough
    assert seen(metric, hypothesis, reference) == expected
    rows = metric.statistics([hypothesis], [reference])
    np.testing.assert_array_equal(rows, AmberBasic().statistics([expected], [reference]))


def test_both_tables_in_all_types(
    thesaurus: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = f"amber[types=0+1+4,synonyms={thesaurus},paraphrases={table}]"
    metric = parse_metric(spec)
    texts = ["naturally the automobile stops", None], [["of course the car stops"], ["a"]]
    rows = metric.statistics(["naturally the automobile stops", ""], texts[1])
    as_said = parse_metric("amber[types=1+4]")
    expected = as_said.statistics(["of course the car stops", ""], texts[1])
    width = expected.shape[1] // 2
    np.testing.assert_array_equal(rows[:, width:], expected)  # type 0 is the text as it is
    assert rows[0, 0] == 2  # the, stops
    assert "synonyms:" in metric.signature()
    assert "paraphrases:" in metric.signature()
    assert parse_metric(metric.recipe) == metric
    monkeypatch.chdir(table.parent)
    assert parse_metric(f"amber|{metric.signature()}").signature() == metric.signature()


def test_several_references_offer_their_words(thesaurus: Path) -> None:
    metric = AmberBasic(synonyms=str(thesaurus))  # type: ignore[arg-type]  # a name is enough
    score = tertium.score(["a vehicle"], [["a bike", "a automobile"]], metric).value
    assert score == pytest.approx(
        tertium.score(["a automobile"], [["a bike", "a automobile"]], AmberBasic()).value
    )


@pytest.mark.parametrize("name", ["stop_words", "paraphrases", "synonyms"])
def test_a_file_that_is_not_there(name: str, tmp_path: Path) -> None:
    spec = f"amber-basic[{name}={tmp_path / 'absent'}]"
    with pytest.raises(OptionError, match="no such file"):
        tertium.score(["a"], ["a"], spec)
