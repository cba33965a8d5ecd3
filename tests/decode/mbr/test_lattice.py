"""Minimum Bayes risk over lattices and forests: posteriors, linear BLEU, samples, products."""

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path as FilePath

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tertium import _native
from tertium.decode.formats.segments import read_forests, read_lattices
from tertium.decode.mbr.decision import product_mbr
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.linear_bleu import (
    LinearBleu,
    best_text,
    forest_posteriors,
    lattice_posteriors,
    linear_bleu_mbr,
    text_posteriors,
)
from tertium.decode.mbr.lists import mbr
from tertium.decode.mbr.spaces import SpaceSearch, forest_linear_mbr, sampled_texts, space_mbr
from tertium.decode.oracle.margin import within
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.lattice_forests import forest_to_lattice
from tertium.decode.weights import read_weights
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.table import parse_metric
from tests.oracles.decoding import mbr as oracle
from tests.support.effort import examples
from tests.support.lattice_strategies import forests, lattices, random_forest, random_lattice

pytestmark = pytest.mark.slow

FEW = ("a", "b")
Weighted = list[tuple[tuple[str, ...], float]]


def weighted_paths(space: Lattice | Forest, scale: float = 1.0) -> Weighted:
    """All paths with their probabilities."""
    paths = list(space.paths())
    shares = oracle.softmax([path.score for path in paths], scale)
    return [(path.words, share) for path, share in zip(paths, shares.tolist(), strict=True)]


def small(space: Lattice | Forest) -> bool:
    return space.count_paths() <= 2000


@pytest.mark.slow
@given(lattices(words=FEW, most_nodes=6, most_arcs=10), st.sampled_from([0.0, 0.5, 2.0]))
@settings(max_examples=examples(150))
def test_lattice_posteriors_are_sums_over_paths(lattice: Lattice, scale: float) -> None:
    found = lattice_posteriors(lattice, 4, scale=scale)
    wanted = oracle.posteriors(weighted_paths(lattice, scale), 4)
    assert set(found) == set(wanted)
    for gram, probability in wanted.items():
        assert found[gram] == pytest.approx(probability, abs=1e-12)


def test_posteriors_count_a_path_once() -> None:
    """Two of three words are 'a': its expected count is 2, its posterior 1."""
    lattice = Lattice.build([(0, 1, "a"), (1, 2, "b"), (2, 3, "a"), (2, 3, "c")])
    found = lattice_posteriors(lattice, 2)
    assert found["a",] == pytest.approx(1)
    assert found["b", "a"] == pytest.approx(0.5)
    assert ("a", "a") not in found
    assert found.order == 2


def test_posteriors_add_derivations_of_the_same_text() -> None:
    """'a' has two paths of probability 0.3 each: added 0.6, the best alone would lose."""
    shares = {"": 0.3, "a": 0.3, "b": 0.4}
    arcs = [(0, 1, "a", math.log(0.3)), (0, 1, "a", math.log(0.3)), (0, 1, "b", math.log(0.4))]
    found = lattice_posteriors(Lattice.build(arcs), 1)
    assert found["a",] == pytest.approx(2 * shares["a"])
    assert found["b",] == pytest.approx(shares["b"])


@given(
    lattices(words=FEW, most_nodes=6, most_arcs=10),
    st.floats(0.3, 1),
    st.floats(0.3, 1),
    st.floats(-0.5, 0.5),
)
@settings(max_examples=examples(120))
def test_linear_bleu_finds_the_best_path(
    lattice: Lattice, precision: float, ratio: float, penalty: float
) -> None:
    formula = LinearBleu(precision=precision, ratio=ratio, word_penalty=penalty)
    found = linear_bleu_mbr(lattice, formula, scale=0.5)
    paths = weighted_paths(lattice, 0.5)
    table = oracle.posteriors(paths, 4)
    gains = [oracle.linear_gain(words, table, precision, ratio, penalty) for words, _ in paths]
    assert found.gain == pytest.approx(max(gains), abs=1e-9)
    own = oracle.linear_gain(found.path.words, table, precision, ratio, penalty)
    assert own == pytest.approx(found.gain, abs=1e-9)
    assert formula.gain(found.path.words, found.posteriors) == pytest.approx(own, abs=1e-9)


@pytest.mark.slow
def test_linear_bleu_on_a_thousand_lattices() -> None:
    rng = np.random.default_rng(11)
    formula = LinearBleu(precision=0.7, ratio=0.6)
    for _ in range(1000):
        lattice = random_lattice(rng, nodes=int(rng.integers(1, 7)), arcs=9, words=("a", "b", "c"))
        found = linear_bleu_mbr(lattice, formula)
        paths = weighted_paths(lattice)
        table = oracle.posteriors(paths, 4)
        best = max(oracle.linear_gain(words, table, 0.7, 0.6, 0) for words, _ in paths)
        assert found.gain == pytest.approx(best, abs=1e-9)


def test_linear_bleu_with_other_evidence() -> None:
    lattice = Lattice.build([(0, 1, "x"), (0, 1, "y"), (0, 1, "z")])
    evidence = Lattice.build([(0, 1, "y", 0.0), (0, 1, "q", 1.0), (0, 1, "x", -1.0)])
    assert linear_bleu_mbr(lattice, evidence=evidence).text == "y"
    # The margin leaves only 'q' in the evidence, and all paths of the lattice are equal.
    assert linear_bleu_mbr(lattice, evidence=evidence, margin=0.5).gain == pytest.approx(-1)
    table = lattice_posteriors(evidence, 4)
    assert linear_bleu_mbr(lattice, evidence=table).text == "y"
    with pytest.raises(OptionError, match="up to 4-grams, expected 2"):
        linear_bleu_mbr(lattice, LinearBleu(order=2), evidence=table)


@given(lattices(), st.sampled_from([0.0, 0.75, 2.0, 100.0]))
@settings(max_examples=examples(60))
def test_margin_keeps_what_is_near_the_best(lattice: Lattice, margin: float) -> None:
    kept = within(lattice, margin)
    best = lattice.best().score
    near = {path.text for path in lattice.paths() if path.score >= best - margin}
    left = {path.text for path in kept.paths()}
    assert near <= left <= {path.text for path in lattice.paths()}
    assert kept.best().score == pytest.approx(best)
    # No arc is left that is only on worse paths.
    used = {
        arc for path in kept.paths() if path.score >= best - margin - 1e-6 for arc in path.edges
    }
    assert used == set(range(kept.arcs))


@pytest.mark.shared
@pytest.mark.parametrize("alpha", ["0.40", "0.50"])
@pytest.mark.parametrize("penalty", ["-0.01", "0.01"])
def test_hifst_gold(shared_data: FilePath, alpha: str, penalty: str) -> None:
    """HiFST's own lattice MBR: p = .741, r = .62, T = 10, evidence pruned to 5 from the best."""
    folder = shared_data / "lattices" / "hifst"
    gold = (folder / "lmbr-gold" / f"{alpha}_{penalty}.hyp").read_text().splitlines()
    formula = LinearBleu(
        precision=0.741, ratio=0.62, reference_words=10, word_penalty=float(penalty)
    )
    for number, line in enumerate(gold, 1):
        (lattice,) = read_lattices(folder / f"lmbr.{number}.txt.gz", format="openfst")
        found = linear_bleu_mbr(lattice, formula, scale=float(alpha), margin=5.0)
        assert found.text.split() == line.partition(":")[2].split()


@given(forests(words=FEW).filter(small), st.sampled_from([0.0, 0.5, 2.0]))
@settings(max_examples=examples(100))
def test_forest_posteriors_are_sums_over_derivations(forest: Forest, scale: float) -> None:
    paths = weighted_paths(forest, scale)
    texts = [" ".join(words) for words, _ in paths]
    found = forest_posteriors(forest, [*texts, "unheard of"], 3, scale=scale)
    wanted = oracle.posteriors(paths, 3)
    assert set(found) == set(wanted)
    for gram, probability in wanted.items():
        assert found[gram] == pytest.approx(probability, abs=1e-12)


@pytest.mark.slow
def test_forest_posteriors_of_many() -> None:
    rng = np.random.default_rng(2)
    for _ in range(120):
        forest = random_forest(rng, nodes=5, words=FEW)
        if not small(forest):
            continue
        paths = weighted_paths(forest)
        found = forest_posteriors(forest, [" ".join(words) for words, _ in paths], 4)
        wanted = oracle.posteriors(paths, 4)
        assert max((abs(found[gram] - wanted[gram]) for gram in wanted), default=0) < 1e-12


def test_posteriors_of_texts() -> None:
    evidence = Evidence.of(["a b a", "b a", "c"], [0.0, 0.0, -50.0])
    found = text_posteriors(evidence, 2, approximation="3 texts")
    pairs = zip(evidence.texts, evidence.probabilities.tolist(), strict=True)
    wanted = oracle.posteriors([(tuple(text.split()), share) for text, share in pairs], 2)
    assert dict(found) == pytest.approx(wanted)
    assert found.approximation == "3 texts"
    winner, gains = best_text(["b a", "c"], found, LinearBleu(precision=0.3, ratio=0.5, order=2))
    assert winner == 0
    assert gains[0] > gains[1]


@pytest.mark.parametrize("make", [random_lattice, random_forest])
def test_samples_have_the_models_probabilities(make: Callable[..., Lattice | Forest]) -> None:
    rng = np.random.default_rng(8)
    space = make(rng, nodes=4, words=("a", "b", "c"))
    wanted: dict[str, float] = {}
    for words, share in weighted_paths(space, 0.3):
        wanted[" ".join(words)] = wanted.get(" ".join(words), 0.0) + share
    size = 20_000
    found = Counter(sampled_texts(space, size, seed=1, scale=0.3))
    assert set(found) <= set(wanted)
    for text, share in wanted.items():
        assert found[text] / size == pytest.approx(share, abs=5 * math.sqrt(share / size) + 1e-4)
    again = sampled_texts(space, 50, seed=1, scale=0.3)
    assert again == sampled_texts(space, 50, seed=1, scale=0.3)
    assert again != sampled_texts(space, 50, seed=2, scale=0.3)


def test_sampled_choice_says_what_it_looked_at() -> None:
    lattice = random_lattice(np.random.default_rng(4), nodes=5, arcs=10)
    search = SpaceSearch(best=5, samples=40, seed=3)
    found = space_mbr(lattice, "grr[tokenizer=none]", search, segment=6)
    assert found.approximation == (
        "candidates: 5 best paths and 40 samples; evidence: samples, seed 3"
    )
    samples = sampled_texts(lattice, 40, seed=3)
    best = [path.text for path, _ in zip(lattice.ranked(), range(5), strict=False)]
    wanted = mbr(list(dict.fromkeys(best + samples)), "grr[tokenizer=none]", evidence=samples)
    assert (found.text, found.score, found.segment) == (wanted.text, wanted.score, 6)
    ranked = space_mbr(lattice, "wrr", SpaceSearch(best=3, samples=0, evidence="n-best", scale=0.5))
    assert ranked.approximation == "candidates: 3 best paths; evidence: n-best"
    assert len(ranked.candidates) <= 3


def test_with_many_samples_the_choice_is_that_of_all_paths() -> None:
    lattice = Lattice.build(
        [(0, 1, "a", 0.4), (0, 1, "b", 0.0), (1, 2, "c", 0.0), (1, 2, "d", -0.5), (2, 3, "e", 0.0)]
    )
    paths = weighted_paths(lattice)
    texts = [" ".join(words) for words, _ in paths]
    metric = parse_metric("grr[tokenizer=none]")
    wanted = oracle.expected(metric, texts, texts, [share for _, share in paths])
    found = space_mbr(lattice, metric, SpaceSearch(samples=4000))
    assert found.text == texts[int(np.argmax(wanted))]
    assert found.score == pytest.approx(max(wanted), abs=2)


def test_forest_linear_bleu_uses_all_derivations() -> None:
    forest = random_forest(np.random.default_rng(6), nodes=5, words=("a", "b"))
    paths = weighted_paths(forest, 0.5)
    table = oracle.posteriors(paths, 4)
    formula = LinearBleu(precision=0.6, ratio=0.5)
    found = forest_linear_mbr(forest, formula, SpaceSearch(best=10, samples=50, scale=0.5))
    gains = [
        oracle.linear_gain(tuple(text.split()), table, 0.6, 0.5, 0) for text in found.candidates
    ]
    np.testing.assert_allclose(found.expected, gains, atol=1e-9)
    assert found.winner == int(np.argmax(gains))
    assert found.approximation.endswith("evidence: all derivations")


@pytest.mark.shared
def test_real_forest(shared_data: FilePath) -> None:
    """A phrase-based decoder's hypergraph is a lattice: its posteriors are the lattice's."""
    folder = shared_data / "forests" / "moses" / "denseonly" / "data"
    (forest,) = read_forests(folder / "hg.gz")
    forest = forest.with_weights(read_weights(folder / "dense.weights"))
    lattice = forest_to_lattice(forest)
    texts = [path.text for path, _ in zip(forest.ranked(), range(20), strict=False)]
    ours = forest_posteriors(forest, texts, 2, scale=0.1)
    theirs = lattice_posteriors(lattice, 2, scale=0.1)
    for gram, probability in ours.items():
        assert theirs[gram] == pytest.approx(probability, abs=1e-9)


RATES = (
    "grr[tokenizer=none]",
    "wrr[tokenizer=none]",
    "grr[tokenizer=none,k=2,alpha=0.5,beta=0.25]",
)


@pytest.mark.parametrize("spec", RATES)
def test_product_search_equals_all_paths(spec: str) -> None:
    metric = parse_metric(spec)
    rng = np.random.default_rng(17)
    for _ in range(60):
        lattice = random_lattice(
            rng, nodes=int(rng.integers(2, 6)), arcs=8, words=("a", "b", "c"), empty=0.2
        )
        size = int(rng.integers(1, 4))
        texts = [" ".join(rng.choice(["a", "b", "c"], rng.integers(1, 5))) for _ in range(size)]
        evidence = Evidence.of(texts, rng.normal(size=size))
        found = product_mbr(lattice, evidence, metric)
        paths = [path.text for path in lattice.paths()]
        shares = evidence.probabilities.tolist()
        wanted = oracle.expected(metric, paths, evidence.texts, shares)
        assert found.expected == pytest.approx(max(wanted), abs=1e-9)
        (own,) = oracle.expected(metric, [found.text], evidence.texts, shares)
        assert own == pytest.approx(found.expected, abs=1e-9)


def test_product_search_has_limits() -> None:
    lattice = Lattice.build([(0, 1, "a"), (1, 2, "b")])
    evidence = Evidence.of([" ".join(f"w{i}" for i in range(k, k + 30)) for k in range(5)])
    with pytest.raises(OptionError, match="expected at most"):
        product_mbr(lattice, evidence, parse_metric("grr"))
    with pytest.raises(OptionError, match="expected grr or wrr"):
        product_mbr(lattice, evidence, parse_metric("bleu"))
    with pytest.raises(InputError, match="without a word"):
        product_mbr(lattice, Evidence.of([""]), parse_metric("wrr"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda one: lattice_posteriors(one, 0), "order"),
        (lambda one: lattice_posteriors(one, scale=-1), "scale"),
        (lambda one: sampled_texts(one, 0, seed=1), "samples"),
        (lambda one: sampled_texts(one, 1, seed=1, scale=math.inf), "scale"),
        (lambda one: within(one, -1), "margin"),
        (lambda _: LinearBleu(precision=0), "precision"),
        (lambda _: LinearBleu(ratio=1.5), "ratio"),
        (lambda _: LinearBleu(order=0), "order"),
        (lambda _: LinearBleu(reference_words=0), "reference_words"),
        (lambda _: LinearBleu(word_penalty=math.nan), "word_penalty"),
        (lambda _: SpaceSearch(samples=0), "samples"),
        (lambda _: SpaceSearch(best=0, evidence="n-best"), "best"),
        (lambda _: SpaceSearch(best=-1), "best"),
    ],
)
def test_mistakes(call: Callable[[Lattice], object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        call(Lattice.build([(0, 1, "a")]))


def test_native_core_refuses_what_is_no_lattice() -> None:
    def numbers(*values: int) -> NDArray[np.int32]:
        return np.array(values, dtype=np.int32)

    zero = np.zeros(1)
    for sources, targets, nodes in (([1], [0], 2), ([0], [2], 2), ([0], [1], 0), ([-1], [1], 2)):
        with pytest.raises(ValueError, match="lattice"):
            _native.lattice_posteriors(
                numbers(*sources), numbers(*targets), numbers(0), zero, nodes=nodes, order=1
            )
    with pytest.raises(ValueError, match="forest"):
        _native.forest_posteriors(
            numbers(0),
            numbers(0, 1),
            numbers(-1),
            numbers(0, 1),
            numbers(0),
            zero,
            nodes=1,
            grams=np.zeros((1, 1), dtype=np.int32),
        )
