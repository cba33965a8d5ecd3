"""RIBES against its definition, the golden outputs of NTT's program, and invariants."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import OptionError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.order.ribes import Ribes
from tertium.text.references import References
from tertium.text.tokenizers import WHITESPACE
from tests.oracles import ribes as oracle
from tests.support.golden import lines, read_golden
from tests.support.strategies import corpora, joined

Segments = list[tuple[list[str], list[list[str]]]]
METRIC = Ribes(tokenizer=WHITESPACE)


@given(corpora, st.sampled_from([0.0, 0.25, 1.0]), st.sampled_from([0.0, 0.1, 2.0]))
def test_equals_the_definition(segments: Segments, alpha: float, beta: float) -> None:
    hypotheses, references = joined(segments)
    metric = Ribes(tokenizer=WHITESPACE, alpha=alpha, beta=beta)
    rows = metric.statistics(hypotheses, references)
    expected = [oracle.ribes(*one, alpha, beta) for one in segments]
    np.testing.assert_allclose(metric.score(rows), np.multiply(100, expected), rtol=1e-12)
    assert metric.score(rows.sum(axis=0)) == pytest.approx(100 * np.mean(expected), rel=1e-12)


@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=12))
def test_repeated_words_need_a_context(words: list[str]) -> None:
    hypotheses, references = joined([(words, [words[::-1], words])])
    score = METRIC.score(METRIC.statistics(hypotheses, references))[0]
    assert score == pytest.approx(100 * oracle.ribes(words, [words[::-1], words]), rel=1e-12)


def altered(random: Random, text: list[str]) -> list[str]:
    """The text with parts moved, words dropped, and some that are new."""
    cut = sorted(random.randrange(len(text)) for _ in range(2))
    moved = [*text[cut[1] :], *text[cut[0] : cut[1]], *text[: cut[0]]]
    return [random.choice([word, "new"]) if random.random() < 0.1 else word for word in moved]


@pytest.mark.parametrize("vocabulary", [2, 5, 30, 200])
def test_texts_beyond_64_words(vocabulary: int) -> None:
    random = Random(vocabulary)
    for _ in range(4):
        reference = [str(random.randrange(vocabulary)) for _ in range(random.randrange(50, 110))]
        hypothesis = altered(random, reference)
        hypotheses, references = joined([(hypothesis, [reference])])
        row = METRIC.statistics(hypotheses, references)[0]
        assert row[0] == pytest.approx(oracle.ribes(hypothesis, [reference]), rel=1e-12)


def test_short_and_long_ways_agree_at_their_border() -> None:
    """Unknown words at the end change lengths only: 64 words use masks, 65 automata."""
    random = Random(3)
    for _ in range(20):
        reference = [random.choice("abcde") for _ in range(60)]
        hypothesis = altered(random, reference)
        short = METRIC.statistics([" ".join(hypothesis)], [" ".join(reference)])[0]
        longer = METRIC.statistics([" ".join(hypothesis + ["x"] * 9)], [" ".join(reference)])[0]
        matched = short[2] * len(hypothesis)
        assert longer[2] * (len(hypothesis) + 9) == pytest.approx(matched)
        assert longer[1] == short[1]


# hypothesis, references -> rank correlation, precision
PARTS = [
    ("a b c", ["a b c"], 1.0, 1.0),
    ("c b a", ["a b c"], 0.0, 1.0),
    ("b a c", ["a b c"], 2 / 3, 1.0),
    ("a b", ["b a", "a b"], 1.0, 1.0),  # the best reference
    ("a", ["a"], 1.0, 1.0),  # one word and one reference word
    ("a", ["a b"], 0.0, 0.0),  # one word has no order
    ("a a a", ["a a a"], 1.0, 2 / 3),  # nothing tells the middle word apart
    ("x a y a y", ["x a y"], 1.0, 0.6),  # the last two words have no context of their own
    ("x a z a y", ["x a y"], 5 / 6, 0.8),  # "x a" and "a y" lead to the same word
]


@pytest.mark.parametrize(("hypothesis", "references", "correlation", "precision"), PARTS)
def test_parts(
    hypothesis: str, references: list[str], correlation: float, precision: float
) -> None:
    row = METRIC.statistics([hypothesis], [references])[0]
    assert row[1:3] == pytest.approx([correlation, precision])
    assert row[0] == pytest.approx(correlation * precision**0.25 * row[3] ** 0.1)


# hypothesis, reference -> score of the segment
EMPTY = [("", "a b", 0), ("a b", "", 0), ("", "", 100), ("", [None, "a"], 0)]


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), EMPTY)
def test_empty_text(hypothesis: str, reference: str, expected: float) -> None:
    rows = METRIC.statistics([hypothesis], [reference])
    assert METRIC.score(rows[0]) == expected
    assert rows.any() == (expected == 0)


@pytest.mark.slow
@pytest.mark.parametrize("turned", [False, True])
def test_a_very_long_line_against_a_short_one(turned: bool) -> None:
    words = np.random.default_rng(1).integers(0, 10_000, 2_000_000)
    pair = f"{' '.join(map(str, words.tolist()))} only once", "1 2 only once 3"
    hypothesis, reference = reversed(pair) if turned else pair
    row = METRIC.statistics([hypothesis], [reference])[0]
    assert row[1] == 1.0
    assert row[2] * len(hypothesis.split()) == pytest.approx(2)


def test_a_long_line_of_one_word() -> None:
    """Only its ends have a context that no other has."""
    text = " ".join(["a"] * 100_000)
    row = METRIC.statistics([text], [text])[0]
    assert row[1:3] == pytest.approx([1.0, 2e-5])


def test_options() -> None:
    assert parse_metric("ribes[alpha=0.5]").spec == "ribes[alpha=0.5]"
    for wrong in ("alpha=-1", "beta=nan", "alpha=inf"):
        with pytest.raises(OptionError, match="ribes: found"):
            parse_metric(f"ribes[{wrong}]")


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["heen", "heen-tok"])
@pytest.mark.parametrize("system", ["GPT4-5shot", "ONLINE-B"])
@pytest.mark.parametrize(("tool", "sets"), [("ribes-ntt", 2), ("ribes-ntt-1ref", 1)])
def test_golden(shared_oracles: Path, folder: str, system: str, tool: str, sets: int) -> None:
    root = shared_oracles / folder
    golden = read_golden(root, f"{tool}.{system}")
    columns = [lines(root / f"ref.{i}.txt") for i in range(sets)]
    references = References.of(list(zip(*columns, strict=True)))
    for measure, lowercase in (("RIBES.cased", False), ("RIBES.lc", True)):
        metric = Ribes(tokenizer=WHITESPACE, lowercase=lowercase)
        rows = metric.statistics(lines(root / f"hyp.{system}.txt"), references)
        printed = [golden.segments[measure][i] for i in range(len(rows))]
        assert [f"{score:.6f}" for score in metric.score(rows) / 100] == printed
        corpus = metric.score(rows.sum(axis=0)) / 100
        assert f"{corpus:.6f}" == golden.corpus[measure]
