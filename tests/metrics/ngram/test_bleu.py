"""BLEU and BLEU-SBP: hand-computed cases, the plain oracle, sacreBLEU, invariants."""

from collections.abc import Callable
from math import exp

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import OptionError
from tertium.metrics.ngram.bleu import Bleu, BleuStrictBrevity, ReferenceLength, Smoothing
from tertium.text.tokenizers import WHITESPACE, Tokenizer
from tests.oracles import bleu as oracle
from tests.support.strategies import corpora, joined

LENGTHS: list[ReferenceLength] = ["closest", "shortest", "average"]


def corpus_score(metric: Bleu, hypotheses: list[str], references: list[list[str]]) -> float:
    return float(metric.score(metric.statistics(hypotheses, references).sum(axis=0)))


@pytest.mark.parametrize("text", ["house", "a b", "a b c d"])
def test_nothing_added_leaves_orders_without_ngrams_out(text: str) -> None:
    """With an effective order, add-k with k = 0 is as in sacreBLEU, for text of any length."""
    theirs = sacrebleu.BLEU(
        effective_order=True, smooth_method="add-k", smooth_value=0, max_ngram_order=3
    )
    ours = Bleu(effective_order=True, smoothing=Smoothing("add-k", 0.0), order=3)
    expected = theirs.corpus_score([text], [[text]]).score
    assert corpus_score(ours, [text], [[text]]) == pytest.approx(expected, abs=1e-9)


# (hypotheses, references, BLEU of order 2 without smoothing, BLEU-SBP), worked by hand.
BY_HAND = [
    # perfect
    (["a b c"], [["a b c"]], 100.0, 100.0),
    # p1 = 3/3, p2 = 2/2, one word short of four: exp(1 - 4/3)
    (["a b c"], [["a b c d"]], 100 * exp(1 - 4 / 3), 100 * exp(1 - 4 / 3)),
    # clipping (Papineni et al. 2002): "the" seven times matches twice; no bigram matches
    (["the the the the the the the"], [["the cat is on the mat"]], 0.0, 0.0),
    # lengths 4 and 2 against 3 and 3: BLEU sees 6 of 6 words, SBP 3 + 2 of 6;
    # p1 = 5/6, p2 = (2 + 1) / (3 + 1)
    (
        ["a b c x", "d e"],
        [["a b c"], ["d e f"]],
        100 * (5 / 6 * 3 / 4) ** 0.5,
        100 * exp(1 - 6 / 5) * (5 / 6 * 3 / 4) ** 0.5,
    ),
    # two references: the clip is the maximum, the closest length the shorter on a tie
    (["a a b"], [["a a", "a b c d"]], 100.0, 100.0),
]


@pytest.mark.parametrize(("hypotheses", "references", "bleu", "strict"), BY_HAND)
def test_by_hand(
    hypotheses: list[str], references: list[list[str]], bleu: float, strict: float
) -> None:
    plain = Bleu(order=2, smoothing=Smoothing("none"), tokenizer=WHITESPACE)
    closest = BleuStrictBrevity(
        order=2, smoothing=Smoothing("none"), tokenizer=WHITESPACE, reference_length="closest"
    )
    assert corpus_score(plain, hypotheses, references) == pytest.approx(bleu, abs=1e-12)
    assert corpus_score(closest, hypotheses, references) == pytest.approx(strict, abs=1e-12)


@given(corpora, st.sampled_from(LENGTHS), st.integers(1, 6), st.booleans())
def test_equals_the_formula(
    segments: oracle.Segments,
    choice: ReferenceLength,
    order: int,
    strict: bool,
) -> None:
    metric_class: Callable[..., Bleu] = BleuStrictBrevity if strict else Bleu
    metric = metric_class(
        order=order, smoothing=Smoothing("none"), tokenizer=WHITESPACE, reference_length=choice
    )
    expected = oracle.bleu(segments, order=order, choice=choice, strict=strict)
    hypotheses, references = joined(list(segments))
    assert corpus_score(metric, hypotheses, references) == pytest.approx(expected, abs=1e-9)


@given(
    corpora,
    st.sampled_from(["exp", "floor", "add-k", "none"]),
    st.booleans(),
    st.sampled_from(["13a", "intl", "char", "none"]),
)
def test_equals_sacrebleu(
    segments: oracle.Segments,
    smoothing: str,
    effective: bool,
    tokenizer: str,
) -> None:
    hypotheses, references = joined(list(segments))
    width = max(map(len, references))
    columns = [[row[i] if i < len(row) else None for row in references] for i in range(width)]
    peer = sacrebleu.BLEU(
        smooth_method=smoothing, effective_order=effective, tokenize=tokenizer, force=True
    )
    metric = Bleu(
        smoothing=Smoothing(smoothing),
        effective_order=effective,
        tokenizer=Tokenizer(tokenizer),
    )
    expected = peer.corpus_score(hypotheses, columns).score  # type: ignore[arg-type]
    assert corpus_score(metric, hypotheses, references) == pytest.approx(expected, abs=1e-9)


@given(corpora, st.sampled_from(LENGTHS), st.booleans())
def test_strict_penalty_is_never_milder(
    segments: oracle.Segments,
    choice: ReferenceLength,
    effective: bool,
) -> None:
    hypotheses, references = joined(list(segments))
    strict = BleuStrictBrevity(reference_length=choice, effective_order=effective)
    plain = Bleu(reference_length=choice, effective_order=effective)
    rows = strict.statistics(hypotheses, references)
    covered, length = rows[:, -1], rows[:, 2 * strict.order + 1]
    assert (covered <= length).all()
    assert covered.sum() <= length.sum()
    assert strict.score(rows.sum(axis=0)) <= plain.score(rows[:, :-1].sum(axis=0))
    assert (strict.score(rows) <= plain.score(rows[:, :-1])).all()


def test_perfect_is_exactly_100() -> None:
    text = [" ".join(f"w{i}" for i in range(n)) for n in range(1, 90)]
    rows = Bleu().statistics(text, text)
    assert Bleu().score(rows.sum(axis=0)) == 100.0
    assert (Bleu().for_segments().score(rows) == 100.0).all()


@given(st.integers(60, 140), st.integers(60, 140), st.integers(1, 3), st.integers(1, 20))
def test_long_segments(hypothesis: int, reference: int, count: int, order: int) -> None:
    rng = np.random.default_rng([hypothesis, reference, count, order])

    def draw(words: int) -> list[str]:
        return [str(word) for word in rng.integers(0, 5, words)]

    segments = [(draw(hypothesis), [draw(reference + i) for i in range(count)])]
    hypotheses, references = joined(segments)
    rows = Bleu(order=order, tokenizer=WHITESPACE).statistics(hypotheses, references)
    expected = [oracle.matches(*segments[0], n) for n in range(1, order + 1)]
    assert rows[0, :order].tolist() == expected


@given(
    st.integers(0, 2**32),
    st.integers(0, 300),
    st.lists(
        st.sampled_from([0, 1, 2, 63, 64, 65, 127, 128, 129, 200, 700]), min_size=1, max_size=5
    ),
    st.sampled_from([1, 2, 30, 500]),
    st.sampled_from([1, 2, 4, 9]),
)
def test_references_of_every_width(
    seed: int, hypothesis: int, lengths: list[int], vocabulary: int, order: int
) -> None:
    """Long references lie in one row of bits; no n-gram goes from one into the next."""
    rng = np.random.default_rng(seed)
    references = [[str(word) for word in rng.integers(0, vocabulary, n)] for n in lengths]
    text = [word for reference in references for word in reference] or ["0"]
    at = int(rng.integers(0, len(text)))
    drawn = [str(word) for word in rng.integers(0, vocabulary + 1, hypothesis // 3)]
    segment = ([*text[at : at + hypothesis], *drawn], references)
    texts, columns = joined([segment])
    rows = Bleu(order=order, tokenizer=WHITESPACE).statistics(texts, columns)
    assert rows[0, :order].tolist() == [oracle.matches(*segment, n) for n in range(1, order + 1)]


def test_arithmetic_mean_and_weights() -> None:
    # p1 = 2/3, p2 = 1/2 (a b | b x), lengths equal
    hypotheses, references = ["a b x"], [["a b c"]]
    arithmetic = Bleu(order=2, mean="arithmetic")
    weighted = Bleu(order=2, weights=(0.75, 0.25))
    assert corpus_score(arithmetic, hypotheses, references) == pytest.approx(
        100 * (2 / 3 + 1 / 2) / 2
    )
    assert corpus_score(weighted, hypotheses, references) == pytest.approx(
        100 * (2 / 3) ** 0.75 * (1 / 2) ** 0.25
    )


def test_lin_och_adds_one_above_unigrams() -> None:
    # p1 = 1/2, p2 = (0 + 1) / (1 + 1)
    metric = Bleu(order=2, smoothing=Smoothing("lin-och"))
    assert corpus_score(metric, ["a x"], [["a b"]]) == pytest.approx(100 * (1 / 2 * 1 / 2) ** 0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": 0}, "bleu: found order 0, expected at least 1"),
        ({"weights": (1.0,)}, "bleu: found 1 weights, expected 4 (order)"),
        ({"smoothing": "exp[2]"}, "smoothing exp: found a value, expected none"),
        ({"tokenizer": "13b"}, "unknown tokenizer '13b'; did you mean '13a'?"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError) as error:
        Bleu(**options)  # type: ignore[arg-type]
    assert message in str(error.value)
