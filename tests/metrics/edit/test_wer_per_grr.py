"""WER, PER and k-GRR: hand-computed cases, plain oracles, RapidFuzz's alignments."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tertium import _native
from tertium._native import Texts
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.metrics.edit.per import PositionIndependentErrorRate
from tertium.metrics.edit.wer import WordErrorRate, WordRecognitionRate
from tertium.text.tokenizers import WHITESPACE
from tests.oracles import error_rates
from tests.oracles import grr as grr_oracle
from tests.support.strategies import corpora, joined, segment, sentences

WER = WordErrorRate(tokenizer=WHITESPACE)
BEST_RATE = WordErrorRate(tokenizer=WHITESPACE, references="best-rate")
PER = PositionIndependentErrorRate(tokenizer=WHITESPACE)
PER_CORPUS = PositionIndependentErrorRate(tokenizer=WHITESPACE, clip="corpus")

Pair = tuple[list[str], list[str]]

# α, β: the default, the paper's other setting, rewards for errors, weights that are no
# whole number of thousandths.
WEIGHTS = [(1, 0), (-0.9, 1), (0, 0), (0.25, 0.5), (-1, -2), (2, -1), (0.1234567, -0.7654321)]
weights = st.sampled_from(WEIGHTS)


def grr(k: int, alpha: float, beta: float) -> GramRecognitionRate:
    return GramRecognitionRate(tokenizer=WHITESPACE, k=k, alpha=alpha, beta=beta)


def random_pairs(seed: int, count: int, longest: int, vocabulary: int) -> Iterator[Pair]:
    """Half of the hypotheses are damaged references, half have nothing to do with them."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        reference = [str(word) for word in rng.integers(0, vocabulary, rng.integers(longest + 1))]
        if rng.random() < 0.5:
            drawn = rng.integers(0, vocabulary + 1, rng.integers(longest + 1))
            yield [str(word) for word in drawn], reference
        else:
            kept = [word for word in reference if rng.random() < 0.85]
            yield [word if rng.random() < 0.8 else "new" for word in kept], reference


def texts(pairs: list[Pair]) -> tuple[list[str], list[list[str]]]:
    return joined([(hypothesis, [reference]) for hypothesis, reference in pairs])


def rapidfuzz_moves(hypothesis: list[str], reference: list[str]) -> str:
    letters = {"equal": "=", "replace": "S", "insert": "I", "delete": "D"}
    return "".join(
        letters[code.tag] * max(code.src_end - code.src_start, code.dest_end - code.dest_start)
        for code in Levenshtein.opcodes(reference, hypothesis)
    )


# (hypothesis, references, [I, D, S, length]), worked by hand.
EDITS_BY_HAND = [
    ("a b c", ["a b c"], [0, 0, 0, 3]),
    ("", ["a b c"], [0, 3, 0, 3]),
    ("a b", [""], [2, 0, 0, 0]),
    ("a x c d", ["a b c"], [1, 0, 1, 3]),
    # fewest edits: one for the second reference, over the mean length of 2 and 4
    ("a b c", ["x y", "a b c d"], [0, 1, 0, 3]),
    # a tie in edits goes to the first
    ("a b", ["a b c", "a"], [0, 1, 0, 2]),
    # one edit of one word against five of six
    ("a", ["b", "a b c d e f"], [0, 0, 1, 3.5]),
]


@pytest.mark.parametrize(("hypothesis", "references", "row"), EDITS_BY_HAND)
def test_edits_by_hand(hypothesis: str, references: list[str], row: list[float]) -> None:
    assert WER.statistics([hypothesis], [references]).tolist() == [row]


# The same for references=best-rate, which takes the length of the reference it chose.
RATES_BY_HAND = [
    ("a", ["b", "a b c d e f"], [0, 5, 0, 6]),
    ("a b", ["a b c", "a b d"], [0, 1, 0, 3]),
    # nothing wrong with nothing is the best rate, anything wrong with nothing the worst
    ("", ["a", ""], [0, 0, 0, 0]),
    ("x", ["", "a b c"], [0, 2, 1, 3]),
]


@pytest.mark.parametrize(("hypothesis", "references", "row"), RATES_BY_HAND)
def test_best_rate_by_hand(hypothesis: str, references: list[str], row: list[float]) -> None:
    assert BEST_RATE.statistics([hypothesis], [references]).tolist() == [row]


@pytest.mark.parametrize(
    ("count", "longest", "vocabulary"),
    [(1500, 12, 3), (800, 40, 12), (300, 70, 4), (60, 200, 30), (10, 700, 5)],
)
def test_alignments_are_rapidfuzzs(count: int, longest: int, vocabulary: int) -> None:
    """Across one machine word (64), several, and with many minimal alignments to choose from."""
    pairs = list(random_pairs(longest, count, longest, vocabulary))
    rows = WER.statistics(*texts(pairs))
    for row, (hypothesis, reference) in zip(rows, pairs, strict=True):
        moves = rapidfuzz_moves(hypothesis, reference)
        assert WER.align(" ".join(hypothesis), " ".join(reference)).moves == moves
        assert row.tolist() == [*(moves.count(letter) for letter in "IDS"), len(reference)]


@pytest.mark.parametrize(("words", "vocabulary"), [(3000, 3), (3000, 500), (9000, 40)])
def test_long_alignments_are_rapidfuzzs_too(words: int, vocabulary: int) -> None:
    """So long that the table is not stored but the problem divided (Hirschberg 1975)."""
    rng = np.random.default_rng(words + vocabulary)
    reference = [str(word) for word in rng.integers(0, vocabulary, words)]
    hypothesis = [word if rng.random() < 0.9 else "new" for word in reference if rng.random() < 0.9]
    moves = WER.align(" ".join(hypothesis), " ".join(reference)).moves
    assert moves == rapidfuzz_moves(hypothesis, reference)


@given(corpora)
def test_error_rates_equal_the_oracles(
    segments: list[tuple[list[str], list[list[str]]]],
) -> None:
    hypotheses, references = joined(segments)
    words = [hypothesis for hypothesis, _ in segments]
    alternatives = [found for _, found in segments]

    def percent(metric: WordErrorRate | PositionIndependentErrorRate) -> float:
        return float(metric.score(metric.statistics(hypotheses, references).sum(axis=0)))

    plain = 100 * error_rates.word_error_rate(words, alternatives)
    assert percent(WER) == pytest.approx(plain, abs=1e-9)
    assert percent(WordRecognitionRate(tokenizer=WHITESPACE)) == pytest.approx(100 - plain)
    rated = error_rates.word_error_rate(words, alternatives, best_rate=True)
    assert percent(BEST_RATE) == pytest.approx(100 * rated, abs=1e-9)
    bag = error_rates.position_independent_error_rate(words, alternatives)
    assert percent(PER) == pytest.approx(100 * bag, abs=1e-9)
    clipped = error_rates.position_independent_error_rate(words, alternatives, clip="corpus")
    assert percent(PER_CORPUS) == pytest.approx(100 * clipped, abs=1e-9)


@given(segment())
def test_bag_errors_are_counted(pair: tuple[list[str], list[list[str]]]) -> None:
    hypothesis, references = pair
    hypotheses, alternatives = joined([pair])
    errors = min(
        max(len(hypothesis), len(reference)) - (Counter(hypothesis) & Counter(reference)).total()
        for reference in references
    )
    assert PER.statistics(hypotheses, alternatives)[0, 0] == errors


def test_surplus_is_charged_where_the_clip_says() -> None:
    # Lengths 3 and 1 against 2 and 2; matches 2 and 1. In segments: 1 + 1 errors of 4 words.
    # For the corpus: 4 words against 4, 3 matches, no surplus.
    hypotheses, references = ["a b c", "d"], [["a b"], ["d e"]]
    assert PER.score(PER.statistics(hypotheses, references).sum(axis=0)) == 50
    rows = PER_CORPUS.statistics(hypotheses, references)
    assert rows.tolist() == [[2, 3, 2], [1, 1, 2]]
    assert PER_CORPUS.score(rows.sum(axis=0)) == 25


# (hypothesis, reference, (k, α, β), [numerator, denominator]), worked by hand.
GRAMS_BY_HAND = [
    # all of 4 + 3 + 2 + 1 n-grams
    ("a b c d", "a b c d", (4, 1, 0), [10, 10]),
    # the run breaks: two unigrams and a bigram, twice
    ("a b x d e", "a b c d e", (4, 1, 0), [6, 14]),
    # an insertion breaks it and costs 1
    ("a b x c", "a b c", (4, 1, 0), [3 + 1 - 1, 6]),
    # a deletion breaks it and costs nothing, or β
    ("a c", "a b c", (4, 1, 0), [2, 6]),
    ("a c", "a b c", (4, 1, 0.5), [1.5, 6]),
    # at α = −0.9, β = 1 a substitution (0) is still better than both errors (0.9 − 1)
    ("x", "a", (1, -0.9, 1), [0, 1]),
    ("x y", "a", (1, -0.9, 1), [0.9, 1]),
    ("", "a b", (2, 1, 0), [0, 3]),
    ("a b", "", (4, 1, 0), [-2, 0]),
    ("a b", "", (4, -0.9, 1), [1.8, 0]),
]


@pytest.mark.parametrize(("hypothesis", "reference", "options", "row"), GRAMS_BY_HAND)
def test_grams_by_hand(
    hypothesis: str, reference: str, options: tuple[int, float, float], row: list[float]
) -> None:
    assert grr(*options).statistics([hypothesis], [[reference]]).tolist() == [row]


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(("alpha", "beta"), WEIGHTS)
def test_grams_are_the_best_of_all_paths(k: int, alpha: float, beta: float) -> None:
    pairs = list(random_pairs(k, 120, 4, 2))
    rows = grr(k, alpha, beta).statistics(*texts(pairs))
    best = [
        max(grr_oracle.Automaton(reference, k, alpha, beta).path_weights(hypothesis))
        for hypothesis, reference in pairs
    ]
    np.testing.assert_allclose(rows[:, 0], best, rtol=0, atol=1e-12)
    assert rows[:, 1].tolist() == [grr_oracle.denominator(reference, k) for _, reference in pairs]


@given(
    st.lists(st.sampled_from("ab"), max_size=4),
    st.lists(st.sampled_from("ab"), max_size=4),
    st.integers(1, 5),
    weights,
)
def test_the_automaton_is_the_equation(
    hypothesis: list[str], reference: list[str], k: int, pair: tuple[float, float]
) -> None:
    rows = grr(k, *pair).statistics([" ".join(hypothesis)], [[" ".join(reference)]])
    expected = grr_oracle.numerator_by_equation(hypothesis, reference, k, *pair)
    assert rows[0, 0] == pytest.approx(expected, abs=1e-12)


@given(segment(), st.sampled_from([1, 2, 3, 4, 5, 9, 10**9]), weights)
@example((["a"], [[], ["b", "b"]]), 4, (1, 0))
@example((["a"], [[], []]), 4, (1, 0))
def test_several_references(
    pair: tuple[list[str], list[list[str]]], k: int, costs: tuple[float, float]
) -> None:
    rows = grr(k, *costs).statistics(*joined([pair]))
    expected = grr_oracle.gram_recognition_row(*pair, min(k, 20), *costs)
    np.testing.assert_allclose(rows[0], expected, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 3, 4, 6])
@pytest.mark.parametrize(("alpha", "beta"), WEIGHTS)
def test_longer_segments(k: int, alpha: float, beta: float) -> None:
    pairs = list(random_pairs(k, 8, 60, 6))
    rows = grr(k, alpha, beta).statistics(*texts(pairs))
    best = [
        grr_oracle.Automaton(reference, k, alpha, beta).best_weight(hypothesis)
        for hypothesis, reference in pairs
    ]
    np.testing.assert_allclose(rows[:, 0], best, rtol=0, atol=1e-9)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 6, 9])
def test_whole_weights_of_long_segments_are_those_of_any_numbers(k: int) -> None:
    """Longer than a strip's 512 words, and weights beyond 16 bits; 1 + 1e-12 is not whole."""
    random = Random(k)
    reference = [str(random.randrange(9)) for _ in range(1100)]
    hypothesis = [word for word in reference[300:] if random.random() < 0.7]
    hypothesis[30:30] = [str(random.randrange(9)) for _ in range(80)]
    for pair in ((hypothesis, reference), (reference, hypothesis), (hypothesis[:70], reference)):
        for alpha, beta in ((1, 0.25), (0.125, 4), (0, 0.01)):
            whole = grr(k, alpha, beta).statistics(*texts([pair]))
            other = grr(k, alpha + 1e-12, beta).statistics(*texts([pair]))
            np.testing.assert_allclose(whole, other, rtol=0, atol=1e-6)


def test_segments_beyond_16_bit_weights() -> None:
    reference = [f"w{i}" for i in range(1200)]
    row = grr(4, 1, 0).statistics([" ".join(reference[:1100])], [[" ".join(reference)]])[0]
    assert row.tolist() == [grr_oracle.denominator(reference[:1100], 4), 4 * 1200 - 6]
    swapped = grr(4, 1, 0).statistics([" ".join(reference)], [[" ".join(reference[:1100])]])[0]
    assert swapped.tolist() == [grr_oracle.denominator(reference[:1100], 4) - 100, 4 * 1100 - 6]


@given(corpora)
def test_one_gram_without_deletion_cost_is_word_recognition(
    segments: list[tuple[list[str], list[list[str]]]],
) -> None:
    hypotheses, references = joined([(one, several[:1]) for one, several in segments])
    recognised = WordRecognitionRate(tokenizer=WHITESPACE)
    rows = recognised.statistics(hypotheses, references)
    grams = grr(1, 1, 0).statistics(hypotheses, references)
    assert (grams[:, 0] == rows[:, 3] - rows[:, :3].sum(axis=1)).all()
    np.testing.assert_allclose(grr(1, 1, 0).score(grams), recognised.score(rows), atol=1e-9)


@given(sentences, sentences, st.integers(1, 5), weights)
def test_a_path_is_legal_and_best(
    hypothesis: list[str], reference: list[str], k: int, costs: tuple[float, float]
) -> None:
    alpha, beta = costs
    interned = _native.TokenizedReferences([Texts([" ".join(reference)])], "none")
    (steps,) = _native.grr_paths(
        Texts([" ".join(hypothesis)]), interned, 0, k=k, alpha=alpha, beta=beta
    )
    automaton = grr_oracle.Automaton(reference, k, alpha, beta)
    state, read, weight = (0, 0), 0, 0.0
    for move, word, position, run, gain in steps:
        assert word == (-1 if move == "D" else read)
        assert position == (-1 if move == "I" else state[0])
        following = (state[0] + (move != "I"), run)
        heard = None if move == "D" else hypothesis[read]
        assert (following, gain) in automaton.transitions(state, heard)
        state, read, weight = following, read + (move != "D"), weight + gain
    assert (state[0], read) == (len(reference), len(hypothesis))
    assert weight == pytest.approx(automaton.best_weight(hypothesis), abs=1e-9)


def test_a_path_too_long_to_keep_says_so() -> None:
    text = " ".join(["a"] * 3000)
    interned = _native.TokenizedReferences([Texts([text])], "none")
    with pytest.raises(ValueError, match=r"3000 with 3000 words .* expected .* at most 16777216"):
        _native.grr_paths(Texts([text]), interned, 0, k=4, alpha=1, beta=0)
