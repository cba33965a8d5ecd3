"""Exact oracles against every path of small lattices, lists and forests."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.decode import Forest, Lattice, NBest
from tertium.decode.oracle.candidates import OracleSetting, native_forest, native_lattice
from tertium.decode.oracle.oracles import corpus_oracle, oracle
from tertium.decode.structures.arrays import Floats
from tertium.errors import InputError, OptionError
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.metrics.edit.wer import WordErrorRate, WordRecognitionRate
from tertium.text.tokenizers import WHITESPACE
from tests.oracles.decoding.lattice_oracle import (
    Words,
    forest_derivations,
    lattice_paths,
    numerator,
    segment_score,
    word_recognition_score,
)
from tests.support.decoding.oracle_search import grr, whole
from tests.support.effort import examples
from tests.support.lattice_strategies import WORDS, forests, lattices, random_forest, random_lattice

# The paper's α and β, others of either sign, and some that are no multiple of anything small.
COSTS = [(1, 0), (-0.9, 1), (1, 1), (0, 0), (1 / 3, 0.21), (-1, -1), (2.5, -0.5), (0.1, 0.7)]
RUNS = [1, 2, 3, 4, 7]
UNSEEN = "unseen"
references = st.lists(st.sampled_from([*WORDS, UNSEEN]), max_size=7).map(tuple)


def model_scores(structure: Lattice | Forest) -> Floats:
    return structure.edge_scores()


def best_derivations(structure: Lattice | Forest) -> dict[Words, tuple[float, tuple[int, ...]]]:
    """For every word sequence its best model score and the edges that have it."""
    scores = model_scores(structure)
    found: dict[Words, tuple[float, tuple[int, ...]]] = {}
    everything = (
        lattice_paths(structure)
        if isinstance(structure, Lattice)
        else forest_derivations(structure)
    )
    for words, edges in everything:
        score = float(scores[list(edges)].sum())
        if words not in found or score > found[words][0]:
            found[words] = score, edges
    return found


def random_reference(rng: np.random.Generator, structure: Lattice | Forest) -> Words:
    """Words that the structure says, or nearly: an oracle that matches nothing tests nothing."""
    if rng.random() < 0.7:
        everything = list(best_derivations(structure))
        words = list(everything[rng.integers(len(everything))])
        for _ in range(int(rng.integers(3))):
            place = int(rng.integers(len(words) + 1))
            if rng.random() < 0.5:
                words.insert(place, str(rng.choice([*WORDS, UNSEEN])))
            else:
                words[place : place + 1] = []
        return tuple(words)
    return tuple(str(word) for word in rng.choice([*WORDS, UNSEEN], rng.integers(8)))


def check_native(
    structure: Lattice | Forest, reference: Words, k: int, costs: tuple[float, float], count: int
) -> None:
    """The order by numerator, then by model score, is that of looking at everything."""
    alpha, beta = costs
    places = {word: place for place, word in enumerate(structure.vocabulary)}
    ids = np.array([places.get(word, -2) for word in reference], dtype=np.int32)
    if isinstance(structure, Lattice):
        found = native_lattice(structure).best(ids, k=k, alpha=alpha, beta=beta, count=count)
    else:
        found, complete = native_forest(structure).best(
            ids, k=k, alpha=alpha, beta=beta, count=count
        )
        assert complete
    every = best_derivations(structure)
    expected = sorted(
        (
            (numerator(words, reference, k, alpha, beta), score)
            for words, (score, _) in every.items()
        ),
        key=lambda pair: (-round(pair[0], 9), -pair[1]),
    )[:count]
    scores = model_scores(structure)
    assert [one[0] for one in found] == pytest.approx([one[0] for one in expected], abs=1e-9)
    assert [scores[edges].sum() for _, edges in found] == [one[1] for one in expected]
    said = [structure_words(structure, edges) for _, edges in found]
    assert len(set(said)) == len(said)
    assert [numerator(words, reference, k, alpha, beta) for words in said] == pytest.approx(
        [one[0] for one in expected], abs=1e-9
    )


def structure_words(structure: Lattice | Forest, edges: list[int]) -> Words:
    if isinstance(structure, Lattice):
        return structure.path(edges).words
    return structure.derivation(edges).words


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_lattices_equal_all_paths(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(500):
        nodes = int(rng.integers(1, 7))
        lattice = random_lattice(rng, nodes=nodes, arcs=int(rng.integers(nodes, nodes + 6)))
        reference = random_reference(rng, lattice)
        costs = COSTS[rng.integers(len(COSTS))]
        check_native(lattice, reference, int(rng.choice(RUNS)), costs, int(rng.choice([1, 3, 50])))


@pytest.mark.slow
@pytest.mark.parametrize("words", [WORDS, ("a", "b")], ids=["several words", "two words"])
@pytest.mark.parametrize("seed", range(2))
def test_forests_equal_all_derivations(seed: int, words: tuple[str, ...]) -> None:
    rng = np.random.default_rng(seed)
    checked = 0
    while checked < 400:
        forest = random_forest(rng, nodes=int(rng.integers(1, 6)), words=words)
        if forest.count_derivations() > 200:
            continue
        if max(len(said) for said, _ in forest_derivations(forest)) > 12:
            continue
        checked += 1
        reference = random_reference(rng, forest)
        costs = COSTS[rng.integers(len(COSTS))]
        check_native(forest, reference, int(rng.choice(RUNS)), costs, int(rng.choice([1, 3, 20])))


@given(lattices(), references, st.sampled_from(RUNS), st.sampled_from(COSTS), st.integers(1, 9))
@settings(max_examples=examples(60))
def test_any_lattice(
    lattice: Lattice, reference: Words, k: int, costs: tuple[float, float], count: int
) -> None:
    check_native(lattice, reference, k, costs, count)


@given(
    forests(most_nodes=3),
    references,
    st.sampled_from(RUNS),
    st.sampled_from(COSTS),
    st.integers(1, 9),
)
@settings(max_examples=examples(60))
def test_any_forest(
    forest: Forest, reference: Words, k: int, costs: tuple[float, float], count: int
) -> None:
    check_native(forest, reference, k, costs, count)


@pytest.mark.slow
def test_long_runs_cross_nodes() -> None:
    """A run that begins below one tail goes on below the next, up to k and beyond."""
    rng = np.random.default_rng(7)
    for _ in range(60):
        words = [str(word) for word in rng.choice(["a", "b"], 12)]
        cuts = sorted({0, 12, *rng.integers(1, 12, 4).tolist()})
        edges: list[tuple[int, list[str | int], float]] = []
        for node, (begin, end) in enumerate(pairwise(cuts)):
            edges += [(node, list(words[begin:end]), -1.0), (node, ["a", UNSEEN], 0.0)]
        edges.append((99, list(range(len(cuts) - 1)), 0.0))
        forest = Forest.build(edges, goal=99)
        k = int(rng.integers(1, 8))
        best = oracle(forest, " ".join(words), grr(k))
        assert best.text == " ".join(words)
        assert best.best.score == 100
        check_native(forest, tuple(words), k, (1, 0), 8)


def test_ties_go_to_the_model_then_to_the_smaller() -> None:
    arcs = [(0, 1, "x", 0.0), (0, 1, "y", 1.0), (0, 1, "y", 1.0), (0, 1, "z", 1.0)]
    lattice = Lattice.build([*arcs, (1, 2, "a", 0.0)])
    found = oracle(lattice, "w a", count=9)
    assert [one.text for one in found.hypotheses] == ["y a", "z a", "x a"]
    assert found.best.edges == (1, 4)  # the first of two equal arcs
    forest = Forest.build(
        [(0, [word], score) for _, _, word, score in arcs] + [(1, [0, "a", 0], 0)]
    )
    assert oracle(forest, "w a").best.edges == (4, 1, 1)
    nbest = NBest(
        segment=0, hypotheses=("x a", "y a", "z a", "y a"), scores=np.array([0, 1, 1, 0.5])
    )
    assert [one.edges for one in oracle(nbest, "w a", count=9).hypotheses] == [(1,), (2,), (0,)]


def test_tails_in_another_order_than_their_words() -> None:
    """Derivations list hyperedges in the order of tails, whatever the order of words."""
    forest = Forest(
        vocabulary=("a", "b", "c", "d"),
        heads=whole(0, 0, 1, 1, 2),
        symbol_offsets=whole(0, 1, 2, 3, 4, 6),
        symbols=whole(0, 1, 2, 3, -2, -1),
        tail_offsets=whole(0, 0, 0, 0, 0, 2),
        tails=whole(0, 1),
        feature_names=("f",),
        features=np.array([[0.0], [1.0], [0.0], [2.0], [0.0]]),
        nodes=3,
    )
    best = oracle(forest, "c a").best
    assert (best.text, best.edges, best.model_score) == ("c a", (4, 0, 2), 0.0)


def test_what_a_result_says() -> None:
    lattice = Lattice.build(
        [(0, 1, "the", {"lm": -1.0}), (0, 1, "a", {"lm": -0.5, "tm": -1.0}), (1, 2, "cat", {})],
        feature_names=("lm", "tm"),
        weights=[1.0, 2.0],
    )
    found = oracle(lattice, ["a cat", "the cat sat"], "grr")
    assert found.best.words == ("a", "cat")
    assert found.best.features.tolist() == [-0.5, -1.0]
    assert found.best.model_score == -2.5
    assert found.first.text == "the cat"
    assert found.first.score == pytest.approx(50.0)  # (1 + 2) / 6 of the longer reference
    assert found.to_dict()["hypotheses"][0]["features"] == {"lm": -0.5, "tm": -1.0}
    other = oracle(lattice, "a cat", weights={"tm": 1.0})
    assert (other.best.model_score, other.first.model_score) == (-1.0, 0.0)


@given(
    st.lists(
        st.tuples(lattices(most_nodes=4), st.lists(references, min_size=1, max_size=3)),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from([1, 4]),
    st.sampled_from(COSTS),
)
@settings(max_examples=examples(60))
def test_several_references_and_the_best_corpus(
    segments: list[tuple[Lattice, list[Words]]], k: int, costs: tuple[float, float]
) -> None:
    """The best rate of any reference in each segment; their corpus score is the best there is."""
    metric = grr(k, *costs)
    texts = [[" ".join(one) for one in own] for _, own in segments]
    result = corpus_oracle([one for one, _ in segments], texts, OracleSetting(metric=metric))
    assert not result.approximation
    chosen = []
    for (lattice, own), found in zip(segments, result.segments, strict=True):
        scores = [segment_score(words, own, k, *costs) for words, _ in lattice_paths(lattice)]
        assert found.best.score == pytest.approx(max(scores), abs=1e-7)
        chosen.append([" ".join(words) for words, _ in lattice_paths(lattice)])
    rng = np.random.default_rng(0)
    for _ in range(5):
        others = [str(rng.choice(one)) for one in chosen]
        rows = metric.statistics(others, texts)
        assert float(metric.score(rows.sum(axis=0))) <= result.score + 1e-7
    rows = metric.statistics(list(result.texts), texts)
    assert result.score == pytest.approx(float(metric.score(rows.sum(axis=0))))


@given(lattices(), st.lists(references, min_size=1, max_size=3), st.integers(1, 4))
@settings(max_examples=examples(60))
def test_wrr_and_wer(lattice: Lattice, own: list[Words], count: int) -> None:
    texts = [" ".join(one) for one in own]
    every = {words for words, _ in lattice_paths(lattice)}
    expected = sorted((word_recognition_score(words, own) for words in every), reverse=True)
    found = oracle(lattice, texts, WordRecognitionRate(tokenizer=WHITESPACE), count=count)
    assert [one.score for one in found.hypotheses] == pytest.approx(expected[:count])
    wer = oracle(lattice, texts, WordErrorRate(tokenizer=WHITESPACE), count=count)
    assert [100 - one.score for one in wer.hypotheses] == pytest.approx(expected[:count])


def test_left_branching_forests_are_lattices() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        lattice = random_lattice(rng, nodes=5, arcs=9)
        forest = lattice.to_forest()
        assert native_forest(forest).left_branching
        reference = " ".join(random_reference(rng, lattice))
        one, other = oracle(lattice, reference, count=3), oracle(forest, reference, count=3)
        assert [each.text for each in one.hypotheses] == [each.text for each in other.hypotheses]
        assert one.best.model_score == other.best.model_score
    assert not native_forest(Forest.build([(0, ["a"]), (1, ["b", 0])])).left_branching


@pytest.mark.slow
def test_pruning_is_named_and_never_better() -> None:
    rng = np.random.default_rng(11)
    worse = 0
    for _ in range(150):
        forest = random_forest(rng, nodes=5, edges=3)
        if forest.count_derivations() > 10_000 or native_forest(forest).left_branching:
            continue
        texts = [[" ".join(random_reference(rng, forest))]] if forest.nodes < 5 else [["a b c the"]]
        exact = corpus_oracle([forest], texts, OracleSetting(metric=grr()))
        for band, beam in ((None, 1), (0, None), (1, 2)):
            setting = OracleSetting(metric=grr(), band=band, beam=beam)
            pruned = corpus_oracle([forest], texts, setting)
            assert "pruned" in pruned.approximation
            assert pruned.score <= exact.score + 1e-9
            worse += pruned.score < exact.score - 1e-9
        wide = corpus_oracle([forest], texts, OracleSetting(metric=grr(), band=99, beam=999))
        assert wide.score == exact.score
    assert worse > 0


def test_a_band_leaves_a_derivation_where_a_run_ends_nowhere() -> None:
    """Found by random search: the band dropped what a run of matches falls back to."""
    rows: list[tuple[int, list[str | int]]] = [
        (0, ["b", "c", "b"]), (1, [0, 0, "a"]), (1, [0, "c"]), (2, [1, "c"]),
    ]  # fmt: skip
    metric = GramRecognitionRate(tokenizer=WHITESPACE, k=2, alpha=0.0, beta=0.0)
    forest = Forest.build(rows)
    for band in (0, 1, 2):
        setting = OracleSetting(metric=metric, band=band)
        result = corpus_oracle([forest], [["b b b"]], setting)
        assert result.segments[0].best.text in {path.text for path in forest.paths()}


def test_empty_references_and_structures() -> None:
    single = Lattice(vocabulary=(), sources=whole(), targets=whole(), labels=whole(), nodes=1)
    assert oracle(single, "").best.score == 100
    assert oracle(single, "a b").best.score == 0
    lattice = Lattice.build([(0, 1, "a"), (0, 1, ""), (1, 2, "b")])
    assert oracle(lattice, "").text == "b"  # one insertion less
    assert oracle(lattice, ["", "a b"]).text == "a b"  # a reference without a word gives no rate


def test_settings_are_checked() -> None:
    with pytest.raises(OptionError, match="count: found 0, expected at least 1"):
        OracleSetting(metric=grr(), count=0)
    with pytest.raises(OptionError, match="beam"):
        OracleSetting(metric=grr(), beam=0)
    lattice = Lattice.build([(0, 1, "don't!")])
    with pytest.raises(InputError, match=r"'13a' cuts into 2 words, expected one"):
        oracle(lattice, "do", GramRecognitionRate())
    with pytest.raises(InputError, match="no reference"):
        corpus_oracle([lattice], None, OracleSetting(metric=grr()))
    with pytest.raises(InputError, match="found no n-best list"):
        corpus_oracle([], [], OracleSetting(metric=grr()))
    nbest = NBest(segment=0, hypotheses=("a",), references=("a",))
    with pytest.raises(InputError, match="segment 0: found it twice"):
        corpus_oracle([nbest, nbest], None, OracleSetting(metric=grr()))


def test_lower_case_is_the_metrics_business() -> None:
    lattice = Lattice.build([(0, 1, "The", -1.0), (0, 1, "the", -2.0), (1, 2, "Cat", 0.0)])
    metric = GramRecognitionRate(tokenizer=WHITESPACE, lowercase=True)
    found = oracle(lattice, "THE CAT", metric, count=5)
    assert [(one.text, one.score) for one in found.hypotheses] == [("The Cat", 100.0)]
