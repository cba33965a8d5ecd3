"""AMBER against the paper's examples, hand-computed cases and the formulas."""

import json
import random
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import OptionError
from tertium.metrics.amber.matches import shipped_affixes
from tertium.metrics.amber.metric import Amber, AmberBasic
from tertium.metrics.amber.quality import GAPS, PENALTIES
from tertium.metrics.contract.table import parse_metric
from tertium.text.references import References
from tertium.text.tokenizers import WHITESPACE
from tests.oracles import amber as oracle
from tests.support.commands import output
from tests.support.effort import examples
from tests.support.strategies import joined

AFFIXES = shipped_affixes()
ON_WORDS = AmberBasic(tokenizer=WHITESPACE)
SAMPLE = Path(tertium.__file__).parent / "data" / "sample"


def penalties(
    hypotheses: list[str], references: list[list[str]], metric: Amber = ON_WORDS
) -> dict[str, float]:
    """The raw penalties of the corpus."""
    rows = metric.statistics(hypotheses, references)
    (run,) = metric.breakdown(rows.sum(axis=0)).runs
    return {one.name: one.value for one in run.penalties}


def columns(metric: Amber, hypotheses: list[str], references: list[list[str]]) -> dict[str, float]:
    """The sums of the statistics by name."""
    sums = metric.statistics(hypotheses, references).sum(axis=0)
    return dict(zip(metric.columns, sums.tolist(), strict=True))


# The paper's own examples ----------------------------------------------------------------------


def test_chunks_of_the_paper() -> None:
    hypotheses = ["m1 m2 x m3 m4 m5 x m6", "m7 x m8 m9 x m10 m11 m12 x m13"]
    references = [[text.replace("x", "y")] for text in hypotheses]
    found = columns(ON_WORDS, hypotheses, references)
    assert (found["1:matches_1"], found["1:matches_2"]) == (13, 6)
    seven_chunks = 1 - 0.1 * (7 / 13) ** 3
    assert penalties(hypotheses, references)["ckp"] == pytest.approx(seven_chunks)


def test_continuity_of_the_paper() -> None:
    hypotheses = ["x m1 m2 m3 m4 m5 m6", "m7 m8 m9 m10 m11 m12 m13 x"]
    references = [["m1 m2 m3 m4 m5 m6"], ["m7 m8 m9 m10 m11 m12 m13"]]
    found = columns(ON_WORDS, hypotheses, references)
    assert (found["1:matches_1"], found["1:matches_2"]) == (13, 11)
    assert found["1:matched_segments_1"] == 2  # 11 / (13 − 2) = 1
    for reading in ("mean", "restored", "inverted"):
        metric = ON_WORDS.with_options(continuity=reading)
        assert penalties(hypotheses, references, metric)["ctp"] == 1
    assert penalties(hypotheses, references)["ctp"] == pytest.approx(exp(1 - 3 / 4))


@pytest.mark.parametrize(("spearman", "rho"), [("published", 0.9), ("standard", 0.4)])
def test_word_order_of_the_paper(spearman: str, rho: float) -> None:
    metric = ON_WORDS.with_options(spearman=spearman)
    found = penalties(["Bob reading book likes"], [["Bob likes reading book"]], metric)
    assert found["nscp"] == pytest.approx((1 + rho) / 2)
    assert found["nkcp"] == pytest.approx((1 + (2 * 4 / 6 - 1)) / 2)  # τ = .33


# Penalties by hand -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypotheses", "references", "name", "expected"),
    [
        # Σ|r| = 6, Σ min = 2 + 3
        (["a b", "a b c d"], [["a b c"], ["a b c"]], "sbp", exp(1 - 6 / 5)),
        # Σ max = 3 + 4, Σ|r| = 6
        (["a b", "a b c d"], [["a b c"], ["a b c"]], "srp", exp(1 - 7 / 6)),
        # 5 of 7 characters, ü and β being one each
        (["aaa bβ"], [["aaa bβ üü"]], "csbp", exp(1 - 7 / 5)),
        (["aaa bβ üü"], [["aaa bβ"]], "csrp", exp(1 - 7 / 5)),
        # short words: 2 against 1 and 0 against 1, of 6 reference words
        (["a b cccc", "dddd"], [["a cccc dddd eeee"], ["a dddd"]], "swdp", exp(-2 / 6)),
        # long words: 1 against 3 and 1 against 1
        (["a b cccc", "dddd"], [["a cccc dddd eeee"], ["a dddd"]], "lwdp", exp(-2 / 6)),
        # 3 letters are short, 4 are long
        (["abc"], [["abcd"]], "swdp", exp(-1)),
        (["abc"], [["abcd"]], "lwdp", exp(-1)),
        # all words matched, none beside another
        (["a b c"], [["c b a"]], "ckp", 1 - 0.1),
        # nothing matched: no chunk
        (["a"], [["b"]], "ckp", 1),
        # bigrams 1 / (3 − 1), trigrams 0 / (1 − 1) though 3 words are there, 4-grams impossible
        (["a b x c"], [["a b y c z"]], "ctp", exp(1 - (1 / 2 + 0 + 0) / 4)),
        (["a b c"], [["a b c"]], "ctp", exp(1 / 4)),
        # reversed: Σd² = 4 + 0 + 4, n = 3
        (["c b a"], [["a b c"]], "nscp", 1 - 8 / 24 / 2),
        (["c b a"], [["a b c"]], "nkcp", 0),
        # mean over segments, of which one has fewer than two matched words
        (["b a", "a x"], [["a b"], ["a y"]], "nkcp", 0.5),
        # "a" corresponds by its neighbour: b a | a c → ranks 3 4 1 2
        (["b a a c"], [["a c b a"]], "nkcp", 2 / 6),
        # the closest of several references, the shorter of two
        (["a b"], [["a b c", "a b c d"]], "sbp", exp(1 - 3 / 2)),
        (["a b c"], [["a b", "a b c d"]], "sbp", 1),
        (["a b c"], [["a b", "a b c d"]], "srp", exp(1 - 3 / 2)),
        (["", "a"], [["a b"], ["a"]], "sbp", exp(1 - 3 / 1)),
        ([""], [["a"]], "sbp", 0),
        (["a"], [[""]], "srp", 0),
        (["a"], [[""]], "swdp", 0),
    ],
)
def test_penalty(
    hypotheses: list[str], references: list[list[str]], name: str, expected: float
) -> None:
    assert penalties(hypotheses, references)[name] == pytest.approx(expected)


sentences = st.lists(
    st.sampled_from(
        ["a", "of", "the", "Cats", "gangs", "reading", "unhappily", "naïvely", "ÜBERGÄNGE", "x²"]
    ),
    max_size=12,
)
corpora = st.lists(
    st.tuples(sentences, st.lists(sentences, min_size=1, max_size=3)), min_size=1, max_size=4
)


@given(corpora)
def test_penalties_are_at_most_one(segments: list[tuple[list[str], list[list[str]]]]) -> None:
    """Continuity as printed is a bonus, from e^(1/4) for matches in one row to e."""
    found = penalties(*joined(segments))
    assert exp(1 / 4) - 1e-12 <= found.pop("ctp") <= exp(1) + 1e-12
    assert max(found.values()) <= 1
    for reading in ("restored", "inverted"):
        metric = ON_WORDS.with_options(continuity=reading)
        assert penalties(*joined(segments), metric)["ctp"] <= 1


@given(st.lists(sentences, min_size=1, max_size=4))
def test_identical_text_is_charged_a_chunk_per_segment_and_nothing_else(
    texts: list[list[str]],
) -> None:
    segments = [(text, [text]) for text in texts]
    found = penalties(*joined(segments))
    words, filled = sum(map(len, texts)), sum(map(bool, texts))
    expected = 1 - 0.1 * (filled / words) ** 3 if words else 1
    assert found.pop("ckp") == pytest.approx(expected)
    assert found.pop("ctp") == pytest.approx(exp(1 / 4))
    assert found == pytest.approx(dict.fromkeys(found, 1.0))
    metric = ON_WORDS.with_options(ckp=0)
    rows = metric.statistics(*joined(segments))
    assert metric.score(rows) == pytest.approx(np.full(len(rows), 100.0))
    assert metric.score(rows.sum(axis=0)) == pytest.approx(100.0)


# The score part by hand ------------------------------------------------------------------------


def test_score_part_by_hand() -> None:
    metric = ON_WORDS.with_options(order=2, strategies=("ngram",))
    (run,) = metric.breakdown(metric.statistics(["a b x"], ["a b c d"])[0]).runs
    precisions, recalls = (2 / 3, 1 / 2), (2 / 4, 1 / 3)
    assert run.precisions == pytest.approx(precisions)
    assert run.recalls == pytest.approx(recalls)
    assert run.average_precision == pytest.approx((2 / 3 * 1 / 2) ** 0.5)
    mean = (2 / 3 + 1 / 2) / 2
    assert run.f_mean == pytest.approx(mean * 0.5 / (0.9 * mean + 0.1 * 0.5))
    f = [p * r / (0.9 * p + 0.1 * r) for p, r in zip(precisions, recalls, strict=True)]
    assert run.average_f == pytest.approx(sum(f) / 2)
    expected = 0.3 * run.average_precision + 0.5 * run.f_mean + 0.2 * run.average_f
    assert run.score == pytest.approx(expected)
    assert run.value == pytest.approx(expected * np.prod([one.weighted for one in run.penalties]))


@pytest.mark.parametrize(
    ("strategy", "order", "limit", "matches", "total"),
    [
        ("ngram", 2, None, 2, 5),  # a b, b c
        ("fixed-gap", 2, None, 1, 4),  # a [] c
        ("fixed-gap", 3, None, 0, 6),
        ("flexible-gap", 2, None, 6, 10),  # a * c, a * d, a * f, b * d, b * f, c * f
        ("flexible-gap", 3, None, 3, 12),  # a b * d, a b * f, b c * f
        ("skip", 2, None, 10, 15),  # all pairs without x
        ("skip", 3, 1, 3, 10),  # a b c, b c d, c d f
        ("skip", 3, 0, 1, 4),  # a b c
    ],
)
def test_matching_strategies(
    strategy: str, order: int, limit: int | None, matches: int, total: int
) -> None:
    metric = ON_WORDS.with_options(order=order, strategies=(strategy,), skip_limit=limit)
    found = columns(metric, ["a b c x d f"], [["a b c d e f"]])
    prefix = "1:" if strategy == "ngram" else f"1:{strategy}_"
    assert found[f"{prefix}matches_{order}"] == matches
    assert found[f"{prefix}totals_{order}"] == total


@pytest.mark.slow
@given(
    corpora,
    st.builds(
        Amber,
        tokenizer=st.just(WHITESPACE),
        types=st.lists(st.integers(0, 7), min_size=1, max_size=3, unique=True).map(tuple),
        order=st.integers(1, 5),
        recall_order=st.integers(1, 5),
        strategies=st.lists(
            st.sampled_from(["ngram", *GAPS]), min_size=1, max_size=4, unique=True
        ).map(tuple),
        skip_limit=st.none() | st.integers(0, 5),
        tfidf=st.sampled_from(["none", "tf-idf", "none+tf-idf"]),
        short_word=st.integers(0, 6),
        spearman=st.sampled_from(["published", "standard"]),
        continuity=st.sampled_from(["printed", "mean", "restored", "inverted"]),
        alpha=st.floats(0, 1),
        theta1=st.floats(0, 0.5),
        theta2=st.floats(0, 0.5),
        ckp_beta=st.floats(0, 3),
        ckp_gamma=st.floats(0, 1.5),
        **dict.fromkeys(PENALTIES, st.floats(0, 3)),
    ),
)
@settings(max_examples=examples(200), deadline=None)
def test_equals_the_formulas(
    segments: list[tuple[list[str], list[list[str]]]], metric: Amber
) -> None:
    rows = metric.statistics(*joined(segments))
    expected = oracle.amber(segments, metric, AFFIXES)
    assert metric.score(rows.sum(axis=0)) == pytest.approx(expected, abs=1e-9)
    assert 100 * metric.breakdown(rows.sum(axis=0)).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("vocabulary", "references", "order"), [(40, 1, 2), (5000, 1, 3), (5000, 2, 2)]
)
def test_long_text_equals_the_formulas(vocabulary: int, references: int, order: int) -> None:
    """Beyond the limits up to which lists and vectors are used."""
    numbers = random.Random(vocabulary)
    text = [f"w{numbers.randrange(vocabulary)}" for _ in range(520)]
    moved = [*text[300:], *text[:90], *text[100:200]]
    segments = [(moved, [text, text[::-1]][:references])]
    metric = ON_WORDS.with_options(order=order)
    rows = metric.statistics(*joined(segments))
    assert metric.score(rows[0]) == pytest.approx(oracle.amber(segments, metric, AFFIXES))


# Everything else -------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["amber", "amber[types=0+7]", "amber[tfidf=none+tf-idf]"])
@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [("", "a b", 0), ("a b", "", 0), ("", "", 100), (" \t", "", 100), ("a", "b", 0)],
)
def test_empty_text(hypothesis: str, reference: str, expected: float, spec: str) -> None:
    metric = parse_metric(spec)
    rows = metric.statistics([hypothesis], [reference])
    assert metric.score(rows[0]) == pytest.approx(expected)
    assert rows[0].any() == (expected == 0)


@pytest.mark.slow
def test_a_very_long_line() -> None:
    numbers = np.random.default_rng(1).integers(0, 10_000, 2_000_000).tolist()
    text = " ".join(map(str, numbers))
    for hypothesis, reference in [(text, "1 2 3"), ("1 2 3", text)]:
        assert np.isfinite(ON_WORDS.statistics([hypothesis], [reference])).all()
    distinct = " ".join(map(str, range(1_000_000)))
    rows = ON_WORDS.statistics([distinct], [distinct])
    assert ON_WORDS.score(rows[0]) == pytest.approx(100.0)


def test_rare_words_weigh_more() -> None:
    references = References.of(["the cat", "the dog", "the hen"])
    metric = ON_WORDS.with_options(order=1, tfidf="tf-idf")
    assert metric.needs_fit
    assert not ON_WORDS.needs_fit
    fitted = metric.fit(references)
    found = columns(fitted, ["the cow"], [["the cat"]])
    common, rare = log(1 + 3 / 3), log(1 + 3 / 1)
    assert found["1:tf-idf_matches_1"] == pytest.approx(common)
    assert found["1:tf-idf_totals_1"] == pytest.approx(common + rare)  # no reference has "cow"
    assert found["1:tf-idf_reference_1"] == pytest.approx(common + rare)


def test_several_references_are_united() -> None:
    found = columns(ON_WORDS, ["a a b c"], [["a b", "a a c x y"]])
    assert found["1:matches_1"] == 4  # a twice, b and c, no reference having all
    assert found["1:reference_1"] == 6  # a a b c x y


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("amber[types=8]", "amber: found types=8, expected some of 0, 1, 2, 3, 4, 5, 6, 7"),
        ("amber[types=1+1]", "found types=1+1, expected some of"),
        ("amber[strategies=gap]", "option strategies: found 'gap', expected ngram or fixed-gap"),
        ("amber[order=0]", "amber: found order=0, expected at least 1"),
        ("amber[skip_limit=-1]", "found skip_limit=-1, expected 0 or more, or none"),
        ("amber[alpha=1.5]", "expected alpha and theta1 + theta2 at most 1"),
        ("amber[theta1=0.6,theta2=0.6]", "expected alpha and theta1 + theta2 at most 1"),
        ("amber[ckp=nan]", "amber: found ckp=nan, expected a finite number, 0 or more"),
        ("amber-basic[nkcp=-1]", "amber-basic: found nkcp=-1.0, expected a finite number"),
        ("amber[tfidf=idf]", "option tfidf: found 'idf', expected none or tf-idf or none+tf-idf"),
    ],
)
def test_unfit_options(spec: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_metric(spec)
    assert message in str(error.value)


@pytest.mark.parametrize("types", ["0", "4", "4+6", "1+2+3+4+5+6+7"])
def test_types_by_option(types: str) -> None:
    metric = parse_metric(f"amber[types={types}]")
    assert isinstance(metric, Amber)
    rows = metric.statistics(["a gang reads books"], ["the gangs read a book"])
    runs = metric.breakdown(rows[0]).runs
    assert "+".join(str(run.text_type) for run in runs) == types
    alone = [Amber(types=(run.text_type,)) for run in runs]
    scores = [
        one.score(one.statistics(["a gang reads books"], ["the gangs read a book"])[0])
        for one in alone
    ]
    assert metric.score(rows[0]) == pytest.approx(np.mean(scores))


def test_explained(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "explain",
        *(str(SAMPLE / f"reference.{n}.en") for n in (1, 2)),
        *("-i", *(str(SAMPLE / "systems" / f"{name}.txt") for name in ("alder", "cedar"))),
        *("-m", "amber", "--segment", "2", "-f", "json"),
    ]
    shown = json.loads(output(capsys, *words))
    alder, cedar = (one["scores"][0] for one in shown["systems"])
    assert alder["score"] > cedar["score"]
    values = [one["value"] for one in alder["components"] if one["name"] == "score × penalty"]
    assert np.mean(values) == pytest.approx(alder["score"])
    trace = alder["traces"][0]["trace"]
    assert [line[:6] for line in trace[::5]] == ["type 1", "type 4", "type 6"]
