"""NIST against the formula, the golden outputs of mteval, and invariants."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.metrics.ngram.nist import Nist
from tertium.text.references import References
from tertium.text.tokenizers import WHITESPACE, Tokenizer
from tests.oracles import nist as oracle
from tests.oracles.bleu import Segments
from tests.support.golden import lines, read_golden
from tests.support.strategies import corpora, joined


@given(corpora, st.integers(1, 7))
def test_equals_the_formula(segments: Segments, order: int) -> None:
    hypotheses, references = joined(list(segments))
    metric = Nist(order=order, tokenizer=WHITESPACE).fit(references)
    score = metric.score(metric.statistics(hypotheses, references).sum(axis=0))
    assert score == pytest.approx(oracle.nist(segments, order), abs=1e-9)


@given(corpora)
def test_long_words_are_told_apart(segments: Segments) -> None:
    """Tokens over eight bytes are compared by their bytes."""
    longer = [
        ([word * 9 for word in hypothesis], [[word * 9 for word in words] for words in references])
        for hypothesis, references in segments
    ]
    hypotheses, references = joined(longer)
    metric = Nist(tokenizer=WHITESPACE)
    score = tertium.score(hypotheses, references, metric).value
    assert score == pytest.approx(oracle.nist(longer), abs=1e-9)


@given(corpora, st.integers(1, 7))
def test_a_copy_of_the_references_is_as_good(segments: Segments, order: int) -> None:
    """What was counted is found by its place, and in any other references by its words."""
    hypotheses, references = joined(list(segments))
    counted = References.of(references)
    metric = Nist(order=order, tokenizer=WHITESPACE).fit(counted)
    rows = metric.statistics(hypotheses, counted)
    np.testing.assert_array_equal(metric.statistics(hypotheses, references), rows)


def test_long_references_are_counted_too() -> None:
    """Beyond 64 words matches are found in another way."""
    words = [f"w{number % 7 * (number % 5)}" for number in range(200)]
    segments = [(words[40:170], [words[:150], words[30:]]), (words[:9], [words[2:9]])]
    hypotheses, references = joined(segments)
    score = tertium.score(hypotheses, references, Nist(tokenizer=WHITESPACE)).value
    assert score == pytest.approx(oracle.nist(segments), abs=1e-9)


def test_what_was_not_counted_tells_nothing() -> None:
    fitted = Nist(tokenizer=WHITESPACE).fit(["a b c", "a b d"])
    row = fitted.statistics(["x b c y"], ["x b c y"])[0]
    # 6 words, "b" twice, "c" once; "c" after one "b" of two; the rest stands in no reference
    assert row[:5] == pytest.approx([np.log2(3) + np.log2(6), 1, 0, 0, 0])


def test_information_comes_from_all_references() -> None:
    references = References.of(["a b", "a c", "a d"])
    fitted = Nist(tokenizer=WHITESPACE).fit(references)
    # 6 words, "a" 3 times: log2(6/3) = 1 bit; "b" once: log2 6; "a b" after 3 "a": log2 3
    row = fitted.statistics(["a b"], ["a b"])[0]
    assert row[:2] == pytest.approx([1 + np.log2(6), np.log2(3)])


def test_empty_hypothesis_scores_nothing() -> None:
    assert tertium.score(["", "a"], ["a b", "c d"], "nist").value == 0.0


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["heen", "heen-tok"])
@pytest.mark.parametrize("system", ["GPT4-5shot", "ONLINE-B"])
@pytest.mark.parametrize(
    "tool", ["mteval-v13a", "mteval-v14", "mteval-v13a-1ref", "mteval-v14-1ref"]
)
def test_golden(shared_oracles: Path, folder: str, system: str, tool: str) -> None:
    root = shared_oracles / folder
    if not (root / f"{tool}.{system}.tsv.gz").exists():
        # Not every program was run on every set, and what it would print cannot be known.
        pytest.skip(f"no golden file {tool}.{system} in {folder}")
    golden = read_golden(root, f"{tool}.{system}")
    sets = 1 if tool.endswith("1ref") else 2
    columns = [lines(root / f"ref.{i}.txt") for i in range(sets)]
    references = References.of(list(zip(*columns, strict=True)))
    measures = {"NIST.cased": "13a", "NIST.cased.intl": "intl"}
    for measure, tokenizer in measures.items():
        if measure not in golden.corpus:
            continue
        metric = Nist(tokenizer=Tokenizer(tokenizer)).fit(references)
        rows = metric.statistics(lines(root / f"hyp.{system}.txt"), references)
        expected = float(golden.corpus[measure])
        assert metric.score(rows.sum(axis=0)) == pytest.approx(expected, abs=1e-9)
        if measure in golden.segments:
            np.testing.assert_allclose(metric.score(rows), golden.column(measure), atol=1e-9)
