"""GTM against its definition, the golden outputs of program 1.4, and invariants."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.errors import OptionError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.ngram.gtm import GeneralTextMatcher
from tertium.text.references import References
from tertium.text.tokenizers import WHITESPACE
from tests.oracles import gtm as oracle
from tests.support.golden import lines, read_golden
from tests.support.strategies import corpora, joined, segment

Segments = list[tuple[list[str], list[list[str]]]]


@given(corpora, st.sampled_from([1.0, 1.2, 2.0, 3.0]))
def test_equals_the_definition(segments: Segments, exponent: float) -> None:
    hypotheses, references = joined(segments)
    metric = GeneralTextMatcher(tokenizer=WHITESPACE, exponent=exponent)
    rows = metric.statistics(hypotheses, references)
    sizes = [oracle.match_size(*one, exponent) for one in segments]
    np.testing.assert_allclose(rows[:, 0], sizes, rtol=1e-12)
    expected = 100 * oracle.gtm(segments, exponent)
    assert metric.score(rows.sum(axis=0)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("vocabulary", [1, 2, 5, 40])
def test_long_texts(vocabulary: int) -> None:
    """Runs that overlap, split each other and end at breaks."""
    random = Random(vocabulary)
    for _ in range(6):
        texts = [
            [str(random.randrange(vocabulary)) for _ in range(random.randrange(1, 50))]
            for _ in range(3)
        ]
        size = oracle.match_size(texts[0], texts[1:], 2.0)
        hypotheses, references = joined([(texts[0], texts[1:])])
        metric = GeneralTextMatcher(tokenizer=WHITESPACE, exponent=2.0)
        assert metric.statistics(hypotheses, references)[0, 0] == pytest.approx(size, rel=1e-12)


@pytest.mark.parametrize("vocabulary", [2, 4, 12])
@pytest.mark.parametrize("references", [1, 2])
def test_long_texts_of_few_different_words(vocabulary: int, references: int) -> None:
    """So many runs that the short ones are found without a heap."""
    random = Random(vocabulary)
    hypothesis, *others = (
        [str(random.randrange(vocabulary)) for _ in range(random.randrange(130, 200))]
        for _ in range(1 + references)
    )
    others[0] = [*hypothesis[40:90], *others[0][:60], *hypothesis[:30]]
    for exponent in (1.0, 1.2, 3.0):
        size = oracle.match_size(hypothesis, others, exponent)
        texts = joined([(hypothesis, others)])
        metric = GeneralTextMatcher(tokenizer=WHITESPACE, exponent=exponent)
        assert metric.statistics(*texts)[0, 0] == pytest.approx(size, rel=1e-12)


# hypothesis, references, exponent -> match size
SIZES = [
    ("a b c", ["a b c"], 2.0, 3.0),
    ("a b c d", ["c d a b"], 2.0, 8**0.5),  # two runs of 2
    ("a b", ["a x b"], 1.0, 2.0),
    ("a b x", ["a", "b x"], 2.0, 1.5),  # no run crosses a break; mean length 1.5 cuts the run
    ("a a a", ["a"], 1.2, 1.0),  # no more words than the reference has
    ("a b c a", ["a b c", "c a"], 1.0, 2.5),  # "a b c" first, cut to the mean length
    ("x y", ["a b"], 1.2, 0.0),
]


@pytest.mark.parametrize(("hypothesis", "references", "exponent", "size"), SIZES)
def test_match_size(hypothesis: str, references: list[str], exponent: float, size: float) -> None:
    metric = GeneralTextMatcher(exponent=exponent)
    assert metric.statistics([hypothesis], [references])[0, 0] == pytest.approx(size, rel=1e-14)


@given(segment(min_words=1))
def test_identical_text_is_exactly_perfect(one: tuple[list[str], list[list[str]]]) -> None:
    text = " ".join(one[0])
    assert tertium.score([text], [text], "gtm[exponent=1.7]").value == 100.0


@given(segment(min_words=1))
def test_a_large_exponent_counts_the_longest_run_alone(
    one: tuple[list[str], list[list[str]]],
) -> None:
    longest = next(oracle.greedy_runs(one[0], one[1]), 0)
    room = min(len(one[0]), np.mean([len(words) for words in one[1]]))
    hypotheses, references = joined([one])
    metric = GeneralTextMatcher(tokenizer=WHITESPACE, exponent=1e6)
    size = metric.statistics(hypotheses, references)[0, 0]
    assert size == pytest.approx(min(longest, room), rel=1e-4)


# hypothesis, reference -> score of the segment
EMPTY = [("", "a b", 0), ("a b", "", 0), ("", "", 100), ("", [None, "a"], 0)]


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), EMPTY)
def test_empty_text(hypothesis: str, reference: str, expected: float) -> None:
    metric = GeneralTextMatcher()
    rows = metric.statistics([hypothesis], [reference])
    assert metric.score(rows[0]) == expected
    assert rows.any() == (expected == 0)


@pytest.mark.slow
@pytest.mark.parametrize("turned", [False, True])
def test_a_very_long_line_against_a_short_one(turned: bool) -> None:
    words = np.random.default_rng(1).integers(0, 10_000, 2_000_000)
    pair = " ".join(map(str, words.tolist())), "1 2 3"
    hypothesis, reference = reversed(pair) if turned else pair
    row = GeneralTextMatcher().statistics([hypothesis], [reference])[0]
    assert 3 ** (1 / 1.2) <= row[0] <= 3  # all three words are there


def test_options() -> None:
    assert parse_metric("gtm[exponent=2]").spec == "gtm[exponent=2.0]"
    for wrong in ("0", "-1", "nan", "inf"):
        with pytest.raises(OptionError, match="gtm: found exponent="):
            parse_metric(f"gtm[exponent={wrong}]")


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["heen", "heen-tok"])
@pytest.mark.parametrize("system", ["GPT4-5shot", "ONLINE-B"])
@pytest.mark.parametrize(("tool", "sets"), [("gtm-1.4", 2), ("gtm-1.4-1ref", 1)])
def test_golden(shared_oracles: Path, folder: str, system: str, tool: str, sets: int) -> None:
    root = shared_oracles / folder
    golden = read_golden(root, f"{tool}.{system}")
    columns = [lines(root / f"ref.{i}.txt") for i in range(sets)]
    references = References.of(list(zip(*columns, strict=True)))
    hypotheses = lines(root / f"hyp.{system}.txt")
    assert sorted(golden.corpus) == ["GTM.e1.0", "GTM.e1.2", "GTM.e2.0", "GTM.e3.0"]
    for measure, expected in golden.corpus.items():
        exponent = float(measure.removeprefix("GTM.e"))
        metric = GeneralTextMatcher(tokenizer=WHITESPACE, exponent=exponent)
        rows = metric.statistics(hypotheses, references)
        np.testing.assert_allclose(metric.score(rows) / 100, golden.column(measure), rtol=1e-14)
        assert metric.score(rows.sum(axis=0)) / 100 == pytest.approx(float(expected), rel=1e-14)
