"""TESLA-M: the transport problem, the formula, weights of function words, and by hand."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tertium._native import transport_value
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.matching import similarity
from tertium.metrics.matching.tesla import TeslaM
from tertium.metrics.resources.synonyms import Thesaurus
from tertium.metrics.resources.taggers import TaggedWord, Tagger
from tests.oracles.matching import tesla as oracle

SENSES = {"car": {1, 2}, "automobile": {2}, "run": {3, 4}, "operate": {4, 5}}

# form -> lemma, tag of the Penn Treebank
LEXICON = {
    "the": ("the", "DT"),
    "a": ("a", "DT"),
    "of": ("of", "IN"),
    "car": ("car", "NN"),
    "cars": ("car", "NNS"),
    "automobile": ("automobile", "NN"),
    "truck": ("truck", "NN"),
    "runs": ("run", "VBZ"),
    "operates": ("operate", "VBZ"),
}


def is_function(tag: str) -> bool:
    return tag in {"DT", "IN"}


@pytest.fixture(scope="module")
def metric(tmp_path_factory: pytest.TempPathFactory) -> TeslaM:
    spacy = pytest.importorskip("spacy")
    made = spacy.blank("en", meta={"version": "1.2.3"})
    ruler: Any = made.add_pipe("attribute_ruler")
    for form, (lemma, tag) in LEXICON.items():
        ruler.add([[{"LOWER": form}]], {"LEMMA": lemma, "TAG": tag})
    folder = tmp_path_factory.mktemp("pipeline")
    made.to_disk(folder / "rules")
    lines = (f"{word}\n{' '.join(map(str, sets))}\n" for word, sets in SENSES.items())
    (folder / "synonyms").write_text("".join(lines))
    return TeslaM(
        pipeline=Tagger("spacy", str(folder / "rules")),
        synonyms=Thesaurus(str(folder / "synonyms")),
    )


# ---- the transport problem ------------------------------------------------------------------

sizes = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    rows, columns = draw(sizes)
    weights = st.integers(0, 1000)
    return (
        draw(arrays(np.int64, rows, elements=weights)),
        draw(arrays(np.int64, columns, elements=weights)),
        draw(arrays(np.int32, (rows, columns), elements=st.integers(0, 6))),
    )


@given(problems())
def test_transport_is_the_linear_program(problem: tuple[Any, Any, Any]) -> None:
    supplies, demands, gains = problem
    expected = oracle.matched(supplies.tolist(), demands.tolist(), gains.tolist())
    assert transport_value(*problem) == pytest.approx(expected, abs=1e-6)


@given(problems(), st.randoms(use_true_random=False))
def test_transport_does_not_depend_on_order_and_side(
    problem: tuple[Any, Any, Any], random: Any
) -> None:
    supplies, demands, gains = problem
    value = transport_value(*problem)
    assert transport_value(demands, supplies, np.ascontiguousarray(gains.T)) == value
    order = list(range(len(supplies)))
    random.shuffle(order)
    shuffled = supplies[order], demands, np.ascontiguousarray(gains[order])
    assert transport_value(*shuffled) == value
    assert 0 <= value <= int(gains.max()) * min(supplies.sum(), demands.sum())


@given(problems())
def test_transport_grows_with_weight_and_gain(problem: tuple[Any, Any, Any]) -> None:
    supplies, demands, gains = problem
    value = transport_value(*problem)
    assert transport_value(supplies + 1, demands, gains) >= value
    assert transport_value(supplies, demands, gains + np.int32(1)) >= value
    assert transport_value(2 * supplies, 2 * demands, gains) == 2 * value


def test_transport_undoes_a_move_that_was_the_best_at_first() -> None:
    # 0→0 gains most, but 0→1 and 1→0 together gain more: 2 + 2 > 3.
    gains = np.array([[3, 2], [2, 0]], dtype=np.int32)
    one = np.array([1, 1], dtype=np.int64)
    assert transport_value(one, one, gains) == 4


def test_transport_refuses_gains_of_another_shape() -> None:
    one = np.array([1], dtype=np.int64)
    with pytest.raises(ValueError, match="a row for each supply"):
        transport_value(one, one, np.zeros((2, 1), dtype=np.int32))


# ---- the metric -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        ("the car runs", ["the car runs"], 100),
        ("the automobile operates", ["the car runs"], 100),
        ("the cars runs", ["the car runs"], 100),  # the lemma is enough
        # weights .1 1 1; car–truck has .5: unigrams 1.6/2.1, bigrams .1·.75 + .75 of 1.1,
        # the trigram (1 + .5 + 1)/3
        ("the truck runs", ["the car runs"], 100 * (1.6 / 2.1 + 0.75 + 2.5 / 3) / 3),
        # a wrong article costs little: unigrams .05 + 2 of 2.1, bigrams .1·.75 + 1 of 1.1
        ("a car runs", ["the car runs"], 100 * (2.05 / 2.1 + 1.075 / 1.1 + 2.5 / 3) / 3),
        # one 'car' for two: m = 1 and F = m / (.8 · 1 + .2 · 2); no bigram on the other side
        ("car car", ["car"], 100 * (1 / 1.2 + 0) / 2),
        ("car", ["car", "runs"], 50),
        ("!", ["?"], 100),
        ("", ["the car"], 0),
        ("", [""], 100),
    ],
)
def test_segments(metric: TeslaM, hypothesis: str, references: list[str], expected: float) -> None:
    rows = metric.statistics([hypothesis], [references])
    assert metric.score(rows[0]) == pytest.approx(expected)


texts = st.lists(st.sampled_from(sorted(LEXICON)), max_size=7)


@settings(deadline=None)  # the first example loads the pipeline
@given(
    segments=st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=2)), max_size=3),
    factor=st.sampled_from([0.1, 0.3, 1.0]),
)
def test_equals_the_formula(
    metric: TeslaM, segments: list[tuple[list[str], list[list[str]]]], factor: float
) -> None:
    chosen = metric.with_options(function_weight=factor)
    rows = chosen.statistics(
        [" ".join(hypothesis) for hypothesis, _ in segments],
        [[" ".join(reference) for reference in others] for _, others in segments],
    )
    expected = [
        oracle.tesla(
            [LEXICON[form] for form in hypothesis],
            [[LEXICON[form] for form in reference] for reference in others],
            SENSES,
            is_function,
            factor=factor,
        )
        for hypothesis, others in segments
    ]
    np.testing.assert_allclose(chosen.score(rows), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("pipeline", "tag", "content"),
    [
        ("hanta:en", "NN1", True),
        ("hanta:en", "VBZ", False),  # 'is' in CLAWS 5
        ("hanta:en", "PRP", False),
        ("hanta:de", "VVFIN", True),
        ("hanta:de", "ART", False),
        ("spacy:x", "VBZ", True),  # any verb in the Penn Treebank
        ("spacy:x", "PRP$", False),
        ("spacy:x", "ADP", False),
        ("spacy:x", "PROPN", True),
    ],
)
def test_function_words_are_known_by_the_tags_of_the_tagger(
    pipeline: str, tag: str, content: bool
) -> None:
    metric = TeslaM(pipeline=Tagger.parse(pipeline))
    assert metric.weight((TaggedWord("", "x", tag),)) == (1.0 if content else 0.1)


def test_content_tags_can_be_given() -> None:
    metric = parse_metric("tesla-m[content=Q.]")
    assert isinstance(metric, TeslaM)
    assert metric.weight((TaggedWord("", "x", "QX"), TaggedWord("", "y", "NN1"))) == 0.1


def test_wrong_options_are_told() -> None:
    with pytest.raises(OptionError, match=r"found function_weight=0\.0, expected a number above 0"):
        TeslaM(function_weight=0.0)
    with pytest.raises(OptionError, match="expected a regular expression"):
        TeslaM(content="(")
    with pytest.raises(OptionError, match="tesla-m: found order 0"):
        TeslaM(order=0)


def test_too_many_pairs_is_an_error(metric: TeslaM, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "LIMIT", 3)
    with pytest.raises(InputError, match="tesla-m: found a segment with 2 and 2 n-grams"):
        metric.statistics(["the car"], ["a truck"])


@pytest.mark.parametrize("alpha", [0.0, 1.0])
@pytest.mark.parametrize(("hypothesis", "expected"), [("the", 100.0), ("cat", 0.0)])
def test_weights_that_are_rounded_to_nothing(
    alpha: float, hypothesis: str, expected: float
) -> None:
    metric = parse_metric(f"tesla-m[function_weight=1e-300,alpha={alpha}]")
    problem = type(metric).missing()
    if problem:
        pytest.skip(problem)
    assert metric.score(metric.statistics([hypothesis], ["the"]))[0] == expected
