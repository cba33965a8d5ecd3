"""ROUGE against its definition, the golden outputs of ROUGE-1.5.5, and invariants."""

from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.ngram.rouge import Rouge, RougeL, RougeN, RougeS, RougeSU, RougeW
from tertium.text.references import References
from tests.oracles import rouge as oracle
from tests.support.golden import lines, read_golden
from tests.support.strategies import joined, segment

Segment = tuple[list[str], list[list[str]]]

# measure of the program -> metric, its oracle, and the root that undoes a weight
MEASURES = {
    "ROUGE-1": ("rouge-n", oracle.rouge_n(1), 1.0),
    "ROUGE-2": ("rouge-n[n=2]", oracle.rouge_n(2), 1.0),
    "ROUGE-3": ("rouge-n[n=3]", oracle.rouge_n(3), 1.0),
    "ROUGE-4": ("rouge-n[n=4]", oracle.rouge_n(4), 1.0),
    "ROUGE-L": ("rouge-l", oracle.rouge_l, 1.0),
    "ROUGE-W-1.2": ("rouge-w", oracle.rouge_w(1.2), 1.2),
    "ROUGE-S*": ("rouge-s", oracle.rouge_s(None, unigrams=False), 1.0),
    "ROUGE-SU*": ("rouge-su", oracle.rouge_s(None, unigrams=True), 1.0),
    "ROUGE-S4": ("rouge-s[skip=4]", oracle.rouge_s(4, unigrams=False), 1.0),
    "ROUGE-SU4": ("rouge-su[skip=4]", oracle.rouge_s(4, unigrams=True), 1.0),
    "W as in the paper": ("rouge-w[weight=2,length=once]", oracle.rouge_w(2, once=True), 2.0),
    "S0": ("rouge-s[skip=0]", oracle.rouge_s(0, unigrams=False), 1.0),
}


def with_options(name: str, **options: object) -> Metric:
    return parse_metric(MEASURES[name][0]).with_options(**options)


def check(name: str, one: Segment, *, best: bool, alpha: float) -> None:
    _, overlap, root = MEASURES[name]
    hypothesis, references = joined([one])
    metric = with_options(name, references="best" if best else "average", alpha=alpha)
    row = metric.statistics(hypothesis, references)[0]
    words = [oracle.words(text) for text in references[0]]
    expected = oracle.rouge(
        oracle.words(hypothesis[0]), words, overlap, best=best, alpha=alpha, root=root
    )
    assert row == pytest.approx([expected.precision, expected.recall, expected.f, 1], rel=1e-12)


@pytest.mark.parametrize("name", MEASURES)
@given(
    one=segment(min_words=1), best=st.booleans(), alpha=st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0])
)
def test_equals_the_definition(name: str, one: Segment, best: bool, alpha: float) -> None:
    check(name, one, best=best, alpha=alpha)


@pytest.mark.parametrize("vocabulary", [1, 3, 20, 300])
@pytest.mark.parametrize("name", MEASURES)
def test_texts_beyond_64_words(name: str, vocabulary: int) -> None:
    random = Random(vocabulary)
    for length in (1, 63, 64, 65, 128, 129, 200):
        texts = [
            [str(random.randrange(vocabulary)) for _ in range(size)]
            for size in (random.randrange(1, 150), length, 70)
        ]
        texts[2] = [*texts[0][10:40], *texts[2], *texts[0][:5]]
        check(name, (texts[0], texts[1:]), best=False, alpha=0.5)


@pytest.mark.slow
def test_weighted_subsequence_of_long_texts() -> None:
    """So long that the table has several strips."""
    random = Random(1)
    reference = [str(random.randrange(90)) for _ in range(1500)]
    hypothesis = [word for word in reference[200:] if random.random() < 0.8]
    hypothesis += [str(random.randrange(90)) for _ in range(200)]
    check("ROUGE-W-1.2", (hypothesis, [reference]), best=False, alpha=0.5)


def test_weighted_subsequence_of_texts_so_long_that_moves_are_computed_twice() -> None:
    """Runs of seven words in the first, and a run that is longer than a block of moves."""
    reference = [f"r{i}" for i in range(22_000)]
    hypothesis = [word for i, word in enumerate(reference) if i % 8 != 7 or i >= 2_000]
    hypothesis[12:12] = [f"h{i}" for i in range(500)]
    metric = with_options("ROUGE-W-1.2")
    row = metric.statistics([" ".join(hypothesis)], [[" ".join(reference)]])[0]
    share = (250 * 7**1.2 + 20_000**1.2) / len(hypothesis) ** 1.2
    assert row[0] == pytest.approx(share ** (1 / 1.2), rel=1e-9)


@given(segment())
def test_case_and_punctuation_do_not_count(one: Segment) -> None:
    hypothesis, references = joined([one])
    loud = [f"¡«{text.upper().replace(' ', ' - ')}»!" for text in hypothesis]
    for metric in (RougeN(), RougeL(text="unicode"), RougeW(), RougeS(), RougeSU(text="unicode")):
        rows = metric.statistics(hypothesis, references)
        if rows.any():  # an empty text and one of punctuation alone are not the same
            np.testing.assert_array_equal(metric.statistics(loud, references), rows)


# text -> its words in ASCII, and in Unicode
WORDS = [
    ("The cat-o'-nine-tails, 1,000 $5!", "the cat o nine tails 1 000 5", None),
    ("Naïve Élan", "na ve lan", "naïve élan"),
    ("hyp_hen a\0b c\x7fd", "hyp hen a b c d", None),
    ("Это дом.", "", "это дом"),
    ("नमस्ते दुनिया।", "", "नमस्ते दुनिया"),
    ("東京に行く、明日", "", "東京に行く 明日"),
    ("a\u00a0b\u2014c\u2028d", "a b c d", None),
]


@pytest.mark.parametrize(("text", "ascii_words", "unicode_words"), WORDS)
def test_words(text: str, ascii_words: str, unicode_words: str | None) -> None:
    unicode_words = ascii_words if unicode_words is None else unicode_words
    for kind, expected in (("ascii", ascii_words), ("unicode", unicode_words)):
        metric = RougeN(n=max(1, len(expected.split())), text=kind)  # type: ignore[arg-type]
        row = metric.statistics([text], [expected])[0]
        # the only n-gram of that length is the whole text
        assert row[0] == row[1] == (1 if expected else 0)


@given(segment(min_words=2))
def test_identical_text_is_best(one: Segment) -> None:
    text = " ".join(one[0])
    for metric in (RougeN(), RougeN(n=2), RougeL(), RougeW(length="once"), RougeS(), RougeSU()):
        score = metric.score(metric.statistics([text], [text]))[0]
        assert score == pytest.approx(100)


def test_recall_of_the_program_is_below_one_for_identical_text() -> None:
    row = RougeW().statistics(["a b c d"], ["a b c d"])[0]
    assert row[:2] == pytest.approx([1, 4 / 4**1.2])


def test_measure_chooses_the_column() -> None:
    rows = RougeL().statistics(["a b c d", "x"], ["a b", "x y"])
    scores = {
        name: parse_metric(f"rouge-l[measure={name}]").score(rows.sum(axis=0))
        for name in ("precision", "recall", "f")
    }
    assert scores == pytest.approx({"precision": 75, "recall": 75, "f": 100 * 2 / 3})


# hypothesis, reference -> score of the segment
EMPTY = [
    ("", "a b", 0),
    ("a b", "", 0),
    ("", "", 100),
    (" \t", "\u00a0", 100),
    ("", [None, "a"], 0),
    ("?!", "?!", 0),  # the program finds no words, and counts the segment
    ("", "!", 0),
]


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize(("hypothesis", "reference", "expected"), EMPTY)
def test_empty_text(name: str, hypothesis: str, reference: str, expected: float) -> None:
    metric = with_options(name)
    rows = metric.statistics([hypothesis], [reference])
    assert metric.score(rows[0]) == expected
    assert rows.any() == (expected == 0)


@pytest.fixture(scope="module")
def long_line() -> str:
    return " ".join(map(str, np.random.default_rng(1).integers(0, 10_000, 2_000_000).tolist()))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ROUGE-2", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-S*", "ROUGE-SU4"])
def test_a_very_long_line_against_a_short_one(long_line: str, name: str) -> None:
    metric = with_options(name)
    for hypothesis, reference in [(long_line, "1 2 3"), ("1 2 3", long_line)]:
        row = metric.statistics([hypothesis], [reference])[0]
        assert np.isfinite(row).all()
        assert row[3] == 1


@pytest.mark.slow
def test_a_very_long_line_against_itself(long_line: str) -> None:
    for metric in (RougeN(n=2), RougeL()):
        assert metric.score(metric.statistics([long_line], [long_line]))[0] == 100


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rouge-n[n=0]", "rouge-n: found n=0, expected at least 1"),
        ("rouge-l[alpha=1.5]", "rouge-l: found alpha=1.5, expected a number from 0 to 1"),
        ("rouge-su[alpha=nan]", "rouge-su: found alpha=nan"),
        ("rouge-w[weight=0]", "rouge-w: found weight=0.0, expected a number from 1 to 10"),
        ("rouge-su[skip=-1]", "rouge-su: found skip=-1, expected none or at least 0"),
        ("rouge-s[text=latin]", "option text: found 'latin', expected ascii or unicode"),
    ],
)
def test_wrong_options(spec: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parse_metric(spec)


@pytest.mark.parametrize("spec", ["rouge-n[n=2]", "rouge-s[skip=4]", "rouge-w[text=unicode]"])
def test_spec_parses_back(spec: str) -> None:
    metric = parse_metric(spec)
    assert isinstance(metric, Rouge)
    assert metric.spec == spec
    assert parse_metric(f"{metric.name}|{metric.signature()}") == metric


def printed(values: Rows) -> list[str]:
    return [f"{value:.5f}" for value in values]


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["heen", "heen-tok"])
@pytest.mark.parametrize("system", ["GPT4-5shot", "ONLINE-B"])
@pytest.mark.parametrize(("tool", "sets"), [("rouge-1.5.5", 2), ("rouge-1.5.5-1ref", 1)])
def test_golden(shared_oracles: Path, folder: str, system: str, tool: str, sets: int) -> None:
    """Precision and recall to the last printed digit, and F of the printed ones."""
    root = shared_oracles / folder
    golden = read_golden(root, f"{tool}.{system}")
    ending = ".lc.txt" if folder == "heen-tok" else ".txt"
    columns = [lines(root / f"ref.{i}{ending}") for i in range(sets)]
    references = References.of(list(zip(*columns, strict=True)))
    hypotheses = lines(root / f"hyp.{system}{ending}")
    # The files have fB only where there is something to choose from.
    modes = {"fA": "average"} if sets == 1 else {"fA": "average", "fB": "best"}
    names = {measure.split(".f")[0] for measure in golden.corpus}
    assert len(names) == 10
    for name, (mode, choice) in product(names, modes.items()):
        rows = with_options(name, references=choice).statistics(hypotheses, references)
        values = {
            letter: [golden.segments[f"{name}.{mode}.{letter}"][i] for i in range(len(rows))]
            for letter in "PRF"
        }
        assert printed(rows[:, 0]) == values["P"], (name, mode)
        assert printed(rows[:, 1]) == values["R"], (name, mode)
        precision, recall = (np.array(values[letter], dtype=float) for letter in "PR")
        mean = (precision + recall) / 2
        f = np.divide(precision * recall, mean, out=np.zeros_like(mean), where=mean > 0)
        assert printed(f) == values["F"], (name, mode)
        np.testing.assert_allclose(rows[:, 2], f, atol=1e-5)
        corpus = [float(golden.corpus[f"{name}.{mode}.{letter}.mean"]) for letter in "PRF"]
        np.testing.assert_allclose(rows[:, :3].mean(axis=0), corpus, atol=5e-6)
